"""The bug report and its folder for a stranger: reduced jar (also in a zip), script, report, sources, nearest jars that
do not fail. The script is tried in an empty place.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from threading import Event as Flag
from typing import Any

from core.archive.entry_names import kind_of
from core.archive.jar import Entry, Jar
from core.archive.packer import Packer
from core.entries import Entries, class_files, renaming_of
from core.errors import JarletError
from core.library.class_path import needed_files, needed_jars
from core.library.jdk import QUICK
from core.library.library import open_library
from core.model import building
from core.model.item_model import ItemModel
from core.predicate import presets
from core.predicate.predicate import FIRST_TIMEOUT
from core.predicate.several.decompiling import DecompiledSources, SourceTool, decompiles
from core.protocol.events import Listener, Report, Warned, Working
from core.protocol.run_words import VALIDITIES
from core.report.bug_report import Exhibits, bug_report
from core.report.document import Document
from core.report.private_places import without_old_names, without_places
from core.report.reduction_report import input_paths
from core.report.reproduction import SCRIPT, SMALL, Reproduction, carried, reproduction
from core.report.sign import sign_of
from core.service import script_trial
from core.service.aims import aim_in
from core.service.reproducers.failing_result import source_report
from core.service.reproducers.nearest_pairs import NearestPair, jar_path, nearest_pairs, pair_files
from core.service.script_trial import Tried
from core.service.source_memory import Material, SourceMemory, decompiler
from core.service.workspace import Workspace
from core.system.files import write_folder
from core.system.outputs import Output, guard, refuse_filled
from core.system.work_folder import temporary_folder

ISSUE = 65_000
"""Largest number of characters of a text for an issue tracker (GitHub: 65,536)."""

JAVA, ASSEMBLER = "java", "assembler"
"""Folders of the source that shows the failure, and of the assembler text in its place."""

_DRAWN = 30
"""Largest number of classes of which a report has a picture."""

_SOURCES = 60
"""Largest number of classes of a result that is decompiled for its report."""

_TRYING = 10.0
"""Least time limit of a trial of the script, in seconds; otherwise the limit of a confirming run."""

_NO_TIME = (
    "The time is over: for the bug folder nothing is run. Its script is not tried, the result is not decompiled, no "
    "Java source that shows the failure is looked for, and no nearest jar that does not fail is run again."
)


def report_document(workspace: Workspace, sources: SourceMemory, end: Flag) -> Document:
    """Return the bug report of the last reduction, with its ``sources`` and its script. ``end`` kills the decompiler.
    Raises UsageError before the first one ended.
    """
    report = workspace.report
    inputs, report = input_paths(report), without_old_names(report, renaming_of(workspace.entries))
    workspace.emit(Working("decompiling the result for its report"))
    made = sources_of(workspace.entries, report, sources, end)
    return document_of(report, workspace.entries, jar_of(workspace.entries), _script(report, inputs), made)


def write_bug_folder(workspace: Workspace, folder: Path, end: Flag, sources: SourceMemory) -> Tried:
    """Write the folder of the last reduction, which must be new or empty, and try its script in an empty place. Once
    the flag ``end`` is set, nothing is run. ``sources``: earlier sources of results. Raises UsageError and
    OutputError.
    """
    report = workspace.report
    guard([Output(folder, "the folder of the report", folder=True)], workspace.reads)
    if end.is_set():
        workspace.emit(Warned(_NO_TIME))
    return write_bug(report, workspace.entries, folder, end, workspace.emit, sources)


def write_bug(
    report: Report,
    entries: Entries,
    folder: Path,
    end: Flag,
    emit: Listener,
    known: SourceMemory | None = None,
) -> Tried:
    """Write the folder of a reduction with this report and result, which must be new or empty, and try its script in an
    empty place. Once the flag ``end`` is set, nothing is run. Raises OutputError.
    """
    refuse_filled(folder, "a bug report")
    whole, report = report, without_old_names(report, renaming_of(entries))
    entries = aim_in(report).given_to_tool(entries)
    emit(Working("looking for Java source that shows the failure"))
    _look_for_source(entries, report, end)
    emit(Working("running the nearest jars that do not fail again"))
    report, pairs = _with_pairs(entries, report, end)
    emit(Working("decompiling the result"))
    sources = sources_of(entries, report, known, end)
    late, jar = end.is_set(), jar_of(entries)
    inputs = input_paths(whole)
    with temporary_folder() as place:
        told = report if late else _with_made(report, entries, place / "made")
        for made in [_script(told, inputs)] if late else _scripts(told, entries, inputs):
            emit(Working(f"writing {folder}"))
            _write(folder, made, (report, entries, jar, pairs), sources)
            seconds = max(_TRYING, made.limit + (report["final"].get("limit") or FIRST_TIMEOUT))
            if not end.is_set():
                emit(Working(f"trying the script on the result and on an empty jar, {seconds:.0f} s at most for each"))
            tried = script_trial.tried(folder, made, seconds, end)
            if tried.shown or end.is_set():
                break
        private = made.copied.private
    if not private:
        return tried
    named = "names a folder" if len(private) == 1 else "name folders"
    return Tried(f"{tried.message} Before you hand it on: {', '.join(private)} {named} of this machine.", tried.shown)


def _with_made(report: Report, entries: Entries, work: Path) -> dict[str, Any]:
    """Return the report with the files that the preset makes of the result, as if the user had given them: then the
    script needs one command. The files are made in the folder ``work``."""
    aim = aim_in(report)
    if aim.preset is None:
        return report
    options = aim.preset.with_made(aim.options, entries, work, aim.chosen_jdk)
    return {**report, "settings": {**report["settings"], "options": options}}


def _write(
    folder: Path,
    made: Reproduction,
    result: tuple[dict[str, Any], Entries, bytes, list[NearestPair]],
    sources: DecompiledSources | None,
) -> None:
    """Write the folder of a result: its report, its entries, its jar, and its neighbours that do not fail. Raises
    OutputError, and then leaves nothing."""
    report, entries, jar, pairs = result
    document = document_of(report, entries, jar, made, sources)
    decompiled = {} if sources is None else sources.texts
    handed_on: list[tuple[str | Path, bytes, bool]] = [
        (SMALL, jar, False),
        (SCRIPT, made.script.encode(), True),
        *made.copied.contents(),
        *((_inside(name), data, False) for name, data in [*_texts(report), *pair_files(entries, pairs).items()]),
    ]
    write_folder(folder, [
        *handed_on,
        (ZIP, bug_zip(handed_on), False),
        ("report.md", document.markdown().encode(), False),
        ("report.html", document.html().encode(), False),
        ("issue.md", document.markdown(ISSUE).encode(), False),
        ("report.json", (json.dumps(without_places(report), indent=2) + "\n").encode(), False),
        *(("source" / _inside(name), text.encode(), False) for name, text in decompiled.items()),
    ])  # fmt: skip


def document_of(
    report: Report, entries: Entries, jar: bytes, made: Reproduction, sources: DecompiledSources | None
) -> Document:
    """Return the bug report of some entries, which ``made`` repeats the failure of; ``jar`` and ``sources`` are
    theirs."""
    exhibits = Exhibits(
        sources,
        made.script,
        _model(entries, report),
        carried(jar, made.script, made.needs, [*made.copied.places, *made.copied.links]),
    )
    return bug_report(without_places(report), entries, aim_in(report), exhibits)


def jar_of(entries: Entries) -> bytes:
    """Return the jar of some entries."""
    return b"".join(Packer().pack(entries))


def _look_for_source(entries: Entries, report: Report, end: Flag) -> None:
    """Add Java source that shows the failure to the report, unless the report has it or the user wants none."""
    aim = aim_in(report)
    if "source" not in report and aim.search.source_time:
        report["source"] = source_report(entries, aim, aim.search.source_time, end)


def _with_pairs(entries: Entries, report: Report, end: Flag) -> tuple[dict[str, Any], list[NearestPair]]:
    """Return the report with the paths of the jars that do not fail in the place of their contents, and these jars."""
    near = report.get("nearest", [])
    pairs = nearest_pairs(entries, aim_in(report), near, end)
    paths = {pair.place: jar_path(number) for number, pair in enumerate(pairs, 1)}
    told = [{**each, "base64": "", "jar": paths.get(at, "")} for at, each in enumerate(near)]
    return {**report, "nearest": told}, pairs


def _texts(report: Report) -> Entries:
    """Return the Java source of the result, or its assembler text, by their paths in the folder."""
    found = report.get("source", {})
    texts = {f"{JAVA}/{name}": text for name, text in found.get("files", {}).items()}
    texts |= {f"{ASSEMBLER}/{name}": text for name, text in found.get("assembler", {}).items()}
    return [(name, text.encode()) for name, text in texts.items()]


def _model(entries: Entries, report: Report) -> ItemModel | None:
    """Return the model of a small result, for its picture; None of any other one."""
    if not 0 < len(class_files(entries)) <= _DRAWN:
        return None
    jar = Jar((), SMALL, tuple(Entry(name, data, kind_of(name)) for name, data in entries))
    aim = aim_in(report)
    validity = report.get("validity", {}).get("taken", aim.search.validity)
    try:
        with closing(open_library(aim.class_path, jar, aim.jdk)) as library:
            known = validity if validity in VALIDITIES else VALIDITIES[-1]
            return building.build(jar, library, "member", known)
    except JarletError:
        return None  # the report does without a picture


def _scripts(report: Report, entries: Entries, inputs: Collection[Path]) -> Iterator[Reproduction]:
    """Yield three scripts, the simplest first. That of a preset has only the libraries named in the result, of folders
    only the classes named, and no options for speed if the input is not run. The second is the script of the search.
    The third does not compare texts of the output, since these may vary from run to run."""
    aim = aim_in(report)
    if aim.preset is not None:
        classes = [data for name, data in entries if name.endswith(".class")]
        few = needed_jars(classes, aim.class_path)
        folders = {path: needed_files(classes, path) for path in map(Path.absolute, few) if path.is_dir()}
        left_out = () if aim.runs_input else QUICK
        if left_out or folders or len(few) < len(aim.class_path):
            settings = {**report["settings"], "classpath": [*map(str, few)]}
            yield _script({**report, "settings": settings}, inputs, left_out, folders=folders)
    yield _script(report, inputs)
    yield _script(report, inputs, texts=False)


def _script(
    report: Report,
    inputs: Collection[Path],
    left_out: Collection[str] = (),
    *,
    texts: bool = True,
    folders: Mapping[Path, Sequence[Path]] = {},
) -> Reproduction:
    aim = aim_in(report)
    predicate = aim.predicate(None)
    try:
        sign = sign_of(aim, report["final"])
        sign = sign if texts else sign.without_texts()
        there = [each["name"] for each in report["input"].get("inputs", ()) if each["left"]]
        made = reproduction(predicate, sign, left_out, inputs=inputs, there=there, folders=folders)
        for place, origin in made.copied.places.items():
            if origin in aim.lines:
                made.copied.texts[place] = report["texts"][origin.name]
        return made
    finally:
        predicate.close()


def sources_of(
    entries: Entries, report: Report, known: SourceMemory | None = None, end: Flag | None = None
) -> DecompiledSources | None:
    """Return the decompiled result: by the failing tool if it is a decompiler, else by the first installed one.
    ``known``: sources that were made before. None once the flag ``end`` is set."""
    if end is not None and end.is_set():
        return None
    aim = aim_in(report)
    if not 0 < len(class_files(entries)) <= _SOURCES:
        return None
    preset = aim.preset
    if preset is not None and decompiles(preset):
        tool = SourceTool(preset, aim.options)
    elif name := decompiler():
        tool = SourceTool(presets.find(name))
    else:
        return None
    try:
        return (known or SourceMemory()).made(tool, Material(entries, aim.class_path), end, aim.jdk)
    except (JarletError, OSError):
        return None  # the report says what fails without it


def _inside(name: str) -> Path:
    """Return a tool's path without the parts that may lead out of the folder."""
    return Path(*(part for part in Path(name).parts if part not in ("/", "..")))


ZIP = "small.zip"
"""Name of the file."""
_UNIX = 3
"""Number of the system whose modes of files a zip file tells (APPNOTE 4.4.2)."""
_PROGRAM, _FILE = 0o100755, 0o100644
"""Modes of files."""


def bug_zip(files: Iterable[tuple[str | Path, bytes, bool]]) -> bytes:
    """Return the bytes of a zip file: path, content, and True for a program."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data, program in files:
            info = zipfile.ZipInfo(str(name))
            info.create_system, info.compress_type = _UNIX, zipfile.ZIP_DEFLATED
            info.external_attr = (_PROGRAM if program else _FILE) << 16
            archive.writestr(info, data)
    return held.getvalue()
