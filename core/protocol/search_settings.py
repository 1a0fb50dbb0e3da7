"""The plain settings of a search, and the limits of a reduction."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Annotated

from core.protocol.check_settings import LONGEST
from core.protocol.run_words import AUTOMATIC, CAREFUL, GRANULARITIES, REWRITINGS, TRUST, VALIDITIES
from core.protocol.setting_marks import ActsOn, Decides, NoField, Number, Option, Switch, Words
from core.values import OneOf, Seconds, Whole

_PINS = NoField("the class tree marks what stays and what is dropped first")


@dataclass(frozen=True)
class SearchSettings:
    """The settings of the search: removable items, the way, and the end."""

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

    trust: Annotated[
        str,
        OneOf(TRUST),
        Decides.SEARCH | Decides.IF_SET,
        Option(
            "--trust",
            "what stays of a program that --preserve keeps running: as-run (the code that ran), careful (also the "
            "methods that it may reach; default), whole-classes (the classes that were loaded), output (nothing but "
            "what is compared)",
        ),
    ] = CAREFUL
    """The level of trust in a program that must still run: see :mod:`core.plan.trust`."""

    classpath: Annotated[
        tuple[str, ...],
        Decides.CHECK | Decides.SEARCH,
        Option(
            "--classpath",
            "libraries: jars, folders and GROUP:ARTIFACT:VERSION, by colons (may be repeated)",
            "PATH",
            os.pathsep,
        ),
    ] = ()
    """Jars and folders that the input uses, not reduced themselves."""

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

    begin_with: Annotated[
        tuple[str, ...],
        Decides.SEARCH | Decides.IF_SET,
        ActsOn("auto", "gbr"),
        Option("--begin-with", "begin the search at this class: a.b.C, or C (may be repeated)", "CLASS"),
        Words("Begin at classes", "Names of classes that the failure needs, as Java writes them; spaces between"),
    ] = ()
    """Names of classes that the failure is expected to need, as Java writes them."""

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
            f"kinds of rewriting, also of programs (all, {', '.join(REWRITINGS)})",
            "LIST",
            ",",
        ),
        NoField("the window rewrites in every way, or not at all"),
    ] = ()
    """Names of kinds of rewriting in :mod:`core.protocol.run_words`. Empty: all kinds, and none for a program that
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

    allow_missing: Annotated[
        bool,
        Decides.RUN,
        Option("--allow-missing", "reduce although failures come from missing libraries"),
        Switch("Libraries may be missing", "Reduce although failures come from missing libraries"),
    ] = False
    """True: failures from missing libraries do not stop the reduction after its check."""

    time_limit: Annotated[
        float | None,
        Seconds(LONGEST),
        Decides.RUN,
        Option(
            "--time-limit",
            "end after so many seconds from the beginning of the check, all parts of a session together; with "
            "--resume: so many more. A check that the limit ends writes nothing. Else the run under way is killed, "
            "and the best so far is run once more: the end comes at most one run of the command later. A report or bug "
            "folder then gets no source, and the folder's script is not tried",
        ),
        Number("Total time limit", "The reduction ends after this time and keeps the smallest so far", unit="s"),
    ] = None
    """Time limit of the reduction, with its check and with all earlier parts of its session."""

    max_probes: Annotated[
        int | None,
        Whole(1, 10**12),
        Decides.RUN,
        Option("--max-probes", "stop after N probes"),
        Number("Run limit", "The reduction ends after so many runs and keeps the smallest so far"),
    ] = None

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
