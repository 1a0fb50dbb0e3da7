"""The sentence on the versions that fail, for the report's first lines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from core.protocol.questions.background import VersionAnswer, VersionRan, VersionsRan
from core.words import counted

_GOOD = (VersionAnswer.FINE, VersionAnswer.OTHER)


def summary(title: str, ran: Sequence[VersionRan], *, stopped: bool = False) -> VersionsRan:
    """Return what the rows of all versions, oldest first, say together."""
    bad = [row.place for row in ran if row.answer == VersionAnswer.FAILS]
    if not bad:
        return VersionsRan(_none(title, ran), stopped=stopped)
    before = [row.version for row in ran[: bad[0]] if row.answer in _GOOD]
    after = [row.version for row in ran[bad[-1] + 1 :] if row.answer in _GOOD]
    last_good, first_fixed = before[-1] if before else "", after[0] if after else ""
    mixed = any(row.answer in _GOOD for row in ran[bad[0] : bad[-1]])
    first, last = ran[bad[0]].version, ran[bad[-1]].version
    told = _stretches(title, ran) if mixed else _stretch(title, ran, (last_good, first, last, first_fixed))
    return VersionsRan(f"{told}{_rest(ran)}.", first, last_good, last, first_fixed, stopped)


def _none(title: str, ran: Sequence[VersionRan]) -> str:
    count = sum(row.answer in _GOOD for row in ran)
    return f"None of {counted(count, 'version')} of {title} that ran fails{_rest(ran)}."


def _stretch(title: str, ran: Sequence[VersionRan], around: tuple[str, str, str, str]) -> str:
    """Return words about one stretch of failing versions."""
    last_good, first, last, first_fixed = around
    if not last_good and not first_fixed:
        return f"{title} fails in every version that was run, {' to '.join(dict.fromkeys((first, last)))}"
    before = f" ({last_good}, before it, does not)" if last_good else ""
    if first_fixed and first == last:
        told = f"in {first}{before}"
    else:
        told = f"from {first} on{before}" if last_good else f"up to {last}"
    if not first_fixed:
        known = "the newest" if last == ran[-1].version else "as far as is known"
        if first == last:
            return f"{title} fails in {first}, {known}; {last_good}, before it, does not"
        return f"{title} fails {told}, up to {last}, {known}"
    until = f" to {last}" if last_good and first != last else ""
    return f"{title} fails {told}{until}; it does not in {first_fixed}, behind it"


def _stretches(title: str, ran: Sequence[VersionRan]) -> str:
    """Return words about several stretches of failing versions."""
    answered = [row for row in ran if row.answer in (*_GOOD, VersionAnswer.FAILS)]
    fails: list[str] = []
    fine: list[str] = []
    for failing, group in groupby(answered, key=lambda row: row.answer == VersionAnswer.FAILS):
        rows = list(group)
        ends = dict.fromkeys((rows[0].version, rows[-1].version))
        (fails if failing else fine).append(" to ".join(ends))
    return f"{title} fails in {_listed(fails)}, and not in {_listed(fine)}"


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _rest(ran: Sequence[VersionRan]) -> str:
    """Return words about the versions that were not run, gave no answer or fail otherwise."""
    parts = []
    halved = sum(row.answer == VersionAnswer.NOT_RUN for row in ran)
    if halved:
        parts.append(f"{len(ran) - halved} of {len(ran)} versions were run, chosen by halving")
    silent = sum(row.answer == VersionAnswer.NONE for row in ran)
    if silent:
        parts.append(f"{counted(silent, 'version')} gave no answer")
    others = [row.version for row in ran if row.answer == VersionAnswer.OTHER]
    if others:
        parts.append(f"another failure in {_listed([*others[:3], *['others'] * (len(others) > 3)])}")
    return f" ({'; '.join(parts)})" if parts else ""
