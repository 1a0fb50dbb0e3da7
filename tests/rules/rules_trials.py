"""Builds the models of all cases, writes their sub-inputs, and has them judged: two processes for all of them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rules_case import Case, Client, Probe

from core.archive.jar import Jar, read_jar, write_jar
from core.entries import Entries
from core.library.jdk import find_jdk
from core.library.library import open_library
from core.model import building
from core.model.cache.class_files import ClassFileCache
from core.model.item_model import ItemModel
from core.model.model_settings import ModelSettings
from core.sets import ItemSet
from tests.bench.referee_judges import Problem, Referee
from tests.support.patience import patience

HELPER = Path(__file__).with_name("Trial.java")
FINE = "fine"


@dataclass(repr=False)
class Trial:
    """A case with the models, with and without the rule, and what the judges say of the two sub-inputs."""

    case: Case
    ruled: ItemModel
    free: ItemModel
    nowhere: Entries
    """The classes that the model is not given."""
    problems: tuple[list[Problem], list[Problem]] = ((), ())  # type: ignore[assignment]
    """Of the sub-input with all rules and of the one without the rule."""
    results: tuple[str, str] = (FINE, FINE)
    """What the probe or compiler said of the two."""

    def numbers(self, names: Sequence[str]) -> list[int]:
        """Item numbers of names as the case writes them."""
        return [self.ruled.numbers[self.case.item(name)] for name in names]

    def names(self, kept: ItemSet) -> set[str]:
        """Names of the items of a sub-input."""
        return {item.name for number, item in enumerate(self.ruled.items) if kept >> number & 1}

    def least(self, *, free: bool) -> ItemSet:
        """The least sub-input with what the case keeps; *free*: of the model without the rule."""
        model = self.free if free else self.ruled
        last = set(self.numbers(self.case.avoid))
        rank = [number + (number in last) * len(model.items) for number in range(len(model.items))]
        return model.least(self.numbers(self.case.keep), rank)


def sources(cases: Sequence[Case]) -> dict[str, str]:
    """Everything to compile, in one go."""
    files = {"trial/Trial.java": HELPER.read_text(encoding="utf-8")}
    for case in cases:
        files |= case.sources
        if isinstance(case.breaks, Probe):
            files[f"probes/{case.name}.java"] = (
                f"package probes; public class {case.name} extends trial.Trial {{"
                f" @Override protected void run() throws Throwable {{ {case.breaks.body} }} }}"
            )
    return files


def trials(cases: Sequence[Case], compile_java: Callable[..., Path], folder: Path) -> dict[str, Trial]:
    """All cases, judged; by name."""
    classes = compile_java(sources(cases), "-proc:none", "-g")
    whole = read_jar([classes])
    library = open_library()
    found = {}
    for case in cases:
        jar, nowhere = _part(whole, case)
        read_once = ClassFileCache(case.granularity)
        settings = ModelSettings(library, case.granularity, case.validity, known=read_once)
        ruled = building.build_by(jar, settings)
        free = building.build_by(jar, replace(settings, without=frozenset({case.rule})))
        found[case.name] = Trial(case, ruled, free, nowhere)
    library.close()
    _judge(list(found.values()), classes, folder)
    return found


def _part(whole: Jar, case: Case) -> tuple[Jar, Entries]:
    """The classes of a case that the model is given, and the others."""
    entries, nowhere = [], []
    for entry in whole.entries:
        if entry.name.startswith(f"{case.name}/") and entry.name.endswith(".class"):
            name = entry.name.removesuffix(".class")
            if name in map(case.item, case.hide):
                assert b"InnerClasses" in entry.data
                entry = replace(entry, data=entry.data.replace(b"InnerClasses", b"InnerClassez"))
            if name in map(case.item, case.nowhere):
                nowhere.append((entry.name, entry.data))
            else:
                entries.append(entry)
    assert len(nowhere) == len(case.nowhere)
    return replace(whole, entries=tuple(entries)), nowhere


def _judge(found: Sequence[Trial], classes: Path, folder: Path) -> None:
    jars = []
    for trial in found:
        for free in (False, True):
            model = trial.free if free else trial.ruled
            jars.append(folder / f"{trial.case.name}-{'free' if free else 'ruled'}.jar")
            write_jar(jars[-1], [*model.entries(trial.least(free=free)), *trial.nowhere], durable=False)
    verdicts = [sorted(verdict.problems) for verdict in Referee(folder).machine(jars)]
    said = iter(_try(found, jars, classes, folder))
    for number, trial in enumerate(found):
        trial.problems = verdicts[2 * number], verdicts[2 * number + 1]
        if isinstance(trial.case.breaks, (Probe, Client)):
            trial.results = next(said), next(said)


def _try(found: Sequence[Trial], jars: Sequence[Path], classes: Path, folder: Path) -> list[str]:
    """What probes and clients say of each pair of jars; one process for all."""
    lines = []
    for trial, jar in zip((trial for trial in found for _ in range(2)), jars, strict=True):
        if isinstance(trial.case.breaks, Probe):
            lines.append(f"{jar}\tprobes.{trial.case.name}")
        elif isinstance(trial.case.breaks, Client):
            source = folder / trial.case.name / "Client.java"
            source.parent.mkdir(exist_ok=True)
            source.write_text(f"package {trial.case.name};\n{trial.case.breaks.source}\n", encoding="utf-8")
            lines.append(f"{jar}\t{source}")
    (folder / "trials.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    (folder / "clients").mkdir()
    command = [find_jdk().java, "-Xverify:all", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classes]
    done = subprocess.run(
        [*command, "trial.Trial", folder / "trials.txt", folder / "clients"],
        capture_output=True, text=True, check=True, timeout=patience(300),
    )  # fmt: skip
    said = done.stdout.splitlines()
    assert len(said) == len(lines), done.stdout + done.stderr
    return said
