"""The packages and classes that a run missed, by the errors in its output."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.model.class_model import ClassModel, Kind
from core.predicate.verdict import Outcome
from core.protocol.java_names import package_of, simple_name

_PACKAGE = re.compile(r"package ([\w.]+) does not exist")
_CLASS = re.compile(r"(?:ClassNotFoundException|NoClassDefFoundError): ([\w./$]+)|class file for ([\w.$]+) not found")
_SYMBOL = re.compile(r"cannot find symbol.*?symbol:\s+class (\w+)", re.DOTALL)
_IN_PACKAGE = re.compile(r"cannot find symbol; symbol: class (\w+); location: package ([\w.]+)")
_NO_SUBTYPE = re.compile(r"incompatible types: ([\w$.]+)(?:<.*>)? cannot be converted to ")
_ANY = re.compile(f"{_CLASS.pattern}|{_PACKAGE.pattern}")


@dataclass(frozen=True)
class Lack:
    """The packages that a run missed, and the classes that javac takes for packages."""

    names: tuple[tuple[str, int], ...] = ()
    """Missing packages and classes, each with its number of errors, most errors first."""
    errors: int = 0
    """Number of all errors."""


def missing_name(text: str) -> str:
    """Return the first class or package that a text reports as missing; empty if there is none."""
    match = _ANY.search(text)
    return next(group for group in match.groups() if group) if match else ""


def missing_libraries(outcome: Outcome, model: ClassModel) -> Lack:
    """Return the packages that a run's errors report as missing, without packages of the input.

    An error counts for the package that it names. A class that it names by its simple name alone, as javac does also
    in "package Kernel32 does not exist", counts for the package in which the input's classes look for it. Where they
    look in several, or in none that is known, the error counts if exactly one package is missing.
    """
    names = _class_names(model)
    own, classes = _own(names), {simple_name(name) for name in names}
    homes = _homes(model)
    errors = outcome.failures or _lines(f"{outcome.stdout}\n{outcome.stderr}")
    found: Counter[str] = Counter()
    bare = 0
    for error in errors:
        name = _named(error)
        if name and name not in own:
            found[homes.get(name) or name] += 1
            continue
        symbol = _SYMBOL.search(error)
        if symbol is not None and symbol[1] not in classes:
            home = homes.get(symbol[1])
            found.update([home] if home else [])
            bare += not home
    if len(found) == 1:
        found[next(iter(found))] += bare
    return Lack(tuple(found.most_common()), len(errors))


def without_libraries(failures: Sequence[str], model: ClassModel) -> dict[str, tuple[str, ...]]:
    """Return the failures that may only show because a library is missing: those in the source files in which an error
    names a missing package or class of one, and other failures that name one, or a class of the input that is no
    subtype now and inherits from a missing class. Each has these packages or classes.
    """
    own, heirs = _own(_class_names(model)), _heirs(model)
    missed: dict[str, tuple[str, ...]] = {
        failure: (name,) for failure in failures if (name := _missing_above(failure, heirs))
    }
    files: dict[str, set[str]] = {}
    for failure in dict.fromkeys(failures):
        name = _named(failure) or _package_lacking_class(failure, own)
        if name and name not in own and not name.startswith("java."):
            missed[failure] = (name,)
            files.setdefault(_source_file(failure), set()).add(name)
    files.pop("", None)
    return missed | {
        failure: tuple(sorted(files[_source_file(failure)]))
        for failure in dict.fromkeys(failures)
        if _source_file(failure) in files
    }


def _package_lacking_class(failure: str, own: set[str]) -> str:
    """Return the class that a package of the input's lacks where javac looked for it; empty if there is none."""
    match = _IN_PACKAGE.search(failure)
    return f"{match[2]}.{match[1]}" if match and f"{match[2]}.{match[1]}" not in own else ""


def _missing_above(failure: str, heirs: dict[str, str]) -> str:
    """Return the missing class above a class that javac finds to be no subtype; empty if there is none."""
    match = _NO_SUBTYPE.search(failure)
    return heirs.get(match[1].rpartition(".")[2], "") if match else ""


def _heirs(model: ClassModel) -> dict[str, str]:
    """Return a missing class above each class of the input that inherits from one, by the simple name."""
    below: dict[str, list[str]] = {}
    for node in model.graph.nodes:
        for parent in (node.superclass, *node.interfaces):
            below.setdefault(parent or "", []).append(node.name)
    found: dict[str, str] = {}
    for missing in model.graph.unresolved:
        reached = list(below.get(missing, ()))
        while reached:
            name = reached.pop()
            if name not in found:
                found[name] = missing.replace("/", ".")
                reached += below.get(name, ())
    return {simple_name(name): missing for name, missing in found.items()}


def _source_file(failure: str) -> str:
    """Return the source file that a failure is in; empty if it names none."""
    file, colon, _ = failure.partition(": ")
    return file if colon and file.endswith(".java") else ""


def _class_names(model: ClassModel) -> list[str]:
    return [item.name for item in model.items if item.kind is Kind.CLASS]


def _own(names: Sequence[str]) -> set[str]:
    """Return the packages and classes of the input as errors name them."""
    return {package_of(name) for name in names} | {name.replace("/", ".").replace("$", ".") for name in names}


def _homes(model: ClassModel) -> dict[str, str]:
    """Return the package of each class that the input names and does not have, by the simple name; empty where
    several packages have one of that name."""
    found: dict[str, str] = {}
    for name in model.graph.unresolved:
        package = package_of(name)
        for simple in {simple_name(name), name.rpartition("/")[2].partition("$")[0]}:
            found[simple] = package if found.get(simple, package) == package else ""
    return found


def _named(error: str) -> str:
    """Return the package that an error misses, or the package of a class that it misses; empty if there is none."""
    match = _PACKAGE.search(error)
    if match:
        return match[1]
    match = _CLASS.search(error)
    return next(group for group in match.groups() if group).replace("/", ".").rpartition(".")[0] if match else ""


def _lines(text: str) -> tuple[str, ...]:
    """Return the lines that report something missing."""
    return tuple(line for line in text.splitlines() if _ANY.search(line))
