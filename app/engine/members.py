"""Parts of classes as Java writes them, and as the model names them. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from app.engine.run_state import ItemState
from app.text import java_name, simple_name

_PRIMITIVES = {
    "B": "byte", "C": "char", "D": "double", "F": "float", "I": "int", "J": "long", "S": "short", "Z": "boolean",
    "V": "void",
}  # fmt: skip
_ORDER = ("superclass", "interface", "field", "method", "record component")
"""Kinds that come first below a class; the others follow as they stand in the file."""


@dataclass(slots=True)
class ClassMembers:
    """The parts of one class, parallel lists as in :class:`core.protocol.events.Members`."""

    owner: str
    kinds: list[str]
    names: list[str]
    parents: list[int]
    sizes: list[int]
    kept: list[bool]
    left: int
    needed: list[bool]
    children: dict[int, list[int]] = field(default_factory=dict)
    """Parts below each part, in the order of display; -1 = the class."""

    def state(self, number: int) -> ItemState:
        """Whether a part is kept, needed or gone in the best so far."""
        if not self.kept[number]:
            return ItemState.GONE
        return ItemState.NEEDED if self.needed[number] else ItemState.KEPT


def state_in(members: ClassMembers, name: str) -> ItemState | None:
    """The state of a part by its name; None for a name that is no part's."""
    return members.state(members.names.index(name)) if name in members.names else None


def members_from(record: dict[str, Any]) -> ClassMembers:
    """The parts that a record of the engine tells."""
    made = ClassMembers(
        *(record[key] for key in ("class", "kinds", "names", "parents", "sizes", "kept", "left", "needed"))
    )
    for number, parent in enumerate(made.parents):
        made.children.setdefault(parent, []).append(number)
    rank = {kind: place for place, kind in enumerate(_ORDER)}
    for below in made.children.values():
        below.sort(key=lambda number: rank.get(made.kinds[number], len(_ORDER)))
    return made


def type_name(descriptor: str, short: bool = True) -> str:
    """``[Ljava/lang/String;`` as ``String[]``; what is no descriptor stays as it is."""
    base = descriptor.lstrip("[")
    if base.startswith("L") and base.endswith(";"):
        name = simple_name(base[1:-1]) if short else java_name(base[1:-1])
    else:
        name = _PRIMITIVES.get(base, base)
    return name + "[]" * (len(descriptor) - len(base))


def parameters(descriptor: str) -> list[str]:
    """The parameters' descriptors of a method's descriptor."""
    found, at = [], 1
    end = descriptor.find(")")
    while 0 < at < end:
        start = at
        while descriptor[at] == "[":
            at += 1
        at = descriptor.index(";", at) + 1 if descriptor[at] == "L" and ";" in descriptor[at:end] else at + 1
        found.append(descriptor[start:at])
    return found


def title(kind: str, name: str, owner: str, short: bool = True) -> str:
    """A part as the screen has it: ``main(String[])``, ``code``, ``throws IOException``."""
    shown = simple_name if short else java_name
    rest = name.removeprefix(owner)
    inside = rest[rest.rfind("[") + 1 : -1] if rest.endswith("]") else rest
    match kind:
        case "method":
            return method_title(rest.removeprefix("."), owner, short)
        case "field":
            word, _, descriptor = rest.removeprefix(".").partition(":")
            return f"{word}: {type_name(descriptor, short)}"
        case "code":
            return "code"
        case "superclass":
            return f"extends {shown(rest.removeprefix('<'))}"
        case "interface":
            return f"implements {shown(rest.removeprefix('<'))}"
        case "throws entry":
            return f"throws {shown(inside.removeprefix('throws '))}"
        case "annotation":
            word, place, where = inside.removeprefix("@").partition(" on ")
            return f"@{shown(word)}{place}{where}"
        case "inner-class entry":
            return f"mentions inner class {shown(inside.removeprefix('inner '))}"
        case "bootstrap entry":
            return f"bootstrap method {inside.removeprefix('bootstrap ')}"
        case "record component":
            return f"record component {inside.removeprefix('component ')}"
    return kind


def method_title(text: str, owner: str, short: bool = True) -> str:
    """``main:([Ljava/lang/String;)V`` as ``main(String[])``; constructors by the name of their class."""
    word, _, descriptor = text.partition(":")
    if word == "<clinit>":
        return "static { }"
    if word == "<init>":
        word = simple_name(owner).rpartition(".")[2]
    return f"{word}({', '.join(type_name(one, short) for one in parameters(descriptor))})"


def item_title(name: str, short: bool = False) -> str:
    """Any item's name, of a class or a part, in Java's words: ``a.b.C: main(String[]), code``."""
    owner, rest = split(name)
    shown = (simple_name if short else java_name)(owner)
    if not rest:
        return shown
    if rest.startswith("<"):
        return f"{shown} {'is a'} {(simple_name if short else java_name)(rest[1:])}"
    words = []
    if rest.startswith("."):
        end = min((at for at in (rest.find("!"), _bracket(rest)) if at >= 0), default=len(rest))
        member, rest = rest[1:end], rest[end:]
        kind = "method" if "(" in member else "field"
        words.append(title(kind, f"{owner}.{member}", owner))
    if rest.startswith("!code"):
        words.append("code")
        rest = rest.removeprefix("!code")
    if rest:
        words.append(rest.strip("[]"))
    return f"{shown}: {', '.join(words)}" if words else shown


def split(name: str) -> tuple[str, str]:
    """The class of an item's name, and what follows it."""
    for at, letter in enumerate(name):
        if letter in "<[!" or (letter == "." and at > 0):
            return name[:at], name[at:]
    return name, ""


def _bracket(text: str) -> int:
    """Where a ``[`` begins an addition to a member's name, and no array type; -1 = nowhere."""
    end = text.rfind(")")
    after = text[end + 1 :] if end >= 0 else text.partition(":")[2]
    start = len(text) - len(after)
    if not text.endswith("]"):
        return -1
    base = after.lstrip("[")
    skipped = len(after) - len(base)
    stop = base.index(";") + 1 if base.startswith("L") and ";" in base else 1
    return start + skipped + stop if base[stop : stop + 1] == "[" or base[stop:].startswith("[") else -1
