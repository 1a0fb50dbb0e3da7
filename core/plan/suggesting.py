"""The steps that try evidence: each runs one search among suggested candidates. First come the names in the command and
in the failure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from core.entries import Entries
from core.evidence.clues import Mention
from core.evidence.dead import DeadCode
from core.evidence.failure import mentions
from core.evidence.suggestions import Suggest, around_command, around_run
from core.plan.evidence import ElementSites, GatheredEvidence
from core.plan.phase_elements import suggestions
from core.plan.plan_run import PlanRun
from core.plan.prices import PRICES, worth
from core.protocol.events import Evidence as EvidenceEvent
from core.protocol.events import Warned
from core.reduction.candidate_tester import CandidateTester
from core.reduction.edit_elements import EditElements
from core.reduction.elements import Elements, jar_of
from core.search.phases import Knowledge, Level, PhaseEffort, Search
from core.search.questions import Algorithm, Candidate
from core.search.reducers.by_halves import first_of, without_groups
from core.search.reducers.gbr import users_in
from core.search.reducers.joint_search import JointSearch
from core.search.reducers.needed_items import without_surplus
from core.search.spaces import Classes, Items, SearchProblem, Space
from core.sets import ItemSet, members
from core.words import counted

NAME = "evidence"
"""Name of the phase in events."""

_SURELY = 0.5
"""Share of the best's bytes. A candidate whose items have at most this share is small enough, and is not written to
measure it.
See decisions/001-evidence-order.md.
"""

_MOST_CUTS = 15
"""Largest number of probes for code that never ran: enough for three levels of halves of the classes.
See decisions/003-code-that-never-ran.md.
"""


def tell(run: PlanRun, event: EvidenceEvent, before: int | None = None) -> None:
    """Emit and store an evidence event. ``before``: bytes of the best before the evidence was tried; None if nothing
    was tried.
    """
    evidence = run.evidence
    assert evidence is not None
    if before is not None:
        event = replace(event, before=before, after=run.bytes)
    evidence.emitted.append(event)
    run.emit(event)


def try_suggestions(run: PlanRun, granularity: str, suggest: Suggest, event: EvidenceEvent, before: int = 0) -> bool:
    """Ask about the suggested candidates in order until one is interesting. Return True if one was.

    Candidates no smaller than the best are skipped. A candidate is made when its turn comes. ``before``: bytes of the
    best before the work that led to the suggestion.
    """
    size = run.bytes
    tester = _tester(run, _level(granularity))
    elements = tester.elements
    found = [each for each in suggestions(elements, suggest) if _pays(elements, each.items, size)]
    space = Items(elements.problem.sizes)
    if found:
        first = first_of(space.elements, [members(suggestion.items) for suggestion in found])
        _search(run, Level.ITEMS, tester, space, first)
    answers = [run.driver.answer(tester, suggestion.items) for suggestion in found]
    candidates = [
        {
            "title": suggestion.title,
            "bytes": (elements.problem.bytes_of if answer is None else elements.bytes_of)(suggestion.items),
            "classes": elements.classes_of(suggestion.items),
            "interesting": answer,
        }
        for suggestion, answer in zip(found, answers, strict=True)
    ]
    tell(run, replace(event, candidates=candidates), before or size)
    return run.bytes < size


def try_at_last(run: PlanRun, seconds: float | None, earlier: Entries | None) -> None:
    """Try one candidate, if the search begins with evidence and no candidate was tried: ``earlier`` entries, else of a
    program all classes that those of which the level of trust lets something stay need, else whole classes around the
    evidence. ``seconds``: time limit of the probe.

    This probe counts as the confirmation of the result, too. Of the suggestions the one in the middle is taken: a
    narrow one may lack something, the widest gains little.
    """
    evidence = run.evidence
    elements: Elements = run.elements.whole
    if not evidence or not evidence.watcher or not run.driver.untried:
        return
    around: list[Suggest] = [evidence.around_failures(), partial(around_command, mentions=evidence.commanded)]
    if evidence.clues.ran:
        around.append(partial(around_run, ran=evidence.clues.ran))
    found: list[ItemSet] = []
    if earlier is not None:
        elements = run.elements.classes(jar_of(earlier, run.elements.whole.model.jar))
        found, around = [elements.full], []
    elif run.elements.dead is not None:
        kept = elements.problem.required
        found, around = [kept] if kept != elements.full else [], []
    elif run.aim.trusts(int(evidence.report.failed)) and not evidence.clues.problem:  # no run was watched to its end
        return
    while around and not found:
        of_these = suggestions(elements, around.pop())
        found = [each.items for each in of_these if elements.bytes_of(each.items) < run.bytes]
    if found:
        most = f", {round(seconds, 1):g} s at most" if seconds is not None else ""
        text = "The time limit is reached, and nothing was tried: one candidate is run now"
        run.emit(Warned(f"{text} (one probe{most})."))
        run.driver.try_at_last(run.elements.tester(elements), found[len(found) // 2])


def drop_surplus(run: PlanRun, suggest: Suggest) -> bool:
    """Drop, in groups, what the best has beyond the narrowest suggestion; the suggestion itself was not interesting.

    Return True if there was anything to drop.
    """
    tester = _tester(run, Level.ITEMS)
    elements = tester.elements
    narrow = next(iter(suggestions(elements, suggest)), None)
    if narrow is None or elements.bytes_of(narrow.items) >= run.bytes:
        return False
    effort = PhaseEffort(worth(PRICES[0], run.bytes), run.aim.search)
    search = without_surplus(elements.problem, run.knowledge, effort, narrow.items)
    run.search(NAME, Level.ITEMS, tester, search)
    return True


def cut_dead(run: PlanRun, dead: DeadCode) -> int:
    """Cut code that never ran: of all methods at once, else of half of the classes, then of their halves.

    Return the number of tried edits.
    """
    tester = _tester(run, Level.BODIES)
    elements = tester.elements
    if not isinstance(elements, EditElements) or not elements.count:
        return 0
    required = elements.problem.required
    groups = []
    for data, first, edits in elements.edits():
        numbers = [first + place for place in dead.of(data, list(edits))]
        groups.append(tuple(number for number in numbers if not required >> number & 1))
    groups = [group for group in groups if group]
    if groups:
        space = Classes(elements.problem)
        _search(run, Level.BODIES, tester, space, without_groups(space.elements, groups, _MOST_CUTS))
    return sum(map(len, groups))


def search_each_site(run: PlanRun) -> None:
    """Search the items for the failures of each site separately, in shared probes."""
    evidence = run.evidence
    assert evidence is not None
    assert evidence.sites is not None
    tester = _tester(run, Level.ITEMS)
    problem = tester.elements.problem
    sites = ElementSites(tester.elements, evidence.sites, partial(run.driver.shown_by, tester))
    learnt = run.knowledge.copy()
    algorithm = _presuming(JointSearch(problem, sites), problem, learnt)
    run.search(NAME, Level.ITEMS, tester, Search(Items(problem.sizes), algorithm, learnt))


def _presuming(joint: JointSearch, problem: SearchProblem, learnt: Knowledge) -> Algorithm:
    """Run a joint search. If the search ends by itself, record the items of its result as presumably needed."""
    found: Candidate = yield from joint.search()
    if joint.complete:
        learnt.presumed.update(users_in(problem, found))
        learnt.each_needed = True
    return found


def _pays(elements: Elements, items: ItemSet, size: int) -> bool:
    """Return True if a candidate is small enough. If its items are small, it is not written to measure it."""
    return elements.problem.bytes_of(items) <= size * _SURELY or elements.bytes_of(items) < size


def _level(granularity: str) -> Level:
    """Return the level of suggested candidates."""
    return Level.CLASSES if granularity == "class" else Level.ITEMS


def _tester(run: PlanRun, level: Level) -> CandidateTester:
    return run.elements.tester(run.elements.at(level, run.best))


def _search(run: PlanRun, level: Level, tester: CandidateTester, space: Space, algorithm: Algorithm) -> None:
    run.search(NAME, level, tester, Search(space, algorithm, run.knowledge))


def try_classes(run: PlanRun, granularity: str, mentions: Sequence[Mention]) -> bool:
    """Try the classes that the command names, bare and then whole. Return True if there are any."""
    if not mentions:
        return False
    classes = len(mentions)
    event = EvidenceEvent("command", f"The command names {counted(classes, 'class')} of the input.", classes)
    try_suggestions(run, granularity, partial(around_command, mentions=mentions), event)
    return True


def try_failure_names(run: PlanRun, evidence: GatheredEvidence, granularity: str) -> None:
    """Try the names in the failure: each site alone, then all names together."""
    if not evidence.mentions and not evidence.jars:
        return
    members = sum(bool(mention.member) for mention in evidence.mentions)
    classes = len({mention.name for mention in evidence.mentions})
    jars = f", {counted(len(evidence.jars), 'jar')}" if evidence.jars else ""
    found = f"{counted(classes, 'class')} of the input{jars} and {counted(members, 'member')}"
    report = evidence.report
    told = mentions(evidence.names, report)
    alone = set(told) >= set(evidence.mentions)
    names = f"The failure names {found}." if alone else f"Failure, sources of the command or settings name {found}."
    size = run.bytes
    if evidence.sites is not None and granularity != "class":
        search_each_site(run)
        count = evidence.sites.count
        title = f"The failures show in {count} places; each was searched on its own, in the same probes."
        tell(run, EvidenceEvent("failure", title, count, 0), size)
    if run.bytes == size:
        try_suggestions(run, granularity, evidence.around_failures(), EvidenceEvent("failure", names, classes, members))
