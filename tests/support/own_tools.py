"""Presets of a user's own in tests: tools that are shell scripts, whose failures are the lines that begin with FAIL."""

from __future__ import annotations

import pytest

from core.predicate import presets

TOOL = """
name = "{name}"
title = "{title}"
about = "Prints and ends."
[[steps]]
run = ["sh", "-c", "{script}"]
[failures]
pattern = "FAIL .*"
wanted = "same"
"""


VERSIONED = """
name = "faulty"
title = "Faulty, a tool"
about = "Runs a script that is in the tool's jar."
runs = false
[[tools]]
name = "faulty"
title = "Faulty"
jars = [["faulty-[0-9]*.jar"]]
maven = ["org.demo:faulty:1.2"]
[[steps]]
run = ["sh", "-c", '{before}unzip -p "$1" run.sh > run.sh && sh run.sh "$2"', "sh", "{{faulty}}", "{{jar}}"]
[failures]
pattern = "FAIL .*"
wanted = "same"
"""


def versioned_tool(before: str = "") -> str:
    """Return the text of a preset ``faulty``, each version of which is a jar with a script; ``before`` runs first."""
    return VERSIONED.format(before=before)


def tool(name: str, script: str) -> str:
    """The text of a preset."""
    return TOOL.format(name=name, title=name.title(), script=script)


def decompiler(name: str, run: str) -> str:
    """Return the text of a preset whose first step ``run``, a list in TOML, writes the folder of sources."""
    return f"""
name = "{name}"
title = "{name.title()}"
about = "Writes sources."
[[steps]]
run = {run}
[[steps]]
run = ["true"]
lists = "sources"
[failures]
pattern = "FAIL .*"
wanted = "same"
"""


def only_tools(monkeypatch: pytest.MonkeyPatch, texts: dict[str, str]) -> None:
    """Writes presets, by name, to the user's folder; nothing else is a preset then."""
    folder = presets.user_folder()
    folder.mkdir(parents=True)
    for name, text in texts.items():
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    known = {name: preset for name, preset in presets.load_all().items() if name in texts}
    monkeypatch.setattr(presets, "load_all", lambda: known)
