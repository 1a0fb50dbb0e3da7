"""The evidence of one reduction before its search, the candidates around it, and the sites of its failures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import networkx as nx

from core.archive.entry_names import MANIFEST
from core.classfile.rare_forms import rarest
from core.evidence import failure
from core.evidence.clues import Clues, Mention, Method, Ran
from core.evidence.executed_calls import START, call_tree
from core.evidence.failure import FailureReport
from core.evidence.failure_sites import FailureSites, failure_sites
from core.evidence.item_finder import ByItems, MethodItems
from core.evidence.mentions import ClassNames, words_of
from core.evidence.suggestions import Suggest, around_command, around_heads, around_mentions
from core.evidence.watcher import Watcher
from core.model.class_model import ClassModel, Kind
from core.plan.phase_elements import suggestions
from core.protocol.events import Evidence as EvidenceEvent
from core.reduction.elements import Elements, PartElements
from core.search.phases import Pointers, logic_of
from core.search.questions import Candidate
from core.search.sites import Shown, Sites
from core.search.tree_chunks import CallNode
from core.sets import ItemSet, listed_by, union


class GatheredEvidence:
    """The evidence of one reduction.

    ``report`` has the wanted failures; ``together`` is True if all of them must stay. ``watcher`` runs the input once
    to see which code runs; None: the input is never watched.
    """

    def __init__(self, model: ClassModel, report: FailureReport, *, together: bool, watcher: Watcher | None) -> None:
        self.model = model
        self.report = report
        self.names = ClassNames(model)
        kept = watcher.kept() if watcher is not None else None
        self.clues = kept or Clues(failure.begun_with(self.names, report))
        self.heads = failure.heads(self.names, report) if together else ()
        """The places of several wanted failures."""
        self.commanded = self.names.paths(report.command)
        """The classes that the command names."""
        self.jars = self.names.jars(f"{report.command}\n{report.output}")
        """The opened jars that command and failure name."""
        self.sites = failure_sites(model, report) if together else None
        """The sites of several wanted failures; None if all failures show at one site."""
        self.watcher = watcher
        self.emitted: list[EvidenceEvent] = []
        """The emitted evidence events, for the report."""
        self.watched_bytes = 0
        """Bytes of the best at the last watched run."""
        self.used: Ran | None = None
        """The code that the last watched run used."""
        self.looks = 0
        """Number of watched runs after the one of the full input."""
        self._heard: tuple[Mention, ...] = ()
        self.hollow = False
        """True if few of the methods that ran on the full input ran in the last watched run."""
        self.keep(self.clues)

    @property
    def mentions(self) -> Sequence[Mention]:
        """The classes and members that the failure names, innermost first; before them those that were heard."""
        return tuple(dict.fromkeys([*self._heard, *self.clues.mentions]))

    @property
    def cancelled(self) -> bool:
        """True if the user has ended everything, a watched run too."""
        return self.watcher is not None and self.watcher.cancel.is_set()

    @property
    def running(self) -> tuple[int, int] | None:
        """The numbers of methods that ran on the full input and in the last watched run; None if one is unknown."""
        first, last = self.clues.ran, self.used
        if first is None or last is None or not (first.covered and last.covered):
            return None
        return first.methods, last.methods

    def keep(self, clues: Clues) -> None:
        """Take over clues, and write them to the session."""
        self.clues = clues
        if self.watcher is not None:
            self.watcher.keep(clues)

    def know(self, ran: Clues) -> None:
        """Take over the results of a watched run from an earlier reduction of the same input."""
        if not _is_settled(self.clues) and _is_settled(ran):
            self.clues = replace(self.clues, ran=ran.ran, problem=ran.problem)

    def ran(self) -> Ran | None:
        """Return the code that a run of the full input uses; None if unknown. The input is run unless the session
        has the result.
        """
        watcher = self.watcher
        assert watcher is not None
        if not _is_settled(self.clues):
            found = watcher.watch(self.model, self.clues)
            if self.cancelled:
                self.clues = found if found.ran is not None else self.clues
                return None
            self.clues = found
        self.keep(self.clues)
        watcher.heard(self.clues)
        self.used = self.clues.ran
        return self.used

    def name_heard(self) -> None:
        """Let what the watched run of an input that is only read tells come before what the failure names."""
        self._heard = tuple(failure.heard(self.names, self.report, *self.clues.heard))

    def ran_again(self, model: ClassModel) -> Ran | None:
        """Return the code that a run of the best so far uses; None if unknown."""
        watcher = self.watcher
        assert watcher is not None
        self.looks += 1
        clues = watcher.kept(self.looks)
        if clues is None:
            clues = watcher.watch(model, Clues(), "best")
            if self.cancelled:
                return None
            watcher.keep(clues, self.looks)
        self.used = clues.ran
        return self.used

    def named_in_command(self) -> list[Mention]:
        """Return the classes that the command names with dots, as a program is told a class."""
        return [each for each in self.names.mentions(self.report.command) if each not in self.commanded]

    def around_failures(self) -> Suggest:
        """Return the suggestion of valid sets around the names in the failure."""
        places = partial(around_mentions, mentions=self.mentions, heads=self.heads, jars=self.jars)
        words, named = words_of(self.report.sources), {mention.name for mention in self.mentions}
        if not words:
            return places
        return partial(
            places, words=words, above=sorted(self.names.above(named)), leading_out=self.names.leading_out(named)
        )

    def pointers(self, elements: Elements, shown_by: Callable[[ItemSet], Sequence[str] | None]) -> Pointers:
        """Return the places among elements that the evidence points to.

        ``shown_by`` returns the failures in the output of a candidate; None if the candidate was not asked about.
        """
        around: list[Suggest] = [partial(around_command, mentions=self.commanded), self.around_failures()]

        def around_failures() -> list[ItemSet]:
            return [suggestion.items for suggest in around for suggestion in suggestions(elements, suggest)]

        def failing_classes() -> ItemSet:
            return union(each.items for each in suggestions(elements, partial(around_heads, heads=self.heads)))

        sites = ElementSites(elements, self.sites, shown_by) if self.sites is not None else None
        rare_classes = partial(self._rare_items, elements)
        return Pointers(around_failures, failing_classes, rare_classes, sites, partial(self._calls, elements))

    def _rare_items(self, elements: Elements) -> ItemSet:
        name_of = elements.problem.names
        return union(1 << number for number in range(elements.count) if name_of(number) in self._rare)

    @cached_property
    def _rare(self) -> frozenset[str]:
        """The classes of the input with rare forms, and the manifest: without it, tools pass over those of a later
        Java.
        """
        entries, items = self.model.jar.entries, self.model.items
        classes = {item.name: entries[item.entry].data for item in items if item.kind is Kind.CLASS}
        return frozenset((*rarest(classes), MANIFEST))

    def _calls(self, elements: Elements) -> Sequence[CallNode]:
        """Return the top of the tree of calls of the last watched run; empty if none was watched."""
        if self.used is None or not isinstance(elements, PartElements):
            return ()
        finder = ByItems(elements.item_model)
        tree, items = call_tree(elements.item_model.facts, self.used), defaultdict(MethodItems, finder.methods())
        asked: defaultdict[tuple[str, str], ItemSet] = defaultdict(int)
        for number, frame in finder.readers(self.used):
            asked[frame] |= 1 << number
        nodes: dict[Method, CallNode] = {}
        for method in nx.dfs_postorder_nodes(nx.DiGraph(tree), START):
            calls = [nodes[each] for each in tree.get(method, ())]
            below = union(nodes[each].below | items[each].whole for each in tree.get(method, ()))
            reads = asked[method[:2]]
            nodes[method] = CallNode(items[method].code, below, reads, not method[2].endswith("V"), calls)
        return nodes[START].calls


def _is_settled(clues: Clues) -> bool:
    """Return True if the code that ran is known, or the reason why it cannot be known."""
    return clues.ran is not None or bool(clues.problem)


@dataclass(frozen=True)
class ElementSites(Sites):
    """The sites of the wanted failures among elements."""

    elements: Elements
    failures: FailureSites
    failures_of: Callable[[ItemSet], Sequence[str] | None]
    """Function that returns the failures in the output of a candidate; None for a candidate without a probe."""

    @property
    def count(self) -> int:
        return self.failures.count

    def site_of(self, name: str) -> int:
        return self.failures.site_of(name)

    def shown(self, items: ItemSet) -> Shown:
        return self.failures.shown(self.failures_of(items) or ())

    def around(self) -> list[Iterator[ItemSet]]:
        return [self._sets(suggest) for suggest in self.failures.around()]

    def around_others(self, items: ItemSet) -> Iterator[ItemSet]:
        return self._sets(self.failures.around_others(self.failures_of(items) or ()))

    def nearest(self, items: ItemSet) -> list[Candidate]:
        assert isinstance(self.elements, PartElements)
        return nearest_first(self.elements, items)

    def _sets(self, suggest: Suggest) -> Iterator[ItemSet]:
        return (suggestion.items for suggestion in suggestions(self.elements, suggest))


def nearest_first(elements: PartElements, known: ItemSet) -> list[Candidate]:
    """Return the items of each class, and each resource. Classes with the shortest path of mentions to a class of
    ``known`` come first, of equally near ones the smallest: a large class needs many others, which are not near.
    """
    problem, model = elements.problem, elements.item_model
    graph = model.model.graph
    rank = {item: place for place, item in enumerate(logic_of(problem).order(problem.sizes))}
    classes = listed_by(model.owners.tolist().__getitem__, range(elements.count))
    starts = [node for node in range(len(graph.nodes)) if known >> node & 1]
    layers = list(nx.bfs_layers(graph.graph.to_undirected(as_view=True), starts))
    sizes = {top: sum(problem.sizes[item] for item in items) for top, items in classes.items()}
    by_distance = [node for layer in layers for node in sorted(layer, key=lambda top: (sizes[top], top))]
    return [tuple(sorted(classes[top], key=rank.__getitem__)) for top in dict.fromkeys([*by_distance, *classes])]
