"""Rules: their type, their registration and their strength."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.classfile.symbolic.part_kinds import PartKind
from core.model.rules.class_items import ClassItems
from core.model.rules.context import Context

JVM, LINKED, SRC = "jvm", "linked", "src"
"""Strengths of validity, from weak to strong. ``linked`` demands, beyond ``jvm``, that each named class is kept;
``src`` demands, beyond ``linked``, what source code needs."""

STRENGTH = {JVM: 0, LINKED: 1, SRC: 2}
"""The rules that apply are those of this strength and below."""


Apply = Callable[[Context, ClassItems], None]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its id, the validity it belongs to, a sentence for the user, and what adds its clauses for a class."""

    id: str
    validity: str
    words: str
    apply: Apply


RULES: dict[str, Rule] = {}


def rule_words(identifier: str) -> str:
    """Return a rule in words, also of a clause that only defines a derived fact."""
    return RULES[identifier].words if identifier in RULES else "by definition"


def rule(identifier: str, validity: str, words: str) -> Callable[[Apply], Apply]:
    """Register a rule."""

    def register(apply: Apply) -> Apply:
        RULES[identifier] = Rule(identifier, validity, words, apply)
        return apply

    return register


def names_its_class(kind: PartKind) -> Apply:
    """Return the rule by which each part of a kind needs the class that it names: ``[C<I] => NAME(I)``."""

    def apply(context: Context, one: ClassItems) -> None:
        for variable, part in one.of(kind):
            context.need_names(variable, one.name, [part.target])

    return apply
