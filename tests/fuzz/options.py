"""Random combinations of the options of every command, read from its argparse parser."""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from app.cli import _parser  # its parsers are what the user meets
from tests.fuzz.case import Case
from tests.fuzz.jars import Jars

COMMANDS = ("inspect", "graph", "why", "around", "rules", "sample", "presets", "check", "reduce", "batch")
"""All but ``bench``, which runs for hours."""

_NEVER = {"help", "fetch", "cluster", "cold"}
"""What reaches for the network, and help."""

_TEXTS = (
    "",
    " ",
    "x",
    "-1",
    "\x1b[31m",
    "a\0b",
    "é",
    "\udcff",
    "a.b.*",
    "*",
    "(",
    "same",
    "javac",
    "exit",
    "exit,out",
    "x=y",
    "1",
    "a" * 3_000,
)
_NUMBERS = ("0", "1", "2", "-1", "3.5", "nan", "inf", "1e400", "99999999999999999999", "x", "")
_COMMANDS = (
    "true",
    "false",
    "grep -q [.]class {jar}",
    "sh -c 'test -d {classes}'",
    "{",
    "{x}",
    "",
    "nosuchprogram",
    "'",
    "cat {file:gone}",
)
_SMALL = {
    "jobs": ("0", "1", "2", "-1", "x", ""),
    "count": ("0", "1", "2", "-1", "x"),
    "runs": ("0", "1", "2", "-1", "x"),
}
"""What would only take long with large numbers."""
_BATCHES = (
    "",
    "x = [",
    "[[job]]\n",
    "[[job]]\ninput = 3\n",
    '[[job]]\ninput = "input.jar"\npredicate = "true"\n',
    "job = 3\n",
)


class Options:
    """Makes cases for one whole jar."""

    def __init__(self, jars: Jars) -> None:
        self._jars = jars
        self._actions = {name: [a for a in _parser(name)._actions if a.dest not in _NEVER] for name in COMMANDS}

    def make(self, dice: random.Random, folder: Path) -> Case:
        """A command with some of its options, values that fit and values that do not."""
        command = dice.choice(COMMANDS)
        jar = self._jars.write(dice, folder, whole=True)
        (folder / "full").write_bytes(b"not empty")
        (folder / "folder").mkdir()
        (folder / "batch.toml").write_text(dice.choice(_BATCHES))
        words: list[str] = []
        actions = self._actions[command]
        options = [action for action in actions if action.option_strings]
        for action in dice.sample(options, min(len(options), dice.choice((0, 1, 2, 3, 5)))):
            words.append(dice.choice(action.option_strings))
            if action.nargs != 0:
                words.append(self._value(action, dice, jar))
        if command in ("reduce", "check"):
            if dice.random() < 0.8:
                words += ["--predicate", dice.choice(_COMMANDS[:4])]
            words += ["--max-probes", "4"] if command == "reduce" else ["--runs", "1"]
        for action in actions:
            if not action.option_strings and dice.random() < 0.95:
                words.insert(0 if dice.random() < 0.8 else len(words), self._positional(action, dice, jar))
        return Case(command, tuple(word.replace("\0", "") for word in words))

    def _positional(self, action: argparse.Action, dice: random.Random, jar: Path) -> str:
        if action.dest == "inputs":
            return dice.choice((str(jar), str(jar), str(jar), "full", "folder", "gone.jar", "/dev/null"))
        return dice.choice(("batch.toml", "A", "a/B", "C1", *_TEXTS))

    def _value(self, action: argparse.Action, dice: random.Random, jar: Path) -> str:
        if action.choices:
            return dice.choice((*map(str, action.choices), "x"))
        if action.dest in _SMALL:
            return dice.choice(_SMALL[action.dest])
        if action.type in (int, float):
            return dice.choice(_NUMBERS)
        if action.type is Path or action.dest in ("classpath",):
            return dice.choice(
                ("new.jar", "new/sub/x.md", str(jar), "full", "folder", ".", "/dev/full", "x" * 300, "", "r.html")
            )
        if action.dest == "predicate":
            return dice.choice(_COMMANDS)
        return dice.choice(_TEXTS)
