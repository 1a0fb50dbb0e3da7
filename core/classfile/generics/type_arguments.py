"""Type arguments and type parameters in generic signatures (JVMS 4.7.9.1): what stands where, within which bounds."""

from __future__ import annotations

import re
from functools import lru_cache

from core.classfile.format_error import ClassFormatError
from core.classfile.generics.signatures import class_names, type_parameters
from core.system.budget import shortened

Bounds = tuple[tuple[str, tuple[str, ...]], ...]
"""Type parameters in order, each with the classes that bound it, a type variable's bounds in its place."""

_NAME = re.compile(r"[^.;\[<>:]+")
_MARKS = re.compile(r"[.<>]")


@lru_cache(maxsize=1 << 13)
def type_arguments(signature: str) -> tuple[tuple[str, int, str], ...]:
    """Return generic class, number of the parameter, argument: ``LG<La/B;TT;>;`` gives (G, 0, ``La/B;``) and (G, 1,
    ``TT;``).

    Only arguments that are classes (without their own arguments) or type variables; no wildcards, no arrays.
    Raises :class:`ClassFormatError`.
    """
    class_names(signature)  # checks the grammar
    parameters, at = type_parameters(signature)
    found: dict[tuple[str, int, str], None] = {}
    for parameter in parameters:
        for bound in (parameter.bound, *parameter.interfaces):
            _collect(bound, 0, found)
    _collect(signature, at, found)
    return tuple(found)


def _collect(text: str, at: int, found: dict[tuple[str, int, str], None]) -> None:
    """Add the arguments in ``text`` from ``at`` on to ``found``. The grammar is known to be right."""
    open_: list[tuple[str, int]] = []  # generic classes, the number of the argument that comes next
    plain = True  # no wildcard and no array before the type that comes next
    members = _with_members(text) if "." in text else frozenset()
    while at < len(text):
        mark = text[at]
        at += 1
        if mark in "L.T":
            match = _NAME.match(text, at)
            assert match is not None
            name, at = match[0], match.end()
            if mark == ".":
                outer = open_.pop()[0]
                name = f"{outer}${name}"
            elif open_ and plain and (mark != "L" or at not in members):
                # of a member of a generic class only the class around it stands here
                found[(*open_[-1], f"{mark}{name};")] = None
            plain = True
            if text[at] == "<":
                open_.append((name, 0))
                at += 1
                continue
            while text[at] == ".":
                match = _NAME.match(text, at + 1)
                assert match is not None
                name, at = f"{name}${match[0]}", match.end()
                if text[at] == "<":
                    break
            if text[at] == "<":
                open_.append((name, 0))
                at += 1
                continue
            at += 1  # the semicolon
        elif mark == ">":
            if text[at] == ".":
                continue
            open_.pop()
            at += 1
        elif mark in "+-[":
            plain = False
            continue
        elif mark in "()^":
            continue
        # a type or an asterisk has ended
        plain = True
        if open_:
            open_[-1] = open_[-1][0], open_[-1][1] + 1


def _with_members(text: str) -> set[int]:
    """Return the ends of the first names of class types that go on with a member class."""
    found: set[int] = set()
    open_: list[int] = []
    for match in _MARKS.finditer(text):
        at = match.start()
        if text[at] == "<":
            open_.append(at)
        elif text[at] == ".":
            found.add(at)
        else:
            begun = open_.pop()
            if text.startswith(".", at + 1):
                found.add(begun)
    return found


@lru_cache(maxsize=1 << 12)
def bounds(signature: str) -> Bounds:
    """Return the type parameters that a class or method signature declares. Raise :class:`ClassFormatError`."""
    found: dict[str, tuple[str, ...]] = {}
    for parameter in type_parameters(signature)[0]:
        names: list[str] = []
        for bound in (parameter.bound, *parameter.interfaces):
            if bound.startswith("T"):
                names += found.get(bound[1:-1], ())
            elif bound.startswith("L"):
                names.append(erased(bound))
        found[parameter.name] = tuple(names)
    return tuple(found.items())


def erased(signature: str) -> str:
    """Return the class of a class type without its arguments: of ``LA<TT;>.B;`` it is ``A$B``."""
    names, depth, at = [], 0, 1
    for place, mark in enumerate(signature):
        if mark == "<":
            if not depth:
                names.append(signature[at:place])
            depth += 1
        elif mark == ">":
            depth -= 1
            at = place + 1
        elif mark in ".;" and not depth:
            if signature[at:place]:
                names.append(signature[at:place])
            at = place + 1
    if depth or not names:
        raise ClassFormatError(f"{shortened(signature)!r} is no class type")
    return "$".join(names)
