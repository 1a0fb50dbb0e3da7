"""The options of the commands, as the files of ``resources/commands`` declare them. Those of the settings are declared
with the settings."""

from __future__ import annotations

import argparse
import importlib
import os
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from app import text
from app.commands.parsing import Parser
from core.protocol.setting_marks import ActsOn, Decides, DeclaredSetting
from core.protocol.settings import Settings, deciding, declarations
from resources import path

REPORT_ENDS = (".json", ".md", ".html")
"""Ends of names of reports."""


def report_file(name: str) -> Path:
    """Return the path of a report. Raise ArgumentTypeError if the end of its name says another form."""
    place = Path(name)
    if place.suffix and place.suffix not in REPORT_ENDS:
        raise argparse.ArgumentTypeError(f"a report's name ends in {', '.join(REPORT_ENDS)}, but this one is {name!r}")
    return place


class Joined(argparse.Action):
    """An option whose value is a list in one word. A repeated option adds to the list."""

    def __init__(self, option_strings: Sequence[str], dest: str, *, separator: str, **others: Any) -> None:
        self._separator = separator
        super().__init__(option_strings, dest, **others)

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        before = getattr(namespace, self.dest)
        setattr(namespace, self.dest, f"{before}{self._separator}{values}" if before else values)


class GivenOnce(argparse._StoreAction):
    """An option that may be given once: of two values one would be lost in silence."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        if option and getattr(namespace, self.dest, self.default) is not self.default:
            raise argparse.ArgumentError(self, "this option may be given once")
        super().__call__(parser, namespace, values, option)


class LateHelp(GivenOnce):
    """An option whose help takes long to make, so ``names`` returns it only when it is shown."""

    def __init__(self, *words: Any, names: Callable[[], str], **others: Any) -> None:
        self._names = names
        super().__init__(*words, **others)

    @property
    def help(self) -> str:
        return self._names()

    @help.setter
    def help(self, text: str | None) -> None:
        """Ignore the text, which the base class sets to nothing."""


def _algorithms() -> str:
    from core.plan.catalogue import CATALOGUE  # only where it is shown: this loads all algorithms

    default = {Settings.algorithm: f"{Settings.algorithm} (default)"}
    return f"{', '.join(default.get(name, name) for name in CATALOGUE)}, or SPACE/MINIMISER"


_LATE = {"algorithm": _algorithms}
_TYPES = {"whole": int, "number": float, "path": Path, "text": str, "report": report_file}
_METAVARS = {int: "N", float: "S"}


@cache
def declared(name: str) -> dict[str, Any]:
    """Return the declaration of a command. ``shared`` has the sentences on ``commands``, ``texts`` for below the
    options, and ``groups`` of options.
    """
    return tomllib.loads(path(f"commands/{name}.toml").read_text(encoding="utf-8"))


def add_options(parser: argparse.ArgumentParser, command: Mapping[str, Any]) -> None:
    """Add what is declared for a command, and load the module of its function."""
    texts = declared("shared")["texts"]
    parser.usage = command.get("usage")
    parser.epilog = "".join(texts.get(text, text) for text in command.get("epilog", ()))
    if "\n" in parser.epilog:
        parser.formatter_class = argparse.RawDescriptionHelpFormatter
    if "run" in command:
        module, _, function = command["run"].partition(":")
        run = getattr(importlib.import_module(f"{__package__}.{module}"), function)
        parser.set_defaults(run=run, actions=parser._actions, **command.get("defaults", {}))
    options = list(_options(command.get("options", ())))
    exclusive = parser.add_mutually_exclusive_group() if any("exclusive" in each for each in options) else parser
    for option in options:
        place = exclusive if option.pop("exclusive", False) else parser
        place.add_argument(*option.pop("name").split(), **{"action": GivenOnce} | option)
    if "kinds" in command:
        kinds = parser.add_subparsers(required=True, metavar="WHAT", parser_class=Parser)
        for name, kind in command["kinds"].items():
            add_options(kinds.add_parser(name, help=kind["about"], description=sentence(kind["about"])), kind)


def sentence(about: str) -> str:
    """Return the task of a command as a sentence."""
    return f"{text.capital(about)}."


def _options(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the options that the rows stand for, each as the words of ``add_argument``."""
    for row in rows:
        option = dict(row)
        if "settings" in row:
            yield from _settings(Decides[row["settings"]])
        elif "use" in row:
            first, *others = declared("shared")["groups"][option.pop("use")]
            yield from _options([first | option, *others])
        else:
            if "type" in row:
                option["type"] = _TYPES[row["type"]]
            if row.get("action") == "joined":
                option |= {"action": Joined, "separator": os.pathsep}
            yield option


def _settings(part: Decides) -> Iterator[dict[str, Any]]:
    """Yield the options of the settings that decide ``part``, without those of the check for another part. An omitted
    option is None, so that the settings have the default."""
    names = set(deciding(part)) - (set() if part is Decides.CHECK else set(deciding(Decides.CHECK)))
    for name, setting in declarations().items():
        if setting.option is None or name not in names:
            continue
        words: dict[str, Any] = {"name": setting.option.flag, "dest": name}
        if name in _LATE:
            yield words | {"action": LateHelp, "names": _LATE[name], "metavar": setting.option.metavar}
        else:
            among, told = setting.mark(ActsOn), setting.option.help
            told = f"{', '.join(among.algorithms)}: {told}" if among is not None else told
            yield words | {"default": None, "help": told, **_form(setting)}


def _form(setting: DeclaredSetting) -> dict[str, Any]:
    option = setting.option
    assert option is not None
    if setting.kind is bool:
        return {"action": "store_false" if getattr(Settings, setting.name) else "store_true"}
    if setting.choices is not None:
        return {"choices": setting.choices}
    if setting.kind in _METAVARS:
        return {"type": setting.kind, "metavar": option.metavar or _METAVARS[setting.kind]}
    if option.separator:
        return {"metavar": option.metavar, "action": Joined, "separator": option.separator}
    return {"metavar": option.metavar} | ({"action": "append"} if setting.kind is not str else {})
