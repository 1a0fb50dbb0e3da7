"""Words of a bug report that depend on what is kept: a failure, or a program that runs as before."""

from __future__ import annotations

from dataclasses import dataclass

from core.predicate.condition import Condition


@dataclass(frozen=True, slots=True)
class BugWords:
    """The words of one sort of report."""

    title: str
    """Title, with the input's name in the place of the braces."""
    seen: str
    """Heading of the facts."""
    left: str
    """End of the sentence about the classes that are left, with ``verb`` and ``failures`` in their places."""
    nearest: str
    """Heading of the changes after which the result is no result."""
    gone: str
    """End of the sentence about these changes."""
    all_gone: str
    """The same end where there are several failures."""


FAILING = BugWords(
    "Failure on {}",
    "What fails",
    "that {verb} the same {failures}",
    "The nearest inputs that do not fail",
    "the failure was gone",
    "a failure was gone",
)
RUNNING = BugWords(
    "A run of {}",
    "What is kept",
    "with which the command runs as with the full input",
    "The nearest inputs that do not run so",
    "the command ran otherwise",
    "the command ran otherwise",
)


def words_of(condition: Condition, exit_code: int | None) -> BugWords:
    """Return the words for a command with this condition that ended so."""
    return RUNNING if condition.keeps_working(exit_code) else FAILING
