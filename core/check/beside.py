"""The rest of a reduction's check, which goes on beside the search: is the first run of the full input to be believed?

One run says that the full input is interesting, and the search begins. Whether another run says so too, whether the
input fails as given as it does as we write it, and whether a run in processes of its own finds what a resident process
found, is told meanwhile: by a thread where runs may go on beside each other, else between two probes, once the search
has taken as long as one run of the full input. Until then nothing is written and no verdict is kept. What is found
changes no result: either all is well, or the reduction ends, or it begins anew with what is sure.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event as Flag

from core.check.as_given import AsGivenCheck, GivenRun, OtherRuns
from core.check.diagnosis import compared_text, diagnosis
from core.check.early import EarlyRun
from core.errors import NotInterestingError
from core.model.class_model import ClassModel
from core.predicate.from_settings import condition_of
from core.predicate.predicate import Calibration, Predicate, discard
from core.predicate.verdict import Outcome
from core.protocol import events
from core.protocol.settings import Settings
from core.system.stopwatch import Stopwatch

_WARNING = "Warning: "

_TOLD = 1.0
"""Seconds after which whoever waits is told that it goes on."""

_TWO = ("check-2", "check-3")
"""Folders of two runs that go on at the same time."""


class DoubtError(Exception):
    """Verdicts until now are in doubt: the reduction has to begin anew. The text says why."""


class MistakenError(Exception):
    """A resident process found other failures in the full input than the command in processes of its own: whoever has
    prepared the reduction has to do so anew. The text says so.

    ``cold``: the command's run, if that was interesting."""

    def __init__(self, text: str, cold: Calibration | None) -> None:
        super().__init__(text)
        self.cold = cold


class RestOfCheck:
    """The runs of the full input that follow the first, interesting one, and what they tell.

    ``runs`` is how many are wanted with the first one, ``compare`` whether the input is run as given too. A run as
    given that fails alike is one of them: it shows the same. ``parallel``: whether runs may go on at the same time;
    ``certain``: whether that is known of the command, and not only hoped. ``early``: the run as given, where that was
    begun beforehand.
    """

    def __init__(
        self,
        model: ClassModel,
        settings: Settings,
        predicate: Predicate,
        outcome: Outcome,
        folder: Path,
        cancel: Flag,
        *,
        runs: int,
        compare: bool,
        parallel: bool,
        certain: bool,
        wanted: str,
        emit: events.Listener,
        watch: Stopwatch,
        early: EarlyRun[GivenRun | None] | None = None,
    ) -> None:
        self._model, self._settings, self._predicate = model, settings, predicate
        self._entries = model.entries(model.full)
        self._folder, self._cancel = folder, cancel
        self._runs, self._compare = runs, compare
        self._certain, self._wanted = certain, wanted
        self._emit, self._watch, self._early = emit, watch, early
        self._outcomes = [outcome]
        self._good = 1
        self._compared = OtherRuns()
        self._mistaken = False
        self._cold: Calibration | None = None
        self._unsure: NotInterestingError | None = None
        self._error: BaseException | None = None
        self._due = time.monotonic() + outcome.seconds
        self.over = False
        """Whether all is told."""
        self.vouched = False
        """Whether all was well."""
        self.probes, self.spent, self.waited = 0, 0.0, 0.0
        """Runs that were made, their seconds, and those of them that nothing else was done in."""
        self.serial = not parallel
        """Whether only one run at a time is to be made."""
        self.on_sure: Callable[[], None] = lambda: None
        """Called once all is well, or as well as can be told."""
        self._thread: threading.Thread | None = None
        if parallel and not self._nothing_to_do:
            self._thread = threading.Thread(target=self._look, name="beside", daemon=True)
            self._thread.start()

    @property
    def hurried(self) -> bool:
        """Whether verdicts until now may turn out to be wrong for another reason than a predicate that is not stable:
        they are of processes that were not yet compared, or that went on at the same time."""
        return not self.over and (self._predicate.residency.expected or not self.serial)

    def between(self) -> None:
        """Between two probes: is there something to tell, or to be run now? Raises DoubtError, MistakenError,
        NotInterestingError."""
        if self.over:
            return
        if self._thread is not None:
            if not self._thread.is_alive():
                self._conclude()
        elif self._nothing_to_do or time.monotonic() >= self._due:
            self.finish()

    def finish(self, meanwhile: Callable[[], None] = lambda: None) -> None:
        """Runs or waits for what is left; ``meanwhile`` is called now and then while it waits. Raises as
        :meth:`between`."""
        if self.over:
            return
        start = time.monotonic()
        with self._watch.during("check"):
            if self._thread is not None:
                while self._thread.is_alive():
                    self._thread.join(_TOLD)
                    meanwhile()
            elif not self._cancel.is_set():
                self._look()
        self.waited += time.monotonic() - start
        self._conclude()

    def close(self) -> None:
        """Waits until nothing of it runs; to be called once ``cancel`` is set or all is over."""
        if self._thread is not None:
            self._thread.join()

    @property
    def _nothing_to_do(self) -> bool:
        return not self._unproven and not self._compare and self._runs < 2

    @property
    def _unproven(self) -> bool:
        return self._predicate.residency.unproven

    def _conclude(self) -> None:
        self.over = True
        if self._error is not None:
            raise self._error
        last = self._outcomes[-1]
        if self._cancel.is_set():
            self.on_sure()
        elif not last.interesting:
            self._unstable()
        elif self._mistaken:
            self.on_sure = lambda: None
            text = "A resident Java process finds other failures than the command in processes of its own"
            raise MistakenError(text, self._cold)
        else:
            said = compared_text(self._compared)
            if said.startswith(_WARNING):
                self._emit(events.Warned(said.removeprefix(_WARNING)))
                said = ""
            self.vouched = True
            text = " ".join(filter(None, [self._times(), said]))
            self._emit(events.Vouched(text, self._good, self.probes, self.spent))
            self.on_sure()

    def _times(self) -> str:
        good = f"{self._good} times out of {self._good}" if self._good > 1 else "once"
        return f"The full input is interesting ({self._wanted}): {good}."

    def _unstable(self) -> None:
        message = diagnosis(self._outcomes, self._settings, self._wanted)
        self._unsure = NotInterestingError(
            f"{message}\nTo repeat it by hand: {self._predicate.shell_line(Path('work'))}"
        )
        if self.serial or self._certain:
            raise self._unsure
        raise DoubtError("The command fails when two runs of it go on at the same time; --jobs 1 says so")

    def settle(self) -> None:
        """After a doubt, when no probe is under way: perhaps the command only bears no other run beside it. With none,
        is it stable? Raises NotInterestingError where it is not."""
        if self._unsure is None or self._cancel.is_set():
            return
        start = time.monotonic()
        with self._watch.during("check"):
            alone = [self._again(), self._again()]
        self.waited += time.monotonic() - start
        if not self._cancel.is_set() and not all(outcome.interesting for outcome in alone):
            raise self._unsure
        self.serial = True

    def _look(self) -> None:
        try:
            if not self.serial and not self._certain:
                self._run_two()
            if self._compare and self._outcomes[-1].interesting and not self._cancel.is_set():
                self._run_as_given()
            if self._unproven and self._outcomes[-1].interesting and not self._cancel.is_set():
                self._prove()
            while self._good < self._runs and self._outcomes[-1].interesting and not self._cancel.is_set():
                outcome = self._again()
                if not self._cancel.is_set():
                    self._outcomes.append(outcome)
                    self._good += outcome.interesting
        except BaseException as error:  # told by the thread that asks
            self._error = error

    def _prove(self) -> None:
        """Does a cold run find what the resident process found? A run as given that fails alike has shown that too."""
        given, residency = self._compared.given, self._predicate.residency
        if given is not None and given.interesting and not self._compared.differs:
            return
        work = self._folder / "check-2"
        discard(work)
        try:
            cold, outcome = residency.cold_run(self._entries, work, self._cancel)
        finally:
            discard(work)
        self.probes += 1
        self.spent += outcome.seconds
        if not self._cancel.is_set():
            self._cold = (cold, outcome) if outcome.interesting else None
            self._mistaken = not (outcome.interesting and residency.agrees(cold))
            self._good += outcome.interesting

    def _run_as_given(self) -> None:
        comparer = AsGivenCheck(
            self._model.jar, self._predicate, condition_of(self._settings), self._folder, self._cancel, self._early
        )
        self._compared = compared = comparer.passed(self._outcomes[0])
        self.probes += len(comparer.runs)
        self.spent += sum(comparer.runs)
        if compared.given is not None and compared.given.interesting and not compared.differs:
            self._good += 1

    def _run_two(self) -> None:
        """Two runs at the same time: does the command bear that? One that holds a port or a lock does not."""
        with ThreadPoolExecutor(len(_TWO)) as pool:  # what one of them raises is raised here
            found = list(pool.map(self._again, _TWO))
        if not self._cancel.is_set():
            self._good += sum(outcome.interesting for outcome in found)
            self._outcomes += sorted(found, key=lambda outcome: not outcome.interesting)

    def _again(self, name: str = "check-2") -> Outcome:
        work = self._folder / name
        discard(work)
        try:
            outcome = self._predicate.probe(self._entries, work, self._cancel)
        finally:
            discard(work)
        self.probes += 1
        self.spent += outcome.seconds
        return outcome
