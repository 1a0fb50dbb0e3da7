"""Commands of the engine with values of any type."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from tests.fuzz.case import Case
from tests.fuzz.jars import Jars
from tests.fuzz.sessions import changed


class Commands:
    """Makes cases: an engine that is sent some lines."""

    def __init__(self, jars: Jars) -> None:
        self._jars = jars

    def make(self, dice: random.Random, folder: Path) -> Case:
        """Right commands, of which each has something wrong, in any order; mostly with an input open."""
        jar = str(self._jars.write(dice, folder, whole=True))
        lines = [json.dumps({"command": "open", "paths": [jar]})] if dice.random() < 0.8 else []
        for _ in range(dice.randint(1, 6)):
            command = dice.choice(_commands(jar))
            wrong = changed(command, dice) if dice.random() < 0.8 else command
            if isinstance(wrong, dict):
                wrong = _harmless({**wrong, "command": command["command"]})
            if dice.random() < 0.05:
                lines.append(dice.choice(("", "{", "[]", "3", '{"command": 3}', "\x00", "{" * 3_000, "[" * 100_000)))
            lines.append(json.dumps(wrong))
        return Case("engine", lines=tuple(lines))


def _commands(jar: str) -> list[dict[str, Any]]:
    settings = {
        "predicate": "grep -q [.]class {jar}",
        "max_probes": 3,
        "granularity": "class",
        "algorithm": "binary",
        "jobs": 1,
    }
    step = {"probe": 1, "bytes": 10, "items": 2}
    found: list[dict[str, Any]] = [
        {"command": "check", "settings": settings},
        {"command": "reduce", "settings": settings},
        {"command": "pause"},
        {"command": "resume"},
        {"command": "stop"},
        {"command": "list_algorithms"},
        {"command": "list_presets"},
        {"command": "list_sessions"},
        {"command": "list_members", "classes": ["A"], "request": 1},
        {"command": "inspect", "item": "A", "classpath": [jar], "request": 2},
        {
            "command": "find_conflicts",
            "keep": ["A"],
            "drop_first": ["B"],
            "classpath": [],
            "granularity": "class",
            "request": 3,
        },
        {"command": "show_listing", "item": "A", "kind": "bytecode", "tool": "", "request": 4},
        {"command": "compare", "before": step, "after": step, "request": 5},
        {"command": "export", "what": "jar", "path": "export.jar"},
        {"command": "export_step", "path": "e", "step": step},
        {"command": "export_view", "what": "svg", "path": "e.svg", "view": {"view": "packages"}},
        {"command": "save_session", "path": "saved"},
        {"command": "open_session", "path": "saved.jarlet"},
        {"command": "discard_session", "path": "saved.jarlet"},
        {"command": "open", "paths": [jar]},
        {"command": "nosuch"},
        {"command": "fetch", "preset": "nosuch"},
    ]
    found += [
        {"command": "lay_out", "view": view, "items": [0], "depth": 1, "open": ["a"], "rows": "classes", "request": 6}
        for view in ("packages", "components", "focus", "force", "matrix")
    ]
    return found


def _harmless(command: dict[str, Any]) -> dict[str, Any]:
    """Without settings that would only take long, or the machine's memory by right."""
    settings = command.get("settings")
    if isinstance(settings, dict) and type(settings.get("jobs")) is int and settings["jobs"] > 4:
        return {**command, "settings": {**settings, "jobs": 4}}
    return command
