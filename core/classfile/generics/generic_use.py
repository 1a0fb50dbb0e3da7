"""The types in a generic signature (JVMS 4.7.9.1): classes with type arguments, and type variables."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from core.classfile.generics.signatures import class_names, type_parameters

_TOKEN = re.compile(r"L[^.;\[<>:]+|\.[^.;\[/<>:]+|T[^;]+;|[<>;BCDFIJSZV*+\-\[()^]")
_TOLD = re.compile(r"<\**[^*>]")
"""Type arguments of which one is no ``?``: they tell more than the raw type."""
_CLASS = re.compile(r"L([^.;<]+)")
_OPEN = re.compile(r"L([^.;<]+)<\*+>;")
"""A class of which all type arguments are ``?``."""


class GenericUse(NamedTuple):
    """One signature. "Told" is a type with type arguments that are not all ``?``."""

    applied: tuple[str, ...]
    """Classes with type arguments, in order of appearance."""
    arguments: tuple[str, ...]
    """Classes within type arguments, those that bound a ``?`` too."""
    free: tuple[str, ...]
    """Type variables that the signature itself does not declare."""
    declared: tuple[str, ...]
    """Type variables that it declares."""
    bounds: tuple[str, ...]
    """Classes that bound these."""
    variables: bool
    """True if the signature mentions any type variable."""
    parameters: tuple[bool, ...]
    """Of a method: for each parameter in the signature whether it is told."""
    told: bool
    """True if the result of a method, or the type of a field, is told."""
    takes_variable: bool
    """True if a parameter of a method, or the type of a field, mentions a type variable."""
    gives_variable: bool
    """True if the result of a method, the type of a field, or a thrown type mentions a type variable."""
    takes_open: tuple[str, ...]
    """Classes of a method's parameters of which all type arguments are ``?``."""
    gives_open: tuple[str, ...]
    """That of the result of a method, the type of a field, if all its type arguments are ``?``."""


class LocalTypes(NamedTuple):
    """The generic types of a body's local variables, as in :class:`GenericUse`."""

    applied: tuple[str, ...]
    arguments: tuple[str, ...]
    variables: tuple[str, ...]
    """Type variables."""


@lru_cache(maxsize=1 << 13)
def generic_use(signature: str) -> GenericUse:
    """Return the types in the signature of a class, method or field. Raise
    :class:`core.classfile.format_error.ClassFormatError` for a signature that breaks its grammar."""
    class_names(signature)  # checks the grammar
    declared, start = type_parameters(signature)
    bounds = [text for parameter in declared for text in (parameter.bound, *parameter.interfaces)]
    types = _types(signature[start:])
    applied: dict[str, None] = {}
    variables: dict[str, None] = {}
    arguments: dict[str, None] = {}
    for text in (*bounds, *types):
        _collect(text, applied, variables, arguments)
    own = tuple(parameter.name for parameter in declared)
    close = types.index(")") if ")" in types else -1
    taken, given = types[1 : max(close, 1)], types[close + 1 :]
    return GenericUse(
        tuple(applied),
        tuple(arguments),
        tuple(name for name in variables if name not in own),
        own,
        tuple(dict.fromkeys(match[1] for text in bounds if (match := _CLASS.match(text)) is not None)),
        bool(variables),
        tuple(_TOLD.search(text) is not None for text in taken),
        bool(given) and _TOLD.search(given[0]) is not None,
        any(map(_mentions_variable, taken if close >= 0 else given)),
        any(map(_mentions_variable, given)),
        _open(taken),
        _open(given[:1]),
    )


def _open(types: list[str]) -> tuple[str, ...]:
    return tuple(match[1] for match in map(_OPEN.fullmatch, types) if match is not None)


def _types(text: str) -> list[str]:
    """Return the types one after the other, parentheses among them."""
    found, start, depth, waiting = [], 0, 0, False
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token == "<":
            depth += 1
        elif token == ">":
            depth -= 1
        waiting = waiting or (token[0] == "L" and not depth)
        ends = token == ";" or token[0] == "T" or token in "BCDFIJSZV()"
        if not depth and ends and (token == ";" or not waiting):
            found.append(text[start : match.end()])
            start, waiting = match.end(), False
    return found


def _collect(text: str, applied: dict[str, None], variables: dict[str, None], arguments: dict[str, None]) -> None:
    open_: list[str] = []
    depth = 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token[0] == "L":
            open_.append(token[1:])
        elif token[0] == ".":
            open_[-1] += f"${token[1:]}"
        elif token == "<":
            applied[open_[-1]] = None
            depth += 1
        elif token == ">":
            depth -= 1
        elif token == ";":
            name = open_.pop()
            if depth:
                arguments[name] = None
        elif token[0] == "T":
            variables[token[1:-1]] = None


def _mentions_variable(text: str) -> bool:
    return any(match[0][0] == "T" for match in _TOKEN.finditer(text))


def local_types(types: Iterable[str]) -> LocalTypes:
    """Return the type variables in the types of local variables, and the types in their type arguments. Damaged type
    arguments count for nothing, since no JVM reads them."""
    applied: dict[str, None] = {}
    variables: dict[str, None] = {}
    arguments: dict[str, None] = {}
    for text in types:
        try:
            _collect(text, applied, variables, arguments)
        except IndexError:
            continue
    return LocalTypes(tuple(applied), tuple(arguments), tuple(variables))
