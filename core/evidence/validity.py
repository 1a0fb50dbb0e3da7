"""The validity of a reduction: the user's choice, or one derived from predicate and full input."""

from __future__ import annotations

from dataclasses import dataclass

from core.predicate.aim import Aim
from core.predicate.output import javac
from core.predicate.verdict import Outcome
from core.protocol.run_words import AUTOMATIC, VALIDITIES

WEAKEST, LINKED, STRONGEST = VALIDITIES


@dataclass(frozen=True)
class ValidityChoice:
    """A validity with the reason for it."""

    taken: str
    why: str

    def text(self) -> str:
        """Return a sentence for the user."""
        return f"Validity {self.taken}: {self.why}."


def expected(aim: Aim) -> ValidityChoice:
    """Return the choice before any run."""
    if aim.search.validity != AUTOMATIC:
        return ValidityChoice(aim.search.validity, "as chosen")
    if aim.preset is None:
        return ValidityChoice(STRONGEST, "nothing is known of the command, so candidates are fit for every tool")
    return ValidityChoice(aim.preset.validity, f"what the preset {aim.preset.name} needs")


def choose(aim: Aim, outcome: Outcome) -> ValidityChoice:
    """Return the choice after the ``outcome`` of the full input. Only the names of failures count.

    If each failure is an error of javac's parser, names need not resolve: javac only reads the source, so classes that
    the JVM accepts are enough.
    """
    found = expected(aim)
    is_open = aim.search.validity == AUTOMATIC and found.taken == STRONGEST
    if is_open and _reads_javac(aim) and outcome.failures and all(map(javac.is_of_parser, outcome.failures)):
        why = "each failure is a syntax error of decompiled source, in which no name is looked up"
        return ValidityChoice(WEAKEST, why)
    return found


def of_program(aim: Aim, found: ValidityChoice) -> ValidityChoice:
    """Return the choice once a run has loaded classes of the input. ``found`` is the choice before.

    A compiler's further demands would only keep more of a program, unless its failures are a compiler's. A program may
    use reflection, so its classes must still link. See decisions/053-validity-of-a-program.md.
    """
    is_open = aim.search.validity == AUTOMATIC and aim.preset is None and found.taken == STRONGEST
    if is_open and not _reads_javac(aim):
        return ValidityChoice(LINKED, "a watched run loaded classes of the input, so the command runs it")
    return found


def departure(aim: Aim, outcome: Outcome) -> str:
    """Return a sentence if the choice is not the expected one; else nothing."""
    found = choose(aim, outcome)
    return found.text() if outcome.interesting and found != expected(aim) else ""


def _reads_javac(aim: Aim) -> bool:
    return aim.reading is not None and "javac" in aim.reading.kinds
