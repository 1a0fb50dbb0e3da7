"""The mistakes a user can make, each with a sentence on the next step.

Whoever faces the user (command line, window) prints ``str(error)`` and nothing
else: no traceback, exit code ``error.exit_code``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from core.words import sentence, visible


class JarletError(Exception):
    """Something outside the program is wrong: the text names the problem, the place and the remedy."""

    exit_code = 2

    def __init__(self, text: str = "") -> None:
        """Make names and outputs of others in the text fit for a screen (:mod:`core.words`)."""
        super().__init__(sentence(text))

    @classmethod
    @contextmanager
    def telling(cls, what: str) -> Iterator[None]:
        """Raise an OSError from within as an error of this class: ``what`` went wrong, and the system's reason."""
        try:
            yield
        except OSError as error:
            raise cls(f"{what} ({error.strerror or error}).") from error


class InputError(JarletError):
    """An input file or folder cannot be used."""


class OutputError(JarletError):
    """A result cannot be written to the user's place for it."""


class PredicateError(JarletError):
    """The predicate command cannot be run as it is written."""


class UsageError(JarletError):
    """Options that contradict each other, or the name of something unknown."""


class LimitError(JarletError):
    """A limit ended the run before there was anything to show for it."""

    exit_code = 3


class NotInterestingError(JarletError):
    """The full input does not show the failure, so there is nothing to reduce."""

    exit_code = 1

    def __init__(self, text: str = "") -> None:
        """It holds a command line to repeat the run by hand, which is left whole."""
        Exception.__init__(self, visible(text))
