"""Changes of names by rewriting, and the same failure before and after them.

A failure's name is a text of a compiler, a decompiler or a stack trace. It may name a class by its file, its qualified,
simple or nested name, with dots, slashes or dollar signs. A text names a class otherwise once it has been merged into
another one, or is no longer nested. :meth:`Renaming.canonical` writes all spellings of a changed class alike, so two
texts are the same failure if their canonical forms are equal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True)
class Speller:
    """Words, each with another spelling. The pattern of the words is made once: every probe has its failures."""

    spellings: Mapping[str, str]

    def __call__(self, text: str) -> str:
        """Return a text with the other spellings, the longest words first."""
        return self._pattern.sub(lambda match: self.spellings[match[0]], text) if self.spellings else text

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        words = "|".join(map(re.escape, sorted(self.spellings, key=len, reverse=True)))
        return re.compile(rf"(?<![\w$])(?:{words})(?![\w$])")


@dataclass(frozen=True)
class Neutral:
    """The names that a program had before it got neutral ones, each by its neutral name."""

    classes: Mapping[str, str]
    """Internal names."""
    packages: Mapping[str, str]
    words: Mapping[str, str]
    """Own names of classes, without package and class around them; members; variables; strings."""

    def undone(self, text: str) -> str:
        """Return a text about the renamed program with the names that the program had before."""
        return self._pattern.sub(self._old, text) if self.words or self.packages else text

    def given(self, text: str) -> str:
        """Return a text about the program as it was before with the neutral names."""
        return self._give(text)

    @cached_property
    def _give(self) -> Speller:
        found = {old: new for new, old in self.words.items()}
        for new, old in self.packages.items():
            found |= {old: new, old.replace("/", "."): new}
        for new, old in self.classes.items():
            found |= _in_each_way(old, new)
        return Speller({old: new for old, new in found.items() if old})

    def after(self, earlier: Neutral) -> Neutral:
        """Return these names together with those that the program got earlier."""
        if not earlier.words and not earlier.packages:
            return self
        classes = {new: earlier.classes.get(old, old) for new, old in self.classes.items()}
        kept = {new: old for new, old in earlier.classes.items() if new not in self.classes.values()}
        return Neutral(
            {**kept, **classes},
            {**earlier.packages, **{new: earlier.packages.get(old, old) for new, old in self.packages.items()}},
            {**earlier.words, **{new: earlier.words.get(old, old) for new, old in self.words.items()}},
        )

    def _old(self, match: re.Match[str]) -> str:
        found = match[0]
        if found in self.packages:
            slash = match.string[match.end() : match.end() + 1] == "/"
            return self.packages[found] if slash else self.packages[found].replace("/", ".")
        return self.words[found]

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        names = sorted((*self.packages, *self.words), key=len, reverse=True)
        # a class file has a number before the name of a local class
        start = r"(?:(?<![A-Za-z0-9_])|(?<=\$\d)|(?<=\$\d\d))"
        return re.compile(rf"{start}(?:{'|'.join(map(re.escape, names))})(?![A-Za-z0-9_])")


NOT_NEUTRAL = Neutral({}, {}, {})


@dataclass(frozen=True)
class Renaming:
    """The changed names of classes: each class of the full input with its present class, internal names. A class that
    is merely no longer nested has itself.
    """

    classes: Mapping[str, str]
    edits: tuple[str, ...] = ()
    """The edits of the whole program so far, in words, those without a change of names too."""
    neutral: Neutral = NOT_NEUTRAL
    """The neutral names, which are given after all other changes."""
    methods: Mapping[str, str] = field(default_factory=dict)
    """The names of methods by those that merging gave them. No method had one of the new names before."""

    def undone(self, text: str) -> str:
        """Return a text about the rewritten program without neutral names."""
        return self.neutral.undone(text)

    def given(self, text: str) -> str:
        """Return a text about the full input with the names that the rewritten program has."""
        return self.neutral.given(self._give(text))

    def then(self, more: Mapping[str, str], methods: Mapping[str, str] | None = None) -> Renaming:
        """Return the changes with more changes after them: of classes, and of methods by their new names."""
        if not more:
            return self
        named = {new: self.methods.get(old, old) for new, old in (methods or {}).items()}
        moved = {old: more.get(new, new) for old, new in self.classes.items()}
        classes = {**moved, **{old: new for old, new in more.items() if old not in moved}}
        return Renaming(classes, self.edits, self.neutral, {**self.methods, **named})

    def canonical(self, text: str) -> str:
        """Return a text about the full input with one spelling for each changed class and its source file."""
        return self._spell(text)

    def is_same(self, now: str, then: str) -> bool:
        """Return True if a text about the rewritten program matches another one about the full input."""
        return self.canonical(then) in self._canonical_readings(now)

    def _canonical_readings(self, text: str) -> list[str]:
        """Return the canonical forms that a text about the rewritten program may have: a method's name from merging may
        also be the name of something else.
        """
        text = self.undone(text)
        return list(map(self._spell_now, dict.fromkeys((text, self._unmerged(text)))))

    def read_back(self, failures: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
        """Return the names of failures in the full input: a name with the canonical form of one of the ``known`` names
        becomes that name.
        """
        if not self.classes:
            return tuple(sorted(map(self.undone, failures)))
        originals: dict[str, list[str]] = {}
        for name in known:
            originals.setdefault(self.canonical(name), []).append(name)
        found = []
        for name in failures:
            same = next((originals[each] for each in self._canonical_readings(name) if each in originals), None)
            found.append((same.pop(0) if len(same) > 1 else same[0]) if same else self.undone(name))
        return tuple(sorted(found))

    def originals(self, text: str) -> Iterator[str]:
        """Yield a text as it is, then with the original name of each changed class in the place of its present one: in
        the source of the class around it, as nested, or merged.
        """
        yield text
        if self.undone(text) != text:
            text = self.undone(text)
            yield text
        if self._unmerged(text) != text:
            text = self._unmerged(text)
            yield text
        for name, now in self.classes.items():
            simple, new = _simple(name), re.escape(_simple(now))
            top = simple.partition("$")[0] or simple
            text = re.sub(rf"(?<![\w$]){new}\.java\b", _literally(f"{top}.java"), text)
            for spelled in (simple.replace("$", "."), simple):
                again = re.sub(rf"(?<![\w$]){new}(?![\w$])", _literally(spelled), text)
                if again != text:
                    yield again

    @cached_property
    def _unmerged(self) -> Speller:
        return Speller(self.methods)

    @cached_property
    def _give(self) -> Speller:
        found: dict[str, str] = {}
        for old, now in self.classes.items():
            if old != now:
                found |= _in_each_way(old, now)
        return Speller(found)

    @cached_property
    def _spell(self) -> Speller:
        found: dict[str, str] = {}
        for name, now in self.classes.items():
            for each in {name, now}:
                found.update(dict.fromkeys(_spelled(each), _simple(now)))
        for file, first in self._files.items():
            found[f"{file}.java"] = f"{first}.java"
        return Speller(found)

    @cached_property
    def _spell_now(self) -> Speller:
        names = set(self.classes.values())
        found = {each: _simple(name) for name in names for each in _spelled(name)}
        for name in names:
            for file in {_simple(name), _top(name)}:
                found[f"{file}.java"] = f"{self._files[file]}.java"
        return Speller(found)

    @cached_property
    def _files(self) -> dict[str, str]:
        """The source files of the classes without their suffix, each with the one that stands for it."""
        first: dict[str, str] = {}

        def find(name: str) -> str:
            while first.setdefault(name, name) != name:
                name = first[name]
            return name

        for name, now in self.classes.items():
            top = find(_top(now))
            for each in (_simple(name), _top(name), _simple(now)):
                first[find(each)] = top
        return {name: find(name) for name in first}


NOTHING_RENAMED = Renaming({})


def _in_each_way(old: str, new: str) -> dict[str, str]:
    """Return the spellings of a class, each with that of another class in the same way."""
    found = {}
    for name, other in ((old, new), (_simple(old), _simple(new))):
        for slash, dollar in (("/", "$"), (".", "$"), (".", ".")):
            spelled = name.replace("/", slash).replace("$", dollar)
            found[spelled] = other.replace("/", slash).replace("$", dollar)
    return found


def _top(name: str) -> str:
    """Return the simple name of the class around a class, as its name tells."""
    return _simple(name).partition("$")[0] or _simple(name)


def _literally(text: str) -> str:
    """Return a text as a template of ``re.sub`` that stands for itself."""
    return text.replace("\\", r"\\")


def _simple(name: str) -> str:
    return name.rpartition("/")[2]


def _spelled(name: str) -> set[str]:
    """Return the spellings of a class."""
    simple = _simple(name)
    found = {name, name.replace("/", "."), name.replace("/", ".").replace("$", "."), simple, simple.replace("$", ".")}
    inner = simple.rpartition("$")[2]
    if inner and not inner[0].isdigit():
        found.add(inner)
    return found
