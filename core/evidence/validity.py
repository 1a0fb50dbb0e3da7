"""The validity of a reduction: the user's choice, or one derived from predicate and full input."""

from __future__ import annotations

from dataclasses import dataclass

from core.predicate import presets
from core.predicate.output import javac
from core.predicate.verdict import Outcome
from core.protocol.settings import AUTOMATIC, VALIDITIES, Settings

WEAKEST, LINKED, STRONGEST = VALIDITIES


@dataclass(frozen=True)
class ValidityChoice:
    """A validity with the reason for it."""

    taken: str
    why: str

    def text(self) -> str:
        """Return a sentence for the user."""
        return f"Validity {self.taken}: {self.why}."


def expected(settings: Settings) -> ValidityChoice:
    """Return the choice before any run."""
    if settings.validity != AUTOMATIC:
        return ValidityChoice(settings.validity, "as chosen")
    if settings.preset is None:
        return ValidityChoice(STRONGEST, "nothing is known of the command, so candidates are fit for every tool")
    return ValidityChoice(presets.find(settings.preset).validity, f"what the preset {settings.preset} needs")


def choose(settings: Settings, outcome: Outcome) -> ValidityChoice:
    """Return the choice after the ``outcome`` of the full input. Only the names of failures count.

    If each failure is an error of javac's parser, names need not resolve: javac only reads the source, so classes that
    the JVM accepts are enough.
    """
    found = expected(settings)
    is_open = settings.validity == AUTOMATIC and found.taken == STRONGEST
    if is_open and _reads_javac(settings) and outcome.failures and all(map(javac.is_of_parser, outcome.failures)):
        why = "each failure is a syntax error of decompiled source, in which no name is looked up"
        return ValidityChoice(WEAKEST, why)
    return found


def of_program(settings: Settings, found: ValidityChoice) -> ValidityChoice:
    """Return the choice once a run has loaded classes of the input. ``found`` is the choice before.

    What a compiler needs beyond a JVM would only keep more of a program, unless its failures are a compiler's.
    A program may use reflection, so its classes must still link.
    See decisions/053-validity-of-a-program.md.
    """
    is_open = settings.validity == AUTOMATIC and settings.preset is None and found.taken == STRONGEST
    if is_open and not _reads_javac(settings):
        return ValidityChoice(LINKED, "a watched run loaded classes of the input, so the command runs it")
    return found


def departure(settings: Settings, outcome: Outcome) -> str:
    """Return a sentence if the choice is not the expected one; else nothing."""
    found = choose(settings, outcome)
    return found.text() if outcome.interesting and found != expected(settings) else ""


def _reads_javac(settings: Settings) -> bool:
    if settings.preset is None:
        return settings.failures_as == "javac"
    reading = presets.find(settings.preset).reading
    return reading is not None and "javac" in reading.kinds
