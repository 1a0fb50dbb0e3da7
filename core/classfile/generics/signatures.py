"""Generic signatures (JVMS 4.7.9.1) of classes, methods, fields: the classes they name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from core.classfile.format_error import ClassFormatError
from core.system.budget import shortened

_IDENTIFIER = re.compile(r"[^.;\[/<>:]+")
_NAME = re.compile(r"[^.;\[<>:]+")

_OBJECT = "Ljava/lang/Object;"

_NESTED = 16
"""The names in a signature are at most so many times as long as it. Only thousands of classes, each a member of the one
before, come to more: by the square of their number."""


@lru_cache(maxsize=1 << 14)  # a pure function that a jar asks the same thing again and again
def class_names(signature: str) -> tuple[str, ...]:
    """Return the internal names in order of appearance: ``La/Outer<La/B;>.Inner;`` gives a/Outer, a/B, a/Outer$Inner.

    Reads class, method and field signatures alike. Raises :class:`ClassFormatError`.
    """
    try:
        return _Scanner(signature).names()
    except IndexError:
        raise ClassFormatError(f"the signature {shortened(signature)!r} is cut off") from None


def erased(signature: str, is_gone: Callable[[str], bool]) -> str:
    """Return the signature of a field or method with Object in the place of each of :func:`erasable` that
    ``is_gone``."""
    scanner = _Scanner(signature)
    scanner.names()
    text, at = [], 0
    for start, end, name in scanner.plain:
        if is_gone(name):
            text += [signature[at:start], _OBJECT]
            at = end
    return "".join([*text, signature[at:]])


@lru_cache(maxsize=1 << 14)
def erasable(signature: str) -> frozenset[str]:
    """Return the classes that the signature of a field or method names without type arguments and as no member of
    another type; none where it has a throws clause, which Object cannot stand in."""
    names = Counter(class_names(signature))  # checks the grammar
    if not names:
        return frozenset()
    scanner = _Scanner(signature)
    scanner.names()
    plain = Counter(name for _, _, name in scanner.plain)
    return frozenset(name for name in plain if plain[name] == names[name] and "^" not in signature)


@dataclass(frozen=True, slots=True)
class TypeParameter:
    """``T:La/Bound;:La/Interface;``; the bounds are signatures, ``bound`` is empty where only interfaces bound."""

    name: str
    bound: str
    interfaces: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name}:{self.bound}" + "".join(":" + bound for bound in self.interfaces)


@dataclass(frozen=True, slots=True)
class ClassSignature:
    """The signature of a class in its pieces: type parameters, superclass, interfaces."""

    parameters: tuple[TypeParameter, ...]
    superclass: str
    interfaces: tuple[str, ...]

    def __str__(self) -> str:
        parameters = f"<{''.join(map(str, self.parameters))}>" if self.parameters else ""
        return parameters + self.superclass + "".join(self.interfaces)


def class_signature(signature: str) -> ClassSignature:
    """Return the pieces of a class signature. Raise :class:`ClassFormatError`."""
    scanner = _Scanner(signature)
    try:
        parameters = tuple(scanner.parameters()) if signature.startswith("<") else ()
        supers = []
        while scanner.at < len(signature):
            supers.append(scanner.span())
    except IndexError:
        raise ClassFormatError(f"the signature {shortened(signature)!r} is cut off") from None
    if not supers or any(text[0] != "L" for text in supers):
        raise ClassFormatError(f"{shortened(signature)!r} is no signature of a class")
    return ClassSignature(parameters, supers[0], tuple(supers[1:]))


def type_parameters(signature: str) -> tuple[list[TypeParameter], int]:
    """Return the type parameters that the signature of a class or method declares, and the offset behind them."""
    scanner = _Scanner(signature)
    try:
        return (scanner.parameters() if signature.startswith("<") else []), scanner.at
    except IndexError:
        raise ClassFormatError(f"the signature {shortened(signature)!r} is cut off") from None


def parameter_types(signature: str) -> tuple[tuple[str, ...], int]:
    """Return the types of the parameters in the signature of a method that declares no type parameters, and the offset
    behind them, of the closing parenthesis. Raise :class:`ClassFormatError`."""
    scanner, types = _Scanner(signature), []
    try:
        scanner.at = 1
        while signature[scanner.at] != ")":
            types.append(scanner.span())
    except IndexError:
        raise ClassFormatError(f"the signature {shortened(signature)!r} is cut off") from None
    return tuple(types), scanner.at


class _Scanner:
    """One pass without recursion: ``open`` holds the classes whose type arguments are being read."""

    def __init__(self, signature: str) -> None:
        self.text = signature
        self.at = 0
        self.open: list[str] = []
        self.found: list[str] = []
        self.plain: list[tuple[int, int, str]] = []
        """Beginning, end and class of types that are a name and no more."""
        self.left = _NESTED * len(signature)

    def names(self) -> tuple[str, ...]:
        if self.text.startswith("<"):
            self.parameters()
        if self.at < len(self.text) and self.text[self.at] == "(":
            self.at += 1
            while self.text[self.at] != ")":
                self.type()
            self.at += 1
            self.type(void=True)
            while self.at < len(self.text):
                self.expect("^")
                self.type()
        else:
            self.type()
            while self.at < len(self.text):
                self.type()
        return tuple(self.found)

    def parameters(self) -> list[TypeParameter]:
        """Read ``<T:Bound:Bound...>``; the class bound may be empty."""
        self.at += 1
        found = []
        while self.text[self.at] != ">":
            name, bound, interfaces = self.word(_IDENTIFIER), "", []
            self.expect(":")
            if self.text[self.at] not in ":>" and not self.at_parameter():
                bound = self.span()
            while self.text[self.at] == ":":
                self.at += 1
                interfaces.append(self.span())
            found.append(TypeParameter(name, bound, tuple(interfaces)))
        self.at += 1
        return found

    def span(self) -> str:
        """Return the text of the type that starts here."""
        start = self.at
        self.type()
        return self.text[start : self.at]

    def at_parameter(self) -> bool:
        """Return True if a parameter's name and colon follow, rather than a bound after an empty bound."""
        word = _IDENTIFIER.match(self.text, self.at)
        return word is not None and self.text[word.end()] == ":"

    def type(self, void: bool = False) -> None:
        """Read one type with everything nested in it."""
        depth = len(self.open)
        while True:
            while self.text[self.at] == "[":
                self.at += 1
            kind = self.text[self.at]
            self.at += 1
            if kind == "L":
                start = self.at - 1
                self.open.append(self.class_name(""))
                if self.text[self.at] == ";":
                    self.plain.append((start, self.at + 1, self.open[-1]))
                self.arguments_or_end()
            elif kind == "T":
                self.word(_IDENTIFIER)
                self.expect(";")
            elif kind not in "BCDFIJSZ" and not (void and kind == "V"):
                raise self.wrong()
            while len(self.open) > depth and self.argument_end():
                pass
            if len(self.open) == depth:
                return

    def class_name(self, outer: str) -> str:
        name = outer + self.word(_IDENTIFIER if outer else _NAME)
        self.left -= len(name)
        if self.left < 0:
            raise self.wrong()
        self.found.append(name)
        return name

    def arguments_or_end(self) -> None:
        """Read on behind the name of the innermost open class: its arguments, its member, or its end."""
        while True:
            mark = self.text[self.at]
            self.at += 1
            if mark == "<":
                return
            name = self.open.pop()
            if mark == ";":
                return
            if mark != ".":
                raise self.wrong()
            self.open.append(self.class_name(name + "$"))

    def argument_end(self) -> bool:
        """Read on between two arguments of the innermost open class. Return False if a type comes next."""
        mark = self.text[self.at]
        if mark == "*":
            self.at += 1
            return True
        if mark in "+-":
            self.at += 1
            return False
        if mark != ">":
            return False
        self.at += 1
        if self.text[self.at] not in ".;":
            raise self.wrong()
        self.arguments_or_end()
        return True

    def word(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        if not match:
            raise self.wrong()
        self.at = match.end()
        return match[0]

    def expect(self, mark: str) -> None:
        if self.text[self.at] != mark:
            raise self.wrong()
        self.at += 1

    def wrong(self) -> ClassFormatError:
        return ClassFormatError(f"the signature {shortened(self.text)!r} is wrong at character {self.at}")
