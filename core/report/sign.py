"""The sign by which a script knows the failure, an exit code and texts of the output; and the last line on it."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any

from core.predicate.aim import Aim
from core.predicate.condition import Condition, by_shell
from core.predicate.failures import EXIT
from core.predicate.jvm.stuck import HANG, UNKNOWN
from core.predicate.output.failing_tests import REPORTS
from core.report.private_places import told_elsewhere, with_any_folders
from core.words import some_of

_FOLDER = "{work}"
"""Stands in outputs for the folder of the run, which is another one each time."""
_MOST = 5
"""Largest number of failures that a script looks for."""
_NAMED = 3
"""Largest number of failures that the last line names."""
_LEAST = 12
"""Characters of a failure's name that must stand in the output as they are, for the script to look for them."""
_LONGEST = 300
"""Characters of a text in the last line."""
_SEEN, _NOT_SEEN, _WANTED = "Seen", "Not seen", "Wanted"
"""Words before the compared texts in the last line; the last word if nothing could be compared."""
_NEEDS_TIMEOUT = "command -v timeout >/dev/null || { echo 'this script needs timeout, of GNU coreutils' >&2; exit 2; }"
_REPORTS = f'find "$work" -name "{REPORTS}" -exec cat {{}} + >"$work/.reports"'
_BOTH = re.compile(r"[\w ]+: first ('.*'|\d+), second ('.*'|\d+)")
"""Name of a disagreement in exit codes or outputs."""
_KILLED = -9
"""Exit code of a program that hangs and is killed by signal 9."""
_HANGS, _TOLD_TIME = 30, 2
"""Seconds until a script takes its commands for a hang, and seconds that it then gives them to print their stacks."""


@dataclass(frozen=True)
class Sign:
    """The appearance of a failure in words, and the texts and exit code for a script to compare: all must be there."""

    words: str
    exit: int | None
    """The exit code; None: any."""
    texts: tuple[str, ...]
    """Texts that stand in a line of the output, with other folders in the place of this machine's; after a line break a
    whole line."""
    reports: bool = False
    """True if XML reports of tests are part of the output."""
    limit: int = 0
    """Seconds after which the commands are killed, with all their processes: the sign is a hang; 0: no limit."""

    def without_texts(self) -> Sign:
        """Return the sign as words alone, for an output that is not the same each time."""
        return replace(self, texts=())

    def lines(self, commands: Sequence[str]) -> list[str]:
        """Return lines of shell that run the commands, show their output, and tell if this was the sign. Of a hang,
        virtual machines tell their threads before they are killed, and all variables must be exported."""
        run = ["(", *commands, ")"]
        if self.limit:
            kept = ["cat >\"$work/.commands\" <<'COMMANDS'", "trap '' QUIT", *commands, "COMMANDS"]
            killing = f"timeout -s QUIT -k {_TOLD_TIME} {self.limit}"
            run = [_NEEDS_TIMEOUT, *kept, f'{killing} sh "$work/.commands"']
        output = '"$work/.stdout" "$work/.stderr"'
        output += ' "$work/.reports"' if self.reports else ""
        looks = [f"grep -q{_pattern(text)} {output}" for text in self.texts]
        tests = ([f'[ "$code" = {self._code} ]'] if self.exit is not None else []) + looks
        told = shlex.quote(" ".join(self.words.split())[:_LONGEST])
        judged = [f"if {' && '.join(tests)}", f"then seen={_SEEN}; else seen='{_NOT_SEEN}'; fi"]
        return [
            *run[:-1],
            f'{run[-1]} >"$work/.stdout" 2>"$work/.stderr" </dev/null',
            "code=$?",
            'cat "$work/.stdout"; cat "$work/.stderr" >&2',
            *([_REPORTS] if self.reports else []),
            *(judged if tests else [f"seen={_WANTED}"]),
            f'printf \'%s: exit code %s. %s: %s.\\n\' "${{0##*/}}" "$code" "$seen" {told} >&2',
            f"[ \"$seen\" != '{_NOT_SEEN}' ]",
        ]

    @property
    def compared(self) -> str:
        """Exit code and texts that a script compares, in words; empty if it compares nothing."""
        return ", ".join([f"exit code {self._code}"] * (self.exit is not None) + [repr(text) for text in self.texts])

    @property
    def _code(self) -> int | None:
        """The exit code as a shell tells it."""
        return None if self.exit is None else by_shell(self.exit)


def sign_of(aim: Aim, final: Mapping[str, Any]) -> Sign:
    """Return the sign of the failure of a last run, which ``final`` tells as a report does."""
    output, condition, preset = f"{final['stdout']}\n{final['stderr']}", aim.condition, aim.preset
    names, texts = list(dict.fromkeys(aim.counted(tuple(final["shown"])))), []
    if condition.hangs:
        frames = [] if names[:1] == [UNKNOWN] else "".join(names[:1]).removeprefix(HANG).split(" < ")
        limit = _HANGS if aim.limits.slower is None else math.ceil(final["processor"] / 2)
        words = f"no end within {limit} s, {names[0]}" if names else f"no end within {limit} s"
        return Sign(told_elsewhere(words), _KILLED, tuple(frames[1:] or frames), limit=limit)
    compares = preset is not None and preset.compares
    if preset is None:
        wants_code = condition.wanted_exit is not None or "exit" in condition.preserve
        texts = [*_matching(condition, output), *_kept_lines(condition, final)]
    else:
        of_code = bool(names) and all(name.startswith(EXIT) for name in names)
        wants_code = of_code or (preset.reading is None and not compares)
    tests = condition.reading is not None and "tests" in condition.reading.kinds
    for name in names[:_MOST]:
        texts += _of_disagreement(name) if compares else [tests * _exception(name) or _literal(name, output)]
    sign = Sign("", final["exit"] if wants_code else None, tuple(dict.fromkeys(filter(_comparable, texts))), tests)
    if names:
        return replace(sign, words=told_elsewhere(some_of(map(repr, names), _NAMED)))
    return replace(sign, words=told_elsewhere(sign.compared or str(final["wanted"])))


def _matching(condition: Condition, output: str) -> list[str]:
    """Return the text that the user's pattern matches, if it is one of one line."""
    found = re.search(condition.match, output, re.MULTILINE) if condition.match else None
    return [found[0]] if found is not None and "\n" not in found[0] else []


def _kept_lines(condition: Condition, final: Mapping[str, Any]) -> list[str]:
    """Return the first lines of the outputs that must stay the same."""
    kept = [final[name] for option, name in (("out", "stdout"), ("err", "stderr")) if option in condition.preserve]
    return [line for text in kept for line in text.splitlines()[:_NAMED]]


def _comparable(text: str) -> bool:
    """Return True for a text that says something, in a line of the last message, and on any machine."""
    return any(part.strip(" /") for part in _parts(text)) and len(text) <= _LONGEST


def _parts(text: str) -> list[str]:
    """Return the parts of a text that are the same on any machine."""
    return [part for each in text.split(_FOLDER) for part in with_any_folders(each)]


def _pattern(text: str) -> str:
    """Return the options by which grep finds a text."""
    if text.startswith("\n"):
        return f"xF -e {shlex.quote(text[1:])}"
    first, *others = _parts(text)
    if not others:
        return f"F -e {shlex.quote(first)}"
    escaped = [re.sub(r"[\\.*\[\]^$]", r"\\\g<0>", part) for part in (first, *others)]
    return f" -e {shlex.quote('.*'.join(escaped))}"


def _of_disagreement(name: str) -> list[str]:
    """Return the texts of two tools in the disagreement of that name."""
    both = _BOTH.fullmatch(name)
    if both is None:
        pieces = re.split(r"; |: |[#\d]+", name.partition(" only: ")[2])
        return [max((piece.strip() for piece in pieces), key=len)]
    return [
        f"\nexit code {each}" if each.isdigit() else f"\n{each[1:-1]}" for each in both.groups() if "\\" not in each
    ]


def _exception(name: str) -> str:
    """Return the longest part of a failing test's exception that XML writes as it is."""
    return max(re.split(r"[#<>&\"']+", name.partition(": ")[2]), key=len).strip()


def _literal(name: str, output: str) -> str:
    """Return a failure's name as the output spaces it, or the longest part of the name there; empty if that part is too
    short to say much."""
    if spaced := re.search(r"[ \t]+".join(map(re.escape, name.split())), output):
        return spaced[0]
    found = SequenceMatcher(None, name, output, autojunk=False).find_longest_match()
    text = name[found.a : found.a + found.size].strip()
    return text if len(text) >= min(_LEAST, len(name)) else ""
