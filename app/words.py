"""The screen's words for states, and for terms of the engine. Report and command line show the engine's sentences
unchanged."""

from __future__ import annotations

import re
import tomllib

from app.engine.run_state import ItemState
from core.protocol.run_words import EndReason
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


END_WORDS: dict[str, str] = {
    EndReason.DONE: "is done",
    EndReason.STOPPED: "was stopped",
    EndReason.TIME: "ended at its time limit",
    EndReason.PROBES: "ended at its run limit",
}
"""Words behind "the reduction", by the reason of its end."""

STATE_WORDS = {
    ItemState.NEEDED: "needed",
    ItemState.SO_FAR: "needed so far",
    ItemState.KEPT: "kept",
    ItemState.TRYING: "being removed",
    ItemState.GONE: "gone",
}

STATE_MEANINGS = {
    ItemState.NEEDED: "the result does not fail without it (full, thick outline)",
    ItemState.SO_FAR: "a run without it did not fail; a later phase may remove it (pale, green outline)",
    ItemState.KEPT: "in the smallest jar so far",
    ItemState.TRYING: "the jar of the current run lacks it (hatched)",
    ItemState.GONE: "no longer in the smallest jar so far (dotted outline, name struck through)",
}

COMPARED_WORDS = {
    ItemState.KEPT: "in both steps",
    ItemState.TRYING: "only in the earlier",
    ItemState.GONE: "in neither",
}
"""Meanings of the states while two steps are compared."""

STEP_WORDS = {ItemState.KEPT: "in this step", ItemState.GONE: "not in this step"}
"""Meanings of the states while one step is shown."""
