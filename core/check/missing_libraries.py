"""Which packages the output of a run misses: libraries of the input that were not given."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from core.predicate.verdict import Outcome

_PACKAGE = re.compile(r"package ([\w.]+) does not exist")
_CLASS = re.compile(r"(?:ClassNotFoundException|NoClassDefFoundError): ([\w./$]+)|class file for ([\w.$]+) not found")
_SYMBOL = re.compile(r"cannot find symbol.*?symbol:\s+class (\w+)", re.DOTALL)


@dataclass(frozen=True)
class Lack:
    """``names``: packages that are missing, each with the errors that come from that, most errors first; ``errors`` is
    how many there are in all."""

    names: tuple[tuple[str, int], ...] = ()
    errors: int = 0


def missing_libraries(outcome: Outcome, packages: Collection[str], classes: Collection[str]) -> Lack:
    """What a run's errors say is missing and the input does not have: neither a package of ``packages`` (with dots) nor
    a class of ``classes`` (simple names).

    An error counts for the package that it names. One that names a class by its simple name alone counts where one
    package is missing in all: then it can come from nowhere else.
    """
    errors = outcome.failures or _lines(f"{outcome.stdout}\n{outcome.stderr}")
    found: Counter[str] = Counter()
    bare = 0
    for error in errors:
        name = _named(error)
        if name and name not in packages:
            found[name] += 1
            continue
        symbol = _SYMBOL.search(error)
        bare += symbol is not None and symbol[1] not in classes
    if len(found) == 1:
        found[next(iter(found))] += bare
    return Lack(tuple(found.most_common()), len(errors))


def _named(error: str) -> str:
    """The package that an error misses, or that of the class that it misses; empty = none."""
    match = _PACKAGE.search(error)
    if match:
        return match[1]
    match = _CLASS.search(error)
    return next(group for group in match.groups() if group).replace("/", ".").rpartition(".")[0] if match else ""


def _lines(text: str) -> tuple[str, ...]:
    """The lines that tell of something missing, where failures have no names."""
    return tuple(line for line in text.splitlines() if _PACKAGE.search(line) or _CLASS.search(line))
