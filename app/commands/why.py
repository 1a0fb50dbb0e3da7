"""``jarlet why``: a chain of rules in words."""

from __future__ import annotations

import difflib

from core.errors import UsageError
from core.model.item_model import ItemModel
from core.model.rules.base import RULES
from core.words import in_line

_CLOSE = 3


def find_item(model: ItemModel, name: str) -> int:
    """The item of that name; dots may stand for the slashes of its package. Raises UsageError with similar names."""
    for spelled in (name, name.replace(".", "/"), _with_slashes(name)):
        if spelled in model.numbers:
            return model.numbers[spelled]
    similar = difflib.get_close_matches(name.replace(".", "/"), model.numbers, _CLOSE, 0.5)
    hint = (
        f" Did you mean {', '.join(map(in_line, similar))}?"
        if similar
        else " Classes are written a/b/C, methods a/b/C.m:(I)V."
    )
    raise UsageError(f"There is no item {name!r} at granularity {model.granularity}.{hint}")


def _with_slashes(name: str) -> str:
    """``a.b.C.m:()V`` as ``a/b/C.m:()V``."""
    head, colon, descriptor = name.partition(":")
    package, dot, member = head.rpartition(".")
    return package.replace(".", "/") + dot + member + colon + descriptor


def why_text(model: ItemModel, goal: int, kept: int) -> str:
    """Why ``goal`` must stay while ``kept`` stays."""
    names = [name_of(model, variable) for variable in (kept, goal)]
    steps = model.explainer.why(goal, [kept])
    if steps is None:
        return f"{names[1]} may go while {names[0]} stays (or it is one of several that would do)."
    lines = [f"{names[0]} stays, so {names[1]} must:"]
    for step in steps:
        premises = " and ".join(name_of(model, premise) for premise in step.premises) or "always"
        lines.append(f"  {premises} -> {name_of(model, step.conclusion)}: {_words(step.rule)}")
    return "\n".join(lines)


def needed_text(model: ItemModel, goal: int) -> str:
    """What needs ``goal`` directly, by which rules."""
    reasons = model.explainer.needed_by(goal)
    if not reasons:
        return f"{name_of(model, goal)}: nothing needs it without a choice."
    lines = [f"{name_of(model, goal)} is needed by:"]
    return "\n".join(lines + [f"  {name_of(model, premise)}: {_words(rule)}" for premise, rule in reasons])


def name_of(model: ItemModel, variable: int) -> str:
    """An item's name; of a derived fact what it stands for."""
    if variable < len(model.items):
        return in_line(model.items[variable].name)
    return f"({in_line(model.describe(variable))})"


def _words(rule: str) -> str:
    return f"{RULES[rule].words} [{rule}]" if rule in RULES else f"by definition [{rule}]"
