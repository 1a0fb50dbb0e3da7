"""Where the members of classes are in a Java source, by its braces alone: also where it cannot be compiled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r'"""[\s\S]*?(?:(?<!\\)"""|\Z)|"(?:\\.|[^"\\\n])*"?|\'(?:\\.|[^\'\\\n])*\'?|//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|[{};=(),]'
)
_TYPE = re.compile(r"(?:^|[^\w$.@])(?:class|interface|enum|record|@interface)\s+([\w$]+)")
_METHOD = re.compile(r"([\w$]+)\s*\(([\s\S]*)\)[^)]*$")
_FIELD = re.compile(r"([\w$]+)\s*(?:\[\s*\]\s*)*$")
_ANNOTATION = re.compile(r"@[\w$.]+(?:\s*\([^()]*\))?")
_GENERIC = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class SourcePart:
    """Some whole lines of a source: ``first`` to ``last``, from 1. ``owner`` is the class (``Outer.Inner``), ``name``
    the member's, empty for a class's own head and end; ``types`` are its parameters' simple types, None of a field."""

    owner: str
    name: str
    types: tuple[str, ...] | None
    first: int
    last: int


@dataclass
class _Scope:
    """A class whose body is being read; ``depth`` is that of its members' braces."""

    name: str
    depth: int


def parts_of_source(text: str) -> list[SourcePart]:
    """Return the parts of a source, in its order; together they are all of its lines."""
    total = text.count("\n") + (not text.endswith("\n") and bool(text))
    found: list[SourcePart] = []
    first = 1
    for owner, name, types, line in _declarations(text):
        if line >= first:
            found.append(SourcePart(owner, name, types, first, line))
            first = line + 1
    if first <= total:
        found.append(SourcePart("", "", None, first, total))
    return found


def _declarations(text: str) -> Iterator[tuple[str, str, tuple[str, ...] | None, int]]:
    """Yield the owner, name, types and last line of each head, member and end of a class."""
    scopes = [_Scope("", 0)]
    depth = rounds = 0
    begin, equals, head = 0, -1, ""
    lines = _Lines(text)
    for token in _TOKEN.finditer(text):
        mark = token[0]
        scope = scopes[-1]
        if mark == "(":
            rounds += 1
        elif mark == ")":
            rounds = max(0, rounds - 1)
        elif mark == "=" and depth == scope.depth and not rounds and equals < 0:
            equals = token.start()
        elif mark == "{":
            if depth == scope.depth and not rounds:
                head = _plain(text[begin : equals if equals >= 0 else token.start()])
                kind = _TYPE.search(head) if equals < 0 else None
                if kind is not None:
                    scopes.append(_Scope(f"{scope.name}.{kind[1]}".lstrip("."), depth + 1))
                    yield scopes[-1].name, "", None, lines.of(token.start())
                    begin, equals = token.end(), -1
            depth += 1
        elif mark == "}":
            depth = max(0, depth - 1)
            if depth < scope.depth and len(scopes) > 1:
                scopes.pop()
                yield scope.name, "", None, lines.of(token.start())
                begin, equals, rounds = token.end(), -1, 0
            elif depth == scope.depth and equals < 0:
                yield scope.name, *_named(head), lines.of(token.start())
                begin, rounds = token.end(), 0
        elif mark == ";" and depth == scope.depth and not rounds:
            head = _plain(text[begin : equals if equals >= 0 else token.start()])
            if len(scopes) > 1:  # package and imports belong to the head of the class behind them
                yield scope.name, *_named(head), lines.of(token.start())
            begin, equals = token.end(), -1


class _Lines:
    """Numbers of lines, asked for in rising order."""

    def __init__(self, text: str) -> None:
        self._text, self._at, self._line = text, 0, 1

    def of(self, place: int) -> int:
        self._line += self._text.count("\n", self._at, place)
        self._at = place
        return self._line


def _plain(head: str) -> str:
    """Return a declaration without comments, annotations and type arguments."""
    head = _TOKEN.sub(lambda match: match[0] if len(match[0]) == 1 else " ", head)
    head = _ANNOTATION.sub(" ", head)
    while (shorter := _GENERIC.sub("", head)) != head:
        head = shorter
    return head.strip()


def _named(head: str) -> tuple[str, tuple[str, ...] | None]:
    method = _METHOD.search(head)
    if method is not None:
        return method[1], tuple(_type(one) for one in method[2].split(",") if one.strip())
    field = _FIELD.search(head)
    return (field[1] if field is not None else "static"), None


def _type(parameter: str) -> str:
    """Return ``final java.lang.String[] a`` as ``String[]``."""
    words = [word for word in parameter.replace("...", "[] ").split() if word != "final"]
    arrays = "".join(words).count("[]")
    return words[0].rpartition(".")[2].replace("[]", "") + "[]" * arrays
