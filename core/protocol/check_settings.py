"""The settings of the check: the predicate, the wanted failures, the limits of a probe, the JDK."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from core.protocol.run_words import NO_NAMES
from core.protocol.setting_marks import Decides, NoField, NoOption, Number, Option, Switch, Words
from core.values import Seconds, Whole

LONGEST = 1e8
"""Longest time limit in seconds, three years: every clock and every lock can wait that long."""

_UNSEEN = NoField("a list of inputs is for the command line")


@dataclass(frozen=True)
class CheckSettings:
    """The settings with which a check of the full input comes to its answer."""

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
        Option(
            "--preserve",
            "what must stay as on the full input: exit,out,err,files (files: what the command writes in its folder)",
            "LIST",
            separator=",",
        ),
    ] = frozenset()
    """Those of ``exit``, ``out``, ``err`` and ``files`` that must be as on the full input."""

    trials: Annotated[
        str,
        Decides.CHECK,
        Option(
            "--inputs",
            "file with inputs of the program, one a line: the words of a line stand for {input} in the command, else "
            "behind it; a candidate must keep what is asked for on each",
            "FILE",
        ),
        _UNSEEN,
    ] = ""
    """File with arguments for the command, one input a line."""

    tests: Annotated[
        tuple[str, ...],
        Decides.CHECK,
        Option(
            "--tests",
            "classes of JUnit tests in the jars of --classpath, which must pass: a.b.CTest, 'a.b.*Test', !a.b.DTest "
            "leaves one out (may be repeated)",
            "CLASSES",
            ",",
        ),
        _UNSEEN,
    ] = ()
    """Patterns of the names of test classes, in place of a command."""

    lines: Annotated[
        tuple[str, ...],
        Decides.CHECK,
        Option(
            "--lines",
            "text file of which lines go too, at the end: rules, options, sources; {file:FILE} in the command, or the "
            "file in a setting of the preset, is the candidate's (may be repeated)",
            "FILE",
        ),
        Words("Files with lines to go", "Text files of the command: rules, options, sources. Spaces between"),
    ] = ()
    """Text files of the command that are reduced by lines."""

    held_out: Annotated[
        int,
        Whole(0, 90),
        Decides.CHECK,
        Option("--held-out", "share of the inputs or tests that the search does not see (default: 20)", "PERCENT"),
        _UNSEEN,
    ] = 20
    """Percentage of the inputs that the search does not see."""

    seed: Annotated[
        int,
        Whole(0, 1 << 30),
        Decides.CHECK,
        Option("--seed", "number that draws the held-out inputs: another one draws others"),
        _UNSEEN,
    ] = 0
    """Number that draws the unseen inputs."""

    expect_exit: Annotated[
        int | None,
        Whole(-64, 255),
        Decides.CHECK,
        Option("--expect-exit", "exit code of an interesting run; 128 + N, or -N, if signal N kills it"),
    ] = None

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
            "how the output names failures: javac, traces, tests, a regular expression, or none (no evidence either)",
            "KIND",
        ),
    ] = None
    """The way in which a command's output names failures: ``javac``, ``traces``, ``tests``, a pattern, or ``none``.
    None: failures have no names, but recognised ones are evidence."""

    failures: Annotated[
        str | None,
        Decides.CHECK,
        Option(
            "--failures",
            "failures that a candidate must show: kinds (each kind, no new one; 'exceptions, else kinds' is the "
            "default of most presets), kinds but "
            "NAME, kinds at least (new kinds may come), same (each as often), at least (each as often or more), any, "
            "or chosen NAME; ', no new kinds' behind it forbids new kinds",
            "WHAT",
        ),
    ] = None
    """The failures of an interesting run, in the words of the option. None: those of the preset; ``kinds`` for a
    command."""

    also_interesting: Annotated[
        int | None,
        Whole(0, 255),
        Decides.CHECK,
        Option("--also-interesting", "exit code of another failure: the smallest such candidate is kept too", "CODE"),
    ] = None

    timeout: Annotated[
        float | None,
        Seconds(LONGEST),
        Decides.CHECK,
        Option(
            "--timeout",
            "seconds of a probe (default: 5 x the slowest interesting one, 1.5 x its processor time; first 300)",
        ),
        Number(
            "Timeout per run",
            "A run that takes longer is killed. Automatic: 5 times the slowest run that fails, at least 0.5 s",
            "Automatic",
            "s",
        ),
    ] = None

    hangs: Annotated[
        bool,
        Decides.CHECK,
        Option("--hangs", "the failure is that the command does not end: it is stuck where the full input is"),
        Switch("Runs that do not end are the failure", "A run that is stuck at the same place as the full input"),
    ] = False
    """True: a run is interesting if it is stuck at the place where the full input's run is."""

    slower_than: Annotated[
        int | None,
        Whole(2, 1_000_000),
        Decides.CHECK,
        Option(
            "--slower-than",
            "the failure is that a run stays at one place for N times the processor time of the median class",
            "N",
        ),
        Number("Slower than the median class", "A run that stays at one place for so many times is the failure", "Any"),
    ] = None
    """Factor on the processor time of the median class: an interesting run stands that long where the full input's run
    does."""

    rare: Annotated[
        bool,
        Decides.CHECK,
        Option("--rare", "the failure does not show each time: keep how often it shows (runs go one at a time)"),
        Switch(
            "The failure is rare",
            "Each candidate is run until it is clear whether it fails as often as the input",
        ),
    ] = False
    """True: a candidate is interesting that shows the failure as often as the full input."""

    memory: Annotated[
        int | None,
        Whole(1, 1 << 30),
        Decides.CHECK,
        Option("--memory", "memory limit per probe", "MIB"),
        Number("Memory per run", "A run whose processes take more is killed", unit="MiB"),
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

    check_runs: Annotated[
        int,
        Whole(1, 1000),
        Decides.CHECK,
        NoOption("'jarlet check' alone has it, as --runs, with another default"),
        NoField("the check of the window runs as often as that of a reduction"),
    ] = 2
    """Number of runs of a check."""

    @property
    def naming(self) -> str | None:
        """The way in which a command's output names failures; None if they have no names."""
        return None if self.failures_as == NO_NAMES else self.failures_as
