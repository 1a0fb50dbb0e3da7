"""``jarlet why``: a chain of rules in words."""

from __future__ import annotations

import difflib

from core.errors import UsageError
from core.model.item_model import ItemModel
from core.model.rules.base import RULES
from core.protocol.java_names import find, item_title
from core.words import in_line

_CLOSE = 3


def find_item(model: ItemModel, name: str) -> int:
    """The item of that name, in Java's form or the JVM's. Raises UsageError with similar names, or with those that it
    could mean (methods that differ in their result only)."""
    numbers = model.numbers
    found = [name] if name in numbers else find(numbers, name)
    if len(found) == 1:
        return numbers[found[0]]
    if found:
        raise UsageError(f"{name!r} names several items: write {' or '.join(map(in_line, found))}.")
    shown = {item_title(other): other for other in numbers}
    similar = difflib.get_close_matches(name, [*shown, *numbers], _CLOSE, 0.5)
    hint = (
        f" Did you mean {' or '.join(map(in_line, similar))}?"
        if similar
        else " Classes are written a.b.C, methods a.b.C.m(int, String), their code a.b.C.m(int, String), code."
    )
    raise UsageError(f"There is no item {name!r} at granularity {model.granularity}.{hint}")


def why_text(model: ItemModel, goal: int, kept: int) -> str:
    """Why ``goal`` must stay while ``kept`` stays."""
    names = [name_of(model, variable) for variable in (kept, goal)]
    steps = model.explainer.why(goal, [kept])
    if steps is None:
        return f"{names[1]} can be removed while {names[0]} stays (or it is one of several alternatives)."
    lines = [f"{names[0]} stays, so {names[1]} must:"]
    for step in steps:
        premises = " and ".join(name_of(model, premise) for premise in step.premises) or "always"
        lines.append(f"  {premises} -> {name_of(model, step.conclusion)}: {_words(step.rule)}")
    return "\n".join(lines)


def needed_text(model: ItemModel, goal: int) -> str:
    """What needs ``goal`` directly, by which rules."""
    reasons = model.explainer.needed_by(goal)
    if not reasons:
        return f"{name_of(model, goal)}: nothing strictly requires it."
    lines = [f"{name_of(model, goal)} is needed by:"]
    return "\n".join(lines + [f"  {name_of(model, premise)}: {_words(rule)}" for premise, rule in reasons])


def name_of(model: ItemModel, variable: int) -> str:
    """An item's name as Java writes it; of a derived fact what it stands for."""
    if variable < len(model.items):
        return item_title(model.items[variable].name)
    return f"({item_title(model.describe(variable))})"


def _words(rule: str) -> str:
    return f"{RULES[rule].words} [{rule}]" if rule in RULES else f"by definition [{rule}]"
