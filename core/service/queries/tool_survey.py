"""The tools that fail: each installed one is run on one input, and its failures are named."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event as Flag

from core.entries import CONTROL, Entries, class_files
from core.errors import JarletError
from core.library.jdk import Jdk
from core.library.jdks import choose_jdk, needed_java
from core.predicate import presets
from core.predicate.failure_kinds import FailureKinds
from core.predicate.failures import EXIT
from core.predicate.jvm.process_pool import ProcessPool
from core.predicate.preset import Preset, ToolRuns
from core.predicate.several.decompiling import BEST_FIRST
from core.predicate.tool_chain import StepsPredicate
from core.predicate.verdict import ANSWERS
from core.protocol.events import Event, ToolRan, ToolsListed, ToolsRan
from core.protocol.java_names import java_name
from core.protocol.questions.background import RunTools
from core.report.failure_words import place_of
from core.service.queries.choices import presets_known
from core.service.queries.desk import Desk
from core.service.versions.trial import output_lines
from core.system.work_folder import temporary_folder

SECONDS = 300.0
"""Time limit of a tool, in seconds."""

_ORDER = (*BEST_FIRST, "verify", "proguard", "jdeps")


def tools() -> list[Preset]:
    """Return the presets that need no setting and run no tests, decompilers first. Presets whose tool is missing are
    among them."""
    known = presets.load_all()
    names = [name for name in _ORDER if name in known] + [name for name in known if name not in _ORDER]
    return [
        known[name]
        for name in names
        if not known[name].compares
        and (reading := known[name].reading) is not None
        and "tests" not in reading.kinds
        and not any(setting.required for setting in known[name].settings)
    ]


def lacking(failed: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the titles of the missing tools, each with the way to get it. ``failed`` has, by preset, the reasons why a
    tool could not be fetched; such a reason takes the place of the way."""
    missing = [(preset, preset.missing()) for preset in tools()]
    return [(preset.title, failed.get(preset.name, why)) for preset, why in missing if why is not None]


def fetch_all(fetch: Callable[[Preset], str | None] = Preset.fetch) -> dict[str, str]:
    """Get the missing tools that Maven has. Return the reasons of failed downloads, by preset."""
    problems = {preset.name: fetch(preset) for preset in tools()}
    return {name: problem for name, problem in problems.items() if problem is not None}


def installed(entries: Entries) -> list[tuple[Preset, Jdk]]:
    """Return the installed tools, each with its JDK for this input."""
    needed = needed_java(entries)
    found = [(preset, choose_jdk("", needed, preset.newest_jdk).jdk) for preset in tools()]
    return [(preset, jdk) for preset, jdk in found if preset.missing(jdk) is None]


def survey(entries: Entries, library: Sequence[Path], cancel: Flag) -> Iterator[ToolsListed | ToolRan]:
    """Run the installed tools one after another, until ``cancel`` is set. Yield their titles, then the findings of
    each."""
    found = installed(entries)
    yield ToolsListed([preset.title for preset, _ in found])
    for preset, jdk in found:
        if not cancel.is_set():
            ran = run_tool(preset, entries, library, cancel, jdk)
            if not cancel.is_set():
                yield ran


def run_tools(desk: Desk, wish: RunTools) -> Iterator[Event]:
    """Run all tools on the input or on the best so far. Tools that run for an earlier wish are killed first."""
    session = desk.workspace
    failed = fetch_all() if wish.fetch else {}
    yield presets_known()  # a tool may be here that was not when the window opened
    entries = session.entries if wish.subject == "result" else session.opened.entries(session.opened.full)
    with desk.background.run("tools", "All tools", SECONDS * len(tools())) as cancel:
        yield from survey(session.opened.jar.for_tools(entries), [Path(path) for path in wish.classpath], cancel)
        yield ToolsRan(cancel.is_set(), [[title, way] for title, way in lacking(failed)])


def run_tool(
    preset: Preset,
    entries: Entries,
    library: Sequence[Path],
    cancel: Flag,
    jdk: Jdk,
    shelf: ProcessPool | None = None,
) -> ToolRan:
    """Run one tool on an input and return its findings; whatever keeps it from an answer is their problem. Failures
    that name no class of the input count only if an empty interface does not show them too. The tool runs in a resident
    process of a ``shelf``, if it can."""
    version = " and ".join(preset.tool_versions.values())
    ran = ToolRan(preset.name, preset.title, version, [], [], None, 0.0)
    try:
        predicate = preset.predicate(runs=ToolRuns(library, jdk, SECONDS, warm=shelf is not None, shelf=shelf))
        with temporary_folder() as folder, closing(predicate):
            ask = predicate.confirm
            if shelf is not None and isinstance(predicate, StepsPredicate):
                ask = predicate.hosted
            outcome = ask(entries, folder / "run", cancel)
            classes = {name.removesuffix(".class") for name in class_files(entries)}
            places = [_place(name, classes) for name in outcome.failures]
            nowhere = bool(places) and not any(places)
            always = nowhere and set(outcome.failures) <= set(
                predicate.confirm(CONTROL, folder / "nothing", cancel).failures
            )
    except JarletError as error:
        return replace(ran, problem=str(error))
    failures, ran = list(outcome.failures), replace(ran, exit=outcome.exit, seconds=outcome.seconds)
    first = "".join(f": {line[:200]}" for line in output_lines(outcome)[:1])
    if always:
        told = first if failures[0].startswith(EXIT) else ""
        problem = f"it fails on an empty interface too, so the input is not the cause: {failures[0]}{told}"
        return replace(ran, problem=problem)
    problem = "" if outcome.verdict in ANSWERS else outcome.detail
    if outcome.exit and not failures and not problem:
        problem = f"exit code {outcome.exit}, and nothing that it prints is known to be a failure{first}"
    kinds = len(set(map(FailureKinds.of(entries).of_name, failures)))
    return replace(ran, failures=failures, places=places, problem=problem, kinds=kinds)


def _place(failure: str, classes: set[str]) -> str:
    """Return the class of the input that a failure names, as Java writes it; empty if there is none."""
    found = place_of(failure, classes)
    return java_name(found) if found else ""
