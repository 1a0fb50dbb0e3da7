"""The order of versions, as Maven has it (``org.apache.maven.artifact.versioning.ComparableVersion``)."""

from __future__ import annotations

import re

_RANKS = {"alpha": 0, "a": 0, "beta": 1, "b": 1, "milestone": 2, "m": 2, "rc": 3, "cr": 3, "snapshot": 4}
"""Ranks of the qualifiers that come before the version itself."""
_RELEASE, _PATCH, _OTHER = 5, 6, 7
"""Ranks of the version itself (also ``ga``, ``final``, ``release``), of ``sp``, and of any other word."""
_NONE = ("ga", "final", "release")

_PART = re.compile(r"\d+|[a-z]+")

Key = tuple[tuple[int, int, str], ...]
"""A version to compare: the parts, each with its rank, its number and its text. Numbers rank above all words."""

_NUMBER = 8
_END, _ZERO = (_RELEASE, 0, ""), (_NUMBER, 0, "")


def order_of(version: str) -> Key:
    """Return the key that sorts versions: ``1.0-beta2`` before ``1.0``, and ``1.9`` before ``1.10``.

    Zeros before a word or the end do not count: ``1.0`` equals ``1``, ``1.0-rc1`` equals ``1-rc1``.
    """
    parts: list[tuple[int, int, str]] = []
    for text in _PART.findall(version.lower()):
        part = _part(text)
        if part[0] != _NUMBER:
            _drop_zeros(parts)
        parts.append(part)
    while parts and parts[-1] == _END:
        parts.pop()
    _drop_zeros(parts)
    return (*parts, _END)


def _drop_zeros(parts: list[tuple[int, int, str]]) -> None:
    while parts and parts[-1] == _ZERO:
        parts.pop()


def _part(text: str) -> tuple[int, int, str]:
    if text.isdigit():
        return _NUMBER, int(text), ""
    if text in _NONE:
        return _END
    if text == "sp":
        return _PATCH, 0, ""
    rank = _RANKS.get(text, _OTHER)
    return rank, 0, text if rank == _OTHER else ""
