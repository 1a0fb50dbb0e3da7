"""Sources of a candidate by a decompiler, and the compiler's errors in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event as Flag

from core.entries import Entries
from core.errors import PredicateError
from core.library.jdks import choose_jdk, needed_java
from core.predicate import presets
from core.predicate.predicate import discard
from core.predicate.preset import Preset, ToolRuns
from core.predicate.tool_chain import StepsPredicate

BEST_FIRST = ("cfr", "vineflower", "procyon", "fernflower", "cfr-ecj")
"""Presets that decompile, best first for reading; the user's own come behind them."""


@dataclass(frozen=True)
class DecompiledSources:
    """The sources that a tool made of a candidate. ``texts`` are Java files by their paths; ``output`` is the output of
    the steps that report failures; ``problem`` is a sentence that says why there is no source."""

    title: str
    texts: Mapping[str, str] = field(default_factory=dict)
    output: str = ""
    problem: str = ""


def decompilers() -> list[str]:
    """Return the decompiling presets with found tools, most readable output first."""
    known = presets.load_all()
    names = [name for name in BEST_FIRST if name in known]
    names += [name for name in known if name not in names]
    return [name for name in names if decompiles(known[name]) and known[name].missing() is None]


def decompiles(preset: Preset) -> bool:
    """Return True if the preset writes sources without any required setting."""
    return any(line.lists for line in preset.steps) and not any(one.required for one in preset.settings)


@dataclass(frozen=True)
class SourceTool:
    """A preset that decompiles, with the values of its settings."""

    preset: Preset
    values: Mapping[str, str] = field(default_factory=dict)
    compiled: bool = False
    """True to run the preset's other steps too; the output is theirs."""


def decompile(tool: SourceTool, entries: Entries, work: Path, runs: ToolRuns, cancel: Flag | None) -> DecompiledSources:
    """Return the sources of a candidate, by a tool in processes of their own, within the folder ``work``, which must
    not exist yet and is removed. Without a JDK in ``runs`` the best one for the candidate runs
    the tool; ``runs`` are never warm.

    Raises PredicateError where the tool is missing or cannot be started, UsageError for wrong settings.
    """
    jdk = runs.jdk or choose_jdk("", needed_java(entries)).jdk
    preset = tool.preset
    predicate = preset.predicate(tool.values, runs=replace(runs, jdk=jdk, warm=False))
    if not isinstance(predicate, StepsPredicate):
        raise PredicateError(f"The preset {preset.name} does not run its tool step by step.")
    until = next((number for number, step in enumerate(predicate.steps) if step.lists), len(predicate.steps))
    folder = predicate.steps[until].lists if until < len(predicate.steps) else "sources"
    if not tool.compiled:
        predicate = replace(predicate, steps=tuple(replace(step, reads=True) for step in predicate.steps[:until]))
    try:
        result = predicate.run(entries, work, cancel, runs.timeout)
        place = work / folder
        texts = {
            path.relative_to(place).as_posix(): path.read_text("utf-8", "replace") for path in sorted(_files(place))
        }
    finally:
        discard(work)
    output = f"{result.stdout.text}\n{result.stderr.text}".replace(f"{work}/", "").strip()
    problem = ""
    if result.timed_out:
        problem = f"{predicate.title} did not end within {result.seconds:.0f} s."
    elif not texts and not result.cancelled:
        problem = f"{predicate.title} wrote no source. {output[-300:]}".strip()
    return DecompiledSources(title_of(preset), texts, output, problem)


def title_of(preset: Preset) -> str:
    """Return the decompiler's own name with its version, without what comes after it: ``CFR 0.152``."""
    return next((f"{tool} {version}" for tool, version in preset.tool_versions.items()), preset.title)


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*.java") if path.is_file() and not path.is_symlink()]
