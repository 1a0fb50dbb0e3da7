"""Errors of javac that only say that a library of the input is missing: they tell of the class path, not of a tool."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.predicate.failure_kinds import FailureKinds

_MISSING = re.compile(
    r"package (?P<package>[\w$]+(?:\.[\w$]+)+) (?:does not exist|is not visible)"
    r"|class file for (?P<file>[\w.$]+) not found"
    r"|cannot find symbol; symbol: class (?P<symbol>\w+); location: package (?P<where>[\w$]+(?:\.[\w$]+)+)"
)
_FOLLOWS = re.compile(
    r"cannot find symbol|cannot access |static import only from |method does not override or implement a method"
)
"""Errors that follow from a missing class in the same source file."""


def of_libraries(failures: Iterable[str], kinds: FailureKinds) -> tuple[str, ...]:
    """Return the failures, sorted, of the kinds all of whose failures come from a missing library: an error of javac
    that names a package or class which the input does not have, or one that follows from it in the same source file.
    Empty where no failure would be left.
    """
    named = {failure: failure.partition(": ") for failure in failures}
    direct = {failure for failure, (_, _, message) in named.items() if _misses_library(message, kinds)}
    files = {named[failure][0] for failure in direct}
    found = direct | {
        failure for failure, (file, _, message) in named.items() if file in files and _FOLLOWS.match(message)
    }
    kept = {kinds.of_name(failure) for failure in named.keys() - found}
    return tuple(sorted(failure for failure in found if kinds.of_name(failure) not in kept)) if kept else ()


def _misses_library(message: str, kinds: FailureKinds) -> bool:
    """Return True if a message of javac's says that a package or class is missing which is neither the input's nor the
    JDK's."""
    match = _MISSING.match(message)
    if match is None:
        return False
    name = (match["package"] or match["file"] or match["where"]).replace("$", ".")
    return not name.startswith("java.") and not kinds.has(name)
