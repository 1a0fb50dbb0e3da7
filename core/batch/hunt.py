"""A hunt, from the first look to the last reduction.

First each tool is run on each jar, each pair once for a content of the jar and a version of the tool. Then each kind of
failure is reduced in one jar, in an order that depends neither on the load nor on earlier runs; results with equal
canonical forms are one bug. Every end of a task is written at once, so a killed hunt goes on with the same command.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Self

from core.batch.executors import Executor
from core.batch.hunt_page import page_of
from core.batch.hunt_results import BugStatus, FoundBug, HuntResults, JarResult, bugs_in, told_apart
from core.batch.job import Job, write_json
from core.batch.looks import MARK, MARKED, HuntedJar, Look, digest_of, is_hunt, look_at
from core.batch.tasks import DONE, INTERRUPTED, LIMIT, Done, Task, task_of
from core.errors import JarletError, OutputError, UsageError
from core.known.canonical_form import VERSION, form_of
from core.known.known_bugs import KnownBugs
from core.predicate import presets
from core.predicate.jvm.stuck import HANG
from core.predicate.preset import Preset
from core.predicate.several.decompiling import decompilers
from core.protocol.settings import Settings
from core.system.file_locks import FolderLock, holder
from core.system.files import write_whole
from core.system.outputs import refuse_filled
from core.system.removal import remove
from core.values import read_json
from core.words import counted


@dataclass(frozen=True)
class HuntTool:
    """A preset with the tool to run, and its word in the settings."""

    preset: Preset
    word: str

    @property
    def title(self) -> str:
        """The tool and its version, for people."""
        return " ".join([self.preset.title, *self.preset.tool_versions.values()])

    @property
    def mark(self) -> str:
        """All that a look depends on besides the jar: the preset, the bytes of the tool's jars, and the JDK."""
        text = self.preset.file.read_text(encoding="utf-8") if self.preset.file is not None else ""
        jars = [digest_of(path) for tool in self.preset.tools for path in tool.find() or ()]
        return json.dumps([text, jars, self.preset.versions()], sort_keys=True)


@dataclass(frozen=True)
class HuntWish:
    """A hunt as the user wants it. ``most``: number of reductions; ``earlier``: keys of bugs that are not reduced."""

    jars: Sequence[HuntedJar]
    tools: Sequence[HuntTool]
    settings: Settings
    """Limits of each reduction: ``time_limit``, ``jobs``."""
    most: int | None
    earlier: frozenset[str]
    known: KnownBugs


def hunted_tools(words: Sequence[str]) -> list[HuntTool]:
    """Return the tools of presets, by name or by file; without words those of all installed decompilers.

    Raises UsageError for an unknown preset, and for one that cannot be used without settings or has no tool.
    """
    found: dict[str, HuntTool] = {}
    for word in words or decompilers():
        preset = presets.find(word)
        if required := [setting.name for setting in preset.settings if setting.required]:
            raise UsageError(
                f"The preset {preset.name} needs a setting ({required[0]}), and a hunt has none: take one that needs "
                "none, or write a preset of your own with the value in it."
            )
        if preset.reading is None:
            raise UsageError(f"The preset {preset.name} gives its failures no names, so a hunt cannot tell bugs apart.")
        if missing := preset.missing():
            raise UsageError(missing)
        if preset.name in found:
            raise UsageError(f"Two of the tools are called {preset.name}: name each once.")
        found[preset.name] = HuntTool(preset, word)
    if not found:
        raise UsageError("No decompiler is installed: name tools with --tools, or let Jarlet fetch some (--fetch).")
    return list(found.values())


@dataclass(eq=False)
class Hunt:
    """One hunt in its folder; ``say`` gets a line for each end of a task."""

    wish: HuntWish
    folder: HuntFolder
    say: Callable[[str], None]

    def __post_init__(self) -> None:
        self._looks: dict[str, Look] = {}
        self._bugs: dict[str, FoundBug] = {}
        self._stopped = False
        self._marks = {tool.preset.name: tool.mark for tool in self.wish.tools}
        self._titles = {tool.preset.name: tool.title for tool in self.wish.tools}

    def run(self, executor: Executor) -> HuntResults:
        """Look, reduce, and return the results, which are in the folder too."""
        self._look(executor)
        found = bugs_in((jar, look) for jar in self.wish.jars for look in self._looks_of(jar).values())
        self._bugs = {bug.key: bug for bug in found}
        if not self._stopped:
            self._reduce(found, executor)
        return self._publish()

    def _look(self, executor: Executor) -> None:
        tasks: dict[str, tuple[str, str]] = {}
        todo = []
        for jar, tool in self._pairs():
            key = self._key(jar, tool)
            try:
                self._looks[key] = Look.from_json(self.folder.read("looks", key))
            except (LookupError, TypeError):
                if key not in tasks:
                    todo.append(task_of(key, self.folder.path, partial(look_at, key, jar.path, tool.word, jar.library)))
                    tasks[key] = jar.name, tool.preset.name
        for number, done in self._ends(todo, executor):
            jar_name, tool_name = tasks[done.name]
            if done.exit == DONE and done.report is not None:
                self.folder.keep("looks", done.name, done.report)
                seen = Look.from_json(done.report)
            else:
                seen = Look(tool_name, "", problem=done.message)
            self._looks[done.name] = seen
            what = seen.problem or counted(len(seen.kinds), "kind of failure", "kinds of failures")
            self.say(f"{number} of {len(todo)}: {tool_name} on {jar_name}: {what}")

    def _reduce(self, found: Sequence[FoundBug], executor: Executor) -> None:
        todo = []
        begun = 0
        for bug in found:
            record = self.folder.read("reductions", bug.key)
            if bug.key in self.wish.earlier:
                self._bugs[bug.key] = replace(bug, status=BugStatus.KNOWN)
            elif self.wish.most is not None and begun >= self.wish.most:
                self._bugs[bug.key] = replace(bug, status=BugStatus.LEFT)
            else:
                begun += 1
                if self._holds(bug, record):
                    self._bugs[bug.key] = self._found(bug, record)
                else:
                    todo.append(self._job(bug).task(self.folder.path))
        for number, done in self._ends(todo, executor):
            row = self._bugs[done.name] = self._end(self._bugs[done.name], done)
            size = f"{counted(row.classes, 'class')}, {row.bytes:,} B" if row.classes is not None else ""
            self.say(f"bug {number} of {len(todo)}: {row.key}: {row.status}: {size or row.note}")

    def _ends(self, tasks: Sequence[Task], executor: Executor) -> Iterator[tuple[int, Done]]:
        """Run tasks and yield their ends, numbered. Publish the results before the first one and after each."""
        self._publish()
        for number, done in enumerate(executor.run(tasks), 1):
            if done.exit == INTERRUPTED:
                self._stopped = True
            else:
                yield number, done
                self._publish()

    def _end(self, bug: FoundBug, done: Done) -> FoundBug:
        """Keep the end of a reduction. Its work stays if more time could make the result smaller."""
        status = {DONE: BugStatus.REDUCED, LIMIT: BugStatus.LIMIT}.get(done.exit, BugStatus.FAILED)
        if done.report is None:
            status = BugStatus.FAILED
        record = {
            **(done.report or {"note": done.message}),
            "status": status,
            "limit": self.wish.settings.time_limit,
            "place": self._place(bug),
        }
        self.folder.keep("reductions", bug.key, record)
        if status is BugStatus.REDUCED:
            remove(self._job(bug).output.parent)
        return self._found(bug, record)

    def _holds(self, bug: FoundBug, record: dict[str, Any]) -> bool:
        """Return True if a reduction need not be made again. A reduction that reached its limit goes on with a larger
        limit; a failed one is tried again with a larger limit and for another place."""
        status, before, now = record.get("status"), record.get("limit"), self.wish.settings.time_limit
        more = before is not None and (now is None or now > before)
        if status == BugStatus.FAILED:
            return bool(record.get("place") == self._place(bug)) and not more
        done = status == BugStatus.REDUCED or (status == BugStatus.LIMIT and not more)
        return done and (self.folder.bugs / bug.key).is_dir()

    def _found(self, bug: FoundBug, record: dict[str, Any]) -> FoundBug:
        status = BugStatus(record["status"])
        folder = "" if status is BugStatus.FAILED else f"bugs/{bug.key}"
        told = {name: record[name] for name in ("classes", "bytes", "note", "probes", "seconds") if name in record}
        form, texts = self._form(bug, record)
        return replace(bug, status=status, folder=folder, form=form, texts=texts, **told)

    def _form(self, bug: FoundBug, record: dict[str, Any]) -> tuple[str, str]:
        """Return the hashes of a result's canonical form and of its strings, made again if those kept are of another
        version; empty if there are none."""
        if not record.get("form") or record.get("form_version") == VERSION:
            return str(record.get("form", "")), str(record.get("texts", ""))
        try:
            form = form_of(self.folder.bugs / bug.key / "small.jar", bug.jar.library)
        except (JarletError, OSError):
            return "", ""
        return form.hash, form.texts

    def _job(self, bug: FoundBug) -> Job:
        hangs = bug.failure.startswith(HANG)
        settings = replace(
            self.wish.settings,
            preset=next(tool.word for tool in self.wish.tools if tool.preset.name == bug.tool),
            failures=None if hangs else f"chosen {bug.failure}",
            hangs=hangs,
            classpath=tuple(map(str, bug.jar.library)),
        )
        place = self.folder.state / "reductions" / f"{bug.key}.work" / f"{bug.key}.jar"
        report, folder = place.with_suffix(".json"), self.folder.bugs / bug.key
        return Job(bug.key, (bug.jar.path,), place, report, settings, bug=folder)

    def _place(self, bug: FoundBug) -> str:
        """Return the digest of all that a reduction depends on."""
        return _digest(bug.jar.digest, bug.failure, self._marks[bug.tool])

    def _pairs(self) -> Iterator[tuple[HuntedJar, HuntTool]]:
        for tool in self.wish.tools:  # one tool on all jars: its resident process stays
            yield from ((jar, tool) for jar in self.wish.jars if not jar.problem)

    def _key(self, jar: HuntedJar, tool: HuntTool) -> str:
        """Return the name of a look: equal for equal jars and tools."""
        return _digest(jar.digest, self._marks[tool.preset.name])

    def _publish(self) -> HuntResults:
        """Write the page and the results so far, and return them."""
        rows = [JarResult(jar, self._looks_of(jar)) for jar in self.wish.jars]
        bugs = told_apart(self._bugs.values(), self.wish.known)
        found = HuntResults(self._titles, tuple(rows), tuple(bugs), self._stopped)
        self.folder.publish(page_of(found), found.to_json())
        return found

    def _looks_of(self, jar: HuntedJar) -> dict[str, Look]:
        """Return the looks at a jar, by the names of the tools."""
        keys = ((tool.preset.name, self._key(jar, tool)) for tool in self.wish.tools)
        return {name: self._looks[key] for name, key in keys if key in self._looks}


def _digest(*words: str) -> str:
    return hashlib.sha256("\n".join(words).encode("utf-8", "surrogatepass")).hexdigest()


class HuntFolder:
    """An open folder of a hunt; a context manager. Its methods raise OutputError when something cannot be written.

    ``index.html``, ``hunt.json``  the results, for people and for machines
    ``bugs/KEY/``                  a folder for each bug (:mod:`core.service.bug_folder`)
    ``hunt.txt``                   the mark of a hunt's folder
    ``state/``                     the lock, looks, and reductions under way

    Raises OutputError for a folder that has other things in it, UsageError while another hunt has it open.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.bugs, self.state = self.path / "bugs", self.path / "state"
        if not is_hunt(self.path):
            refuse_filled(path, "a hunt")
        write_whole(self.path / MARK, MARKED.encode(), parents=True)
        try:
            for folder in (self.state / "looks", self.state / "reductions", self.bugs):
                folder.mkdir(parents=True, exist_ok=True)
            self._lock = FolderLock(self.state)
        except BlockingIOError as error:
            pid = holder(self.state)
            who = f"another hunt (process {pid})" if pid else "another hunt"
            raise UsageError(f"{path}: {who} has this folder open. Wait for it, or choose another folder.") from error
        except OSError as error:
            raise OutputError(f"{path}: the folder cannot be made ({error.strerror or error}).") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._lock.close()

    def read(self, kind: str, key: str) -> dict[str, Any]:
        """Return the record of a look (``kind`` "looks") or of a reduction ("reductions"); empty if there is none."""
        try:
            return read_json(self.state / kind / f"{key}.json")
        except (OSError, UsageError):
            return {}

    def keep(self, kind: str, key: str, record: Mapping[str, Any]) -> None:
        """Write a record that :meth:`read` returns."""
        write_json(self.state / kind / f"{key}.json", record, 1)

    def publish(self, page: str, results: Mapping[str, Any]) -> None:
        """Write the results."""
        write_whole(self.path / "index.html", page.encode("utf-8", "backslashreplace"))
        write_json(self.path / "hunt.json", results, 1)
