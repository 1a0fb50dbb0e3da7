"""A result as a test of a project's own suite: with names of the project, and verified again under these names."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from core.edits.names.name_map import with_class_names
from core.entries import Entries, class_files
from core.errors import UsageError
from core.predicate.aim import Aim
from core.recompile.source_maker import CompileWay, VerifiedSource
from core.report.private_places import told_elsewhere
from core.service.reproducers.failing_result import AssemblerText, FailingResult, assembler_sentence
from core.service.reproducers.projects import Project, TestFiles, TestMaterial
from core.system.files import write_folder
from core.system.outputs import refuse_filled
from core.system.work_folder import temporary_folder

README = "README-reduced.md"
"""Name of the file with the instructions for a test."""

_SHOWN = 20
"""Largest number of failures that the file names."""
_ISSUE = re.compile(r"\d+")
_FILE = re.compile(r"([\w$]+)\.java\b")
"""Pattern of the source file at the beginning of a failure."""
_OWN_NAMES = "Under the names of the project no class file shows it: the classes keep their own names. "


@dataclass(frozen=True)
class MaintainerTest:
    """A test of a project: its files by their paths, and a sentence on what was verified."""

    files: Mapping[str, str]
    sentence: str
    verified: bool


def maintainer_test(
    result: FailingResult, found: VerifiedSource | None, project: Project, aim: Aim, issue: str = "0000"
) -> MaintainerTest:
    """Return the test of a result for a project: of its source where the renamed source shows the failure, else of
    assembler text. Where no renamed class shows it, the classes keep their own names. Raises UsageError for an issue
    that is no number, and for a result without classes."""
    if not _ISSUE.fullmatch(issue):
        raise UsageError(f"--issue {issue}: write the number of the issue.")
    classes = list(_classes(result.entries))
    if not classes:
        raise UsageError("There is no class in the input, so there is nothing to make a test of.")
    failures = tuple(map(told_elsewhere, result.outcome.failures))
    predicate = told_elsewhere(aim.preset.name if aim.preset is not None else aim.command)
    own, *others = _failing(classes, failures)
    names = _names(classes, [own, *others], project, issue) if project.renames else {each: each for each in classes}
    about = TestMaterial(
        main=names[own],
        sources={},
        assembler={},
        classes=tuple(names.values()),
        release=8,
        debug=True,
        issue=issue,
        failures=failures,
        predicate=predicate,
        others=tuple(names[each] for each in others),
        uses=_uses(result.entries, aim),
    )
    source = found if found is not None and not found.stubs else None
    if source is not None:
        texts = _renamed(source.texts, names)
        entries = result.compiled(texts, source.way)
        if entries and result.shows(_named(source.classes, entries, names)):
            return _of_source(replace(about, sources=texts, classes=_classes(entries)), source.way, project)
    text = result.assembler(with_class_names(result.entries, names))
    if not text.shows:
        about = replace(about, main=own, others=tuple(others), classes=tuple(classes))
        if source is not None:
            about = replace(about, sources=source.texts, classes=_classes(source.classes))
            return _of_source(about, source.way, project, _OWN_NAMES)
        text = result.assembler(result.entries)
    laid = project.lay(replace(about, assembler=text.texts))
    told = _told(text, found, own=about.main not in names.values())
    return MaintainerTest(_with_readme(laid, project, about, told), told, text.shows)


def _uses(entries: Entries, aim: Aim) -> dict[str, str]:
    """Return the sources that the preset's compiler is given, by their names: the user's, or those made of the
    entries."""
    if aim.preset is None or not any(setting.name == "sources" for setting in aim.preset.settings):
        return {}
    with temporary_folder() as place:
        options = aim.preset.with_made(aim.options, entries, place / "made", aim.chosen_jdk)
        paths = map(Path, filter(None, options.get("sources", "").split(os.pathsep)))
        return {path.name: path.read_text("utf-8", "replace") for path in paths}


def _of_source(about: TestMaterial, way: CompileWay, project: Project, why: str = "") -> MaintainerTest:
    laid = project.lay(replace(about, release=way.release, debug=way.debug))
    told = f"{why}Verified: compiled by {way.compiler} with {' '.join(way.options)}, it shows the failure."
    return MaintainerTest(_with_readme(laid, project, about, told), told, True)


def _classes(entries: Entries) -> tuple[str, ...]:
    """Return the internal names of the classes among some entries."""
    return tuple(name.removesuffix(".class") for name in class_files(entries))


def write_test(test: MaintainerTest, folder: Path) -> None:
    """Write the files of a test into a folder, which must be new or empty. Raises OutputError, and then leaves
    nothing."""
    refuse_filled(folder, "a test")
    write_folder(folder, ((path, text.encode(), False) for path, text in test.files.items()))


def _named(before: Entries, entries: Entries, names: Mapping[str, str]) -> Entries:
    """Return class files of renamed sources with the changes of names."""
    renamed = with_class_names(before, names)
    renamed[:] = [*((name, data) for name, data in before if not name.endswith(".class")), *entries]
    return renamed


def _told(text: AssemblerText, source: VerifiedSource | None, *, own: bool) -> str:
    why = "No Java source was found that shows the failure."
    if source is not None:
        why = "Under the names of the project its Java source does not show the failure."
        if source.stubs:
            why = "Its Java source needs stubs, which the project's build would compile into the test."
    if own:
        why += f" {_OWN_NAMES}"
    shown = "Verified: the class files show the failure." if text.shows else "Not verified."
    return f"{why.rstrip()} {assembler_sentence(text)} {shown}"


def _failing(classes: list[str], failures: tuple[str, ...]) -> list[str]:
    """Return the top-level classes of the files that the failures name. A failure without a file counts by the classes
    in its text; if there are none at all, the first class counts."""
    tops = [name for name in classes if "$" not in name.rpartition("/")[2]] or classes
    files = [_FILE.match(each) for each in failures]
    words = [found[1] if found else each for found, each in zip(files, failures, strict=True)]
    named = [name for text in words for name in tops if re.search(rf"\b{re.escape(name.rpartition('/')[2])}\b", text)]
    return list(dict.fromkeys(named)) or tops[:1]


def _names(classes: list[str], failing: list[str], project: Project, issue: str) -> dict[str, str]:
    """Return the new internal name of each class, those of the failing ones first."""
    named = failing[:1] if project.named_by_issue else failing
    found: dict[str, str] = {}
    for name in named:
        found[name] = _free(project.main_name(name.rpartition("/")[2], issue), set(found.values()))
    taken = set(found.values())
    for name in sorted(classes, key=lambda each: each.count("$")):
        outer, dollar, inner = name.rpartition("$")
        if name in found:
            continue
        if dollar and outer in found:
            found[name] = f"{found[outer]}${inner}"
            continue
        simple = name.rpartition("/")[2]
        found[name] = _free(f"{project.package}/{simple}" if project.package else simple, taken)
        taken.add(found[name])
    return found


def _free(wish: str, taken: Collection[str]) -> str:
    """Return a name that is not taken: the wish, else with a number."""
    return next(name for number in count(1) if (name := f"{wish}{number if number > 1 else ''}") not in taken)


def _renamed(texts: Mapping[str, str], names: Mapping[str, str]) -> dict[str, str]:
    """Return sources with other packages and top-level names."""
    tops = {old: new for old, new in names.items() if "$" not in old.rpartition("/")[2]}
    found = {}
    for path, text in texts.items():
        old = path.removesuffix(".java")
        new = tops.get(old, old)
        package = new.rpartition("/")[0].replace("/", ".")
        text = re.sub(r"(?m)^package [^;]*;\s*", "", text)
        for before, after in sorted(tops.items(), key=lambda pair: -len(pair[0])):
            qualified = re.escape(before.replace("/", "."))
            text = re.sub(rf"(?<![\w.$]){qualified}(?![\w$])", after.replace("/", "."), text)
        for before, after in tops.items():
            simple, now = before.rpartition("/")[2], after.rpartition("/")[2]
            text = re.sub(rf"(?<![\w.$]){re.escape(simple)}(?![\w$])", now, text)
        found[f"{new}.java"] = (f"package {package};\n\n" if package else "") + text
    return found


def _with_readme(laid: TestFiles, project: Project, about: TestMaterial, told: str) -> dict[str, str]:
    """Return the files of a test, with its file of instructions."""
    times = Counter(about.failures)
    failures = [f"* `{each}`{f' ({number} times)' if number > 1 else ''}" for each, number in times.items()][:_SHOWN]
    lines = [
        f"# A test for {project.title}", "",
        f"Fails with `{about.predicate}`{':' if about.failures else '.'}", "",
        *failures, *([""] if failures else []),
        told, "",
        "Found by delta debugging (Jarlet): the files are made by that tool from a jar, none by hand or by a language "
        "model.", "",
        "## To do", "",
    ]  # fmt: skip
    for step in filter(None, laid.steps):
        lines += [*(("```", step, "```") if step.startswith(" ") else (step,)), ""]
    lines += ["## Files", "", *(f"* `{path}`" for path in laid.files), ""]
    return {**laid.files, README: "\n".join(lines)}
