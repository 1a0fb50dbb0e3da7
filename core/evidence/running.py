"""One watched run of an input: its loaded classes, executed code and read resources. The verdict of the run is
ignored.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Event as Flag

from core.archive.entry_names import class_path
from core.entries import Entries
from core.errors import JarletError
from core.evidence import agents
from core.evidence.agents import Agents, UnusableError
from core.evidence.clues import Method, Ran, Spans
from core.library.jdk import QUICK
from core.predicate.places import INPUTS, JAR
from core.predicate.predicate import Predicate, discard
from core.predicate.process import Launch, run
from core.protocol.java_names import java_name
from core.words import counted

Frame = tuple[str, str, int]
"""Frame of a stack: internal name of the class, name of the method, offset of the instruction."""

ONLY_READS = "The command runs nothing of the input: it only reads it."
_REFUSED = "processing of -javaagent failed"
_OWN_AGENT = "The command has an agent that cannot run beside those of Jarlet, so loaded classes alone are known."

_NOTES, _RECORDS, _READ = "notes.txt", "records.exec", "coverage.txt"
_HEARD = 1 << 16
"""Number of characters of a run's output that are looked at. See decisions/001-evidence-order.md."""
_PREVIEW = b"\xff\xff"
"""Minor version of class files that use preview features (JVMS 4.1)."""
_READING = 300.0
"""Largest number of seconds for reading the records. See decisions/002-watching-again.md."""


def watch(
    predicate: Predicate, entries: Entries, classes: Iterable[str], folder: Path, limit: float, cancel: Flag
) -> Ran:
    """Return the ``classes`` and ``entries`` that a run of the predicate uses. The run takes at most ``limit``
    seconds.

    ``folder`` has the records of all runs since it was made. Raises UnusableError with the reason if nothing is known:
    there is no agent, the command starts no Java or clears its environment, or nothing of the input is loaded.
    """
    predicate, notes, records, work = predicate.limited(limit), folder / _NOTES, folder / _RECORDS, folder / "run"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            found = agents.find()
        except UnusableError as missing:
            return _listed(predicate, entries, classes, folder, cancel, str(missing))
        environment = found.environment(notes, records, os.environ)
        outcome = predicate.observed(environment).probe(entries, work, cancel)
        noted = _noted(notes)
        read = frozenset(noted["E"] + noted["F"]) if noted["W"] else None
        loaded, written = frozenset(noted["C"]).intersection(classes), _outside(noted["O"], folder)
        ran = Ran(loaded, read=read, readers=_readers(noted["R"]), written=written)
        if not notes.exists():
            raise UnusableError(
                "What ran is not known: the command starts no Java, or clears JAVA_TOOL_OPTIONS"
                f" ({outcome.verdict.value}, {outcome.detail})."
            )
        if not ran.loaded and _REFUSED in f"{outcome.stdout}{outcome.stderr}":
            discard(work)
            return _listed(predicate, entries, classes, folder, cancel, _OWN_AGENT)
        if not ran.loaded:
            raise UnusableError(ONLY_READS, "\n".join(noted["P"])[-_HEARD:], *reversed(noted["T"]))
        covered = entered(_covered(found, ran, classes, folder, work, cancel), _frames(noted["S"]))
        return with_previews(covered, entries)
    except (OSError, JarletError) as error:
        raise UnusableError(f"What ran could not be found out: {error}") from error
    finally:
        discard(work)


def _listed(
    predicate: Predicate, entries: Entries, classes: Iterable[str], folder: Path, cancel: Flag, why: str
) -> Ran:
    """Return the classes that a run loads, as listed by the virtual machine itself. Nothing more is known without an
    agent.
    """
    environment = agents.class_log(folder, os.environ)
    predicate.observed(environment).probe(entries, folder / "run", cancel)
    loaded = agents.listed_classes(folder).intersection(classes)
    if not loaded:
        raise UnusableError(why)
    return Ran(frozenset(loaded), note=why)


def with_previews(ran: Ran, entries: Entries) -> Ran:
    """Return the record with loaded classes that use preview features counted as run: agents cannot read them."""
    if not ran.covered:
        return ran
    names = {class_path(name).removesuffix(".class") for name, data in entries if data[4:6] == _PREVIEW}
    return replace(ran, covered=ran.covered | ran.loaded & names)


def _noted(path: Path) -> defaultdict[str, list[str]]:
    """Return the notes of our agent by their kinds."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    with suppress(OSError):
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            kind, _, text = line.partition(" ")
            found[kind].append(text)
    return found


def _readers(notes: Iterable[str]) -> dict[str, frozenset[tuple[str, str]]]:
    """Return the classes and methods that were on the stack at each request, by the name of the requested entry."""
    found: dict[str, frozenset[tuple[str, str]]] = {}
    for note in notes:
        *stack, entry = note.split("\t")
        frames = frozenset((owner.replace(".", "/"), each) for owner, each in map(str.split, stack))
        found[entry] = found.get(entry, frames) & frames
    return found


def _frames(notes: Iterable[str]) -> Iterator[Frame]:
    for owner, member, line in (words for note in notes if len(words := note.split(" ")) == 3):
        yield owner.replace(".", "/"), member, int(line) - 1  # lines as ``Lines.java`` makes them


def _outside(written: Iterable[str], folder: Path) -> frozenset[str]:
    """Return those of the ``written`` files that lie outside ``folder``, the run's own, and are still there."""
    inside = folder.resolve()
    paths = [Path(name) for name in written if name.startswith("/")]
    return frozenset(str(path) for path in paths if path.is_file() and inside not in path.resolve().parents)


def entered(ran: Ran, frames: Iterable[Frame]) -> Ran:
    """Return the record with the methods and instructions that were on stacks.

    JaCoCo has no record of code cut short by an exception or by the end of the program.
    """
    offsets: dict[tuple[str, str], list[int]] = {}
    for name, member, offset in frames:
        offsets.setdefault((name, member), []).append(offset)
    missed = frozenset(method for method in ran.missed if method[:2] not in offsets)
    dead = {method: left for method, spans in ran.dead.items() if (left := _behind(spans, offsets.get(method[:2], ())))}
    # a class without any completed code has no record at all: its executed methods are then unknown
    entered_only = {name for name, _ in offsets if name in ran.loaded} if ran.covered else set()
    covered = ran.covered.union(entered_only)
    return replace(ran, covered=covered, missed=missed, dead=dead, methods=ran.methods + len(ran.missed) - len(missed))


def _behind(spans: Spans, offsets: Sequence[int]) -> Spans:
    """Return the rest of the spans if instructions at some offsets ran, and so all earlier instructions of their
    spans.
    """
    found = []
    for low, high in spans:
        last = max((offset for offset in offsets if low <= offset < high), default=low - 1)
        if last + 1 < high:
            found.append((last + 1, high))
    return tuple(found)


def _covered(found: Agents, ran: Ran, classes: Iterable[str], folder: Path, work: Path, cancel: Flag) -> Ran:
    """Return the record with JaCoCo's results, if there are any: a halted program leaves none. The jars that ran are
    in ``work``.
    """
    records, output = folder / _RECORDS, folder / _READ
    jars = [path for path in (work / JAR, *sorted((work / INPUTS).glob("*"))) if path.is_file()]
    if not records.exists() or not jars:
        return ran
    path = os.pathsep.join(map(str, found.reader))
    command = [str(found.jdk.java), *QUICK, "-cp", path, "evidence.Coverage"]
    done = run(Launch([*command, *map(str, (records, output, *jars))], folder, os.environ), _READING, cancel)
    if done.stopped:
        return ran
    text = output.read_text(encoding="utf-8", errors="replace") if not done.exit else ""
    return read_coverage(text.splitlines(), ran, frozenset(classes))


def read_coverage(lines: Iterable[str], ran: Ran, classes: Collection[str]) -> Ran:
    """Return the record with what the output of our program ``Coverage`` says of the ``classes``."""
    covered: set[str] = set()
    unread: list[str] = []
    missed: set[Method] = set()
    dead: dict[Method, Spans] = {}
    current, methods = "", 0
    for line in lines:
        kind, *words = line.split(" ")
        if kind in ("C", "U") and len(words) == 1:
            current = words[0]
            if current in classes:
                covered.add(current)
                unread += [current] if kind == "U" else []
        elif kind == "M" and len(words) == 4 and current in covered:
            method = current, words[0], words[1]
            methods += words[2] != "0"
            if words[2] == "0":
                missed.add(method)
            elif words[3] != "-":
                spans = (span.partition("-") for span in words[3].split(","))
                dead[method] = tuple((int(low), int(high)) for low, _, high in spans)
    note = ""
    if unread:
        many = counted(len(unread), "class")
        note = f"Of {many} JaCoCo's record cannot be read (first: {java_name(unread[0])}): all in there counts as run."
    loaded, taken = ran.loaded | covered, frozenset(covered)
    return replace(ran, loaded=loaded, covered=taken, missed=frozenset(missed), dead=dead, methods=methods, note=note)
