"""K13 for the bodies of lambdas, which are methods without a Signature in bytecode, and expressions in source."""

from __future__ import annotations

from core.bytecode.code_facts import CodeFacts
from core.model.lookup import SYNTHETIC, Member
from core.model.rules.class_items import ClassItems
from core.model.rules.context import Context
from core.model.rules.generics.generic_members import handles, implemented
from core.model.rules.generics.generic_signatures import Generic

_READING = "$deserializeLambda$"
"""The method that makes a lambda which was serialized; no source shows it."""


def lambda_bodies(one: ClassItems) -> dict[Member, list[int]]:
    """The methods that javac makes of lambdas, each with the variables of the bodies that make these."""
    found: dict[Member, list[int]] = {}
    for code, (maker, _), facts in one.codes:
        for _, owner, name, descriptor, _ in handles(one, facts) if facts.call_sites and maker != _READING else ():
            if owner == one.name and one.facts.methods.get((name, descriptor), 0) & SYNTHETIC:
                found.setdefault((name, descriptor), []).append(code)
    return found


def within_makers(
    context: Context, one: ClassItems, facts: CodeFacts, code: int, makers: list[int], used: list[Generic]
) -> None:
    """[C.lambda!code], which makes a lambda of other types than the erased ones, or names what takes a type variable,
    while the Signature of that is kept => one of the bodies that make it."""
    if any(implemented(one, facts)):
        context.need_one([code], makers, "K13")
        return
    for found in used:
        if found.use.takes_variable:
            context.need_one([code, found.declared, found.signature], makers, "K13")
