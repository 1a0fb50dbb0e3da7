"""The options of the settings, made from the declarations in :mod:`core.protocol.settings`, and the way back."""

from __future__ import annotations

import argparse
import contextlib
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from app import sample
from app.commands.parsing import resolved_input
from app.terminal import tell_running, told_while
from core.errors import UsageError
from core.evidence import agents
from core.predicate import presets
from core.predicate.preset import Preset
from core.protocol.run_words import NO_NAMES
from core.protocol.settings import Settings, declarations
from core.service.aims import completed


def inputs_of(options: argparse.Namespace) -> list[str]:
    """Return the paths of the input. Raises UsageError if there are none."""
    if options.sample:
        if options.inputs:
            raise UsageError("Name an input or --sample, not both.")
        return [str(sample.jar())]
    if not options.inputs:
        raise UsageError("Name an input: a jar, a war, a zip or a folder of classes (or --sample).")
    return list(resolved_input(options).words)


def settings_of(options: argparse.Namespace) -> Settings:
    """Return the settings that the user chose. Raises UsageError for settings that contradict each other."""
    from core.service.meaning import understood  # here: it loads all algorithms

    return understood(chosen_settings(options))


def chosen_settings(options: argparse.Namespace) -> Settings:
    """Return the settings that the user chose, without a look at whether algorithms and presets of these names exist.

    Raises UsageError for options that contradict each other, and for values outside their range.
    """
    _name_tool(options)
    refuse_contradictions(options)
    values: dict[str, Any] = {}
    if options.predicate is None and options.preset is None and not options.tests:
        if not options.sample:
            raise UsageError("Say what the failure is: --predicate 'COMMAND {jar}', --preset NAME, or --tool TOOL.")
        values = sample.predicate()
    for name, setting in declarations().items():
        value, option = getattr(options, name, None), setting.option
        if value is None:
            continue
        if value == "":  # a variable of the shell that is not set: nothing or everything would match
            raise UsageError(f"{option and option.flag} is empty: say what it is to be, or leave it out.")
        if setting.kind == Mapping[str, str]:
            value = dict(map(_assignment, value))
        elif option is not None and option.separator:
            value = tuple(filter(None, value.split(option.separator)))
        if value != ():
            values[name] = value
    return completed(Settings(**values), resolved_input(options))


def fetch_missing(settings: Settings, *, quiet: bool = False) -> None:
    """Get the missing tools of the preset, and JaCoCo if the predicate may run the input. Say so meanwhile, unless
    ``quiet``.

    Raises UsageError if that fails.
    """
    preset = presets.find(settings.preset, settings.options) if settings.preset else None
    problem = fetch_tools(preset, quiet=quiet) if preset is not None else None
    if problem is None and (preset is None or preset.runs):
        with _told("JaCoCo", None if quiet else agents.lacking()):
            problem = agents.fetch()
    if problem is not None:
        raise UsageError(problem)


def fetch_tools(preset: Preset, *, quiet: bool = False) -> str | None:
    """Get the missing tools of a preset, and say so while that goes on, unless ``quiet``. Return a sentence on the
    tools that remain missing, or None."""
    with _told(f"what the preset {preset.name} needs", None if quiet else preset.missing() or preset.newer()):
        return preset.fetch()


@contextlib.contextmanager
def _told(title: str, lacking: str | None) -> Iterator[None]:
    """Announce a download on standard error, within the context, if something is ``lacking``."""
    if lacking is None:
        yield
        return
    tell_running(f"Downloading {title}.")
    with told_while(f"downloading {title}"):
        yield


def _name_tool(options: argparse.Namespace) -> None:
    """Put the settings of the preset "tool" in place of the option of a tool with arguments. Raise UsageError for
    another preset or a command beside it."""
    words = getattr(options, "tool_words", ())
    tool = getattr(options, "any_tool", None) or (options.tool if words else None)
    if tool is None:
        return
    if options.predicate is not None or options.preset is not None:
        raise UsageError("Say what the failure is by --tool, by --predicate or by --preset, not by two of them.")
    given = [f"arguments={shlex.join(words)}"] if words else []
    options.options = [*(options.options or ()), f"tool={tool}", *given]
    options.preset, options.tool, options.any_tool = "tool", None, None


def _assignment(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"--set {text!r}: write NAME=VALUE.")
    return name, value


_PRESETS = ("preserve", "trials", "tests", "expect_exit", "match", "no_match", "failures_as")
"""Settings that a preset fixes itself."""


def refuse_contradictions(options: argparse.Namespace) -> None:
    """Raise UsageError for options of the predicate of which one would be ignored."""
    if options.predicate is not None and options.preset is not None:
        raise UsageError("Say what the failure is by --predicate or by --preset, not by both.")
    if options.preset is None:
        for name, given in (("--set", bool(options.options)), ("--cold", options.warm is False)):
            if given:
                raise UsageError(f"{name} is for a preset: name one with --preset.")
    else:
        tool = options.preset == "tool"
        other = "give --set pattern=REGEX" if tool else "run the tool by --predicate"
        for name in _PRESETS:
            if getattr(options, name) is not None:
                option = declarations()[name].option
                raise UsageError(
                    f"{option and option.flag} does not go with {'--tool' if tool else '--preset'}, which says itself "
                    f"what counts. To keep one of the failures that 'jarlet check' lists, give --failures 'chosen "
                    f"NAME'; to look for something else, {other}."
                )
    named = options.preset is not None or options.hangs or options.slower_than is not None
    nameless = not named and options.failures_as in (None, NO_NAMES) and options.also_interesting is None
    if options.failures is not None and nameless and not options.sample:
        raise UsageError("--failures needs names of failures: say how they are named with --failures-as.")
