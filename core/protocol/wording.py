"""Sentences and names shared by engine, command line and window: on items that stay against a wish, on other failures,
on the granularity of a minimal result."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from core.protocol.java_names import item_title
from core.protocol.run_words import CAREFUL
from core.words import counted, some_of

WARNING = "Warning: "
"""Beginning of a sentence that is shown as a warning."""

MOST = 5
"""Number of conflicts, or of names, that are told."""

VALIDITY_WORDS = {
    "jvm": "the JVM alone takes each candidate",
    "linked": "each class that is named exists too",
    "src": "decompilers and compilers take each candidate too",
}
"""Validities in words."""

NOTHING_TO_REDUCE = "There is nothing to reduce: "
"""Beginning of the refusal of a reduction because an empty jar is interesting too."""


class Conflict(NamedTuple):
    """``steps`` lead from ``kept`` to ``unwanted``: names of the dependent items, the needed one, the rule in words."""

    unwanted: str
    kept: tuple[str, ...]
    """Empty: every sub-input holds it."""
    steps: tuple[tuple[tuple[str, ...], str, str], ...]

    def text(self, shown: Callable[[str], str] = item_title) -> str:
        """Return a sentence; ``shown`` writes names as the reader likes them."""
        kept = " and ".join(map(shown, self.kept))
        words = [f"{kept} {'is' if len(self.kept) == 1 else 'are'} kept" if kept else "every result holds it"]
        before: tuple[str, ...] = self.kept
        for premises, conclusion, rule in self.steps:
            above = ("it needs" if before is self.kept else "that needs") if premises == before else ""
            above = above or f"{' and '.join(map(shown, premises)) or 'the input'} needs"
            words.append(f"{above} {shown(conclusion)} ({rule})")
            before = (conclusion,)
        return f"{shown(self.unwanted)} cannot be dropped: {'; '.join(words)}."


def needed_text(names: Sequence[str]) -> str:
    """Return a sentence about the items ``names``, which were to be dropped first but are needed for the failure."""
    shown = some_of(map(item_title, names), MOST)
    verbs = ("was", "it") if len(names) == 1 else ("were", "them")
    last = "it stays" if len(names) == 1 else "they stay"
    return f"{shown} {verbs[0]} to be dropped first, but without {verbs[1]} the failure is gone: {last}."


def failures_text(failures: int, places: int, kinds: int = 0) -> str:
    """Return ``11 failures of 5 kinds at 25 places``; empty without a failure. ``failures`` have different names, each
    comes at one or more of the ``places``; 0 ``kinds`` = not known."""
    if not failures:
        return ""
    said = counted(failures, "failure")
    said += f" of {counted(kinds, 'kind')}" if kinds else ""
    return f"{said} at {places:,} places" if places > failures else said


def matching_line(pattern: str, output: str) -> str:
    """Return the line of the output with the first match of a regular expression; empty if there is none."""
    found = re.search(pattern, output)
    if found is None:
        return ""
    begin = output.rfind("\n", 0, found.start()) + 1
    return output[begin:].partition("\n")[0].strip()


def differing(output: str) -> list[str]:
    """Return the first lines in which two runs differ, as ``warm.Both`` tells them."""
    return [line for line in output.splitlines() if line.startswith(("first:  ", "second: "))]


def missing_text(names: Sequence[str], errors: Sequence[int], all_errors: int) -> str:
    """``78 of 88 errors come from the missing package javax.annotation.``; several packages are listed with their
    errors. Empty if nothing is missing. ``names`` of packages and classes, each with the ``errors`` caused by its
    absence.

    A name whose last part begins with a capital is taken for a class.
    """
    if not names:
        return ""
    all_missing = sum(errors)
    count = f"{all_missing:,} of {counted(all_errors, 'error')}"
    come = "comes" if all_missing == 1 else "come"
    nouns = ["class" if name.rpartition(".")[2][:1].isupper() else "package" for name in names]
    if not names[1:]:
        return f"{count} {come} from the missing {nouns[0]} {names[0]}."
    found = [f"{noun} {name} ({number:,})" for noun, name, number in zip(nouns, names, errors, strict=True)]
    more = [f"{len(found) - MOST} more"] if len(found) > MOST else []
    listed = [*found[:MOST], *more]
    return f"{count} {come} from what is missing: {', '.join(listed[:-1])} and {listed[-1]}."


def unstable_text(certificate: Mapping[str, Any]) -> str:
    """Return sentences on answers that changed when asked once more, by the certificate of a report; empty if none
    did."""
    checks, interesting = certificate.get("final_checks", 0), certificate.get("final_interesting", 0)
    flaky, ended = certificate.get("flaky", 0), certificate.get("ended", "")
    if interesting < checks:
        cause = f"the run was ended, {ended}" if ended and not flaky else "the predicate is not stable"
        return f"Run once more, the result was not interesting: {cause}."
    if flaky:
        said = f"The predicate is not stable: {counted(flaky, 'answer')} changed when asked once more"
    elif ended:
        said = f"Run once more, a smaller result gave no answer: the run was ended, {ended}"
    else:
        return ""
    return f"{said}. The result was interesting both times; a smaller one may not have been."


def by_hand(command: str) -> str:
    """Return lines on how to repeat a run of the check, whose folder was kept, by the shell line ``command``."""
    return f"The folder of that run stays until three more checks have failed.\nTo repeat it by hand: {command}"


def other_failure(code: int | None) -> str:
    """Return the prefix of the names of failures that the exit code ``also`` reports."""
    return f"exit code {code}"


def tells_other(failure: str, code: int | None) -> bool:
    """Return True if a failure's name is one that the exit code ``also`` gives. None means that there is no such
    code."""
    begin = other_failure(code)
    return code is not None and (failure == begin or failure.startswith(f"{begin}: "))


def minimality_words(levels: dict[str, str]) -> str:
    """Return a line such as ``classes: yes; items: yes; instructions: not checked, ended by the time limit``."""
    return "; ".join(f"{name}: {verdict}" for name, verdict in levels.items())


def methods_text(first: int, last: int, *, hollow: bool) -> str:
    """Return sentences on the methods that ran on the full input, and in the last watched run."""
    told = f"Methods that ran: {first:,} on the full input, {last:,} in the last watched run of the best."
    only = "The result only prints what is compared: do not ship it."
    return f"{told} {only} With --trust {CAREFUL} the code that ran stays." if hollow else told


def outside_text(who: str, names: Sequence[str]) -> str:
    """Return a sentence on files that runs write outside their folders; at most three are named."""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return (
        f"{who} writes {', '.join(names[:3])}{more}, outside its folder: nothing compares it or brings it back, and "
        "runs at the same time disturb each other."
    )


def program_text(report: Mapping[str, Any]) -> str:
    """Return sentences on the result as a program: its methods that run, and unseen inputs; empty if there are none."""
    runs = report.get("methods")
    told = methods_text(runs["input"], runs["result"], hollow=runs["hollow"]) if runs else ""
    return f"{told} {unseen_text(report.get('unseen', {}))}".strip()


def unseen_text(found: Mapping[str, Any]) -> str:
    """Return sentences on the inputs that a search did not see, as the report has them; empty if there are none."""
    if not found or not (found["unseen"] or found["failed"]):
        return ""
    low, high = (round(100 * found[name]) for name in ("low", "high"))
    when = "passed before the search saw them" if found["spent"] else "pass"
    text = f"Unseen inputs that {when}: {found['passed']} of {found['unseen']} ({low} to {high} % of all, with 95 % "
    text += "confidence)."
    for kept, words in ((False, "Not so: {}."), (True, "Seen by the search after they had failed: {}.")):
        some = [f"{each['input']} ({each['why']})" for each in found["failed"] if each["kept"] is kept]
        text += f" {words.format(', '.join(some))}" if some else ""
    return text
