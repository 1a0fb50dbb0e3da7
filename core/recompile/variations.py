"""Variations of a source that compiles: other text for code that javac would leave out or fold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_CONSTANTS = {"false": "null != null", "true": "null == null"}
_CONDITION = re.compile(r"\b(if|while) \((true|false)\)")
_CHOICE = re.compile(r"(?<=[=(,] )(true|false)(?= \?)|(?<=return )(true|false)(?= \?)")


def variations(texts: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Yield the sources with every constant condition opened, for those of ``if``, then for loops too.

    javac leaves code out that no constant lets run, and keeps it behind a comparison of null, which is no constant.
    """
    for words in (("if",), ("if", "while")):
        found = {path: _opened(text, words) for path, text in texts.items()}
        if found != dict(texts):
            yield found


def _opened(text: str, words: tuple[str, ...]) -> str:
    def opened(match: re.Match[str]) -> str:
        return f"{match[1]} ({_CONSTANTS[match[2]]})" if match[1] in words else match[0]

    text = _CONDITION.sub(opened, text)
    return _CHOICE.sub(lambda match: _CONSTANTS[match[0]], text)
