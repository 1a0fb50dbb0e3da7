"""The way from a wish for a reduction to its first candidate: check, model, session's memory, cluster."""

from __future__ import annotations

import math
import time
from collections import Counter
from dataclasses import asdict, dataclass, replace
from typing import Any

from core.check.beside import RestOfCheck
from core.check.check import check
from core.check.check_state import CheckState, RunContext, Wishes
from core.check.objections import Mistaken
from core.check.runs import BEFORE_SEARCH, nothing_text
from core.cluster.cluster_predicate import ClusterPredicate
from core.cluster.connection import connected
from core.errors import LimitError, NotInterestingError, UsageError
from core.evidence import agents
from core.evidence.mentions import ClassNames
from core.model.class_model import ClassModel
from core.predicate.aim import Aim
from core.predicate.predicate import Predicate, discard
from core.predicate.verdict import Outcome
from core.protocol import events
from core.protocol.commands import StepKey
from core.protocol.java_names import unmatched
from core.protocol.setting_marks import Decides
from core.protocol.settings import deciding
from core.protocol.wording import by_hand, missing_text
from core.reduction.control import Cancel, Until
from core.reduction.elements import large
from core.reduction.probing.memory import Memory
from core.reduction.records import Spent
from core.service.meaning import begins_with_evidence, search_of, validity_for
from core.service.model_builder import ModelBuilder
from core.store.fingerprint import Fingerprint, mark_of
from core.store.session import Session
from core.system.processors import cores


@dataclass(eq=False)
class Preparation:
    """The parts of a reduction before its search, in the order of the methods called by :meth:`run`.

    The search may begin after one interesting run of the input; the :attr:`rest` of the check goes on beside it.
    Whoever makes a preparation closes it.
    """

    model: ClassModel
    aim: Aim
    predicate: Predicate
    context: RunContext
    session: Session | None
    checks: CheckKeeper

    def __post_init__(self) -> None:
        limit, used = self.aim.search.time_limit, self.session.used if self.session is not None else 0.0
        began = time.monotonic() - (self.context.watch.elapsed - self.context.free)
        end = math.inf if limit is None else began + limit - used
        self._ended = Cancel(self.context.cancel)
        self._limit = Until(self._ended, lambda: time.monotonic() >= end)
        resumed = self.session is not None and self.session.best is not None
        self._until = self._ended if resumed or (limit is not None and used >= limit) else self._limit
        """Flag that ends the runs before the search. The time limit sets it unless earlier parts of a session have a
        result, which is shown and confirmed, or used up the limit."""
        self._client: Any = None
        self._mark: Fingerprint | None = None
        self._state: CheckState | None = None
        self.outcome: Outcome
        """The deciding outcome of the check."""
        self.build_model = ModelBuilder(self.aim, self.model.jar)
        self.memory: Memory | None = None
        self.used = 0.0
        """Seconds of the time limit that earlier parts of the session used."""
        self.jobs = 1
        self.spent = Spent()
        """The probes and seconds of the check."""
        self.full_was_run = True
        """True if the check ran the full input, False if a candidate in its place."""
        self.rest: RestOfCheck | None = None

    def run(self, start: StepKey | None, mistake: Mistaken | None, *, may_substitute: bool) -> None:
        """Prepare the search. Raise NotInterestingError if the check forbids it, LimitError if time ends the check.

        ``start``: the step of an earlier run from which the search goes on. ``mistake``: the objection of an
        earlier check to resident processes, which are then not trusted. With ``may_substitute`` a candidate that shows
        the chosen failure may be checked instead of the full input.
        """
        if mistake is None:
            self._warn_of_agent()
        if self.aim.search.cluster:
            self._client = connected(self.aim.search.cluster)
        self._learn_sizes()  # compressing beside another thread that is busy would take five times as long
        self.build_model.prepare()
        mark = self._mark = mark_of(self.predicate, self.aim)
        for warning in self.session.foresee(mark) if self.session is not None else ():
            self._warn(warning)  # before what has changed is run
        state = self._state = self.checks.take(self.aim, mark.digest)
        if state is not None:
            self.predicate.close()
            self.predicate = state.predicate
            self._learn_sizes()
        else:
            state = self._state = self._check(mistake, may_substitute=may_substitute)
        self.predicate, self.jobs, self.outcome = state.predicate.limited(state.limit), state.jobs, state.outcome
        self.spent = Spent(state.checked.probes, state.checked.spent, state.checked.spent)
        self.full_was_run = state.substitute is None
        self._tell_check(state)
        if state.interesting and not state.known:
            self._begin_rest(state)
        with self.context.watch.during("model"):
            self.build_model.settle(validity_for(self.aim, self.outcome, self.session))
            if mistake is None:
                self._warn_of_patterns()
        if self.session is not None:
            self._remember(self.session, mark, start)
        if self._client is not None:
            self._use_cluster(self._client, state)

    def close(self) -> None:
        """End everything begun. The predicate stays open if a later reduction with an equal aim may use it."""
        self.build_model.give_up()
        self._ended.set()
        state, mark = self._state, self._mark
        if self.rest is not None:
            self.rest.close()
        if state is not None:
            state.close()
        vouched = self.rest is not None and self.rest.vouched and self.full_was_run
        if state and mark and (vouched or state.known) and self.checks.wanted and self._client is None:
            self.checks.keep(state, mark.digest)
        else:
            self.predicate.close()
        if self._client is not None:
            self._client.close()  # a second close, after the predicate's own, does nothing

    def _warn(self, text: str) -> None:
        self.context.emit(events.Warned(text))

    def _warn_of_agent(self) -> None:
        """Warn of a missing JaCoCo if the search would watch a run of the input."""
        if begins_with_evidence(self.aim) and self.aim.runs_input:
            sentence = agents.lacking()
            if sentence is not None:
                self._warn(sentence)

    def _warn_of_patterns(self) -> None:
        """Say which patterns match nothing of the input. A large input is not read member by member for that."""
        asked, model = [*self.aim.search.keep, *self.aim.search.drop_first], self.model
        left = unmatched(asked, [item.name for item in model.items])
        if left and self.aim.search.granularity != "class":
            left = [] if large(model.jar) else unmatched(left, [i.name for i in self.build_model.lend(model.jar).items])
        if begin := self.aim.search.begin_with:
            left += [text for text in begin if not ClassNames(model).called(text)]
        if left:
            self._warn(f"Nothing in the input is called {' or '.join(left)}: see what is there with jarlet inspect.")

    def _use_cluster(self, client: Any, state: CheckState) -> None:
        """Run probes on the workers that judge the checked input, and an empty jar, as this machine does."""
        on_cluster = ClusterPredicate(self.predicate, client, self._warn)
        work = self.context.work / "vetting"
        empty = self.predicate.probe([], work, self._until)
        discard(work)
        threads = on_cluster.vet([(state.entries, state.outcomes[-1]), ([], empty)], self._until)
        self.predicate = on_cluster
        self.jobs = self.aim.search.jobs or max(1, threads)  # one more would wait for one not wanted

    def _learn_sizes(self) -> None:
        self.predicate.packer.keep(data for _, data in self.model.entries(self.model.full))

    def _check(self, mistake: Mistaken | None, *, may_substitute: bool) -> CheckState:
        """Make the runs before the search."""
        aim, compare = self.aim, self._compares()
        wishes = Wishes(
            aim.runs,
            compare=compare,
            empty=not aim.search.keep,
            trusting=mistake is None,
            early=mistake is None and compare and self._bears_others(),
            cold=mistake.cold if mistake is not None else None,
            model_of=self.build_model.lend if may_substitute and begins_with_evidence(aim) else None,
        )
        state = CheckState(self.model, aim, self.predicate, replace(self.context, cancel=self._until), wishes)
        self._state = state
        check(state, BEFORE_SEARCH)
        return state

    def _begin_rest(self, state: CheckState) -> None:
        """Begin the other runs of the check, beside the search if the command bears this."""
        believed = self._bears_others() and self.predicate.unproven
        state.context = replace(state.context, cancel=self._limit)
        self.rest = RestOfCheck(
            state,
            parallel=self.jobs > 1 or self._client is not None or believed,
            certain=self.aim.search.jobs is not None or not self.aim.runs_input,
        )

    def _compares(self) -> bool:
        """Return True if the input is to be run as given, too.

        A predicate relative to the first run may show another failure for the jar on disk. A hang is not run again: the
        small candidates that hang at the same place prove as much."""
        aim = self.aim
        relative = (aim.condition.preserve or aim.preset or aim.failures_as) and not aim.condition.hangs
        new = self.session is None or self.session.best is None
        return bool(relative) and new

    def _bears_others(self) -> bool:
        """Return True if a cold run may go on beside resident processes."""
        several = cores() > 1 and self.aim.search.jobs != 1
        return self.predicate.expected and several and not self.aim.runs_input

    def _tell_check(self, state: CheckState) -> None:
        """Emit the result of the check. Raise NotInterestingError if it forbids a search."""
        checked, stopped = state.checked, self.context.cancel.is_set()
        if self._until is self._limit and self._limit.late and not stopped:
            raise LimitError(
                f"The time limit of {self.aim.search.time_limit:g} s ended the check of the input, which counts too: "
                "no candidate was tried, and no output was written. Set a longer one."
            )
        if stopped:
            return
        refusal = self._refusal(state)
        message = checked.message.removesuffix(state.adding).rstrip() if refusal else checked.message
        self.context.emit(self._told(replace(checked, known=state.known, message=message)))
        if not checked.interesting:
            raise NotInterestingError(f"{checked.message}\n{by_hand(checked.command)}")
        if refusal:
            raise UsageError(refusal)
        if checked.empty and not self.aim.search.keep:
            raise NotInterestingError(nothing_text(checked.doubts))

    def _told(self, checked: events.Checked) -> events.Checked:
        """Return the event of the check. A window gets the failures in the shown part of the output if there are no
        others: it has no options with which they could be asked for."""
        reading = self.aim.reading
        if checked.failures or reading is None or self.context.options:
            return checked
        names = reading.names(f"{checked.stdout}\n{checked.stderr}", checked.exit)
        counts = Counter(names)
        return replace(checked, failures=list(counts), counts=list(counts.values()))

    def _refusal(self, state: CheckState) -> str:
        """Return sentences on failures caused by missing libraries, before which a reduction stops. Empty if there are
        none, or if the settings name the wanted failures."""
        aim, checked = self.aim, state.checked
        said = aim.stored["allow_missing"] or aim.condition.match or (aim.asked is not None and aim.asked.chosen)
        if said or not checked.missing or aim.condition.keeps_working(self.outcome.exit):
            return ""
        lack = missing_text(checked.missing, checked.missing_errors, checked.errors)
        return f"{lack} {state.adding}".strip()

    def _remember(self, session: Session, mark: Fingerprint, start: StepKey | None) -> None:
        # what changed during the check the command writes itself: a log, not a part of it
        mark = mark.steady(mark_of(self.predicate, self.aim))
        search = search_of(self.aim.stored) | {"validity": self.build_model.validity.taken}
        search |= {"start": asdict(start)} if start is not None else {}
        measured = self.aim.limits.seconds is None
        answers = session.memory(mark, self.predicate.timeout, search, measured=measured)
        self.predicate, self.memory, self.used = self.predicate.limited(answers.limit), answers, session.used
        for warning in session.warnings:
            self._warn(warning)


class CheckKeeper:
    """The last passed check, with its open predicate: a run with equal settings need not repeat the check.

    If ``wanted`` is False, nothing is kept.
    """

    def __init__(self, wanted: bool) -> None:
        self.wanted = wanted
        self._kept: tuple[CheckState, bytes] | None = None

    def keep(self, state: CheckState, mark: bytes) -> None:
        """Keep the check and drop the earlier one; ``mark`` is the digest of predicate, tools and scripts."""
        self.forget()
        self._kept = state, mark

    def take(self, aim: Aim, mark: bytes) -> CheckState | None:
        """Return the kept check, for the search of this aim, if its own check would be equal; else drop the check."""
        kept = self._kept
        if kept is None or kept[1] != mark or _decides(kept[0].aim) != _decides(aim):
            self.forget()
            return None
        self._kept, state = None, kept[0]
        state.aim, state.known = aim, True
        return state

    def forget(self) -> None:
        """Drop the kept check."""
        kept, self._kept = self._kept, None
        if kept is not None:
            kept[0].predicate.close()


def _decides(aim: Aim) -> dict[str, Any]:
    return {name: aim.stored[name] for name in deciding(Decides.CHECK)}
