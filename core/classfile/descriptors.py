"""Field and method descriptors (JVMS 4.3): their types and the classes they name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from core.classfile.format_error import ClassFormatError

_CLASS = r"L[^.;\[]+;"
_TYPE = rf"\[{{0,255}}(?:[BCDFIJSZ]|{_CLASS})"
_FIELD = re.compile(_TYPE)
_METHOD = re.compile(rf"\(((?:{_TYPE})*)\)({_TYPE}|V)")
_NAMES = re.compile(r"L([^;]+);")
_OBJECT = "Ljava/lang/Object;"


def field_type(descriptor: str) -> str:
    """Return the descriptor itself if it describes a field; raises :class:`ClassFormatError` otherwise."""
    if not _FIELD.fullmatch(descriptor):
        raise ClassFormatError(f"{descriptor!r} is no field descriptor")
    return descriptor


@lru_cache(maxsize=1 << 15)  # a pure function that a jar asks the same thing again and again
def method_types(descriptor: str) -> tuple[tuple[str, ...], str]:
    """Return parameter descriptors and return descriptor (``V`` for void) of a method descriptor."""
    match = _METHOD.fullmatch(descriptor)
    if not match:
        raise ClassFormatError(f"{descriptor!r} is no method descriptor")
    return tuple(_FIELD.findall(match[1])), match[2]


Parameters = tuple[str, str]
"""Name of a method and the descriptors of its parameters, by which source tells methods apart."""


def told_apart_by(name: str, descriptor: str) -> Parameters:
    """Return what tells a method of a name and descriptor apart in source."""
    return name, descriptor.partition(")")[0]


@lru_cache(maxsize=1 << 15)  # a pure function that a jar asks the same thing again and again
def class_names(descriptor: str) -> tuple[str, ...]:
    """Return the internal names of the classes in a field or method descriptor, in order, with repetitions."""
    if not (_METHOD if descriptor.startswith("(") else _FIELD).fullmatch(descriptor):
        raise ClassFormatError(f"{descriptor!r} is no descriptor")
    return tuple(_NAMES.findall(descriptor)) if "L" in descriptor else ()


def element_class(name: str) -> str | None:
    """Return the class that a Class constant stands for: of ``[[La/B;`` it is ``a/B``, of ``[I`` None."""
    if not name.startswith("["):
        return name
    return next(iter(class_names(name)), None)


def outermost(name: str) -> str:
    """Return the name of the top-level class around a class, as the names of nested classes tell."""
    package, slash, simple = name.rpartition("/")
    return f"{package}{slash}{simple.partition('$')[0] or simple}"


def erased(descriptor: str, is_gone: Callable[[str], bool]) -> str:
    """Return the descriptor with Object in the place of each class that ``is_gone``."""
    if "L" not in descriptor:
        return descriptor
    return _NAMES.sub(lambda match: _OBJECT if is_gone(match[1]) else match[0], descriptor)


def renamed(descriptor: str, names: Mapping[str, str]) -> str:
    """Return the descriptor with other classes in the place of some; ``names`` has the new internal name of each."""
    if "L" not in descriptor:
        return descriptor
    return _NAMES.sub(lambda match: f"L{names.get(match[1], match[1])};", descriptor)
