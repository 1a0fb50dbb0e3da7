"""The settings of one reduction: each is declared once, with its type, its range, its default and its option.

Engine, command line, batch files, sessions, Python interface and window share the class :class:`Settings`. The marks of
a field are those of :mod:`core.protocol.setting_marks`. :mod:`core.service.meaning` gives the settings their meaning.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Annotated, Any

from core import values as check
from core.errors import UsageError
from core.protocol.setting_marks import (
    ActsOn,
    Decides,
    DeclaredSetting,
    NoField,
    NoOption,
    Option,
    Switch,
    declarations_of,
)
from core.values import OneOf, Seconds, Whole

GRANULARITIES = ("class", "member", "full")
"""The kinds of items that can be removed: classes; their members too; parts of method bodies too."""

VALIDITIES = ("jvm", "linked", "src")
"""The readers that a candidate must satisfy, each with more demands than the one before: the JVM; programs that load
every class that is named (reflection, shrinkers, analysers); decompilers and compilers."""

AUTOMATIC = "auto"
"""The validity that follows from the predicate and what it said of the full input: see
:mod:`core.evidence.validity`."""

NO_NAMES = "none"
"""The way of naming failures by which nothing in a command's output counts as a failure, nor as evidence."""

_LONGEST = 1e8
"""Longest time limit in seconds, three years: every clock and every lock can wait that long."""

_PINS = NoField("the class tree marks what stays and what is dropped first")


@dataclass(frozen=True)
class Settings:
    """Predicate, algorithm and limits of one reduction. Times are seconds, memory is MiB, None is unset.

    Raises UsageError for a value of another type or outside its range.
    """

    predicate: Annotated[str, Decides.CHECK, Option("--predicate", "command that shows the failure", "CMD")] = ""
    """The command; empty with a preset."""

    preset: Annotated[
        str | None,
        Decides.CHECK,
        Option("--preset", "predicate that comes with Jarlet (see 'jarlet presets')", "NAME"),
    ] = None
    """The name of the preset; None with a command."""

    options: Annotated[
        Mapping[str, str],
        Decides.CHECK,
        Option("--set", "setting of the preset (may be repeated)", "NAME=VALUE"),
    ] = field(default_factory=dict)
    """The settings of the preset, by name."""

    warm: Annotated[
        bool,
        Decides.CHECK,
        Option("--cold", "run the preset without a resident JVM"),
        NoField("the check finds out where a resident JVM is wrong"),
    ] = True
    """True: a resident JVM runs the preset, where the preset allows it."""

    preserve: Annotated[
        frozenset[str],
        Decides.CHECK,
        Option("--preserve", "what must stay as on the full input: exit,out,err", "LIST", separator=","),
    ] = frozenset()
    """Those of ``exit``, ``out`` and ``err`` that must be as on the full input."""

    expect_exit: Annotated[
        int | None,
        Whole(-64, 255),
        Decides.CHECK,
        Option("--expect-exit", "exit code of an interesting run; 128 + N, or -N, if signal N kills it"),
    ] = None
    """The exit code of an interesting run; below 0 the number of a signal."""

    match: Annotated[
        str | None, Decides.CHECK, Option("--match", "regular expression that the output must match", "REGEX")
    ] = None

    no_match: Annotated[
        str | None, Decides.CHECK, Option("--no-match", "regular expression that the output must not match", "REGEX")
    ] = None

    failures_as: Annotated[
        str | None,
        Decides.CHECK,
        Option(
            "--failures-as",
            "how the output names failures: javac, traces, a regular expression, or none (no evidence either)",
            "KIND",
        ),
    ] = None
    """The way in which a command's output names failures: ``javac``, ``traces``, a regular expression, or
    :data:`NO_NAMES`. None: failures have no names, but those that are recognised are evidence."""

    failures: Annotated[
        str | None,
        Decides.CHECK,
        Option(
            "--failures",
            "failures that a candidate must show: kinds (each kind, no new one; default of most presets), kinds but "
            "NAME, kinds at least (new kinds may come), same (each as often), at least (each as often or more), any, "
            "or chosen NAME; ', no new kinds' behind it forbids new kinds",
            "WHAT",
        ),
    ] = None
    """The failures of an interesting run: ``kinds`` or ``kinds at least``, either perhaps with `` but NAME``, ``same``,
    ``at least``, ``any`` or ``chosen NAME``, each perhaps with ``, no new kinds``. None: those that the preset says;
    ``kinds`` for a command."""

    also_interesting: Annotated[
        int | None,
        Whole(0, 255),
        Decides.CHECK,
        Option("--also-interesting", "exit code of another failure: the smallest such candidate is kept too", "CODE"),
    ] = None
    """The exit code of a candidate that shows another failure: not interesting, but the smallest one is kept."""

    timeout: Annotated[
        float | None,
        Seconds(_LONGEST),
        Decides.CHECK,
        Option(
            "--timeout",
            "seconds of a probe (default: 5 x the slowest interesting one, 2 x its processor time; 300 for the first)",
        ),
    ] = None

    memory: Annotated[
        int | None, Whole(1, 1 << 30), Decides.CHECK, Option("--memory", "memory limit per probe", "MIB")
    ] = None

    jdk: Annotated[
        str,
        Decides.CHECK,
        Option(
            "--jdk",
            "JDK for tools, javac and the command: a folder or a version (default: that of JAVA_HOME or PATH; for a "
            "preset, if that JDK is older than the input, the oldest one that is new enough)",
            "PATH|VERSION",
        ),
    ] = ""
    """Folder or version of the JDK; empty: the best one for the input."""

    algorithm: Annotated[str, Decides.SEARCH, Option("--algorithm", metavar="NAME")] = "auto"
    """The name of the algorithm in :mod:`core.plan.catalogue`."""

    granularity: Annotated[
        str,
        OneOf(GRANULARITIES),
        Decides.SEARCH,
        Option(
            "--granularity",
            "what can be removed: class, member (classes and members), full (classes, members and code; default)",
        ),
    ] = "full"

    validity: Annotated[
        str,
        OneOf((AUTOMATIC, *VALIDITIES)),
        Decides.SEARCH,
        Option(
            "--validity",
            "what candidates must be valid for: jvm (the JVM alone: getDeclaredMethods and the like may fail), "
            "linked (each class that is named exists too, as reflection, shrinkers and analysers need it), "
            "src (also decompilers and compilers), auto (what the preset needs; jvm where each failure is a syntax "
            "error of decompiled source; default)",
        ),
    ] = AUTOMATIC
    """The readers that every candidate must satisfy."""

    classpath: Annotated[
        tuple[str, ...],
        Decides.CHECK | Decides.SEARCH,
        Option("--classpath", "libraries: jars and folders, by colons (may be repeated)", "PATH", os.pathsep),
    ] = ()
    """Jars and folders that the input uses, and that are not reduced."""

    keep: Annotated[
        tuple[str, ...],
        Decides.SEARCH,
        Option("--keep", "keep these items: a.b.C, a.b.*, a.b.C.m(String)* (may be repeated)", "PATTERN"),
        _PINS,
    ] = ()
    """Patterns (``*`` and ``?``) of the names of items that stay, with slashes or, as Java writes them, dots."""

    drop_first: Annotated[
        tuple[str, ...],
        Decides.SEARCH | Decides.IF_SET,
        Option("--drop-first", "try without these items first: patterns as for --keep (may be repeated)", "PATTERN"),
        _PINS,
    ] = ()
    """Patterns of the names of items that the search tries to remove before all others."""

    evidence: Annotated[
        bool,
        Decides.SEARCH | Decides.IF_SET,
        ActsOn("auto", "gbr"),
        Option("--no-evidence", "do not begin with what the failure names, nor with what the full input runs"),
        Switch(
            "Begin at the failure",
            "Begin with what the failure names; the automatic algorithm begins with what ran, too",
        ),
    ] = True
    """True: the search begins with what the failure names; ``auto`` begins with what a run of the full input uses,
    too."""

    rewrite: Annotated[
        bool,
        Decides.SEARCH | Decides.IF_SET,
        ActsOn("auto"),
        Option("--no-rewrite", "only remove: no class becomes part of another one or loses its generic types"),
        Switch("Rewr&ite classes", "Fewer and simpler classes in what is left; not in a program that must still run"),
    ] = True
    """True: ``auto`` also rewrites classes, unless the input is a program that must still run."""

    rewritings: Annotated[
        tuple[str, ...],
        Decides.SEARCH | Decides.IF_SET,
        ActsOn("auto", "simplify"),
        Option(
            "--rewritings",
            "kinds of rewriting, also of programs (all, signatures, constants, nesting, throws, arguments, "
            "results, lambdas, fields, catches, supertypes, enclosing, merging, adopting, regrouping, inputs, "
            "abstract, native, versions)",
            "LIST",
            ",",
        ),
        NoField("the window rewrites in every way, or not at all"),
    ] = ()
    """Names of kinds of rewriting in :mod:`core.rewrite.programs.kinds`. Empty: all kinds, and none for a program that
    must still run.
    """

    rename: Annotated[
        bool,
        Decides.SEARCH | Decides.IF_SET,
        Option(
            "--rename",
            "give neutral names to packages, classes, members and strings at the end, where the failure allows it; the "
            "old names go into a file of their own beside the result, RESULT.names.json",
        ),
        Switch("A&nonymise", "Neutral names at the end, where the failure allows it; a file has the old ones"),
    ] = False
    """True: at the end neutral names take the place of the input's own."""

    thorough: Annotated[
        bool,
        Decides.SEARCH,
        ActsOn("auto"),
        Option("--thorough", "continue while anything can be removed, whatever it costs"),
        Switch("Thorough", "Continue while anything can be removed, however many runs it takes"),
    ] = False
    """True: the search continues while anything can be removed, not only while it pays. The result is then
    1-minimal."""

    classic: Annotated[
        bool,
        Decides.SEARCH,
        ActsOn("gbr", "verify", "closure", "*ddmin"),
        Option("--classic", "run the algorithm as published: more probes"),
        Switch("As pu&blished", "Exactly as published; delta debugging: subsets first, over again after each success"),
    ] = False
    """True: delta debugging and ``gbr`` run exactly as published. Delta debugging then tests subsets first, and
    starts over after each success."""

    least: Annotated[
        str,
        Decides.SEARCH,
        Option("--least", metavar="NAME"),
        NoField("only an experiment with algorithms needs another one"),
    ] = "bisection"
    """The name of the way in which an interval is searched, in :mod:`core.search.bisection`."""

    jobs: Annotated[
        int | None,
        Whole(1, 1024),
        Decides.RUN,
        Option("--jobs", "parallel probes (default: as many as the check finds that this machine runs well)"),
    ] = None
    """Number of parallel probes, each with a candidate in memory. None: as many as suit this machine."""

    cluster: Annotated[
        str,
        Decides.RUN,
        Option(
            "--cluster",
            "run the probes on the workers of the Dask cluster of this scheduler (tcp://HOST:PORT)",
            "ADDRESS",
        ),
        NoField("a cluster is for the command line"),
    ] = ""
    """Address of the Dask scheduler whose workers run the probes; empty: the probes run on this machine."""

    time_limit: Annotated[
        float | None,
        Seconds(_LONGEST),
        Decides.RUN,
        Option(
            "--time-limit",
            "end after so many seconds from the beginning of the check, all parts of a session together; with "
            "--resume: so many more. A check that the limit ends writes nothing. Else the run under way is killed, "
            "and the best so far is run once more: the end comes at most one run of the command later. A bug folder "
            "then gets no source, and its script is tried for as long as such a run may take",
        ),
    ] = None
    """Time limit of the reduction, with its check and with all earlier parts of its session."""

    max_probes: Annotated[int | None, Whole(1, 10**12), Decides.RUN, Option("--max-probes", "stop after N probes")] = (
        None
    )

    source_time: Annotated[
        int,
        Whole(0, 86_400),
        Decides.RUN,
        Option(
            "--source-time",
            "seconds to look for Java source of the result, for --bug-folder (default: 60; 0: not at all)",
            "S",
        ),
        NoField("the Bug page has a button for it"),
    ] = 60
    """Seconds to look for Java source of the result, for a bug folder; 0: not at all."""

    check_runs: Annotated[
        int,
        Whole(1, 1000),
        Decides.CHECK,
        NoOption("'jarlet check' alone has it, as --runs, with another default"),
        NoField("the check of the window runs as often as that of a reduction"),
    ] = 2
    """Number of runs of a check."""

    def __post_init__(self) -> None:
        for name, hint in check.hints_of(Settings).items():
            spoken = name.replace("_", " ")
            object.__setattr__(self, name, check.conform(spoken, getattr(self, name), hint))

    @property
    def naming(self) -> str | None:
        """The way in which a command's output names failures; None if they have no names."""
        return None if self.failures_as == NO_NAMES else self.failures_as

    @classmethod
    def from_json(cls, values: Any) -> Settings:
        """Return the settings of a decoded JSON object. Raises UsageError on unknown names and wrong types."""
        arguments = check.table("settings", values)
        unknown = sorted(arguments.keys() - check.hints_of(cls).keys())
        if unknown:
            raise UsageError(f"Unknown settings: {', '.join(unknown)}.")
        for name, value in arguments.items():
            if value is None and getattr(cls, name, None) in ((), frozenset()):
                arguments[name] = getattr(cls, name)
        return cls(**arguments)

    def to_json(self) -> dict[str, Any]:
        """Return the object that :meth:`from_json` reads."""
        return {part.name: _plain(getattr(self, part.name)) for part in fields(self)}


def declarations() -> dict[str, DeclaredSetting]:
    """Return the declaration of each setting by its name, in the order of :class:`Settings`."""
    return declarations_of(Settings)


def deciding(part: Decides) -> tuple[str, ...]:
    """Return the names of the settings that decide that part of a reduction."""
    return tuple(name for name, setting in declarations().items() if part in setting.decides)


def _plain(value: Any) -> Any:
    """Return the value as JSON has it. Sets are written in order."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, frozenset):
        return sorted(value)
    return list(value) if isinstance(value, tuple) else value
