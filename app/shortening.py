"""Names without some of their words, for narrow places; each still tells its item from others. No Qt."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

_PARTS = re.compile(r"(?<=[./ ])")
"""Limits of the parts of a package, of a path, of a sentence."""
_WORDS = re.compile(r"(?<=[./$_ (-])|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
"""Limits of the words of a name as well: the humps of a class, the parameters of a method."""
_KIND = re.compile(r"(?:[a-z]+ )+(?=\S)")
"""Words before a name for its role: ``implements``, ``record component``."""
_ARROW = " → "
_FRAGMENT = re.compile(r"\s\S*…\S*\s")
Fits = Callable[[str], bool]
Alone = Callable[[str, str], bool]
"""Says of a beginning and an end whether no other name has both."""


def without_beginning(name: str, fits: Fits) -> str:
    """Return a name without as many of its first parts as needed, ``…language.bm``; empty = not even its last word
    fits.
    """
    if fits(name):
        return name
    for limits in (_PARTS, _WORDS):
        parts = limits.split(name.removeprefix("…"))
        for first in range(1, len(parts)):
            shown = "…" + "".join(parts[first:])
            if fits(shown):
                return shown
    return ""


def short_package(name: str, fits: Fits) -> str:
    """Return a package without as many of its first parts as needed; the jar before it, ``lib.jar: …util``, stays if
    there is room for both, else ``…util`` is left."""
    jar, mark, package = name.rpartition(": ")
    shown = without_beginning(package, lambda words: fits(jar + mark + words))
    return jar + mark + shown if shown else without_beginning(f"…{package}", fits)


def without_middle(name: str, fits: Fits, alone: Alone = lambda begin, end: True) -> str:
    """Return a name with as many of its first and last words as fit, ``Abstract…MapFixture``: those that no other name
    has, if there are any. Empty = not one word fits.
    """
    if fits(name):
        return name
    if kind := _KIND.match(name):
        return _after(kind[0], name, fits, lambda rest, fits: without_middle(rest, fits, alone))
    ways = [way for way in _longest(_WORDS.split(name), fits) if way[0] or way[1]]
    ways.sort(key=lambda way: (not way[0] or not way[1], not way[1], -len(way[0]) - len(way[1])))
    begin, end = next((way for way in ways if alone(*way)), ways[0]) if ways else ("", "")
    return f"{begin if end else begin.rstrip('.')}…{end}" if ways else ""


def _after(kind: str, name: str, fits: Fits, cut: Callable[[str, Fits], str]) -> str:
    """Return a name that ``cut`` shortens behind the words ``kind``; if not one word of it fits, its first letters.
    Empty = not even a letter fits behind ``kind``.
    """
    if rest := cut(name[len(kind) :], lambda words: fits(kind + words)):
        return kind + rest
    letters = range(len(name) - 1, len(kind), -1)
    return next((shown for most in letters if fits(shown := f"{name[:most]}…")), "")


def _longest(words: list[str], fits: Fits) -> Iterator[tuple[str, str]]:
    """Yield, for each number of first words that fits, these words and as many last words as fit with them: the more
    words stand before the cut, the fewer fit behind it.
    """
    last = len(words) - 1
    for first in range(len(words)):
        begin, last = "".join(words[:first]), min(last, len(words) - 1 - first)
        while not fits(f"{begin}…{''.join(words[len(words) - last :])}"):
            last -= 1
            if last < 0:
                return
        yield begin, "".join(words[len(words) - last :])


def short_item(name: str, fits: Fits) -> str:
    """Return a class or member as there is room for it: without its package, then without its parameters; of a name
    without a package the middle goes. Empty = not even its last word fits.
    """
    if fits(name):
        return name
    if kind := _KIND.match(name):
        return _after(kind[0], name, fits, short_item)
    if "(" in name:
        return next(filter(fits, _members(name)), "") or without_beginning(name, fits)
    return (without_beginning if "." in name else without_middle)(name, fits)


def short_pair(pair: str, fits: Fits) -> str:
    """Return two items, ``from → to``, as there is room for them: the second one is cut first, then the first one, word
    by word. Other texts are one item.
    """
    first, arrow, second = pair.partition(_ARROW)
    if not arrow:
        return short_item(pair, fits)
    pairs = (shown + _ARROW + rest for shown in (*_forms(first), *_ends(first), "…") for rest in _forms(second))
    return next(filter(fits, pairs), "")


def _forms(item: str) -> Iterator[str]:
    """Yield an item and ever shorter texts for it; its last name stays."""
    yield item
    if "(" in item:
        yield from _members(item)
    elif " " in item and not _KIND.match(item):  # a sentence, ``A is a subtype of B``
        words = item.split(" ")
        yield from (f"{' '.join(words[:few])}…" for few in range(len(words) - 1, 0, -1))
    else:
        parts = re.split(r"(?<=\.)", item)
        yield from (f"…{''.join(parts[first:])}" for first in range(1, len(parts)))


def _ends(item: str) -> Iterator[str]:
    """Yield the shortest form of an item without ever more of its first words, as long as a letter is left."""
    *_, shortest = _forms(item)
    words = _WORDS.split(shortest.removeprefix("…"))
    ends = ("".join(words[first:]) for first in range(1, len(words)))
    yield from (f"…{end}" for end in ends if any(map(str.isalpha, end)))


def _members(name: str) -> Iterator[str]:
    """Yield ever shorter texts for a method: ``…Index.add(Row, int), code``, then ``…Index.add(…int), code``."""
    head, _, rest = name.partition("(")
    inside, _, after = rest.partition(")")
    parts, words, some = re.split(r"(?<=\.)", head), re.split(r"(?<= )", inside), "…" if inside else ""
    for first in range(1, max(1, len(parts) - 1)):
        yield f"…{''.join(parts[first:])}({rest}"
    for few in (2, 1):
        short = ("…" if few < len(parts) else "") + "".join(parts[-few:])
        for first in range(1, len(words)):
            yield f"{short}(…{''.join(words[first:])}){after}"
        yield f"{short}({some}){after}"
        yield f"{short}({some})"


def in_lines(name: str, fits: Fits) -> list[str]:
    """Return a name in as few lines as hold it, broken between its words. Empty = one of its words does not fit."""
    lines = [""]
    for word in _WORDS.split(name):
        if fits(lines[-1] + word):
            lines[-1] += word
        elif fits(word):
            lines.append(word)
        else:
            return []
    return [line for line in lines if line]


def without_fragments(shortened: str) -> str:
    """Return a sentence that was cut in its middle without the pieces of words beside the cut."""
    return _FRAGMENT.sub(" … ", shortened, count=1)


_LAST = "\U0010ffff"
_LOOKED_MOST = 300
"""Largest number of titles to compare one by one; a shortened name with more candidates is taken for ambiguous."""


class TitleIndex:
    """The distinct titles of a scene, sorted from either end."""

    def __init__(self, titles: Iterable[str]) -> None:
        distinct = set(titles)
        self._forward = sorted(distinct)
        self._backward = sorted(title[::-1] for title in distinct)

    def only_one(self, begin: str, end: str) -> bool:
        """Return True if at most one title begins and ends so."""
        ahead = _span(self._forward, begin)
        behind = _span(self._backward, end[::-1])
        if not begin:
            return len(behind) <= 1
        if not end:
            return len(ahead) <= 1
        if min(len(ahead), len(behind)) > _LOOKED_MOST:
            return False
        if len(ahead) <= len(behind):
            return sum(self._forward[at].endswith(end) for at in ahead) <= 1
        return sum(self._backward[at][::-1].startswith(begin) for at in behind) <= 1


def _span(ordered: Sequence[str], begin: str) -> range:
    return range(bisect_left(ordered, begin), bisect_left(ordered, begin + _LAST))


def told_apart(titles: Sequence[str], packages: Sequence[str]) -> list[str]:
    """Return the titles; of equal ones in different packages with the last part of the package."""
    counts = Counter(titles)
    return [
        f"{package.rpartition('.')[2]}.{title}" if counts[title] > 1 and package else title
        for title, package in zip(titles, packages, strict=True)
    ]


def last_parts(packages: Sequence[str]) -> list[str]:
    """Return the last parts of the names of packages; of equal ones the last two."""
    parts = [package.rpartition(".") for package in packages]
    return told_apart([last for _, _, last in parts], [before for before, _, _ in parts])
