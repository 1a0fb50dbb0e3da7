"""A picture of the result and its reasons, in the language of Mermaid: classes with their members, and their
dependencies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.classfile.symbolic.part_kinds import PartKind
from core.model.item_model import ItemModel
from core.model.rules.base import RULES
from core.protocol.java_names import item_title, java_name
from core.report.failure_words import place_of

_MOST = 30
"""Largest number of boxes: a reader of an issue follows no more."""
_MOST_EDGES = 60
_LONGEST = 60
"""Characters of a label at most."""

_MEMBERS = (PartKind.METHOD.value, PartKind.FIELD.value)


def picture(model: ItemModel, failures: Sequence[str]) -> str:
    """Return the picture of a small input with its failures; empty if it has too many classes for one.

    Members are boxes of their own if there is room for all of them.
    """
    classes = [number for number, (first, end) in enumerate(model.parts) if first < end]
    members = [number for number in range(len(model.items)) if model.kind_of(number) in _MEMBERS]
    shown = [*classes, *members] if len(classes) + len(members) < _MOST else classes
    if not 0 < len(classes) < _MOST:
        return ""
    lines = ["graph LR"]
    for number in classes:
        inside = [f"    {_box(model, member)}" for member in shown if model.owners[member] == number != member]
        if inside:
            lines += [f"  subgraph n{number}[{_label(java_name(model.items[number].name))}]", *inside, "  end"]
        else:
            lines.append(f"  {_box(model, number)}")
    return "\n".join([*lines, *_failing(model, classes, failures), *_edges(model, set(shown))])


def _failing(model: ItemModel, classes: Sequence[int], failures: Sequence[str]) -> Iterator[str]:
    """Yield the failures that name a class, each once, with an arrow to the class."""
    named = {model.items[number].name: number for number in classes}
    left = _MOST - len(classes)
    for number, failure in enumerate(list(dict.fromkeys(failures))[: min(3, left)]):
        place = place_of(failure, named)
        if place in named:
            yield f"  f{number}([{_label(failure)}]) --> n{named[place]}"


def _edges(model: ItemModel, shown: set[int]) -> Iterator[str]:
    """Yield an arrow for each need between two boxes, with the rule."""
    found: dict[tuple[int, int], str] = {}
    for goal in range(len(model.items)):
        target = _shown(model, goal, shown)
        for reason in model.explainer.reasons(goal) if target is not None else ():
            for premise in reason.premises if reason.rule in RULES else ():
                source = _shown(model, premise, shown) if premise < len(model.items) else None
                if source is not None and target is not None and not _within(model, source, target):
                    found.setdefault((source, target), reason.rule)
    for (source, target), rule in sorted(found.items())[:_MOST_EDGES]:
        yield f"  n{source} -->|{rule}| n{target}"


def rules_of(picture: str) -> list[str]:
    """Return the rules that the arrows of a picture name, each with its sentence."""
    ids = dict.fromkeys(part.partition("| ")[0] for part in picture.split("-->|")[1:])
    return [f"{rule}: {RULES[rule].words}" for rule in sorted(ids)]


def _shown(model: ItemModel, number: int, shown: set[int]) -> int | None:
    """Return the box of an item: the item itself, or the nearest shown holder."""
    while number >= 0 and number not in shown:
        number = model.parents[number]
    return number if number >= 0 else None


def _within(model: ItemModel, one: int, other: int) -> bool:
    """Return True if two items are the same or one is the class of the other."""
    return one == other or one == model.owners[other] or other == model.owners[one]


def _box(model: ItemModel, number: int) -> str:
    name = item_title(model.items[number].name)
    owner = java_name(model.items[model.owners[number]].name)
    package, dot, _ = owner.rpartition(".")
    return f"n{number}[{_label(name.removeprefix(f'{owner}.').removeprefix(package + dot))}]"


def _label(text: str) -> str:
    """Return a text as a label in which nothing is Mermaid's own."""
    text = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    signs = {'"': "#quot;", "#": "#35;", "<": "#lt;", ">": "#gt;", "`": "#96;", "\\": "#92;"}
    return f'"{"".join(signs.get(sign, sign) for sign in text)}"'
