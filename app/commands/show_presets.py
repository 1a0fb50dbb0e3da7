"""``jarlet presets``."""

from __future__ import annotations

import argparse

from app.commands.parsing import BAD_USE, DONE
from app.commands.predicate_options import fetch_tools
from core.predicate import presets


def add_presets(command: argparse.ArgumentParser) -> None:
    """Add the options of ``jarlet presets``."""
    command.set_defaults(run=_presets)
    command.add_argument("name", nargs="?", metavar="NAME", help="show the details of this preset")
    command.add_argument("--fetch", action="store_true", help="download what is missing")


def _presets(options: argparse.Namespace) -> int:
    found = presets.load_all()
    if options.name is None:
        width = max(map(len, found))
        for preset in found.values():
            lacking = preset.missing()
            print(f"{preset.name:{width}} {preset.about}" + (f"\n{'':{width}} {lacking}" if lacking else ""))
        return DONE
    preset = presets.find(options.name)
    lacking = fetch_tools(preset) if options.fetch else preset.missing()
    print(f"{preset.title}: {preset.about}")
    for setting in preset.settings:
        needed = " (needed)" if setting.required else ""
        print(f"  --set {setting.name}=...  {setting.title}{needed}")
    for tool, version in preset.versions().items():
        print(f"  {tool} {version}")
    newer = preset.newer()
    if newer:
        print(f"  {newer}")
    print(f"  {lacking}" if lacking else "  Ready to run.")
    return BAD_USE if lacking else DONE
