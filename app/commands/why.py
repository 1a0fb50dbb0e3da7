"""``jarlet why`` prints a chain of rules in words."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence

from core.errors import UsageError
from core.model.explain import ChainLink, Reason
from core.model.item_model import ItemModel
from core.model.rules.base import RULES
from core.protocol.java_names import find, item_title
from core.words import in_line

_CLOSE = 3
_LISTED = 8
_INSTEAD = 4


def find_item(model: ItemModel, name: str) -> int:
    """Return the number of the item of that name, in the form of Java or of the JVM, or of a class by its file
    (``x.jar!/p/C.class``). Raises UsageError for an unknown name, with similar ones, and for a name of several
    methods."""
    numbers, jar = model.numbers, model.model.jar
    name = next((item.name for item in model.model.items if jar.entries[item.entry].name == name), name)
    found = [name] if name in numbers else find(numbers, name)
    if len(found) == 1:
        return numbers[found[0]]
    if found:
        raise UsageError(f"{name!r} names several items: write {' or '.join(map(in_line, found))}.")
    parts = _parts_of(model, name.replace(".", "/"))
    if parts:
        more = f" and {len(parts) - _LISTED} more" if len(parts) > _LISTED else ""
        raise UsageError(f"The name {name!r} is incomplete. It may stand for {'; '.join(parts[:_LISTED])}{more}.")
    shown = {item_title(other): other for other in numbers}
    similar = difflib.get_close_matches(name, [*shown, *numbers], _CLOSE, 0.5)
    hint = (
        f" Did you mean {' or '.join(map(in_line, similar))}?"
        if similar
        else " Classes are written a.b.C, methods a.b.C.m(int, String), their code a.b.C.m(int, String), code."
    )
    raise UsageError(f"There is no item {name!r} at granularity {model.granularity}.{hint}")


def _parts_of(model: ItemModel, name: str) -> list[str]:
    """Return the classes and members whose names begin or end with ``name``: a class without its package, a method
    without its parameters. ``name`` has slashes for dots."""
    found = []
    for item in model.items:
        plain = item.name.replace(".", "/")
        head = plain.partition(":")[0]
        if "[" not in plain and "!" not in plain and "<" not in head and (head == name or head.endswith(f"/{name}")):
            found.append(item_title(item.name))
    return sorted(found)


def why_text(model: ItemModel, goal: int, kept: int) -> str:
    """Return the reason why ``goal`` must stay while ``kept`` stays."""
    names = [name_of(model, variable) for variable in (kept, goal)]
    steps = model.explainer.why(goal, [kept])
    if steps is None:
        return "\n".join([f"{names[1]} can be removed while {names[0]} stays.", *_choices(model, goal, kept)])
    lines = [f"{names[0]} stays, so {names[1]} must:"]
    derived = {step.conclusion: step for step in steps if step.conclusion >= len(model.items)}
    for step in steps:
        if step.conclusion in derived and step.conclusion != goal:
            continue  # told with the step that it leads to
        premises, rules = _unfolded(step, derived)
        told = " and ".join(name_of(model, premise) for premise in premises) or "always"
        lines.append(f"  {told} -> {name_of(model, step.conclusion)}: {_words(rules)}")
    return "\n".join(lines)


def _unfolded(step: ChainLink, derived: Mapping[int, ChainLink]) -> tuple[list[int], list[str]]:
    """Return the items that a step stands on, and its rules. The rules of derived facts in between are among them."""
    premises: dict[int, None] = {}
    rules = {step.rule: None}
    for premise in step.premises:
        if premise in derived:
            more, ids = _unfolded(derived[premise], derived)
            premises |= dict.fromkeys(more)
            rules = dict.fromkeys((*ids, *rules))
        else:
            premises[premise] = None
    return list(premises), list(rules)


def _choices(model: ItemModel, goal: int, kept: int) -> list[str]:
    """Return the demands for one of several items, of which ``goal`` is one, while ``kept`` stays."""
    why = model.explainer.why
    lines = [
        _line(model, reason)
        for reason in model.explainer.reasons(goal)
        if reason.instead and all(why(premise, [kept]) is not None for premise in reason.premises)
    ]
    return ["It is one of several that would do:", *lines] if lines else []


def needed_text(model: ItemModel, goal: int) -> str:
    """Return the items that need ``goal``, with the rules, and the possible substitutes."""
    reasons = model.explainer.reasons(goal)
    name = name_of(model, goal)
    if not reasons:
        return f"{name}: nothing in the input needs it."
    strict = [reason for reason in reasons if not reason.instead]
    choices = [reason for reason in reasons if reason.instead]
    lines = [f"{name} is needed by:"] if strict else [f"{name}: nothing strictly requires it."]
    lines += [_line(model, reason) for reason in strict]
    if choices:
        lines += ["It is one of several that would do for:", *[_line(model, reason) for reason in choices]]
    return "\n".join(lines)


def _line(model: ItemModel, reason: Reason) -> str:
    told = " and ".join(name_of(model, premise) for premise in reason.premises) or "always"
    instead = " or ".join(name_of(model, variable) for variable in reason.instead[:_INSTEAD])
    more = f" or {len(reason.instead) - _INSTEAD} more" if len(reason.instead) > _INSTEAD else ""
    return f"  {told}: {_words([reason.rule])}" + (f"; instead: {instead}{more}" if instead else "")


def name_of(model: ItemModel, variable: int) -> str:
    """Return the name of an item as Java writes it; for a derived fact its meaning."""
    if variable < len(model.items):
        return item_title(model.items[variable].name)
    return f"({item_title(model.describe(variable))})"


_DEFINITIONS = {
    "subtype": "what a class is a subtype of follows from its superclass and interfaces",
    "S2": "it is kept in every sub-input",
    "opaque": "a second class of one name, or one that cannot be analysed, needs all of the classes that it names",
}


def _words(rules: Sequence[str]) -> str:
    """Return the rules in words. Definitions are among them only if there is nothing else."""
    told = [rule for rule in rules if rule in RULES] or [rule for rule in rules if rule in _DEFINITIONS]
    return "; ".join(f"{RULES[rule].words if rule in RULES else _DEFINITIONS[rule]} [{rule}]" for rule in told)
