"""Options that contradict each other: refused, since one of them would be ignored."""

from __future__ import annotations

import argparse

from core.errors import UsageError
from core.protocol.run_words import NO_NAMES

_PRESETS = ("preserve", "expect_exit", "match", "no_match", "failures_as")
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
        for name in _PRESETS:
            if getattr(options, name) is not None:
                option = f"--{name.replace('_', '-')}"
                raise UsageError(
                    f"{option} does not go with --preset, which says itself what counts. To keep one of the failures "
                    f"that 'jarlet check --preset {options.preset}' lists, give --failures 'chosen NAME'; to look for "
                    "something else, run the tool by --predicate."
                )
    nameless = options.preset is None and options.failures_as in (None, NO_NAMES) and options.also_interesting is None
    if options.failures is not None and nameless and not options.sample:
        raise UsageError("--failures needs names of failures: say how they are named with --failures-as.")
