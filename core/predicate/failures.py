"""Failures by name: how they are read off a command's output, and what is demanded of them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import Enum

from core.errors import UsageError
from core.predicate.output import javac, no_source, traces

KINDS = ("javac", "traces")
"""Outputs that are understood: errors of javac (and classes of which it was given no source), stack traces of Java."""

_NO_NEW = "no new kinds"
_SHOWN_NAMES = 3


@dataclass(frozen=True)
class FailureNaming:
    """Which failures a text holds: those of ``kinds``, and each match of the regular expression ``pattern``.

    Of a match, group 1 is the name if it took part, else the whole match.
    """

    kinds: tuple[str, ...] = ()
    pattern: str | None = None

    def __post_init__(self) -> None:
        unknown = sorted(set(self.kinds) - set(KINDS))
        if unknown:
            raise UsageError(f"Failures cannot be read as {', '.join(unknown)}: choose among {', '.join(KINDS)}.")
        if not self.kinds and self.pattern is None:
            raise UsageError("Failures cannot be read without a pattern or a kind of output.")
        if self.pattern is not None:
            try:
                re.compile(self.pattern, re.MULTILINE)
            except re.error as error:
                raise UsageError(f"The pattern of failures cannot be used: {error} in {self.pattern!r}.") from error

    def names(self, text: str) -> tuple[str, ...]:
        """Return the names of the failures in *text*, sorted, one entry an occurrence."""
        found: list[str] = []
        if "javac" in self.kinds:
            found += [*javac.names(text), *no_source.names(text)]
        if "traces" in self.kinds or ("javac" in self.kinds and javac.crashed(text)):
            found += traces.names(text)
        if self.pattern is not None:
            for match in re.finditer(self.pattern, text, re.MULTILINE):
                name = " ".join(((match[1] if match.re.groups else None) or match[0]).split())
                found += [name] if name else []
        return tuple(sorted(found))

    def warning(self, text: str) -> str:
        """Return a warning to the user about the names in *text*; empty if there is none."""
        if "javac" in self.kinds and javac.hides_errors(text):
            return "javac reports parse errors, which hide all later errors"
        return ""


class Statement(Enum):
    """The relations between the names of a candidate and those of the full input."""

    SAME = "same"
    AT_LEAST = "at least"
    ANY = "any"
    CHOSEN = "chosen"


@dataclass(frozen=True)
class Wanted:
    """The wanted failures: the same (no more, no less), these at least, any of them, or the ``chosen`` ones at least.

    With ``no_new`` there may be no name that the full input does not have.
    """

    statement: Statement = Statement.SAME
    chosen: tuple[str, ...] = ()
    no_new: bool = False

    def __post_init__(self) -> None:
        if self.statement is Statement.CHOSEN and not self.chosen:
            raise UsageError("Which failure is chosen? Write: chosen NAME.")

    @classmethod
    def parse(cls, text: str) -> Wanted:
        """Read ``same``, ``at least``, ``any`` or ``chosen NAME``, each perhaps with ``, no new kinds`` behind it."""
        body, comma, end = text.strip().rpartition(",")
        no_new = bool(comma) and end.strip() == _NO_NEW
        body = (body if no_new else text).strip()
        if body.startswith(f"{Statement.CHOSEN.value} "):
            return cls(Statement.CHOSEN, (body.partition(" ")[2].strip(),), no_new)
        for statement in (Statement.SAME, Statement.AT_LEAST, Statement.ANY):
            if body == statement.value:
                return cls(statement, (), no_new)
        raise UsageError(f"The failures cannot be {text!r}: write same, at least, any, or chosen NAME (, {_NO_NEW}).")

    def describe(self) -> str:
        """Return the demand in words."""
        words = {
            Statement.SAME: "the same failures as the full input, no more, no less",
            Statement.AT_LEAST: "at least the failures of the full input",
            Statement.ANY: "any of the failures of the full input",
            Statement.CHOSEN: f"the failure {', '.join(map(repr, self.chosen))}",
        }[self.statement]
        return words + (", and none that the full input lacks" if self.no_new else "")

    def objection(self, names: tuple[str, ...], reference: tuple[str, ...] | None) -> str:
        """Why *names* are not what is wanted, or nothing. Without *reference* this is the full input's own run."""
        if not names:
            return "no failure" if reference is not None else "no failure was found in the output"
        known = reference if reference is not None else names
        have, had = Counter(names), Counter(known)
        if self.statement is Statement.CHOSEN:
            missing = Counter(name for name in set(self.chosen) if name not in have)
        elif self.statement is Statement.ANY:
            missing = Counter() if set(have) & set(had) else had
        else:
            missing = had - have
        if missing:
            return f"failures that are gone: {_listed(missing)}"
        if self.statement is Statement.SAME and have != had:
            return f"more failures: {_listed(have - had)}"
        if self.no_new and set(have) - set(had):
            return f"other failures: {_listed(Counter(set(have) - set(had)))}"
        return ""


def _listed(names: Counter[str]) -> str:
    shown = [name if count == 1 else f"{name} ({count} times)" for name, count in sorted(names.items())]
    more = f" and {len(shown) - _SHOWN_NAMES} more" if len(shown) > _SHOWN_NAMES else ""
    return ", ".join(shown[:_SHOWN_NAMES]) + more
