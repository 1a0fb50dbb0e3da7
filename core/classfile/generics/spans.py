"""The parts of a generic signature (JVMS 4.7.9.1) that can become shorter without a change of the erasure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from core.classfile.generics.signatures import class_names, type_parameters

_TOKEN = re.compile(r"L[^.;\[<>:]+|\.[^.;\[/<>:]+|T[^;]+;|[<>;BCDFIJSZV*+\-\[()^]")
_ANY = "*"
_OBJECT = "Ljava/lang/Object;"


class Span(NamedTuple):
    """A part of a text, and what can stand in its place."""

    start: int
    stop: int
    new: str


def shorter_types(signature: str, first: int = 0) -> Iterator[Span]:
    """Yield the types of a field, a variable or a method that can do without type arguments, and type arguments for
    which ``?`` can stand. ``first`` is the offset of the first type. Raise :class:`ClassFormatError`.
    """
    class_names(signature)  # checks the grammar
    yield from _shorter(signature, first, len(signature))


def shorter_bounds(signature: str) -> Iterator[Span]:
    """Yield the spans of :func:`shorter_types` within the bounds of type parameters."""
    begin = type_parameters(signature)[1]
    at = 1
    for parameter in type_parameters(signature)[0]:
        at += len(parameter.name) + 1
        for number, bound in enumerate((parameter.bound, *parameter.interfaces)):
            at += 1 if number else 0
            yield from _shorter(signature, at, at + len(bound))
            at += len(bound)
    assert at == max(begin - 1, 1)


def open_parameters(signature: str, used: Collection[str], typed: Collection[str]) -> Iterator[Span]:
    """Yield the type parameters of a method or class that can go, none of the names ``used``, and others that can do
    without bounds, none of the names ``typed``: the types of which the erasure needs the bound.
    """
    at = 1
    for parameter in type_parameters(signature)[0]:
        start = at
        at += len(str(parameter))
        if parameter.name not in used:
            yield Span(start, at, "")
        elif parameter.name not in typed:
            open_ = f"{parameter.name}:{_OBJECT}"
            if len(open_) < at - start:
                yield Span(start, at, open_)


def variables(signature: str, *, bare: bool) -> set[str]:
    """Return the type variables that a signature mentions; if ``bare`` only those outside of type arguments."""
    found, depth = set(), 0
    for parameter in type_parameters(signature)[0]:
        for bound in (parameter.bound, *parameter.interfaces):
            found |= variables(bound, bare=bare)
    for match in _TOKEN.finditer(signature, type_parameters(signature)[1]):
        token = match[0]
        depth += {"<": 1, ">": -1}.get(token, 0)
        if token[0] == "T" and not (bare and depth):
            found.add(token[1:-1])
    return found


def with_spans(signature: str, spans: Iterable[Span]) -> str:
    """Return a signature after some changes. A change within another one is not made."""
    text, at = [], 0
    for span in sorted(spans, key=lambda each: (each.start, -each.stop, len(each.new))):
        if span.start >= at:
            text += [signature[at : span.start], span.new]
            at = span.stop
    return "".join([*text, signature[at:]]).removeprefix("<>")


def _shorter(signature: str, first: int, stop: int) -> Iterator[Span]:
    """Yield the spans of the types in a part of a signature."""
    types: list[tuple[int, list[str]]] = []  # of each open type the start, and its text without type arguments
    arguments: list[int] = []  # where the argument that is being read starts, in each open list
    for match in _TOKEN.finditer(signature, first, stop):
        token, ends = match[0], match[0][-1] in ";*"
        if token[0] == "L":
            types.append((match.start(), [token]))
        elif token[0] == ".":
            types[-1][1].append(f"${token[1:]}")  # without arguments it is written by its binary name
        elif token == "<":
            arguments.append(match.end())
        elif token == ">":
            arguments.pop()
        elif token == ";":
            start, names = types.pop()
            raw = f"{''.join(names)};"
            if len(raw) < match.end() - start:
                yield Span(start, match.end(), raw)
        elif token in "BCDFIJSZ":
            ends = True
        if ends and arguments:
            if match.end() - arguments[-1] > 1:
                yield Span(arguments[-1], match.end(), _ANY)
            arguments[-1] = match.end()
