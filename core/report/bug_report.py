"""The bug report of a reduction: the failure, the way to repeat it, the small input, versions, and the evidence."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.archive.jar import write_jar
from core.archive.nested import flattened
from core.entries import BESIDE, Entries
from core.errors import InputError, JarletError
from core.library.jdk import QUICK_TOOL, Jdk
from core.library.jdks import choose_jdk, needed_java
from core.model.item_model import ItemModel
from core.predicate import process
from core.predicate.aim import Aim
from core.predicate.failure_kinds import FailureKinds, KindOf
from core.predicate.places import INPUTS, JAR
from core.predicate.several.decompiling import DecompiledSources
from core.protocol.java_names import dotted
from core.protocol.run_events import Report
from core.protocol.wording import program_text
from core.report.document import (
    MERMAID,
    Block,
    CodeBlock,
    Document,
    DocumentTable,
    Heading,
    Paragraph,
    bullets,
)
from core.report.failure_words import BugWords, failure_lists, failures_of, references_of, words_of
from core.report.picture import picture, rules_of
from core.report.reduction_report import ENDINGS, input_paths, inputs_text, left_open, seconds_of, texts_text
from core.system.work_folder import temporary_folder
from core.words import counted, share, some_of

_LISTED = 40
"""Largest number of classes with a listing of bytecode; nobody reads a longer report."""

_ALONG = 3
"""Items that go with another one and are named."""

_OUTPUT = 6_000
"""Characters of each output that are shown: the last ones."""

_JAVAP_SECONDS = 60.0

_FOLDER = re.compile(r"^cd work (?:&&|;) ")
"""Start of the line of a probe that is run in its own folder."""
_CANDIDATE = re.compile(rf"(?:work/)?{re.escape(JAR)}|work/{INPUTS}/[\w.+-]+")

_PART_WORDS = {"sig": "generic signature", "lines": "line numbers", "variables": "variable names"}
"""Words for parts whose titles end in short ones."""
_PART_WORD = re.compile(rf", ({'|'.join(_PART_WORDS)})$")


@dataclass(frozen=True, slots=True)
class Exhibits:
    """The parts of a bug report that are made of the reduced input; each may be missing."""

    sources: DecompiledSources | None = None
    """The sources that a decompiler made of the input."""
    script: str = ""
    """Repeats the failure."""
    model: ItemModel | None = None
    """The dependencies in the input."""
    carried: Block | None = None
    """The input itself."""


def bug_report(report: Report, entries: Entries, aim: Aim, exhibits: Exhibits | None = None) -> Document:
    """Return the document for a reduction's ``report`` and its resulting entries. For an unreduced input nothing is
    said of a search."""
    settings, final, reduced = report["settings"], report["final"], "output" in report
    exhibits = exhibits or Exhibits()
    jdk, document, words = None, Document(), words_of(aim.condition, final["exit"])
    with suppress(InputError):
        jdk = choose_jdk(aim.jdk, needed_java(entries)).jdk
    document.add(
        Heading(1, f"{words.title.format(_inputs(report))}{', reduced' if reduced else ''}"),
        Paragraph(_abstract(report, words)),
        *_versions(report),
        *(unfinished(report) if reduced else ()),
        Heading(2, words.seen),
        DocumentTable(_facts(settings, final, report["tools"])),
    )
    if final["failures"]:
        document.add(*failure_lists(final))
    for name, text in (("Standard output", final["stdout"]), ("Standard error", final["stderr"])):
        if text.strip():
            document.add(Paragraph(f"{name}{' (its end)' if len(text) > _OUTPUT else ''}:"), CodeBlock(text[-_OUTPUT:]))
    document.add(
        Heading(2, "How to repeat it"),
        *_repeating(report, exhibits.script),
        Heading(2, "The reduced input" if reduced else "The input"),
        *_contents(entries),
        *_picture(exhibits.model, failures_of(final)),
        *_java_source(report.get("source")),
        *_decompiled(exhibits.sources, final["failures"]),
        *_listings(entries, jdk),
        *_nearest(report, FailureKinds.of(entries).of_name, words),
        Heading(2, "Versions"),
        DocumentTable(tuple(report["tools"].items())),
        *_found(report),
        *((exhibits.carried,) if exhibits.carried is not None else ()),
    )
    return document


def _inputs(report: Report) -> str:
    return ", ".join(path.name for path in input_paths(report))


def _versions(report: Report) -> list[Block]:
    return [Paragraph(report["versions"]["sentence"])] if report.get("versions") else []


def _found(report: Report) -> list[Block]:
    """Return the way in which the input was found, and the origin of its files; nothing for an unreduced input."""
    if "output" not in report:
        return []
    made = (
        f"The reduced input was found by delta debugging: Jarlet removed parts of {_inputs(report)} for as long as the "
        "same failure showed. All its files are made by this tool from that input; none is written by hand or by a "
        f"language model. {_rewritten(report.get('rewritings'))}"
    )
    return [Heading(2, "How it was found"), Paragraph(made), DocumentTable(_search(report))]


def _rewritten(edits: Sequence[str] | None) -> str:
    """Return a sentence on the edits of the whole program; None stands for a report that does not know them."""
    if edits is None:
        return "Besides removal it may have rewritten classes."
    if not edits:
        return "No class was rewritten besides."
    return f"Besides, classes were rewritten: {some_of(edits, _LISTED, '; ')}."


def _nearest(report: Report, kind_of: KindOf, words: BugWords) -> list[Block]:
    """Return the smallest changes that end the failure, or one of several, in order of size. Failures have their names
    in the result; the reasons of a search name those of the full input."""
    known = set(failures_of(report["final"]))
    near = [each for each in report.get("nearest", ()) if ends_a_failure(each["failures"], known)]
    if not near:
        return []
    more = f" The first {_LISTED} of {len(near)}." if len(near) > _LISTED else ""
    gone = words.all_gone if len(known) > 1 else words.gone
    heading = (
        Heading(2, words.nearest),
        Paragraph(f"Each of these changes was tried on the result alone, and {gone}.{more}"),
    )
    if len(known) == 1:
        return [*heading, *bullets(map(_change, near[:_LISTED]), _LISTED)]
    names = references_of(report["final"])
    return [*heading, DocumentTable(tuple((_change(each), _lost(each, names, kind_of)) for each in near[:_LISTED]))]


def ends_a_failure(shown: Collection[str], wanted: Collection[str]) -> bool:
    """Return True if a neighbour that shows some failures lacks one of the result's; one without names always does."""
    return not wanted or bool(set(wanted) - set(shown))


def change_of(neighbour: Mapping[str, Any]) -> str:
    """Return a change in words."""
    along = neighbour["along"]
    more = f" (with it go: {some_of(along, _ALONG)})" if along else ""
    change = _PART_WORD.sub(lambda match: f", {_PART_WORDS[match[1]]}", neighbour["change"])
    return f"{change}{more}"


def _lost(neighbour: dict[str, Any], known: Mapping[str, str], kind_of: KindOf) -> str:
    """Return the failures of the result of whose kinds a neighbour shows none, as ``known`` refers to them by name; the
    search's own reason if there are none."""
    shown = set(map(kind_of, neighbour["failures"]))
    gone = [reference for name, reference in known.items() if kind_of(name) not in shown]
    return f"without {' and '.join(gone)}" if gone else str(neighbour["detail"])


def _change(neighbour: Mapping[str, Any]) -> str:
    """Return a change in words, with its jar in the folder of the report, if it has one."""
    jar = neighbour.get("jar")
    return f"{change_of(neighbour)}: {jar}" if jar else change_of(neighbour)


def _picture(model: ItemModel | None, failures: Sequence[str]) -> list[Block]:
    text = picture(model, failures) if model is not None else ""
    if not text:
        return []
    rules = "; ".join(rules_of(text))
    arrows = f" (an arrow is a need, by a rule of what is valid: {rules})" if rules else ""
    return [Paragraph(f"What is left, and why{arrows}:"), CodeBlock(text, MERMAID)]


def _abstract(report: Report, words: BugWords) -> str:
    before = report["input"]
    if "output" not in report:
        count = before["classes"]
        return f"{_inputs(report)} has {count} class{'' if count == 1 else 'es'} ({before['bytes']:,} bytes unpacked)."
    after = report["output"]
    one, failures = after["classes"] == 1, "failures" if len(set(report["final"]["failures"])) > 1 else "failure"
    same = words.left.format(verb="shows" if one else "show", failures=failures)
    return (
        f"Of {counted(before['classes'], 'class')} ({before['bytes']:,} bytes unpacked) {after['classes']} "
        f"{'is' if one else 'are'} left ({after['bytes']:,} bytes, {share(after['bytes'], before['bytes'])}) {same}."
        f"{' ' if report['input'].get('inputs') else ''}{inputs_text(report)}"
    )


def unfinished(report: Report) -> list[Block]:
    """Return a paragraph if the search was cut short."""
    open_ = left_open(report)
    return [Paragraph(f"The search was cut short by {ENDINGS[report['reason']]}. {open_}")] if open_ else []


def _facts(settings: dict[str, Any], final: dict[str, Any], versions: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    rows = [("Predicate", settings["predicate"] or settings["preset"])]
    tools = [f"{name} {version}" for name, version in versions.items() if name != "jarlet"]
    rows += [("Run with", ", ".join(tools)), ("Wanted", final["wanted"]), ("Result", final["detail"])]
    if final["exit"] is not None and final["detail"] != f"exit code {final['exit']}":
        rows.append(("Exit code", str(final["exit"])))
    return tuple((name, str(value)) for name, value in rows if value)


def _repeating(report: Report, script: str) -> list[Block]:
    several = report["input"].get("inputs")
    small = "the reduced inputs packed into an archive small.jar" if several else "the reduced jar as small.jar"
    place = " beside this script" if script else ""
    return [Paragraph(f"With {small}{place}:"), CodeBlock(script or _command(report), "sh")]


def _command(report: Report) -> str:
    line = _CANDIDATE.sub("small.jar", _FOLDER.sub("", str(report["final"]["command"])))
    return line or "(the predicate has no command line)"


def _decompiled(sources: DecompiledSources | None, failures: Sequence[str]) -> list[Block]:
    """Return each source file, those first that failures name."""
    if sources is None or not sources.texts:
        return []
    failing = [name for name in sources.texts if any(one.startswith(f"{Path(name).name}: ") for one in failures)]
    names = list(dict.fromkeys([*failing, *sources.texts]))[:_LISTED]
    return [
        Paragraph(f"Its source, decompiled by {sources.title}:"),
        *(CodeBlock(sources.texts[name], "java", name) for name in names),
    ]


def _java_source(found: Mapping[str, Any] | None) -> list[Block]:
    """Return the Java source that shows the failure, or else assembler text; nothing if nobody looked for it."""
    if found is None:
        return []
    blocks = [CodeBlock(text, "java", name) for name, text in found.get("files", {}).items()]
    blocks += [CodeBlock(text, "", name) for name, text in found.get("assembler", {}).items()]
    return [Heading(2, "Java source that shows it"), Paragraph(found["sentence"]), *blocks[:_LISTED]]


def _contents(entries: Entries) -> list[Block]:
    files = [(name.removeprefix(BESIDE), len(data)) for name, data in entries if not name.endswith("/")]
    return bullets((f"{name} ({size:,} bytes)" for name, size in files), 2 * _LISTED)


def _listings(entries: Entries, jdk: Jdk | None) -> list[Block]:
    entries = flattened(entries)
    classes = [(name, data) for name, data in entries if name.endswith(".class")]
    if jdk is None or not classes:
        return []
    if len(classes) > _LISTED:
        return [Paragraph(f"Bytecode is listed for up to {_LISTED} classes only.")]
    names = [name.removesuffix(".class") for name, _ in classes]
    try:
        with temporary_folder() as folder:
            jar = folder / "small.jar"
            write_jar(jar, entries)
            listed = _split(javap(jdk, jar, names, ("-p", "-c", *_debug_tables(classes))))
    except (JarletError, OSError) as error:
        return [Paragraph(f"There is no listing of the bytecode: {error}")]
    if len(listed) != len(names):  # javap left one out, and said why
        return [Paragraph("Bytecode, by javap:"), CodeBlock("\n".join(listed), "", "all classes")]
    return [
        Paragraph("Bytecode, by javap:"),
        *(CodeBlock(text, "", name) for name, text in zip(names, listed, strict=True)),
    ]


def _debug_tables(classes: Entries) -> tuple[str, ...]:
    """Return javap's option for names of variables if a search left these for the failure. The option lists line
    numbers too, so classes with line numbers do not get it."""
    data = b"".join(content for _, content in classes)
    return ("-l",) if b"LocalVariableTable" in data and b"LineNumberTable" not in data else ()


_UTF8 = ("-J-Dfile.encoding=UTF-8", "-J-Dstdout.encoding=UTF-8")
"""Options of javap: by a plain locale it would write a question mark for a letter beyond ASCII."""


def javap(jdk: Jdk, jar: Path, names: Sequence[str], options: Sequence[str]) -> str:
    """Return javap's output for the classes ``names`` (internal form) in ``jar``. Raise PredicateError if javap cannot
    run."""
    tool = [str(jdk.home / "bin" / "javap"), *QUICK_TOOL, *_UTF8]
    argv = [*tool, *options, "-classpath", str(jar), *map(dotted, names)]
    result = process.run(process.Launch(argv, jar.parent, {}), _JAVAP_SECONDS)
    return "\n".join(line for line in result.stdout.text.splitlines() if not line.startswith("Compiled from"))


def _split(listing: str) -> list[str]:
    """Return the listings of single classes, each of which ends with a brace at the beginning of a line."""
    return [f"{part}\n}}" for part in re.split(r"^}\n?", listing, flags=re.MULTILINE) if part.strip()]


def _confirmed(certificate: dict[str, Any]) -> str:
    """Return words on the runs of the result after the search."""
    checks = certificate["final_checks"]
    shown = f"{certificate['final_interesting']} of {checks} final probes were interesting"
    return shown if checks else "the result was not run once more"


def _search(report: Report) -> tuple[tuple[str, str], ...]:
    settings, probes, certificate = report["settings"], report["probes"], report["certificate"]
    took = report["seconds"]
    return (
        ("Tool", f"{report['tool']['name']} {report['tool']['version']}"),
        ("Algorithm", settings["algorithm"]),
        ("Validity", _validity(report)),
        ("Ended by", ENDINGS[report["reason"]]),
        *_held(report),
        (
            "Probes",
            f"{probes['total']}: {probes['check']} of the check, {probes['run']} of the search, "
            f"{probes['confirmation']} of the confirmation",
        ),
        (
            "Time",
            f"{took['total']:.1f} s: " + ", ".join(f"{name} {part:.1f} s" for name, part in seconds_of(report)),
        ),
        ("Certificate", _confirmed(certificate) + _unseen(certificate) + _contradicting(certificate)),
        *((("Text files", text),) if (text := texts_text(report)) else ()),
        *((("As a program", text),) if (text := program_text(report)) else ()),
        *((f"1-minimal in {name}", verdict) for name, verdict in certificate["one_minimal"].items()),
    )


def _held(report: Report) -> list[tuple[str, str]]:
    """Return the failure that alone keeps most of the remaining input; nothing if there is none."""
    if not report.get("held"):
        return []
    held = report["held"][0]
    name, had = held["failure"], "had" if held["together"] else "at most had each of"
    shown = references_of(report["final"]).get(name, name)
    return [("Held by", f"{shown}: {held['bytes']:,} bytes {had} the other kinds of failures")]


def _validity(report: Report) -> str:
    """Return the validity of candidates, and the reason. Reports of earlier versions know only the user's choice."""
    found = report.get("validity")
    return f"{found['taken']} ({found['why']})" if found else str(report["settings"]["validity"])


def _unseen(certificate: dict[str, Any]) -> str:
    """Return the statement that the full input was never run; empty if it was run."""
    return "" if certificate.get("full_input_run", True) else "; the full input was not run"


def _contradicting(certificate: dict[str, Any]) -> str:
    """Return words about contradictions; empty if there were none."""
    count = certificate.get("contradictions", 0)
    if not count:
        return ""
    return f"; {count} answers contradict others: a candidate was interesting and a larger one that holds it was not"
