"""New names for those of a program: ``p1``, ``M1``, ``C1``, ``m1``, ``v1``, ``T1``, and strings that say nothing."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import NamedTuple

from core.edits.names.name_map import (
    CLASS,
    MEMBER,
    MODULE,
    PACKAGE,
    RESOURCE,
    STRING,
    TYPE_VARIABLE,
    VARIABLE,
    NameMap,
)
from core.edits.names.names_in_use import NamesInUse, composed, is_description, parts_of

PREFIXES = {PACKAGE: "p", MODULE: "M", CLASS: "C", MEMBER: "m", VARIABLE: "v", TYPE_VARIABLE: "T"}
"""First letters of new names. No type variable of the JDK is a C with a number: its name would hide a class."""
SHORTEST = 3
"""Characters of the shortest name of a member or variable that gets another one: a new name has as many."""
SHORTEST_STRING = 5
"""Characters of the shortest string that becomes neutral."""

_DIGITS = re.compile(r"\d*")
_FORMATS = re.compile(r"%(?:\d+\$)?[-#+0,(<]*\d*(?:\.\d+)?[tT]?[a-zA-Z]|\{\d*\}")
"""Places of values in formats, which stay."""
_VALUES = re.compile(rf"{_FORMATS.pattern}|[\x01\x02]")
"""Places of values, those in the recipe of a concatenation too."""
_NEUTRAL_STRING = re.compile(r"[xX]+[a-jA-J]*")
_NAMES_OF_NAMES = re.compile(r"[/\[L]*[pMCmvr]\d+(?:[./$;][pMCmvr]\d+)*(?:\.[a-z]{1,5}|[;/.])?")
"""A string that names something by its neutral name."""
_SPELLED = re.compile(r"(?P<before>/|\[*L)?(?P<name>[\w$./-]+?)(?P<after>;|\.class|\.java|[./])?")
"""A string that may name a class or package, with optional characters around the name."""


class Name(NamedTuple):
    """A name of a program, by what it names."""

    of: str
    text: str


@dataclass(frozen=True)
class NeutralNames(NameMap):
    """The new names of some names. ``new`` has those that change."""

    in_use: NamesInUse
    new: Mapping[Name, str]
    _classes: dict[str, str] = field(default_factory=dict)

    def ours(self, class_: str) -> bool:
        return self.in_use.ours(class_)

    def class_(self, name: str) -> str:
        found = self._classes.get(name)
        if found is None:
            found = self._classes[name] = self._renamed(name)
        return found

    def new_name(self, kind: str, name: str) -> str:
        if kind in (MEMBER, VARIABLE):
            return self._word(name)
        new = self.new.get(Name(kind, name))
        return (self.spelled(name) if kind == STRING and new is None else new) or name

    def simple(self, name: str, class_: str) -> str:
        own = own_name(class_, self.in_use.outer)
        return self.new.get(Name(CLASS, class_), name) if own else name

    def file(self, name: str, class_: str) -> str:
        top = class_
        while top in self.in_use.outer:
            top = self.in_use.outer[top]
        if Name(CLASS, top) not in self.new:
            return name
        return f"{self.new[Name(CLASS, top)]}.{name.rpartition('.')[2] if '.' in name else 'java'}"

    def resource(self, name: str) -> str:
        """Return the new name of an entry that is no class. It stays in a package that a module's description names for
        such entries: the virtual machine refuses to open an empty package."""
        new, (folder, _, own) = self.new.get(Name(RESOURCE, name)), name.rpartition("/")
        return (
            f"{self.new_name(PACKAGE, folder)}/{new or own}" if folder in self.in_use.resource_packages else new or name
        )

    @property
    def classes(self) -> dict[str, str]:
        """The new internal names of renamed classes."""
        return {name: self.class_(name) for name in self.in_use.known[CLASS] if self.class_(name) != name}

    def _word(self, name: str) -> str:
        for part in parts_of(name):
            return composed(name, self.new.get(Name(MEMBER, part), part))
        return name

    def _renamed(self, name: str) -> str:
        if name not in self.in_use.known[CLASS]:
            return name
        outer = self.in_use.outer.get(name)
        own = own_name(name, self.in_use.outer)
        if outer is not None:
            rest = name[len(outer) + 1 :]
            digits = rest[: len(rest) - len(own)]
            return f"{self.class_(outer)}${digits}{self.new.get(Name(CLASS, name), own)}"
        package, slash, _ = name.rpartition("/")
        return f"{self.new_name(PACKAGE, package)}{slash}{self.new.get(Name(CLASS, name), own)}"

    def spelled(self, text: str) -> str | None:
        """Return a string that names a class, package, resource or members with the new name; None if it names nothing
        that gets another name. Members are joined by semicolons, as those of a record.
        """
        words = text.split(";")
        if all(word in self.in_use.known[MEMBER] for word in words):
            renamed = ";".join(map(self._word, words))
            return renamed if renamed != text else None
        resource = self.resource(text.lstrip("/"))
        if resource != text.lstrip("/"):
            return f"{text[: len(text) - len(text.lstrip('/'))]}{resource}"
        found = _SPELLED.fullmatch(text)
        if found is None:
            return self.new.get(Name(MODULE, text))
        name = found["name"]
        for slash in ("/", "."):
            internal = name.replace(slash, "/")
            new = self._spellings.get(internal) if slash in name or "/" not in internal else None
            if new is not None:
                return f"{found['before'] or ''}{new.replace('/', slash)}{found['after'] or ''}"
        return self.new.get(Name(MODULE, text))

    @cached_property
    def _spellings(self) -> dict[str, str]:
        """The new names of classes, and of packages that have parts: a simple word need not be a package."""
        packages = {name.text: new for name, new in self.new.items() if name.of == PACKAGE and "/" in name.text}
        nested = {name.replace("$", "/"): new.replace("$", "/") for name, new in self.classes.items() if "$" in name}
        return packages | nested | self.classes


def own_name(class_: str, outer: Mapping[str, str]) -> str:
    """Return the part of a class's name that is its own: no package, no class around, no number of a local class."""
    around = outer.get(class_)
    if around is None:
        return class_.rpartition("/")[2]
    rest = class_[len(around) + 1 :]
    return _DIGITS.sub("", rest, count=1)


def names_of(in_use: NamesInUse) -> list[Name]:
    """Return all names that may change: packages first, strings last."""
    known = in_use.known
    classes = [name for name in known[CLASS] if not is_description(name)]
    packages = dict.fromkeys((*(name.rpartition("/")[0] for name in known[CLASS]), *known[PACKAGE]))
    members = [name for name in known[MEMBER] if name not in in_use.fixed]
    variables = [name for name in known[VARIABLE] if name not in in_use.fixed and name not in known[MEMBER]]
    return [
        *(Name(PACKAGE, name) for name in packages if name and name not in in_use.shared_packages),
        *(Name(MODULE, name) for name in known[MODULE]),
        *(Name(CLASS, name) for name in classes if own_name(name, in_use.outer)),
        *(Name(MEMBER, name) for name in members),
        *(Name(VARIABLE, name) for name in variables),
        *(Name(TYPE_VARIABLE, name) for name in known[TYPE_VARIABLE]),
        *(Name(STRING, text) for text in known[STRING]),
    ]


def may_stay(name: Name, in_use: NamesInUse) -> bool:
    """Return True for a name that says nothing: it is short, or neutral already."""
    own = own_name(name.text, in_use.outer) if name.of == CLASS else name.text
    if name.of == STRING:
        letters = "".join(filter(str.isalpha, _FORMATS.sub("", own)))
        if _NAMES_OF_NAMES.fullmatch(own):
            return True
        neutral = not letters or _NEUTRAL_STRING.fullmatch(letters) is not None
        return len(own) < SHORTEST_STRING or (neutral and not set(filter(str.isdigit, own)) - {"1"})
    prefixes = "mv" if name.of in (MEMBER, VARIABLE) else PREFIXES[name.of]
    return len(own) < SHORTEST or re.fullmatch(rf"[{prefixes}]\d+", own) is not None


def neutral_names(names: Iterable[Name], taken: Iterable[str], strings: Iterable[str]) -> dict[Name, str]:
    """Return a new name for each name, in their order. No new name is one of the ``taken`` ones, and no two strings
    become equal, or equal to another one of ``strings``.
    """
    taken, texts, new = set(taken), set(strings), dict[Name, str]()
    counters = {of: map(prefix.__add__, map(str, count(1))) for of, prefix in PREFIXES.items()}
    shapes: dict[str, count[int]] = {}
    for name in names:
        if name.of == STRING:
            numbers = shapes.setdefault(neutral_string(name.text, 0), count())
            found = _neutral(name.text, numbers, texts)
            if not found:
                continue
            texts.add(found)
        else:
            found = next(each for each in counters[name.of] if each not in taken)
        # members and variables share their names: a parameter of a record's constructor is called as its component
        new[Name(MEMBER, name.text) if name.of == VARIABLE else name] = found
    return new


def _neutral(text: str, numbers: Iterable[int], texts: Collection[str]) -> str:
    """Return a neutral string outside ``texts``; empty if all are used up."""
    letters = sum(map(str.isalpha, text))
    for number in numbers:
        if number >= 10 ** min(letters, 6):
            return ""
        found = neutral_string(text, number)
        if found not in texts:
            return found
    return ""


def neutral_string(text: str, number: int) -> str:
    """Return a string of the same length that says nothing: letters are x, the last ones are the number, with a to j
    for its digits; digits are 1. Other characters than letters and digits stay, and so do places of values in formats.
    """
    kept = [False] * len(text)
    for match in _FORMATS.finditer(text):
        kept[match.start() : match.end()] = [True] * (match.end() - match.start())
    letters = [at for at, char in enumerate(text) if char.isalpha() and not kept[at]]
    digits = "".join("abcdefghij"[int(each)] for each in str(number)) if number else ""
    by_place = dict(zip(letters, digits.rjust(len(letters), "x")[-len(letters) :], strict=False))
    return "".join(
        _like(by_place[at], char) if at in by_place else "1" if char.isdigit() and not kept[at] else char
        for at, char in enumerate(text)
    )


def string_pieces(text: str, new: str) -> Iterator[tuple[str, str]]:
    """Yield a new string with the old one, then the pieces of both around the values that a format puts in."""
    yield new, text
    at = 0
    for match in [*_VALUES.finditer(new), None]:
        end = len(new) if match is None else match.start()
        piece, old = new[at:end].strip(), text[at:end].strip()
        if len(piece) >= SHORTEST_STRING and len(piece) == len(old):
            yield piece, old
        at = end if match is None else match.end()


def _like(new: str, old: str) -> str:
    return new.upper() if old.isupper() else new
