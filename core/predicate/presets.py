"""Common predicates as TOML files: ours in ``resources/presets``, the user's own in :func:`user_folder`. The keys of a
file stand in ``resources/presets/README.md``."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

from core.errors import InputError, UsageError
from core.outside_names import inside
from core.predicate.failures import FailureNaming, Wanted
from core.predicate.preset import Preset
from core.predicate.preset_words import BUILT_IN, PLACEHOLDER
from core.user_folders import config_folder
from core.values import record
from core.words import no_such
from resources import path

OURS = path("presets")


def load_all() -> dict[str, Preset]:
    """Return all presets by name; the user's own come last and may replace ours. Raise InputError for a bad file."""
    presets = {}
    for folder in (OURS, user_folder()):
        for file in sorted(folder.glob("*.toml")):
            preset = load(file)
            presets[preset.name] = preset
    return presets


def find(name: str, values: Mapping[str, str] = MappingProxyType({})) -> Preset:
    """Return the preset of that name, or of the file ``PATH/NAME.toml``, with the tools that ``values`` of settings
    name. Raise UsageError with the names that there are, InputError for a bad file."""
    if name.endswith(".toml"):
        return load(Path(name)).with_tools(values)
    presets = load_all()
    if name not in presets:
        raise UsageError(no_such("preset", name, presets))
    found = presets[name]
    for setting in found.settings:
        if setting.kind == "preset":
            found = found.after(find(values.get(setting.name) or setting.default[0]))
    return found.with_tools(values)


def user_folder() -> Path:
    """Return the folder of the user's own presets: ``$XDG_CONFIG_HOME/jarlet/presets``."""
    return config_folder() / "presets"


def load(path: Path) -> Preset:
    """Read a file. Raise InputError with its name and the fault."""
    try:
        return _preset(path.read_text(encoding="utf-8"), path)
    except OSError as error:
        raise InputError(f"The preset {path} cannot be read: {error.strerror or error}.") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"The preset {path} cannot be read: {error}") from error
    except (KeyError, TypeError, ValueError, AttributeError, InputError, UsageError) as error:
        what = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise InputError(f"The preset {path} is not complete or not understood: {what}") from error


@cache
def _preset(text: str, path: Path) -> Preset:
    values = tomllib.loads(text)
    failures, settings = values.pop("failures", {}), values.get("settings", [])
    kinds, pattern = tuple(failures.get("read", ())), failures.get("pattern")
    wanted = failures.get("wanted", "kinds" if kinds or pattern else "")
    if isinstance(settings, dict):
        values["settings"] = [{"name": name, **row} for name, row in settings.items()]
    own = {name: values[name] for name in ("name", "title")}
    values["tools"] = [own | row for row in values.get("tools", ())]
    values["steps"] = [
        {"reads": "without" not in row, "runs": values.get("runs", True), **row} for row in values.get("steps", ())
    ]
    preset: Preset = record(Preset, values, str)
    preset = replace(
        preset,
        reading=FailureNaming(kinds, pattern) if kinds or pattern else None,
        wanted=Wanted.parse(wanted) if wanted else None,
        file=path,
    )
    for name in _file_names(preset):
        inside(Path(), *name.split("/"))
    names = {setting.name for setting in preset.settings} | BUILT_IN
    names |= {f"{tool.name}{part}" for tool in preset.tools for part in ("", ".jar", ".run", ".level", ".main")}
    texts = [*(line.run for line in preset.steps), *(tool.run for tool in preset.tools)]
    if preset.compares and (len(preset.compares) != 2 or not {*preset.compares} <= names):
        raise ValueError("compares does not name two of its settings")
    if not all(line.run for line in preset.steps) or bool(preset.steps) == bool(preset.compares):
        raise ValueError("it has no steps, or a step runs nothing")
    unknown = {match[2] for words in texts for match in PLACEHOLDER.finditer(repr(words))} - names
    if unknown:
        raise ValueError(f"nothing is called {{{', '.join(sorted(unknown))}}}")
    return preset


def _file_names(preset: Preset) -> Iterator[str]:
    """Yield all names of a preset that become paths within a folder of ours."""
    yield preset.name
    for tool in preset.tools:
        yield from (name for names in tool.jars for name in names)
    for line in preset.steps:
        yield from filter(None, (*line.makes, line.lists))
