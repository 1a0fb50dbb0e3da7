"""Generic signatures (JVMS 4.7.9.1) of classes, methods, fields: parsed once, renamed, or with fewer classes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from core.classfile.format_error import ClassFormatError
from core.system.budget import shortened

_IDENTIFIER = re.compile(r"[^.;\[/<>:]+")
_NAME = re.compile(r"[^.;\[<>:]+")
_OBJECT = "Ljava/lang/Object;"
_NESTED = 16
"""The names in a signature are at most so many times as long as it. Only thousands of classes, each a member of the one
before, come to more: by the square of their number."""


@dataclass(slots=True, eq=False)
class TypeMention:
    """A class or type variable in a signature. Of ``La/Outer<La/B;>.Inner;`` there are three: a/Outer, a/B, and
    a/Outer$Inner."""

    name: str
    start: int
    """Offset of its own word in the signature."""
    end: int
    outer: TypeMention | None = None
    """The class of which it is a member."""
    holder: TypeMention | None = None
    """The class of which it is a type argument."""
    place: int = 0
    """Number of that argument."""
    is_bare: bool = True
    """True if it is no wildcard's bound and no array's element."""
    is_variable: bool = False
    arguments: int = 0
    """Number of its own type arguments."""
    stop: int = 0
    """Offset behind the type; 0 if a member of it goes on."""

    @property
    def is_plain(self) -> bool:
        """True for a class without type arguments that is no member of another type and has none behind it."""
        return not (self.is_variable or self.arguments or self.outer) and self.stop > 0


@dataclass(frozen=True, slots=True)
class TypeParameter:
    """``T:La/Bound;:La/Interface;``; the bounds are signatures, ``bound`` is empty if all bounds are interfaces."""

    name: str
    bound: str
    interfaces: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name}:{self.bound}" + "".join(":" + bound for bound in self.interfaces)


class ParsedSignature(NamedTuple):
    """A signature, parsed."""

    parameters: tuple[TypeParameter, ...]
    begin: int
    """Offset behind the type parameters."""
    spans: tuple[tuple[int, int], ...]
    """Begin and end of each type behind these: supertypes; the type of a field; parameters, result, thrown types."""
    taken: int
    """Number of a method's parameters; -1 for no method."""
    mentions: tuple[TypeMention, ...]
    """All classes and type variables in order, those that the type parameters declare left out."""

    @property
    def classes(self) -> list[TypeMention]:
        """The classes in order of appearance."""
        return [each for each in self.mentions if not each.is_variable]


@lru_cache(maxsize=1 << 14)  # a pure function that a jar asks the same thing again and again
def parsed(signature: str) -> ParsedSignature:
    """Return the signature of a class, method or field, or a descriptor, in its parts. Raises
    :class:`ClassFormatError`."""
    try:
        return _Scanner(signature).whole()
    except IndexError:
        raise ClassFormatError(f"the signature {shortened(signature)!r} is cut off") from None


def class_names(signature: str) -> tuple[str, ...]:
    """Return the internal names in order of appearance. Raises :class:`ClassFormatError`."""
    return tuple([each.name for each in parsed(signature).mentions if not each.is_variable])


def erased(signature: str, is_gone: Callable[[str], bool]) -> str:
    """Return the signature of a field or method with Object in the place of each of :func:`erasable` that
    ``is_gone``."""
    text, at = [], 0
    for each in parsed(signature).mentions:
        if each.is_plain and is_gone(each.name):
            text += [signature[at : each.start - 1], _OBJECT]
            at = each.stop
    return "".join([*text, signature[at:]])


@lru_cache(maxsize=1 << 14)
def erasable(signature: str) -> frozenset[str]:
    """Return the classes in the signature of a field or method that occur without type arguments and not as a member of
    another type. None for a signature with a throws clause, in which Object cannot stand."""
    classes = parsed(signature).classes
    names, plain = Counter(each.name for each in classes), Counter(each.name for each in classes if each.is_plain)
    return frozenset(name for name in plain if plain[name] == names[name] and "^" not in signature)


def renamed_signature(signature: str, class_: Callable[[str], str], variable: Callable[[str], str]) -> str:
    """Return a descriptor or signature with the names that ``class_`` (internal names) and ``variable`` return.

    A nested class of a generic one stands alone if its new name does not begin with the outer class's. Raises
    :class:`ClassFormatError`.
    """
    found, out, at = parsed(signature), list[str](), 0
    declared, start = [], 1
    for parameter in found.parameters:
        declared.append(TypeMention(parameter.name, start, start + len(parameter.name), is_variable=True))
        start += len(str(parameter))
    starts: dict[TypeMention, int] = {}
    for each in sorted((*declared, *found.mentions), key=lambda mention: mention.start):
        out.append(signature[at : each.start])
        at = each.end
        new = variable(each.name) if each.is_variable else class_(each.name)
        before = f"{class_(each.outer.name)}$" if each.outer is not None else ""
        if each.outer is None or new.startswith(before):
            starts[each] = len(out) if each.outer is None else starts[each.outer]
            out.append(new.removeprefix(before))
        else:
            starts[each] = starts[each.outer]
            out[starts[each] :] = [new]
    return "".join([*out, signature[at:]])


class ClassSignature(NamedTuple):
    """The signature of a class in its pieces: type parameters, superclass, interfaces."""

    parameters: tuple[TypeParameter, ...]
    superclass: str
    interfaces: tuple[str, ...]

    def __str__(self) -> str:
        parameters = f"<{''.join(map(str, self.parameters))}>" if self.parameters else ""
        return parameters + self.superclass + "".join(self.interfaces)


def class_signature(signature: str) -> ClassSignature:
    """Return the pieces of a class signature. Raise :class:`ClassFormatError`."""
    found = parsed(signature)
    superclass, *interfaces = [signature[start:stop] for start, stop in found.spans]
    if found.taken >= 0 or any(text[0] != "L" for text in (superclass, *interfaces)):
        raise ClassFormatError(f"{shortened(signature)!r} is no signature of a class")
    return ClassSignature(found.parameters, superclass, tuple(interfaces))


def type_parameters(signature: str) -> tuple[tuple[TypeParameter, ...], int]:
    """Return the type parameters that the signature of a class or method declares, and the offset behind them. Raise
    :class:`ClassFormatError`."""
    return parsed(signature)[:2] if signature.startswith("<") else ((), 0)


def parameter_types(signature: str) -> tuple[tuple[str, ...], int, int]:
    """Return the types of the parameters in the signature of a method, and the offsets of the parentheses around them.
    Raise :class:`ClassFormatError`."""
    found = parsed(signature)
    types = tuple([signature[start:stop] for start, stop in found.spans[: max(found.taken, 0)]])
    return types, found.begin, found.spans[found.taken - 1][1] if types else found.begin + 1


class _Scanner:
    """One pass without recursion: ``open`` holds the classes whose type arguments are being read."""

    def __init__(self, signature: str) -> None:
        self.text = signature
        self.at = 0
        self.open: list[TypeMention] = []
        self.found: list[TypeMention] = []
        self.left = _NESTED * len(signature)

    def whole(self) -> ParsedSignature:
        parameters = self.parameters() if self.text.startswith("<") else []
        begin, taken = self.at, -1
        spans = []
        if self.at < len(self.text) and self.text[self.at] == "(":
            self.at += 1
            while self.text[self.at] != ")":
                spans.append(self.span())
            taken = len(spans)
            self.at += 1
            spans.append(self.span(void=True))
            while self.at < len(self.text):
                self.expect("^")
                spans.append(self.span())
        else:
            spans.append(self.span())
            while self.at < len(self.text):
                spans.append(self.span())
        return ParsedSignature(tuple(parameters), begin, tuple(spans), taken, tuple(self.found))

    def parameters(self) -> list[TypeParameter]:
        """Read ``<T:Bound:Bound...>``; the class bound may be empty."""
        self.at += 1
        found = []
        while self.text[self.at] != ">":
            name, bound, interfaces = self.word(_IDENTIFIER), "", []
            self.expect(":")
            if self.text[self.at] not in ":>" and not self.at_parameter():
                bound = self.text[slice(*self.span())]
            while self.text[self.at] == ":":
                self.at += 1
                interfaces.append(self.text[slice(*self.span())])
            found.append(TypeParameter(name, bound, tuple(interfaces)))
        self.at += 1
        return found

    def span(self, void: bool = False) -> tuple[int, int]:
        """Return begin and end of the type that starts here, and read the type with everything nested in it."""
        start, bare = self.at, True
        while True:
            while self.text[self.at] == "[":
                self.at, bare = self.at + 1, False
            kind = self.text[self.at]
            self.at += 1
            holder = self.open[-1] if self.open else None
            place = 0
            if holder is not None:
                place, holder.arguments = holder.arguments, holder.arguments + 1
            if kind == "L":
                self.open.append(self.named(self.word(_NAME), None, holder, place, bare))
                self.arguments_or_end()
            elif kind == "T":
                name = self.word(_IDENTIFIER)
                self.expect(";")
                end = self.at - 1
                self.found.append(
                    TypeMention(name, end - len(name), end, None, holder, place, bare, is_variable=True, stop=self.at)
                )
            elif kind not in "BCDFIJSZ" and not (void and kind == "V"):
                raise self.wrong()
            bare = True
            while self.open:
                mark = self.text[self.at]
                if mark == "*":
                    self.at += 1
                    self.open[-1].arguments += 1
                elif mark == ">":
                    self.at += 1
                    if self.text[self.at] not in ".;":
                        raise self.wrong()
                    self.arguments_or_end()
                else:
                    if mark in "+-":
                        self.at, bare = self.at + 1, False
                    break
            if not self.open:
                return start, self.at

    def at_parameter(self) -> bool:
        """Return True if a parameter's name and colon follow, rather than a bound after an empty bound."""
        word = _IDENTIFIER.match(self.text, self.at)
        return word is not None and self.text[word.end()] == ":"

    def named(
        self, word: str, outer: TypeMention | None, holder: TypeMention | None, place: int, bare: bool
    ) -> TypeMention:
        """Return the class whose own word ends here."""
        name = word if outer is None else f"{outer.name}${word}"
        self.left -= len(name)
        if self.left < 0:
            raise self.wrong()
        found = TypeMention(name, self.at - len(word), self.at, outer, holder, place, bare)
        self.found.append(found)
        return found

    def arguments_or_end(self) -> None:
        """Read on behind the name of the innermost open class: its arguments, its member, or its end."""
        while True:
            mark = self.text[self.at]
            self.at += 1
            if mark == "<":
                return
            outer = self.open.pop()
            if mark == ";":
                outer.stop = self.at
                return
            if mark != ".":
                raise self.wrong()
            self.open.append(self.named(self.word(_IDENTIFIER), outer, outer.holder, outer.place, outer.is_bare))

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
