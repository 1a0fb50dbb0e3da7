"""The aim of a reduction: its settings, understood once. The rooms below ``service`` see the settings as an aim alone.

The module imports neither the model nor the algorithms, so that it is loaded at once.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from core.archive.named_inputs import InputJar, is_class_path
from core.archive.nested import flattened
from core.entries import Entries
from core.errors import InputError, UsageError
from core.library.jdk import Jdk
from core.library.jdks import choose_jdk, needed_java
from core.predicate.command import PredicateCommand, java_variables, sources, wording
from core.predicate.condition import Condition
from core.predicate.failure_kinds import KindOf
from core.predicate.failures import FailureNaming, Statement, Wanted
from core.predicate.jvm.process_pool import ProcessPool
from core.predicate.jvm.tool_hosts import ToolHosts
from core.predicate.limits import ProbeLimits
from core.predicate.places import CandidatePlaces
from core.predicate.predicate import CommandPredicate, Predicate
from core.predicate.preset import Preset, ToolRuns
from core.predicate.preset_words import names_jars
from core.predicate.several.differ import differing
from core.predicate.several.every import EveryPredicate, Trials
from core.predicate.several.rare import RarePredicate
from core.predicate.tool_chain import StepsPredicate
from core.protocol.java_names import matcher
from core.protocol.run_words import NO_NAMES, OUTPUT
from core.protocol.search_settings import SearchSettings
from core.protocol.wording import WARNING


@dataclass(frozen=True)
class Aim:
    """The wanted failure, its tool with all limits, and the plain settings of the search. Fields without a docstring
    are as in :class:`core.protocol.check_settings.CheckSettings`."""

    stored: dict[str, Any]
    """The settings as sessions and reports have them."""
    preset: Preset | None
    command: str
    """The text of the command; empty with a preset."""
    condition: Condition
    """The condition that makes a run of the command interesting."""
    asked: Wanted | None
    """The failures that the user asks for; None for those of the preset, and of a command each kind."""
    limits: ProbeLimits
    class_path: tuple[Path, ...]
    """The libraries of the input."""
    options: Mapping[str, str]
    warm: bool
    rare: bool
    failures_as: str | None
    jdk: str
    check_runs: int
    search: SearchSettings
    inputs: tuple[InputJar, ...]
    """The inputs, in the order of the class path; none where they are not known."""
    trials: Trials | None
    """The commands of several inputs of the program; None for one command."""
    lines: tuple[Path, ...]
    """Text files of which lines go too."""

    def predicate(self, timeout: float | None, shelf: ProcessPool | None = None) -> Predicate:
        """Return the command with its condition, or the preset with its settings.

        ``timeout`` holds where the user set none. ``shelf`` has resident processes that stay for other predicates.
        Raises UsageError for wrong settings of a preset, PredicateError for missing tools.
        """
        limit, jdk = self.limits.seconds or timeout, self.chosen_jdk
        if self.preset is not None:
            runs = ToolRuns(self.class_path, jdk, limit, self.limits, self.warm, shelf, self.inputs)
            if self.preset.compares:
                return differing(self.preset, self.options, self.asked, runs)
            steps = self.preset.predicate(self.options, self.asked, runs, self.condition.also)
            if isinstance(steps, StepsPredicate | CommandPredicate):
                found = replace(steps, lines=self._named(steps.words))
                return RarePredicate(found, self.search.time_limit) if self.rare else found
            if self.lines:
                raise UsageError(f"--lines: the preset {self.preset.name} runs no command that gets a text file.")
            return steps
        trials, places = self.trials, CandidatePlaces(self.inputs, self.class_path)
        texts = trials.commands if trials is not None else (self.command,)
        commands = [PredicateCommand.parse(text, places=places) for text in texts]
        hosts = ToolHosts() if self.warm and self.limits.memory is None else None  # a limit would not hold for them
        predicate = CommandPredicate(
            commands[0], condition=self.condition, timeout=limit, limits=self.limits, hosts=hosts
        )
        predicate = replace(predicate, lines=self._named(predicate.words))
        if jdk is not None:
            predicate = replace(predicate, extra=java_variables(jdk.home), tools={"java": jdk.release})
        every = predicate if trials is None else EveryPredicate.of(predicate, commands, trials)
        return RarePredicate(every, self.search.time_limit) if self.rare else every

    def _named(self, words: Iterable[str]) -> tuple[Path, ...]:
        """Return the text files of which lines go. Raise UsageError for one that the words of the command lack."""
        text = "\0".join(words)
        for path in self.lines:
            if str(path) not in text:
                raise UsageError(f"--lines {path}: no command or setting names it. Write {{file:{path}}} there.")
        return self.lines

    def wanting(self, wanted: Wanted) -> Aim:
        """Return the aim with other wanted failures."""
        reading = self.condition.reading
        return replace(self, asked=wanted, condition=replace(self.condition, wanted=wanted if reading else None))

    @cached_property
    def chosen_jdk(self) -> Jdk | None:
        """The JDK that the settings name; None for that of JAVA_HOME or PATH. Raises UsageError if there is none."""
        return choose_jdk(self.jdk, 0).jdk if self.jdk else None

    @property
    def without_files(self) -> Aim:
        """The aim without the user's files, in whose place the preset makes some: no sources name the input's
        classes."""
        made = (
            {each.name for each in self.preset.settings if each.kind == "files" and each.default} if self.preset else {}
        )
        return replace(self, options={name: value for name, value in self.options.items() if name not in made})

    @property
    def runs(self) -> int:
        """The number of runs of the full input: a hang is waited for once, and a rate is that of many runs."""
        return 1 if self.rare or self.condition.hangs else self.check_runs

    @property
    def silent(self) -> bool:
        """True if nothing in a command's output counts as a failure, nor as evidence."""
        return self.failures_as == NO_NAMES

    @property
    def wording(self) -> str:
        """The text of the command and of its scripts; empty for a preset."""
        return wording(self.command) if self.preset is None else ""

    @property
    def sources(self) -> str:
        """The texts of the source files that the command or a setting of the preset names."""
        if self.preset is None:
            return sources(self.command)
        filled, settings = self.preset.filled(self.options), self.preset.settings
        return sources(shlex.join(path for each in settings if each.kind == "files" for path in filled[each.name]))

    @property
    def named(self) -> tuple[str, ...]:
        """The texts in settings of the preset, and the words of arguments with a dot; a main class is one."""
        settings = self.preset.settings if self.preset is not None else ()
        given = [(each.kind, self.options[each.name]) for each in settings if each.name in self.options]
        words = [word for kind, text in given if kind in ("line", "words") for word in text.split() if "." in word]
        return (*(text for kind, text in given if kind == "text"), *words)

    @property
    def reading(self) -> FailureNaming | None:
        """The way in which an output names failures; None if they have no names."""
        if self.preset is None or self.preset.reading is not None:
            return self.condition.reading if self.preset is None else self.preset.reading
        pattern = self.options.get("pattern")
        return FailureNaming(pattern=pattern) if pattern else None

    @property
    def demand(self) -> Wanted | None:
        """The failures that are wanted, by the user or by the preset; None where failures do not decide."""
        wanted = self.asked or self.condition.wanted
        return self.preset.wanted if wanted is None and self.preset is not None else wanted

    def counted(self, failures: tuple[str, ...]) -> tuple[str, ...]:
        """Return those of the full input's failures that count."""
        return self.demand.counted(failures, failures) if self.demand is not None else failures

    @property
    def chosen_failures(self) -> tuple[str, ...]:
        """The failures chosen by name; none if the settings ask for something that only the full input can show."""
        wanted = self.asked
        if wanted is None or wanted.statement is not Statement.CHOSEN or wanted.no_new or self.condition.preserve:
            return ()
        whole = (
            (self.preset is not None and self.preset.preserve)
            or self.search.granularity == "class"
            or self.search.drop_first
        )
        return () if whole else wanted.chosen

    @property
    def runs_input(self) -> bool:
        """True if the predicate may run code of the input. Two such runs at a time may disturb each other. A command
        may do anything."""
        return self.preset is None or self.preset.runs

    def trusts(self, exit_code: int | None) -> bool:
        """Return True if the input is a program of which more must stay than the compared output. ``exit_code`` is that
        of the full input."""
        return self.search.trust != OUTPUT and self.works(exit_code)

    def works(self, exit_code: int | None) -> bool:
        """Return True if the input is a program that must still run: it ends with 0, or has several inputs."""
        return self.condition.keeps_working(0 if self.trials is not None else exit_code)

    @cached_property
    def pinned(self) -> Callable[[str], bool]:
        """A predicate of item names: True if ``keep`` names the item. Raises UsageError for an unreadable pattern."""
        return matcher(self.search.keep)

    @cached_property
    def unwanted(self) -> Callable[[str], bool]:
        """A predicate of item names: True if ``drop_first`` names the item and ``keep`` does not. Raises UsageError for
        an unreadable pattern."""
        first, kept = matcher(self.search.drop_first), self.pinned
        return lambda name: first(name) and not kept(name)

    def given_to_tool(self, entries: Entries) -> Entries:
        """Return the entries of a jar as the tool of a preset gets them; for a command as they are."""
        flat = self.preset is not None and (self.preset.reads_all or is_class_path(self.inputs))
        return flattened(entries) if flat and not names_jars(self.options) else entries

    def wanted_text(self, predicate: Predicate) -> str:
        """Return the condition for interesting in words: the predicate's own words, else those of the settings."""
        if own := getattr(predicate, "wanted_words", ""):
            return str(own)
        if self.preset is None:
            return self.condition.describe()
        return self.demand.describe() if self.demand else "exit code 0"

    def tools_text(self, entries: Entries) -> str:
        """Return sentences about the preset's tools, and about the JDK of a run of an input; empty for a command with a
        JDK of its own that is new enough.

        ``jdk`` names the JDK where it is not the one of JAVA_HOME or PATH.
        """
        preset, needed = self.preset, needed_java(entries)
        texts = [self._jdk_text(needed)]
        if preset is not None:
            jdk = self.chosen_jdk or choose_jdk("", needed, preset.newest_jdk).jdk
            texts += [f"{WARNING}{text}" for text in (preset.newer(), preset.low_level(jdk, needed)) if text]
        return " ".join(filter(None, texts))

    def _jdk_text(self, needed: int) -> str:
        with suppress(InputError):
            newest = self.preset.newest_jdk if self.preset is not None else 0
            best = choose_jdk("", needed, newest)
            automatic = self.preset is not None and self.preset.starts_java
            if self.jdk or automatic:
                taken = automatic and self.jdk in ("", str(best.jdk.home))
                chosen = best if taken else choose_jdk(self.jdk, needed, newest)
                why = f", {chosen.why}" if chosen.why else ""
                lacking = f"{WARNING}{chosen.lacking}" if chosen.lacking else ""
                return f"Run with JDK {chosen.jdk.release} ({chosen.jdk.home}){why}. {lacking}".strip()
            if best.lacking:
                return f"{WARNING}{best.lacking}"
            if best.why:
                return (
                    f"{WARNING}the input has class files of Java {needed}, and the command runs as in your shell, "
                    f"where JAVA_HOME or PATH have an older JDK or none: --jdk {best.jdk.feature} gives it the one in "
                    f"{best.jdk.home}."
                )
        return ""


def demanded(wanted: Wanted | None, names: Iterable[str], kind_of: KindOf) -> int:
    """Return the number of failures, among those of these names, that must stay, or of their kinds; 0 if failures have
    no names."""
    distinct = set(names)
    if wanted is not None and wanted.by_kind:
        return len(wanted.kept(distinct, kind_of))
    one = wanted is not None and wanted.statement in (Statement.ANY, Statement.CHOSEN)
    return min(1, len(distinct)) if one else len(distinct)
