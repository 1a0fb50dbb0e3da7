"""The screen's words for states, and for terms of the engine. Report and command line show the engine's sentences
unchanged."""

from __future__ import annotations

import re

from app.engine.run_state import ItemState

VERDICTS = {"interesting": "fails", "not interesting": "does not fail"}
"""Verdicts as the screen has them; others are shown as they are."""

_TERMS = tuple(
    (re.compile(rf"(?<![\w/.\"'“$-])(?:{term})(?![\w/$\"'”-]|\.\w)"), plain)
    for term, plain in (
        ("on the full input was interesting, another one was not", "on the whole jar failed, another one did not"),
        (r"(run \d+) on the full input was interesting, (run \d+) was not", r"\1 on the whole jar failed, \2 did not"),
        ("is not interesting", "does not fail"),
        ("was not interesting", "did not fail"),
        ("is interesting", "fails"),
        ("was interesting", "failed"),
        ("not interesting", "does not fail"),
        ("interesting (candidate|run|probe)(s?)", r"failing \1\2"),
        ("interesting", "fails"),
        ("The full input", "The whole jar"),
        ("the full input", "the whole jar"),
        ("best so far", "smallest so far"),
        ("exit code 0 means fails", "exit code 0 means that it fails"),
        (r"(classes, )?valid sub-inputs( of)?", r"\1valid parts\2"),
        ("sub-input(s?)", r"part\1 of the jar"),
        ("(The|the) predicate command", r"\1 command"),
        ("The predicate", "The command"),
        ("the predicate", "the command"),
        ("Every candidate", "Every jar that is tried"),
        ("the smallest candidate", "the smallest jar"),
        ("a small candidate", "a small jar"),
        ("[Tt]he candidate", "the jar"),
        ("candidate(s?)", r"jar\1"),
        ("the evidence", "what the failure names"),
        ("auto and gbr begin where that points", "the search begins where that points"),
        ("--failures-as traces", "“Java stack traces” under “More conditions”"),
        ("--failures-as javac", "“javac errors” under “More conditions”"),
        ("say how with --failures-as", "say how under “More conditions”"),
        ("or --failures-as", "or say how under “More conditions”"),
        ("--timeout", "timeout per run"),
        ("--jobs 1 says so", "with 1 under Parallel runs it does not"),
        ("that with --classpath", "that under Libraries"),
        ("--also-interesting", "another failure"),
        ("name it with --expect-exit", "choose it under Condition"),
        ("--preserve [a-z,]+ compares", "a box under “More conditions” compares"),
        ("--predicate '(.*?)' --preserve exit,out", r"“\1” with “Same exit code” and “Same output”"),
        ("(use )?--match( with a part of the output)?", r"\1“Output matches”\2"),
        (r"Probe (\d+)", r"Run \1"),
        ("probe(s?)", r"run\1"),
    )
)  # fmt: skip
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
