"""Failures certainly caused by a missing library, and so no bugs of the tool; and those possibly caused by one.

A class is missing if the input names it and it is nowhere: neither in the input, nor on the class path, nor in the JDK.
It certainly causes a failure with the name of the class, of its package, or of a member that a class of the input may
inherit from it. It possibly causes a failure in the source of a class below it, and a failure with the name of such a
class: javac then knows neither all supertypes nor all constructors and methods.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import cached_property
from itertools import chain
from pathlib import Path

from core.classfile.class_file import ClassFile, parse
from core.classfile.format_error import ClassFormatError
from core.classfile.outline import references
from core.classfile.pool import MEMBERS, UTF8
from core.errors import InputError
from core.library.library import LibraryClass, open_library
from core.model.class_graph import ClassNode
from core.model.class_model import ClassModel
from core.predicate.failure_kinds import LibraryFailures
from core.protocol.java_names import internal, package_of, simple_name
from core.remembered import remembered
from core.sets import listed_by
from core.words import counted

Find = Callable[[str], ClassNode | LibraryClass | None]
"""Function that returns a class of the input or outside it by its internal name; None where there is none."""

_IN_FILE = re.compile(r"(?:[^:]*[/\\])?(?P<file>[^\s:/\\]+\.java):(?:\d+: error:)? (?P<message>.*)", re.DOTALL)
"""An error of javac, as a name of a failure or as javac writes it; or the name of an error of ECJ."""
_NAMED = re.compile(
    r"class file for ([\w.$]+) not found|^\S+ -> ([\w.$]+)$|The type ([\w.$]+) cannot be resolved\. It is indirectly"
    r"|Class ([\w.$]+) not found - continuing|Symbol '\w+ ([\w.$]+)' is missing|missing type (\w+\.[\w.$]+)"
    r"|annot access (?:class )?'([\w.$]+)'.* Check your module classpath|unresolved supertypes: ([\w.$]+)"
    r"|missing dependency ([\w.$/]+)"
)
"""A missing class in the words of javac, jdeps's preset, ECJ, scalac 2 (two), AspectJ, kotlinc (two) and groovyc."""
_IN_PACKAGE = re.compile(r"refers to (\w+)/T in package ([\w.]+) which is not available")
"""The words of scalac 3."""
_LOADED = re.compile(
    r"(?:ClassNotFoundException:|NoClassDefFoundError:|unable to resolve class|on receiver of type) '?([\w./$]+)"
)
"""A class that the virtual machine, groovyc or kotlinc does not find, if the input names it."""
_PACKAGE = re.compile(r"package ([\w.$]+) does not exist")
_ANY = re.compile(f"{_LOADED.pattern}|{_NAMED.pattern}|{_PACKAGE.pattern}")
_IMPORT = re.compile(r"The import ([\w.$]+) cannot be resolved")
_TYPE = re.compile(r"([\w$]+) cannot be resolved(?: to a type)?$|.*refers to the missing type ([\w$]+)$")
"""ECJ's words for an import and for a type. The import stops at the first part that is nowhere."""
_SYMBOL = re.compile(r"cannot find symbol; symbol: (class|variable) ([\w$]+)(?:; location: (?:package ([\w.$]+))?.*)?")
_MEMBER = re.compile(r"cannot find symbol; symbol: (?:method|variable) ([\w$]+)(?:.*; location: (.*))?")
_OWNER = re.compile(r"(?:class|interface|@interface|enum|record|variable of type) (?:<anonymous )?([\w$.]+)")
_SUPER = "super"
"""Name in javac's error for a missing superclass."""
_WORD = re.compile(r"[\w$]+")


def library_failures(
    failures: Iterable[str],
    model: ClassModel,
    class_path: Sequence[Path],
    jdk: str = "",
    shown: Sequence[ClassModel] = (),
) -> LibraryFailures:
    """Return the failures certainly caused by a missing library, and the possible ones: none without a JDK, since the
    missing classes are unknown then. ``jdk`` as in :func:`~core.library.library.open_library`.

    ``shown``: candidates of the input ``model`` that show the failures, too. A class merged into another one left its
    names there. Raises InputError for a class path that cannot be used.
    """
    certain: dict[str, str] = {}
    possible: dict[str, str] = {}
    with closing(open_library(class_path, model.jar, jdk)) as library, suppress(InputError):
        given = {node.name: node for node in model.graph.nodes}
        places = [_Missing(each, lambda name: given.get(name) or library.get(name)) for each in (model, *shown)]
        names = dict.fromkeys(failures)
        certain = _packages({name: _first(place.behind(name) for place in places) for name in names})
        rest = [name for name in names if name not in certain]
        possible = _packages({name: _first(place.perhaps_behind(name) for place in places) for name in rest})
    return LibraryFailures(certain, possible)


def _first(found: Iterable[str]) -> str:
    return next(filter(None, found), "")


def _packages(missing: Mapping[str, str]) -> dict[str, str]:
    """Return the packages of missing classes, without failures that miss none."""
    return {failure: package_of(name) or simple_name(name) for failure, name in missing.items() if name}


def missing_name(text: str) -> str:
    """Return the first class or package that a text reports as missing; empty if there is none."""
    match = _ANY.search(text)
    return _first(match.groups()) if match else ""


def missing_title(of_missing: Mapping[str, str]) -> str:
    """Return a heading of such failures, given with the packages that they miss: their number, and the remedy."""
    libraries = "a missing library: add it" if len(set(of_missing.values())) == 1 else "missing libraries: add them"
    return f"{counted(len(of_missing), 'failure')} of {libraries} with --classpath"


def missing_table(of_missing: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return a row for each missing package, those of most failures first, and a head: the package, the number of its
    failures, and the first one."""
    rows: list[tuple[str, ...]] = [("package", "failures", "the first one")]
    for package, count in Counter(of_missing.values()).most_common():
        rows.append((package, str(count), min(name for name, of in of_missing.items() if of == package)))
    return rows


class _Missing:
    """The missing classes of an input, and the failures that tell of them."""

    def __init__(self, model: ClassModel, find: Find) -> None:
        self._model, self._find = model, find
        self._nodes = {node.name: node for node in model.graph.nodes}

    def behind(self, failure: str) -> str:
        """Return the missing class that certainly causes a failure; empty if there is none."""
        in_file = _IN_FILE.match(failure)
        if in_file is not None:
            found = next(self._of_error(self._source(in_file["file"]), in_file["message"]), "")
            if found:
                return found
        wanted = [internal(_first(match.groups())) for match in _NAMED.finditer(failure)]
        wanted += [internal(f"{match[2]}.{match[1]}") for match in _IN_PACKAGE.finditer(failure)]
        loaded = [internal(match[1]) for match in _LOADED.finditer(failure)]
        wanted += [name for name in loaded if name in self._model.graph.unresolved]
        return next(filter(self._is_missing, wanted), "")

    def perhaps_behind(self, failure: str) -> str:
        """Return a missing class that possibly causes a failure; empty if there is none."""
        in_file = _IN_FILE.match(failure)
        file, message = in_file.groups() if in_file is not None else ("", failure)
        named = (name for word in _WORD.findall(message) for name in self._by_simple_name.get(word, ()))
        return _first(map(self._missing_above, chain(self._by_file.get(file, ()), named)))

    def _of_error(self, source: _Source, message: str) -> Iterator[str]:
        """Yield the missing classes that an error of javac's or ECJ's in a source file comes from."""
        if match := _PACKAGE.match(message):
            yield from (name for name in self._missing_in(source) if match[1] in _outside(name))
        if match := _IMPORT.match(message):
            parts = match[1].split(".")
            yield from (name for name in self._missing_in(source) if name.split("/")[: len(parts)] == parts)
        if match := _TYPE.match(message):
            symbol, known = match[1] or match[2], self._own_names(source)
            missing = self._missing_in(source) if symbol not in known else ()
            yield from (name for name in missing if symbol in _simple_names(name))
        if match := _SYMBOL.match(message):
            kind, symbol, package = match.groups()
            known = self._own_names(source) | (source.texts if kind == "variable" else set())
            yield from (
                name
                for name in self._missing_in(source)
                if symbol in _simple_names(name) and symbol not in known and package in (None, package_of(name))
            )
        if match := _MEMBER.match(message):
            yield from self._above(source, match[1], match[2])

    def _above(self, source: _Source, member: str, location: str | None) -> Iterator[str]:
        """Yield a missing class if every class in which javac may have looked for ``member`` has one above it. These
        classes are the one of the location, or without a location each owner of such a member in the class file."""
        if member != _SUPER and member not in source.members:
            return
        owners = source.members.get(member, set())
        if location is not None:
            owner = _OWNER.match(location)
            last = owner[1].rpartition(".")[2] if owner is not None else ""
            owners = set(self._by_simple_name.get(last, ()))
        above = list(map(self._missing_above, sorted(owners)))
        if above and all(above):
            yield above[0]

    @remembered
    def _missing_above(self, name: str) -> str:
        """Return the first missing class on the way up from a class; empty where there is none."""
        seen: set[str] = set()
        stack = [name] if not name.startswith("[") else []
        while stack:
            current = stack.pop()
            found = self._nodes.get(current) or self._find(current)
            if found is None:
                return current
            seen.add(current)
            above = [each for each in (found.superclass, *found.interfaces) if each and each not in seen]
            stack += reversed(above)
        return ""

    def _missing_in(self, source: _Source) -> Iterator[str]:
        return (name for name in source.mentions if self._is_missing(name))

    def _is_missing(self, name: str) -> bool:
        return name not in self._nodes and self._find(name) is None

    def _own_names(self, source: _Source) -> set[str]:
        """Return the simple names of the input's classes that a source names."""
        return {part for name in source.mentions if name in self._nodes for part in _simple_names(name)}

    @remembered
    def _source(self, file: str) -> _Source:
        """Return the classes that a decompiler writes into a source file."""
        nodes = map(self._nodes.__getitem__, self._by_file.get(file, ()))
        return _Source(self._model.jar.entries[node.entry].data for node in nodes)

    @cached_property
    def _by_simple_name(self) -> dict[str, list[str]]:
        """The classes of the input by their simple names."""
        return listed_by(lambda name: _simple_names(name)[-1], self._nodes)

    @cached_property
    def _by_file(self) -> dict[str, list[str]]:
        """The classes of the input by the source files that a decompiler writes them into."""
        return listed_by(lambda name: f"{_simple_names(name)[0]}.java", self._nodes)


class _Source:
    """The facts about the classes of one source file: ``mentions`` are the classes that they name, sorted; ``members``
    the fields and methods that they use, each name with its classes; ``texts`` all names and texts in their constants.
    """

    def __init__(self, classes: Iterable[bytes]) -> None:
        mentions: set[str] = set()
        self.members: dict[str, set[str]] = {}
        self.texts: set[str] = set()
        for data in classes:
            try:
                read = parse(data)
                named, used = references(data), list(_members(read))
            except (ClassFormatError, IndexError, TypeError):  # a damaged class proves nothing
                continue
            mentions |= named
            for owner, member in used:
                self.members.setdefault(member, set()).add(owner)
            self.texts |= {each[1] for _, each in read.constants.rows() if each[0] == UTF8}
        self.mentions = sorted(mentions)


def _members(read: ClassFile) -> Iterator[tuple[str, str]]:
    """Yield the used fields and methods of a class: the class in which each is looked up, and the name."""
    pool = read.constants
    for index, constant in pool.rows():
        if constant[0] in MEMBERS:
            yield pool.member(index)[:2]


def _simple_names(name: str) -> list[str]:
    """Return the simple names of a class, the outermost first."""
    return simple_name(name).split(".")


def _outside(name: str) -> set[str]:
    """Return the texts that javac takes for the package of a class: its package, or a class around it."""
    package, names = package_of(name), _simple_names(name)
    around = {".".join(names[:end]) for end in range(1, len(names))}
    return {package} | around | {f"{package}.{each}" for each in around if package}
