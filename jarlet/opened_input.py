"""An opened input: its classes and graph, and the work on it."""

from __future__ import annotations

import shlex
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TypeVar, Unpack

import networkx as nx

from core.errors import UsageError
from core.model.class_model import ClassModel, Kind
from core.predicate.aim import Aim
from core.predicate.command import java_variables
from core.predicate.jvm.process_pool import ProcessPool
from core.predicate.places import CandidatePlaces
from core.predicate.predicate import Predicate
from core.protocol import events
from core.protocol.java_names import dotted
from core.protocol.settings import Settings
from core.service.head_start import HeadStart
from core.service.meaning import understood
from core.service.workspace import Workspace
from core.store.session import Session
from core.store.session_folder import session_place
from core.system.interpreter import short_turns
from jarlet.callables import ASKED, MARK, CallablePredicate, Function, refuse_later_answers
from jarlet.options import InputOptions, ReductionOptions, path, settings_with, text, texts
from jarlet.outcome import CheckResult, Result, check_of
from jarlet.run import Run

T = TypeVar("T")
Paths = str | PathLike[str] | Iterable[str | PathLike[str]]
PredicateLike = str | Sequence[str] | Function | None


def open_input(*paths: Paths, work: str | PathLike[str] | None = None, **options: Unpack[InputOptions]) -> Input:
    """Open whatever ``jarlet reduce`` takes as an input, or several as a class path. Temporary files go to ``work``.

    Raises InputError with a sentence on its fault. Close it, or use it in a ``with`` statement.
    """
    found: list[str] = []
    for each in paths:
        found += [text("paths", each)] if isinstance(each, (str, PathLike)) else texts("paths", each)
    if not found:
        raise UsageError("Name an input: a jar, a war, a zip or a folder of classes.")
    for name, value in options.items():
        if name not in InputOptions.__annotations__:
            raise UsageError(
                f"{name}: there is no such option; among them are {', '.join(InputOptions.__annotations__)}."
            )
        if not isinstance(value, bool):
            raise UsageError(f"{name}: this is True or False, not {value!r}.")
    return Input(found, path("work", work), **options)


_CLOSED = "This input is closed: open it again."


class Input:
    """An opened jar. Nothing is ever written to it; its temporary files go when it is closed."""

    def __init__(self, paths: Sequence[str], work: Path | None = None, **options: Unpack[InputOptions]) -> None:
        self._function: Function | None = None
        self._listener: Callable[[events.Event], None] = _ignore
        self._run: Run[Result] | Run[CheckResult] | None = None
        self._last_message = ""
        self._closed = False
        self._interval = sys.getswitchinterval()
        short_turns()
        self._workspace = Workspace(self._tell, begun=HeadStart(work, self._predicate))
        try:
            self._model = self._workspace.open(list(paths), **options)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Input:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the run and remove temporary files. In a call by the run's own predicate, the files go when the run
        ends. Results stay."""
        self._closed = True
        if self._run is not None:
            self._run.stop()
            if self._run.running and ASKED.get():
                return  # a run cannot end before the answer of its predicate
            self._run.join()
        self._clear()

    def _clear(self) -> None:
        left = self._workspace.close()
        if left:
            warnings.warn(left, stacklevel=2)
        sys.setswitchinterval(self._interval)

    @property
    def classes(self) -> list[str]:
        """Names of the classes, as Java's ``Class.forName`` takes them, in the input's order."""
        return [dotted(item.name) for item in self._model.items if item.kind is Kind.CLASS]

    @property
    def resources(self) -> list[str]:
        """Paths of everything that is no class."""
        return [item.name for item in self._model.items if item.kind is not Kind.CLASS]

    @property
    def entries(self) -> tuple[tuple[str, bytes], ...]:
        """Name and bytes of each entry, as a candidate that keeps everything has them."""
        return tuple(self._model.entries(self._model.full))

    @property
    def warnings(self) -> list[str]:
        """Return warnings about the input, in sentences."""
        return list(self._model.jar.warnings)

    @cached_property
    def graph(self) -> nx.DiGraph[str]:
        """The class graph: see :func:`jarlet.opened_input.named_graph`."""
        return named_graph(self._model)

    @property
    def components(self) -> list[list[str]]:
        """Strongly connected components; each stands before its dependencies."""
        names = [dotted(node.name) for node in self._model.graph.nodes]
        return [[names[node] for node in part] for part in self._model.graph.components]

    def closure(self, name: str) -> list[str]:
        """Return a class and everything that it mentions, directly or not. Raises UsageError for an unknown name."""
        position = self._model.graph.index.get(text("name", name).replace(".", "/"))
        if position is None:
            raise UsageError(f"There is no class {name!r} in the input; nested ones are written A$B.")
        found = sorted(self._model.graph.closure(position))
        return [dotted(self._model.graph.nodes[node].name) for node in found]

    def check(
        self,
        predicate: PredicateLike = None,
        *,
        preset: str | None = None,
        runs: int | None = None,
        **options: Unpack[ReductionOptions],
    ) -> CheckResult:
        """Run the predicate on the full input. Return whether it is interesting and stable, how fast it is, and if it
        is not interesting, the likely reason.
        """
        settings = self._settings(predicate, preset, options)
        if runs is not None and (type(runs) is not int or runs < 1):
            raise UsageError(f"runs: this is a number from 1 on, not {runs!r}.")
        self._workspace.begin()
        run: Run[CheckResult] = Run(self._heard(lambda: check_of(self._workspace.check(settings, runs))), self._stop)
        self._run = run
        return run.result()

    def reduce(
        self,
        predicate: PredicateLike = None,
        *,
        preset: str | None = None,
        output: str | PathLike[str] | None = None,
        session: str | PathLike[str] | None = None,
        **options: Unpack[ReductionOptions],
    ) -> Run[Result]:
        """Prepare a reduction. The reduction begins when its events or its result are asked for.

        ``predicate`` is a function of a :class:`jarlet.Candidate`, a command as one text or as words (``{jar}`` is the
        candidate), or None with a ``preset``. ``output``: the place of the best so far, at any time; a jar, or for
        several inputs a folder of jars. ``session``: a folder for every verdict; an existing one is resumed. The rest:
        :class:`jarlet.ReductionOptions`. Raises UsageError for contradicting arguments; the run raises
        NotInterestingError if the full input does not show the failure.
        """
        settings = self._settings(predicate, preset, options)
        target, place = path("output", output), path("session", session)
        place = None if place is None else session_place(place)
        self._workspace.begin()
        run: Run[Result] = Run(self._heard(lambda: self._reduced(settings, target, place)), self._stop)
        self._run = run
        return run

    def _reduced(self, settings: Settings, output: Path | None, place: Path | None) -> Result:
        if place is None:
            return self._result(settings, output, None)
        jar = self._model.jar
        with Session.open(place) if place.exists() else Session.create(place, jar, settings.to_json()) as session:
            session.same_input(jar)
            session.remember(output=output)
            return self._result(settings, output, session)

    def _result(self, settings: Settings, output: Path | None, session: Session | None) -> Result:
        reduction = self._workspace.reduce(settings, output, session)
        report = self._workspace.last_report or {}
        entries = tuple((name, bytes(data)) for name, data in self._workspace.entries)
        checks, interesting = reduction.confirmed
        return Result(
            reason=reduction.reason,
            entries=entries,
            bytes=sum(len(data) for _, data in entries),
            probes=reduction.counts.probes,
            seconds=reduction.seconds,
            message=self._last_message,
            confirmed=checks == interesting,
            report=report,
            reads=tuple(self._workspace.reads),
            inputs=self._model.jar.inputs,
        )

    def _settings(self, predicate: PredicateLike, preset: str | None, options: ReductionOptions) -> Settings:
        if self._run is not None and self._run.running:
            raise UsageError("This input is being reduced or checked: wait for the end, or stop it.")
        if self._closed:
            raise UsageError(_CLOSED)
        self._function = None
        if callable(predicate):
            refuse_later_answers(predicate)
            self._function = predicate
            words = f"{MARK} {CallablePredicate(predicate).name}"
        elif isinstance(predicate, str):
            words = predicate
        else:
            words = shlex.join(texts("predicate", () if predicate is None else predicate))
        return understood(settings_with(words, preset, options))

    def _predicate(self, aim: Aim, timeout: float | None, shelf: ProcessPool | None) -> Predicate:
        if self._function is None:
            return aim.predicate(timeout, shelf)
        extra = java_variables(aim.chosen_jdk.home) if aim.chosen_jdk is not None else {}
        places = CandidatePlaces(aim.inputs, aim.class_path)
        return CallablePredicate(self._function, aim.limits.seconds or timeout, aim.limits, extra=extra, places=places)

    def _heard(self, work: Callable[[], T]) -> Callable[[Callable[[events.Event], None]], T]:
        def run(listener: Callable[[events.Event], None]) -> T:
            if self._closed:
                raise UsageError(_CLOSED)
            self._listener = listener
            try:
                return work()
            finally:
                self._listener = _ignore
                if self._closed:
                    self._clear()

        return run

    def _tell(self, event: events.Event) -> None:
        if isinstance(event, events.Finished):
            self._last_message = event.message
        self._listener(event)

    def _stop(self) -> None:
        self._workspace.stop()


def _ignore(event: events.Event) -> None:
    """Ignore an event: the listener while nothing runs."""


def named_graph(model: ClassModel) -> nx.DiGraph[str]:
    """Return the graph with one node per class, named as ``Class.forName`` takes it. An edge goes from a class to a
    class that it mentions.

    Nodes have ``bytes``, ``package``, ``superclass``, ``interfaces`` (names, or None), ``fields``, ``methods``
    (numbers), ``component`` (strongly connected component; those that need others come first) and ``problem``: the
    reason why a class file cannot be parsed, else None. The graph has ``unresolved``: names found neither in the input
    nor in the JDK, with the classes that mention them. The graph is frozen; copies made by networkx are not.
    """
    graph: nx.DiGraph[str] = nx.DiGraph()
    nodes = model.graph.nodes
    names = [dotted(node.name) for node in nodes]
    for node, name, component in zip(nodes, names, model.graph.component_of, strict=True):
        graph.add_node(
            name,
            bytes=node.bytes,
            package=dotted(node.package),
            superclass=None if node.superclass is None else dotted(node.superclass),
            interfaces=tuple(map(dotted, node.interfaces)),
            fields=node.fields,
            methods=node.methods,
            component=component,
            problem=None,
        )
    problems = dict(model.graph.problems)
    for item in model.items:
        if item.kind is Kind.CLASS and item.entry in problems:
            graph.add_node(dotted(item.name), bytes=item.bytes, component=-1, problem=problems[item.entry])
    graph.add_edges_from((names[one], names[other]) for one, other in model.graph.graph.edges)
    graph.graph["unresolved"] = {
        dotted(name): tuple(names[position] for position in users) for name, users in model.graph.unresolved.items()
    }
    nx.freeze(graph)  # type: ignore[no-untyped-call]
    return graph
