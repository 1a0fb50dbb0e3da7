"""Failures by name: the ways to read them off a command's output, and the demands on them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum

from core.errors import UsageError
from core.predicate.failure_kinds import KindOf
from core.predicate.output import javac, traces
from core.predicate.output.kinds import KINDS
from core.protocol.run_words import NAMING, NO_NEW, demand_parts
from core.words import did_you_mean, some_of, with_times

EXIT = "exit code "
"""Begin of the name of a failure that an exit code alone tells of."""

_EXCEPTIONS = "exceptions, else "
_FIRST = "; of a file the first one counts"
_LIKELY_NAMES = 3
"""Largest number of names that a message offers in place of an unknown one."""

_SHOWN_NAMES = 3
_CHANCE = re.compile(r"(?<=@)[0-9a-f]{6,8}\b|\b(?:0x[0-9a-f]{8,}|[0-9a-f]{8}-[0-9a-f]{4}-[\da-f-]{22})\b")
"""Hash codes, addresses and random identifiers, which no two runs have in common."""


@dataclass(frozen=True)
class FailureNaming:
    """The naming of failures in a text: those of ``kinds``, and each match of the regular expression ``pattern``.

    Of a match, group 1 is the name if it took part, else the whole match.
    """

    kinds: tuple[str, ...] = ()
    pattern: str | None = None

    def __post_init__(self) -> None:
        unknown = sorted(set(self.kinds) - KINDS.keys())
        if unknown:
            raise UsageError(f"Failures cannot be read as {', '.join(unknown)}: choose among {', '.join(KINDS)}.")
        if not self.kinds and self.pattern is None:
            raise UsageError("Failures cannot be read without a pattern or a kind of output.")
        if self.pattern is not None:
            try:
                re.compile(self.pattern, re.MULTILINE)
            except re.error as error:
                raise UsageError(f"The pattern of failures cannot be used: {error} in {self.pattern!r}.") from error

    def names(self, text: str, exit_code: int | None = 0, *, every: bool = True) -> tuple[str, ...]:
        """Return the names of the failures in ``text``, sorted, one entry an occurrence; not ``every``: without errors
        of javac that may follow from a syntax error before them. ``exit_code``: that of the run; None for a killed
        one."""
        crashed = ("traces",) if "javac" in self.kinds and javac.crashed(text) else ()
        found = [name for kind in {*self.kinds, *crashed} for name in KINDS[kind].names(text, every)]
        if self.pattern is not None:
            for match in re.finditer(self.pattern, text, re.MULTILINE):
                name = " ".join(_CHANCE.sub("#", (match[1] if match.re.groups else None) or match[0]).split())
                found += [name] if name else []
        if "exit" in self.kinds and exit_code and not found:
            found = [f"{EXIT}{exit_code}"]
        return tuple(sorted(found))

    def warning(self, text: str, *, every: bool = True) -> str:
        """Return a warning to the user about the names in ``text``; empty if there is none. For ``every`` see
        :meth:`names`."""
        if "javac" in self.kinds and javac.hides_errors(text):
            return "javac reports parse errors, which hide all later errors" + ("" if every else _FIRST)
        return ""


class Statement(Enum):
    """The relations between the failures of a candidate and those of the full input."""

    KINDS = "kinds"
    KINDS_AT_LEAST = "kinds at least"
    SAME = "same"
    AT_LEAST = "at least"
    ANY = "any"
    CHOSEN = "chosen"


_BY_KIND = (Statement.KINDS, Statement.KINDS_AT_LEAST)
"""Statements that compare failures by their kinds."""


@dataclass(frozen=True)
class Wanted:
    """The wanted failures: each kind at least once and none of a new kind, or others too; the same as often; these at
    least; any of them; or the ``chosen`` ones at least.

    Of the kinds, those of the ``chosen`` failures need not stay. With ``no_new`` there may be no failure of a kind that
    the full input does not have. With ``exceptions`` only these count, if the full input shows one.
    """

    statement: Statement = Statement.KINDS
    chosen: tuple[str, ...] = ()
    no_new: bool = False
    exceptions: bool = False

    def __post_init__(self) -> None:
        if self.statement is Statement.CHOSEN and not self.chosen:
            raise UsageError("Which failure is chosen? Write: chosen NAME.")

    @classmethod
    def parse(cls, text: str) -> Wanted:
        """Read ``kinds``, ``kinds at least``, ``same``, ``at least``, ``any`` or ``chosen NAME``, each perhaps with
        ``, no new kinds`` behind it, the first two with `` but NAME``. Several names stand on lines of their own.
        ``exceptions, else`` may stand before it.
        """
        if text.startswith(_EXCEPTIONS):
            return replace(cls.parse(text.removeprefix(_EXCEPTIONS)), exceptions=True)
        begin, names, no_new = demand_parts(text)
        chosen = tuple(filter(None, map(str.strip, names.splitlines())))
        with suppress(ValueError):
            if bool(chosen) == (begin in NAMING):
                return cls(Statement(begin.removesuffix(" but") if chosen else begin), chosen, no_new)
        raise UsageError(
            f"The failures cannot be {text!r}: write kinds, kinds but NAME, kinds at least, same, at least, any, or "
            f"chosen NAME (, {NO_NEW})."
        )

    @property
    def by_kind(self) -> bool:
        """True if failures are compared by their kinds."""
        return self.statement in _BY_KIND

    def without(self, names: tuple[str, ...]) -> Wanted:
        """Return the demand under which the kinds of these failures need not stay either; itself if it does not go by
        kinds."""
        return replace(self, chosen=(*self.chosen, *names)) if self.by_kind and names else self

    def describe(self) -> str:
        """Return the demand in words."""
        names = ", ".join(map(repr, self.chosen))
        words = {
            Statement.KINDS: "each kind of failure of the full input, no other kind",
            Statement.KINDS_AT_LEAST: "each kind of failure of the full input, other kinds too",
            Statement.SAME: "the same failures as the full input, no more, no less",
            Statement.AT_LEAST: "at least the failures of the full input",
            Statement.ANY: "any of the failures of the full input",
            Statement.CHOSEN: f"the failure {names}",
        }[self.statement]
        words += f"; the kind of {names} may go" if self.by_kind and names else ""
        words += ", and no kind that the full input lacks" if self.no_new else ""
        return words + ("; exceptions alone count if there are any" if self.exceptions else "")

    def objection(self, names: tuple[str, ...], reference: tuple[str, ...] | None, kind_of: KindOf = str) -> str:
        """Return the objection to ``names``; empty if they meet the demand. Without ``reference`` this is the full
        input's own run."""
        if not names:
            return "no failure" if reference is not None else "no failure was found in the output"
        known = reference if reference is not None else names
        names, known = self.counted(names, known), self.counted(known, known)
        if reference is None and not set(self.chosen) <= set(names):
            return _no_such(sorted(set(self.chosen) - set(names))[0], names)
        missing = self._missing(Counter(names), Counter(known), kind_of)
        if missing:
            return f"failures that are gone: {_listed(missing)}"
        if self.statement is Statement.SAME and Counter(names) != Counter(known):
            return f"more failures: {_listed(Counter(names) - Counter(known))}"
        if self.no_new or self.statement is Statement.KINDS:
            kinds = set(map(kind_of, known))
            new = Counter(name for name in set(names) if kind_of(name) not in kinds)
            if new:
                return f"other failures: {_listed(new)}"
        return ""

    def kept(self, names: Iterable[str], kind_of: KindOf) -> dict[str, list[str]]:
        """Return the names by their kinds, without the kinds that need not stay."""
        found: dict[str, list[str]] = {}
        for name in sorted(set(self.counted(names := tuple(names), names))):
            found.setdefault(kind_of(name), []).append(name)
        let_go = set(map(kind_of, self.chosen))
        return {kind: alike for kind, alike in found.items() if kind not in let_go}

    def counted(self, names: Iterable[str], full: Iterable[str]) -> tuple[str, ...]:
        """Return those of the ``names`` that count, if the full input shows the failures ``full``."""
        only = self.exceptions and any(map(traces.is_exception, full))
        return tuple(name for name in names if not only or traces.is_exception(name))

    def _missing(self, have: Counter[str], had: Counter[str], kind_of: KindOf) -> Counter[str]:
        """Return the missing failures; the first name for a missing kind."""
        if self.statement is Statement.CHOSEN:
            return Counter(name for name in set(self.chosen) if name not in have)
        if self.statement is Statement.ANY:
            return Counter() if set(have) & set(had) else had
        if not self.by_kind:
            return had - have
        shown = set(map(kind_of, have))
        return Counter(alike[0] for kind, alike in self.kept(had, kind_of).items() if kind not in shown)


def _no_such(name: str, names: Iterable[str]) -> str:
    """Return the sentence that no failure of the full input has this name, with the names likely meant. A name may be a
    whole sentence, and a person gives a part of it: names that begin with the part come first."""
    within = [each for each in set(names) if name.lower() in each.lower()]
    likely = sorted(within, key=lambda each: (not each.startswith(name), each))[:_LIKELY_NAMES]
    meant = f" Did you mean {' or '.join(map(repr, likely))}?" if likely else did_you_mean(name, names)
    return f"no failure has the name {name!r}.{meant}"


def _listed(names: Counter[str]) -> str:
    return some_of(with_times(sorted(names.items())), _SHOWN_NAMES)
