"""One preset: the user's settings filled in, its tools found, and the predicate made of both."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from typing import Annotated

from core.archive.named_inputs import InputJar, is_class_path
from core.entries import Entries
from core.errors import InputError, PredicateError, UsageError
from core.library.jdk import Jdk
from core.library.jdks import choose_jdk, class_library
from core.predicate.command import PredicateCommand, java_variables
from core.predicate.condition import Condition
from core.predicate.failures import FailureNaming, Wanted
from core.predicate.jvm.archives import ClassArchive
from core.predicate.jvm.decompiler_hosts import HEAP, hosts_of, own_jvm, small_candidate
from core.predicate.jvm.helper_programs import compiled, program_of
from core.predicate.jvm.process_pool import ProcessPool
from core.predicate.jvm.tool_hosts import ToolHosts
from core.predicate.jvm.warm import WarmPredicate
from core.predicate.limits import ProbeLimits
from core.predicate.output import heaps
from core.predicate.places import CLASSES, JAR, VARIABLES, CandidatePlaces
from core.predicate.predicate import CommandPredicate, Predicate
from core.predicate.preset_words import (
    JDK_PROGRAMS,
    PLACEHOLDER,
    PresetLine,
    Setting,
    Values,
    expanded,
    names_jars,
    parts_of,
)
from core.predicate.tool_chain import StepsPredicate, ToolStep
from core.predicate.tools import Tool, level_of, main_class, version_of
from core.protocol.run_words import VALIDITIES
from core.values import OneOf
from core.words import did_you_mean


@dataclass(frozen=True)
class ToolRuns:
    """The way in which the tools of presets run: ``classpath``: the libraries of the input; ``jdk`` instead of the
    default one; ``timeout`` in seconds; ``warm``: in resident processes if possible; ``shelf``: a pool of them that
    outlives the predicate; ``inputs``: the jars of the class path, joined to one jar for the tools.
    """

    classpath: Sequence[Path] = ()
    jdk: Jdk | None = None
    timeout: float | None = None
    limits: ProbeLimits = field(default_factory=ProbeLimits)
    warm: bool = True
    shelf: ProcessPool | None = None
    inputs: tuple[InputJar, ...] = ()


DEFAULT_RUNS = ToolRuns()
"""Runs without libraries and limits, on the default JDK."""


@dataclass(frozen=True)
class Preset:
    """One file. ``tools`` of the same name are alternatives; ``wanted`` is None where the exit code decides."""

    name: str
    title: str
    about: str
    tools: tuple[Tool, ...]
    steps: tuple[PresetLine, ...]
    settings: tuple[Setting, ...] = ()
    reading: FailureNaming | None = None
    wanted: Wanted | None = None
    preserve: frozenset[str] = frozenset()
    adapter: str = ""
    """The class of ``resources/java/warm`` that does the same in a resident process."""
    runs: bool = True
    """True if the preset may run code of the candidate, False if the preset only reads the candidate."""
    validity: Annotated[str, OneOf(VALIDITIES)] = VALIDITIES[-1]
    """Validity of candidates, where the user leaves the choice open."""
    file: Path | None = field(default=None, compare=False)
    project: str = ""
    """The project of the tests for its failures, as ``jarlet source --as`` names it; empty if Jarlet knows none."""
    compares: tuple[str, ...] = ()
    """Two settings that name tools: it runs these, and no steps of its own (:mod:`core.predicate.several.differ`)."""
    whole: tuple[str, ...] = ()
    """The file in which the second step leaves the whole candidate, for the class path of a decompiler of parts."""

    def with_tools(self, values: Mapping[str, Sequence[str] | str]) -> Preset:
        """Return the preset with the tools that values of their names name: each a coordinate, or jars. Raise
        UsageError."""
        chosen: dict[str, Tool] = {}
        for tool in reversed(self.tools):
            if value := str(values.get(tool.name) or ""):
                artifact = value.rpartition(":")[0]
                fits = any(artifact in ("", each.rpartition(":")[0]) for each in tool.maven)
                chosen[tool.name] = tool if fits else chosen.get(tool.name, tool)
        named = [tool.named(str(values[name])) for name, tool in chosen.items()]
        others = (tool for tool in self.tools if tool.name not in chosen)
        return replace(self, tools=(*named, *others)) if named else self

    def after(self, decompiler: Preset) -> Preset:
        """Return the preset with the steps by which another one decompiles behind its second. Raise UsageError if
        that one does not."""
        lines = list(takewhile(lambda line: not line.lists, decompiler.steps))
        if len(lines) == len(decompiler.steps):
            raise UsageError(f"The preset {decompiler.name} makes no source: {self.name} needs one that decompiles.")
        settings, steps = (*self.settings, *decompiler.settings), (*self.steps[:2], *lines, *self.steps[2:])
        return replace(self, settings=settings, tools=decompiler.tools, steps=steps, adapter=decompiler.adapter)

    def with_made(
        self, values: Mapping[str, str], entries: Entries, work: Path, jdk: Jdk | None = None
    ) -> dict[str, str]:
        """Return the values with the files that the preset makes of some entries, made in the new folder ``work``, as
        files of the user's. Raise UsageError and PredicateError."""
        filled, own = self.filled(values), {setting.name: setting.default for setting in self.settings}
        made = [line for line in self.steps if line.without and filled[line.without] == own[line.without]]
        if made:
            replace(self, steps=tuple(made)).predicate(values, runs=ToolRuns(jdk=jdk, warm=False)).confirm(
                entries, work
            )
        files = {line.without: os.pathsep.join(str(work / part) for part in filled[line.without]) for line in made}
        return {**values, **files}

    @property
    def starts_java(self) -> bool:
        """True if Jarlet starts the JDK's programs for it; False if a command of the user's may start some."""
        return bool(self.compares) or any(map(self._uses, JDK_PROGRAMS))

    @property
    def reads_all(self) -> bool:
        """True if it reads all classes of one jar; False if it runs code that may read jars inside it."""
        return not self.runs or not self.settings

    @property
    def takes(self) -> str:
        """A sentence on the input that it takes."""
        if self.compares:
            return "Takes one jar or several: a preset gets the classes of all in one jar, a command the class path."
        if any("{jar}" in setting.default for setting in self.settings):
            return "Takes one jar or several: {jar} has the classes of all, {jar:1}, {inputs} and {dir} are the jars."
        return "Takes one jar: several inputs are joined to one, and of classes with one name the first stays."

    @property
    def newest_jdk(self) -> int:
        """Newest Java whose class library its tools read; 0: any."""
        known = [
            tool.newest_jdk
            for tool, jars in map(self._tool, self._names())
            if tool.newest_jdk and jars and version_of(jars[0]) == tool.maven[0].rpartition(":")[2]
        ]
        return min(known, default=0)

    def missing(self, jdk: Jdk | None = None) -> str | None:
        """Return a sentence about a program that must be installed before the preset can run; None if all programs are
        there."""
        try:
            jdk = jdk or choose_jdk("", 0, self.newest_jdk).jdk
        except InputError as error:
            return str(error)
        for program in JDK_PROGRAMS:
            if self._uses(program) and not (jdk.home / "bin" / program).is_file():
                return f"There is no {program} in {jdk.home}: install a JDK (Debian: default-jdk-headless)."
        if self._uses("library") and not class_library(jdk):
            return (
                f"{self.title} needs the classes of a JDK, and there is no folder jmods in {jdk.home} or another JDK."
            )
        lacking = (tool for tool, jars in map(self._tool, self._names()) if jars is None and not tool.unnamed)
        return next((tool.missing() for tool in lacking), None)

    def fetch(self, allow: bool = True) -> str | None:
        """Get the missing tools, from the Maven repository and only if ``allow``. Return the tools that remain missing.

        A tool that is there is fetched all the same if an alternative listed before it is a published one.
        """
        for name in self._names() if allow else ():
            _, jars, better = self._better(name)
            reasons = [tool.fetch() for tool in better]
            if reasons and all(reasons) and not jars:
                return reasons[0]
        return self.missing()

    def newer(self) -> str | None:
        """Return a sentence about a published tool that is better than the installed one; None if there is none."""
        for name in self._names():
            found, jars, better = self._better(name)
            if found.unnamed:
                return "Download gets a tool that is named by its coordinate, with all that it needs."
            if jars and better:
                return (
                    f"{found.title} {version_of(jars[0])} is what is installed, and a newer one can be had: let Jarlet "
                    f"fetch it (--fetch, in the window Download). {better[0].note}"
                ).strip()
        return None

    def low_level(self, jdk: Jdk, needed: int) -> str | None:
        """Return a sentence about a compiler that does not know the Java of the input; None if there is none."""
        compilers = [name for name in self._names() if self._uses(f"{name}.level")]
        known = self._known(jdk, (), {setting.name: setting.default for setting in self.settings}) if compilers else {}
        for name in compilers:
            if needed > int(level := known[f"{name}.level"][0]):
                tool, jars = self._tool(name)
                return (
                    f"{tool.title} {version_of((jars or ())[0])} knows Java up to {level}, and the input has class "
                    f"files of Java {needed}: whatever is newer in the sources is an error to it."
                )
        return None

    def versions(self, jdk: Jdk | None = None) -> dict[str, str]:
        """Return the version of each tool that is there, and of the JDK."""
        return {"java": (jdk or choose_jdk("", 0, self.newest_jdk).jdk).release, **self.tool_versions}

    @property
    def tool_versions(self) -> dict[str, str]:
        """The version of each tool that is there."""
        return {tool.title: version_of(jars[0]) for tool, jars in map(self._tool, self._names()) if jars}

    def predicate(
        self,
        values: Mapping[str, Sequence[str] | str] | None = None,
        wanted: Wanted | None = None,
        runs: ToolRuns = DEFAULT_RUNS,
        also: int | None = None,
    ) -> Predicate:
        """Return the predicate with the user's settings filled in.

        ``values`` of the settings by name; ``wanted`` instead of the preset's own demand; ``runs``: how its tools run;
        ``also``: the exit code of another failure.
        Raises UsageError for settings that lack or name nothing, PredicateError for missing tools.
        """
        if lacking := self.missing(runs.jdk):
            raise PredicateError(lacking)
        own = {} if runs.jdk is None or self.starts_java else java_variables(runs.jdk.home)
        jdk = runs.jdk or choose_jdk("", 0, self.newest_jdk).jdk
        filled = self.filled(values or {})
        given = {setting.name for setting in self.settings if filled[setting.name] != setting.default}
        reading = self.reading
        pattern = filled.get("pattern", ())
        if pattern:
            reading = replace(reading, pattern=pattern[0]) if reading else FailureNaming(pattern=pattern[0])
        # libraries with a role of their own in a tool; code that runs needs its whole class path
        placed = set() if self.runs else {word for words in filled.values() for word in words}
        library = (
            *(path for each in runs.classpath if (path := str(Path(each).absolute())) not in placed),
            *self.whole,
        )
        known = self._known(jdk, library, filled)
        condition = Condition(
            self.preserve, reading=reading, wanted=(wanted or self.wanted) if reading else None, also=also
        )
        steps = tuple(
            self._step(jdk, line, known) for line in self.steps if not line.without or line.without not in given
        )
        if names_jars(steps[-1:]):
            places = CandidatePlaces(runs.inputs, tuple(runs.classpath))
            command = PredicateCommand.parse(shlex.join(steps[-1].words), places=places)
            return CommandPredicate(
                command,
                condition=condition,
                timeout=runs.timeout,
                limits=runs.limits,
                extra=own,
                tools=self.versions(jdk),
            )
        hosted = runs.warm and runs.limits.memory is None and any(step.archive for step in steps)
        cold = StepsPredicate(
            self.title,
            steps,
            condition=condition,
            timeout=runs.timeout,
            tools=self.versions(jdk),
            needs_classes=self._uses("classes") or "{classes}" in repr(filled),
            limits=runs.limits,
            extra=own,
            sample=None if self.runs else lambda: small_candidate(jdk),
            flat=self.reads_all or is_class_path(runs.inputs),
            hosts=ToolHosts(runs.shelf) if hosted else None,
        )
        if self.runs or not (runs.warm and self.adapter and condition.wanted) or filled.get("heap"):
            return cold
        name = self._names()[0]
        jars = self._tool(name)[1] or ()
        release = "".join(filled.get("release", ()))
        return WarmPredicate(cold, lambda: hosts_of(jdk, (self.adapter, release), jars, library), shelf=runs.shelf)

    def _step(self, jdk: Jdk, line: PresetLine, known: Values) -> ToolStep:
        words = expanded(line.run, known)
        archive = None if line.runs else ClassArchive.of(jdk, words)
        return ToolStep(words, line.reads, line.lists, line.makes, archive, line.needed)

    def _names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(tool.name for tool in self.tools))

    def _tool(self, name: str) -> tuple[Tool, tuple[Path, ...] | None]:
        """Return the first alternative that is there, else the first of all."""
        found, jars, _ = self._better(name)
        return found, jars

    def _better(self, name: str) -> tuple[Tool, tuple[Path, ...] | None, list[Tool]]:
        """Return the first installed alternative, or else the first of all, and the better ones that Maven has."""
        tools = [tool for tool in self.tools if tool.name == name]
        found, jars = next(((tool, jars) for tool in tools if (jars := tool.find())), (tools[0], None))
        return found, jars, [tool for tool in tools[: tools.index(found) if jars else None] if tool.maven]

    def _uses(self, name: str) -> bool:
        texts = [*(line.run for line in self.steps), *(tool.run for tool in self.tools)]
        return any(match[2] == name for words in texts for match in PLACEHOLDER.finditer(repr(words)))

    def filled(self, values: Mapping[str, Sequence[str] | str]) -> Values:
        """Return the parts of each setting, the user's or the default's. Raise UsageError."""
        return parts_of(self.name, self.settings, self._names(), values)

    def _known(self, jdk: Jdk, library: tuple[str, ...], filled: Values) -> dict[str, tuple[str, ...]]:
        known: dict[str, tuple[str, ...]] = {
            **filled,
            "jar": (JAR,), "classes": (CLASSES,), "out": ("out",), "jdk": (str(jdk.home),),
            "level": (str(jdk.feature),),
            "library": tuple(map(str, class_library(jdk))) if self._uses("library") else (), "classpath": library,
            "jvm": (*own_jvm(filled["heap"][0]), heaps.OPTION) if filled.get("heap") else own_jvm(HEAP),
            **{program: (str(jdk.home / "bin" / program),) for program in JDK_PROGRAMS},
        }  # fmt: skip
        for name in self._names():
            tool, jars = self._tool(name)
            known[name] = tuple(map(str, jars or ()))
            known[f"{name}.jar"] = known[name][:1]
            if "{programs}" in repr(tool.run):
                known["programs"] = (str(compiled(jdk, self.adapter or program_of(tool.run), jars or ())),)
            if self._uses(f"{name}.main"):
                known[f"{name}.main"] = filled.get("main") or (main_class((jars or ())[0]),)
            if tool.run:
                known[f"{name}.run"] = expanded(tool.run, known)
            if self._uses(f"{name}.level"):
                known[f"{name}.level"] = (str(level_of((str(jdk.java), *known[f"{name}.run"]), jdk.feature)),)
        if "programs" not in known and self._uses("programs"):
            known["programs"] = (str(compiled(jdk)),)
        lines = {setting.name: filled[setting.name] for setting in self.settings if setting.kind == "line"}
        if names_jars(lines):  # a command of its own, which fills them in
            known |= {name: (f"{{{name}}}",) for name in VARIABLES}
        for name, words in lines.items():
            for match in PLACEHOLDER.finditer(" ".join(words)):
                if match[2] not in known:
                    raise UsageError(
                        f"The setting {name} has no placeholder {match[0]}; among them are {{jar}}, {{classpath}}, "
                        f"{{classes}} and {{out}}.{did_you_mean(match[2], known)}"
                    )
        return known | {name: expanded(words, known) for name, words in lines.items()}
