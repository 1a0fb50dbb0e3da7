"""The versions to run next, where only the ends of the failing stretch around one failing version are wanted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Known = Mapping[int, bool | None]
"""Answers by the places of versions: True = fails, False = does not, None = no answer."""


def next_versions(count: int, failing: int, known: Known, width: int) -> list[int]:
    """Return the places of the versions to run next, about ``width`` of them; none when both ends are known.

    ``failing`` is the place, among ``count`` versions, of a failing one. Halving is right as long as one stretch of
    versions fails. If the answers contradict that, all versions without an answer are returned.
    """
    sides = (range(failing, -1, -1), range(failing, count))
    if any(_fails_again(side, known) for side in sides):
        return [place for place in range(count) if place not in known]
    opened = [between for side in sides if (between := _between(list(side), known))]
    width = max(width, len(opened))
    return sorted(place for between in opened for place in _spread(between, width // len(opened)))


def _fails_again(side: Iterable[int], known: Known) -> bool:
    """Return True if, going away from the failing version, one fails behind one that does not."""
    answers = [answer for place in side if (answer := known.get(place)) is not None]
    return answers != sorted(answers, reverse=True)


def _between(side: list[int], known: Known) -> list[int]:
    """Return the places without an answer between the last failing and the first good version, going away from the
    failing one. While no good version is known, return the farthest place."""
    good = next((number for number, place in enumerate(side) if known.get(place) is False), None)
    bad = max((number for number, place in enumerate(side) if known.get(place)), default=0)
    found = [place for place in side[bad + 1 : good] if place not in known]
    return found if good is not None else found[-1:]


def _spread(places: list[int], count: int) -> set[int]:
    """Return ``count`` of the places, which cut them into parts of about one length."""
    return {places[number * len(places) // (count + 1)] for number in range(1, count + 1)}
