"""Variations of a source that compiles: other text for code that javac would leave out, fold or shape otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product

_NULL = ("null", "((Object) null)")
"""Forms of a null that is compared with null: two values, of which some decompilers know the result; one value."""
_CONDITION = re.compile(r"\b(if|while) \((true|false)\)")
_CHOICE = re.compile(r"(?<=[=(,] )(true|false)(?= \?)|(?<=return )(true|false)(?= \?)")
_ASSIGNED = re.compile(
    r"(?m)^([ \t]*)((?:final )?[\w$.<>\[\]]+ )?([\w$.]+) = ([^?\n;\"]+) \? ([^?\n;\"]+) : ([^?\n;\"]+);"
)
"""A statement that assigns one of two values: its indent, type, name, condition and values."""


def variations(texts: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Yield the sources with every constant condition opened, for those of ``if``, then for loops too; then all these,
    and the sources themselves, with branches in the place of choices; then with the other form of opening.

    javac leaves code out that no constant lets run, and keeps it behind a comparison of null, which is no constant. It
    stores the value of a choice once, where the code may store it in each branch.
    """
    seen = [dict(texts)]
    for null, branches, words in product(_NULL, (False, True), ((), ("if",), ("if", "while"))):
        found = {path: _opened(_branched(text) if branches else text, words, null) for path, text in texts.items()}
        if found not in seen:
            seen.append(found)
            yield found


def _opened(text: str, words: tuple[str, ...], null: str) -> str:
    constants = {"false": f"{null} != null", "true": f"{null} == null"}

    def opened(match: re.Match[str]) -> str:
        return f"{match[1]} ({constants[match[2]]})" if match[1] in words else match[0]

    if not words:
        return text
    text = _CONDITION.sub(opened, text)
    return _CHOICE.sub(lambda match: constants[match[0]], text)


def _branched(text: str) -> str:
    """Return a text in which each branch of an assigned choice assigns its own value."""

    def branches(match: re.Match[str]) -> str:
        indent, declared, name, condition, yes, no = match.groups()
        if any(part.count("(") != part.count(")") for part in (condition, yes, no)):
            return match[0]
        before = f"{declared}{name}; " if declared else ""
        return f"{indent}{before}if ({condition}) {{ {name} = {yes}; }} else {{ {name} = {no}; }}"

    return _ASSIGNED.sub(branches, text)
