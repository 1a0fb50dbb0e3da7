"""The types in a generic signature (JVMS 4.7.9.1): classes with type arguments, type variables and their bounds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from core.classfile.format_error import ClassFormatError
from core.classfile.signatures import TypeMention, parsed, type_parameters
from core.system.budget import shortened

Bounds = tuple[tuple[str, tuple[str, ...]], ...]
"""Type parameters in order, each with the classes that bound it, a type variable's bounds in its place."""

_TOLD = re.compile(r"<\**[^*>]")
"""Type arguments of which one is no ``?``: they tell more than the raw type."""
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
    found = parsed(signature)
    own = tuple(parameter.name for parameter in found.parameters)
    used = _local_types(found.mentions)
    bounds = [each for each in found.classes if each.start < found.begin and not (each.outer or each.holder)]
    spans, taken = found.spans, max(found.taken, 0)
    texts = [signature[start:stop] for start, stop in spans]
    told = [_TOLD.search(text) is not None for text in texts]
    varied = [any(start < each.start < stop for each in found.mentions if each.is_variable) for start, stop in spans]
    return GenericUse(
        used.applied,
        used.arguments,
        tuple(name for name in used.variables if name not in own),
        own,
        tuple(dict.fromkeys(each.name for each in bounds)),
        bool(used.variables),
        tuple(told[:taken]),
        told[taken],
        any(varied[:taken] if found.taken >= 0 else varied),
        any(varied[taken:]),
        _open(texts[:taken]),
        _open(texts[taken : taken + 1]),
    )


def _open(types: list[str]) -> tuple[str, ...]:
    return tuple(match[1] for match in map(_OPEN.fullmatch, types) if match is not None)


def local_types(types: Iterable[str]) -> LocalTypes:
    """Return the type variables in the types of local variables, and the types in their type arguments. Damaged type
    arguments count for nothing, since no JVM reads them."""
    mentions: list[TypeMention] = []
    for text in types:
        with suppress(ClassFormatError):
            mentions += parsed(text).mentions
    return _local_types(mentions)


def _local_types(mentions: Sequence[TypeMention]) -> LocalTypes:
    ends = sorted((each for each in mentions if each.holder and each.stop and not each.is_variable), key=_stop)
    return LocalTypes(
        tuple(dict.fromkeys(each.name for each in mentions if each.arguments)),
        tuple(dict.fromkeys(each.name for each in ends)),
        tuple(dict.fromkeys(each.name for each in mentions if each.is_variable)),
    )


def _stop(mention: TypeMention) -> int:
    return mention.stop


@lru_cache(maxsize=1 << 13)
def type_arguments(signature: str) -> tuple[tuple[str, int, str], ...]:
    """Return generic class, number of the parameter, argument: ``LG<La/B;TT;>;`` gives (G, 0, ``La/B;``) and (G, 1,
    ``TT;``).

    Only arguments that are classes (without their own arguments) or type variables; no wildcards, no arrays, no members
    of other types. Raises :class:`ClassFormatError`.
    """
    return tuple(dict.fromkeys(
        (each.holder.name, each.place, f"{'T' if each.is_variable else 'L'}{each.name};")
        for each in parsed(signature).mentions
        if each.holder is not None and each.is_bare and each.outer is None and each.stop
    ))  # fmt: skip


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
                names.append(class_of(bound))
        found[parameter.name] = tuple(names)
    return tuple(found.items())


def class_of(signature: str) -> str:
    """Return the class of a class type without its arguments: of ``LA<TT;>.B;`` it is ``A$B``."""
    names = [each.name for each in parsed(signature).classes if each.holder is None]
    if not names:
        raise ClassFormatError(f"{shortened(signature)!r} is no class type")
    return names[-1]
