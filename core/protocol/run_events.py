"""Events of a check and a reduction. All sizes are bytes, all durations seconds; ``kept`` is an item set as
:func:`core.protocol.wire.pack` writes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.protocol.wire import Event, Progress

Report = dict[str, Any]
"""The report of a reduction, as JSON has it (:mod:`core.report.reduction_report`)."""


class Checked(Event):
    """The check of the full input, as we write it."""

    interesting: bool
    stable: bool
    runs: int
    seconds: float
    """Median time of a run."""
    verdict: str
    message: str
    """The diagnosis in words; on failure what to do about it."""
    command: str
    """A shell line that repeats the run by hand."""
    stdout: str
    stderr: str
    timeout: float
    """The time limit a probe will have."""
    failures: Sequence[str] = ()
    """The failures of the full input, as its output names them, each once; the chosen ones among them if only a small
    candidate was run."""
    probes: int = 0
    """Runs of the predicate altogether: ``runs``, and those of the comparison with the input as given."""
    spent: float = 0.0
    """Seconds that these took."""
    counts: Sequence[int] = ()
    """Numbers of occurrences of the failures, in their order; empty where these numbers are not known."""
    kinds: Sequence[int] = ()
    """Numbers of the failures' kinds, from 0, in their order; empty where they are not known."""
    costs: Sequence[int] = ()
    """For each kind the bytes of the smallest class, with those nested in it, that shows it; 0 = not known."""
    suggested: str = ""
    """The failure that alone is likely to need least, if there are several kinds; empty if none is known."""
    slowest: float = 0.0
    """Time of the slowest run."""
    empty: bool = False
    """True if a jar without entries is interesting too, so that the result may be empty."""
    doubts: Sequence[str] = ()
    """Reasons not to believe an interesting run, as sentences."""
    missing: Sequence[str] = ()
    """Packages and classes whose absence the output tells of, those behind most errors first: libraries may lack."""
    missing_errors: Sequence[int] = ()
    """Errors that come from the lack of each."""
    errors: int = 0
    """Errors altogether, of which these are some."""
    of_libraries: Sequence[str] = ()
    """Those of the failures that come from a missing library, and so are no bugs."""
    exit: int | None = None
    """Exit code of an uninteresting run that is perhaps the intended failure."""
    jobs: int = 0
    """Parallel probes that suit this machine; 0 = not known."""
    stopped: bool = False
    """True if the user stopped the check: there is no verdict, and ``message`` says what had not ended."""
    known: bool = False
    """True if an earlier check gave this answer, and no part of the check goes on beside the search."""


class Checking(Event):
    """A run of the check begins."""

    proves: str
    """Statement that the run confirms or refutes."""
    part: int = 1
    """Number of the run among the ``parts`` of the check, some of which may not be needed."""
    parts: int = 1


class Vouched(Event):
    """The rest of a reduction's check, which went on beside the search, found nothing wrong."""

    message: str
    """Runs that were made, in words."""
    runs: int
    """Runs of the full input that were interesting, the first one too."""
    probes: int
    """Runs of the predicate that this took."""
    spent: float
    """Seconds that these took."""


class Started(Event):
    """A reduction begins."""

    algorithm: str
    elements: int
    items: int
    classes: int
    bytes: int
    failures: int = 0
    """Number of the full input's named failures that a candidate must show; 0 = the failures have no names."""


class Asked(Progress):
    """The algorithm asks a question: ``kind`` is ``test``, ``first`` or ``least``.

    For ``least``, ``low`` .. ``high`` is the interval that still holds the answer; for
    ``first``, candidate ``low`` of ``high`` is next. ``size`` is the number of elements of the
    candidate that is next.
    """

    kind: str
    low: int
    high: int
    size: int
    n: int = 0
    """Candidates that the question is about."""
    done: int = 0
    """Those of them that are answered."""
    left: int = -1
    """Upper bound of the probes that the question still takes; -1 = unknown."""


class Trying(Progress):
    """Probe number ``probe`` starts. Numbers count starts, those ahead of their turn too."""

    probe: int
    kept: str
    classes: int
    bytes: int
    lane: int = 0
    """The worker that runs it, from 0."""
    ahead: bool = False
    """True if the probe starts before its answer is known to be needed."""
    without: str = ""
    """An item that the last interesting candidate has and this one lacks: a class, or the member with the changed code.
    """
    more: int = 0
    """Number of other elements that it lacks."""


class Ended(Progress):
    """Lane ``lane`` is free again: probe ``probe`` ended by itself, or was ``cancelled`` since its answer is not needed
    or the run was stopped. :class:`Probed` has its verdict, once the algorithm asks for it."""

    probe: int
    lane: int
    seconds: float
    verdict: str
    """Empty if it was cancelled."""
    cancelled: bool


class Probed(Progress):
    """A candidate is judged. ``origin`` is a :class:`core.protocol.run_words.AnswerOrigin`. Only ``run`` counts as a
    probe; of the others only some are told (:class:`Counted` has their numbers)."""

    probe: int
    verdict: str
    origin: str
    seconds: float
    """Duration of the probe."""
    at: float
    """Since the user began to wait: since the start of the program, or the click. So are all moments below."""
    classes: int
    bytes: int
    exit: int | None
    detail: str
    stdout: str
    stderr: str
    lane: int = 0
    """The worker that ran it."""
    failures: int = 0
    """Number of failures that it named."""
    processor: float = 0.0
    """Seconds of processor time of the probe; 0 if not known."""
    busiest: float = 0.0
    """The most of them that one thread can have taken."""
    idle: float = 0.0
    """The most seconds in a row in which nothing may have run or waited for a processor."""


class Counted(Progress):
    """Answers so far: probes run, answered by the cache, turned down as invalid."""

    probes: int
    cached: int
    invalid: int
    at: float
    speculated: int = 0
    """Runs started ahead without need for their answer."""
    least_left: float = -1.0
    """Seconds that the reduction may still take, as runs before it did from such a moment: from so many, no promise ...
    -1 = not known."""
    most_left: float = -1.0
    """... to so many."""
    searched: bool = False
    """True once the search is over. The remaining runs vouch for the input and the result."""


class Accepted(Progress):
    """A candidate smaller than all before it is interesting: the new best."""

    probe: int
    kept: str
    at: float
    classes: int
    items: int
    bytes: int


class Needed(Progress):
    """Items that a probe proved to be needed: without them the best was not interesting."""

    kept: str


class Met(Progress):
    """Failures that probe ``probe`` named and no candidate before it."""

    probe: int
    failures: list[str]


class Contradiction(Progress):
    """The predicate is not monotone: the answer of probe ``probe`` contradicts that on a subset or superset of its
    candidate. ``count`` such answers so far. The result is none the less a candidate that was tested interesting."""

    probe: int
    count: int


class Flaky(Progress):
    """The predicate changed its answer: the same content was ``before`` and is ``after``."""

    probe: int
    kept: str
    classes: int
    bytes: int
    before: str
    after: str


class Paused(Event):
    """No new probe starts until the run is resumed."""


class Resumed(Event):
    """Probes go on."""


class Searching(Progress):
    """A phase of the algorithm begins: its round (from 1), its name, and ``classes``, ``items`` or ``bodies``,
    what its elements are made of; how many elements, and how many items these choose among."""

    round: int
    phase: str
    level: str
    elements: int
    items: int


class Evidence(Event):
    """Evidence from before the search, the candidates that the evidence suggested, and their results.

    ``kind`` is ``command`` (names in the user's own command, or from another source of names), ``failure`` (names in
    its words), ``run`` (items used in a watched run of the full input) or ``code`` (instructions not reached in that
    run).
    """

    kind: str
    message: str
    """Evidence in words, or why there is none: a sentence."""
    classes: int = 0
    """Classes that are named, or were loaded."""
    methods: int = 0
    """Named members, or executed methods."""
    resources: int = -1
    """Resources that were read; -1 = not known."""
    candidates: Sequence[dict[str, Any]] = ()
    """``title``, ``bytes``, ``classes``, and ``interesting``: true, false, or null where it was not asked; then
    ``bytes`` are those of its items, an estimate."""
    before: int = 0
    """Bytes of the best before and after them."""
    after: int = 0


class Reducing(Event):
    """Of several reductions, one a failure, the next begins: ``number`` of ``count``, for ``failure`` alone."""

    number: int
    count: int
    failure: str


class Working(Event):
    """Work beside a search begins; ``message`` names the activity, such as ``decompiling the result``."""

    message: str


class Warned(Progress):
    """A warning for the user, which ends nothing."""

    message: str
    doubt: bool = False
    """True if the message is a reason not to believe the result."""


class Stalled(Event):
    """The best has not fallen for a long time."""

    probes: int
    """Number of probes since it fell last."""
    bytes: int
    """Bytes of the best."""
    phase: str
    """The phase that goes on; empty before the first."""
    timed_out: int = 0
    """Number of these probes that were killed for their time."""
    failures: int = 0
    """Number of failures that must stay, one for each kind; 0 if one is enough, or failures have no names."""
    strict: bool = False
    """True if each failure must stay as often as on the full input."""
    holds: str = ""
    """The failure that alone holds most of the best; empty if none is known."""
    enough: int = 0
    """Bytes that were enough for all other kinds: of one candidate, or the largest size of a kind's smallest
    candidate."""
    together: bool = False
    """True if they were seen in one candidate."""
    demand: str = ""
    """The setting ``failures`` with which the reduction goes on without it."""
    seconds: float = 0.0
    """Seconds since the best fell last."""


class Finished(Event):
    """The reduction is over. ``reason``: a :class:`core.protocol.run_words.EndReason`."""

    reason: str
    message: str
    kept: str
    classes: int
    bytes: int
    probes: int
    seconds: float
    report: Report
