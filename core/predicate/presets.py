"""Common predicates as TOML files: ours in ``resources/presets``, the user's own beside them.

A file has ``name``, ``title``, ``about`` (one sentence), ``[settings]`` for the user, a line each, ``[[tools]]``, whose
``name`` and ``title`` are else those of the preset, ``[[steps]]`` and ``[failures]``, of which the kinds are ``wanted``
where nothing else is said, ``runs = false`` if it only reads the candidate and runs nothing of it, and ``validity`` if
candidates need not suit a decompiler (``jvm``, ``linked``). ``project`` is the default of ``jarlet source --as``.
Instead of steps it may have ``compares``, two settings for the presets or commands that are to disagree. Several tools
of one name are alternatives, best first; ``newest_jdk`` is the newest Java whose class library the ``maven`` version
can read, for tools with the library of the JDK. A tool without ``jars`` is the jar of its one coordinate with all that
this one needs. The user may name another tool, by a setting of the tool's name. A step with ``without`` is left out if
the user gives that setting a value, and reports no failures. An empty setting with ``hanging`` has that value where the
failure is a hang; one of the kind ``preset`` names the preset whose first steps decompile. Steps may look only for the
failures in ``wanted.txt`` of their folder, where that is there. In a step's words

* ``{jar}`` and ``{classes}`` are the candidate, ``{out}`` a place for a result, ``{java}``, ``{javac}``, ``{jdeps}``
  programs of the JDK, ``{jdk}`` its folder, ``{level}`` the number of its version, ``{library}`` its classes as files
  (the folder ``jmods``), ``{jvm*}`` our options for a short run, ``{classpath}`` the libraries of the input,
  ``{programs}`` our own Java programs, ``{cfr}`` the jars of the tool of that name, ``{cfr.jar}`` the first one,
  ``{cfr.run*}`` the words that run it, ``{cfr.main}`` the setting ``main`` or else the main class of the first jar's
  manifest, ``{ecj.level}`` the highest level of Java, that of the JDK at most, that a compiler's ``-help`` lists,
  ``{main}`` a setting;
* a value of several parts is joined by the path separator; ``{:x}`` begins with one unless ``x`` is empty; a word with
  ``{x*}`` stands once for each part; a list of words within the list is left out when a value in it is empty, and with
  ``{x*}`` in it stands once for each part: ``["--classpath", "{classpath*}"]``.
"""

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

OURS = Path(__file__).resolve().parents[2] / "resources" / "presets"


def load_all() -> dict[str, Preset]:
    """Return all presets by name; the user's own come last and may replace ours. Raise InputError for a bad file."""
    presets = {}
    for folder in (OURS, user_folder()):
        for path in sorted(folder.glob("*.toml")):
            preset = load(path)
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
    values["steps"] = [{"reads": "without" not in row, **row} for row in values.get("steps", ())]
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
