"""The screen's words for states, and for terms of the engine. Report and command line show the engine's sentences
unchanged."""

from __future__ import annotations

import re
import tomllib

from app.engine.run_state import ItemState
from resources import path

VERDICTS = {"interesting": "fails", "not interesting": "does not fail"}
"""Verdicts as the screen has them; others are shown as they are."""

_WORDS = tomllib.loads(path("words.toml").read_text(encoding="utf-8"))
PRESET_GROUPS: dict[str, list[str]] = _WORDS["presets"]
"""Presets by the titles of their groups."""
_TERMS = tuple(
    (re.compile(rf"(?<![\w/.\"'“$-])(?:{term})(?![\w/$\"'”-]|\.\w)"), plain) for term, plain in _WORDS["terms"]
)
"""Terms as patterns, each with the screen's word; earlier ones first."""


_OPTION = re.compile(r" \((?:not with --[\w-]+(?: \w+)?|--[\w-]+, in the window (\w+))\)")
"""A hint in brackets for the command line; its part for the window stays."""

_QUOTED = re.compile("(“[^”]*”)")
"""Words of a tool or a user, which a sentence quotes."""


def plain(sentence: str) -> str:
    """Return a sentence of the engine in the words of the screen. A term within a name, a path or a quotation stays."""
    parts = _QUOTED.split(sentence)
    return "".join(part if number % 2 else _plain(part) for number, part in enumerate(parts))


def _plain(words: str) -> str:
    words = _OPTION.sub(lambda hint: f" ({hint[1]})" if hint[1] else "", words)
    for term, others in _TERMS:
        words = term.sub(others, words)
    return words


def verdict(word: str) -> str:
    """Return a verdict in the words of the screen."""
    return VERDICTS.get(word, word)


END_WORDS: dict[str, str] = _WORDS["ends"]
"""Words behind "the reduction", by the reason of its end."""


def _of_states(table: str) -> dict[ItemState, str]:
    return {ItemState[name.upper()]: words for name, words in _WORDS[table].items()}


STATE_WORDS, STATE_MEANINGS = _of_states("states"), _of_states("meanings")
COMPARED_WORDS, STEP_WORDS = _of_states("compared"), _of_states("step")
"""Meanings of the states while two steps are compared, and while one step is shown."""
