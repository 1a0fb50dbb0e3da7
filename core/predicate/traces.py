"""Stack traces of Java in a text, as names: type, message, and the innermost frames.

A name reads ``a.B: message at a.C.m < a.D.n < a.E.o; caused by ...``. Numbers, addresses and folders in
the message become ``#`` and nothing; lines, modules, reflection and numbers of lambdas are left out of the frames.
Our own program that has classes verified says which class failed: that then comes first, and no frames, which
would be the virtual machine's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_HEAD = re.compile(
    r"^(?P<lead>\s*)(?:Exception in (?:thread \"[^\"]*\"|class (?P<of>\S+)) )?(?P<cause>Caused by: |Suppressed: )?"
    r"(?P<type>(?:[a-z_$][\w$]*\.)+[A-Z_$][\w$.]*)(?:: (?P<message>.*))?$"
)
_FRAME = re.compile(r"^\s+at (?:[\w.@-]*/)*(?P<frame>[\w.$<>/]+)\([^)]*\)")
_MORE = re.compile(r"^\s+\.\.\. \d+ (?:more|common frames omitted)")
_REFLECTION = ("jdk.internal.reflect.", "java.lang.reflect.", "sun.reflect.")
_FRAMES = 3

_REPLACED = tuple(
    (re.compile(pattern), by)
    for pattern, by in (
        (r"(?<![\w.])(?:[A-Za-z]:)?(?:[/\\][^\s/\\:;,()]+)+[/\\](?=[^\s/\\])", ""),
        (r"\$\$Lambda(?:\$\d+)?(?:/(?:0x)?[0-9a-f]+)?", "$$Lambda"),
        (r"@[0-9a-f]{4,16}\b", "@#"),
        (r"\b0x[0-9a-fA-F]+\b", "#"),
        (r"(?<![\w$.])-?\d+(?:\.\d+)?(?![\w$])", "#"),
        (r"\s+", " "),
    )
)
_FRAME_NUMBERS = re.compile(r"(\$\$Lambda)[$/\w]*|(\blambda\$(?:\w+\$)?)\d+|(\$Proxy)\d+")


@dataclass
class _Part:
    """An exception of a trace: the one thrown, or a cause."""

    type: str
    message: str
    of: str = ""
    frames: list[str] = field(default_factory=list)

    def name(self, frames: int) -> str:
        text = _template(self.message)
        if self.of:
            return f"{self.of}: {self.type}" + (f": {text}" if text else "")
        shown = [frame for frame in self.frames if not frame.startswith(_REFLECTION)][:frames]
        return self.type + (f": {text}" if text else "") + (f" at {' < '.join(shown)}" if shown else "")


def names(text: str) -> tuple[str, ...]:
    """A name for each stack trace in *text*, sorted; a trace without any frame counts for none."""
    found: list[list[_Part]] = []
    open_part: _Part | None = None
    for line in text.splitlines():
        frame = _FRAME.match(line)
        if frame:
            if open_part is not None:
                open_part.frames.append(_frame(frame["frame"]))
            continue
        head = _HEAD.match(line)
        if head and (head["cause"] or not head["lead"]):
            part = _Part(head["type"], head["message"] or "", head["of"] or "")
            if head["cause"] == "Caused by: " and found:
                if not head["lead"]:  # a cause of what was suppressed is indented
                    found[-1].append(part)
            elif head["cause"] is None:
                found.append([part])
            open_part = part
        elif open_part is not None and not open_part.frames and not _MORE.match(line):
            open_part.message += f"\n{line}"  # messages have several lines, the verifier's many
    return tuple(sorted(_name(parts) for parts in found if any(part.frames for part in parts)))


def _name(parts: list[_Part]) -> str:
    text = parts[0].name(_FRAMES)
    return text if len(parts) == 1 or parts[0].of else f"{text}; caused by {parts[-1].name(1)}"


def _frame(text: str) -> str:
    return _FRAME_NUMBERS.sub(lambda match: next(filter(None, match.groups())), text)


def _template(message: str) -> str:
    """The message without what differs from run to run; of the verifier's report place and reason."""
    lines = message.splitlines()
    kept = lines[:1]
    for number, line in enumerate(lines[:-1]):
        if line.strip() == "Location:":
            kept.append("in " + re.sub(r" @\d+:.*$", "", lines[number + 1].strip()))
        elif line.strip() == "Reason:":
            kept.append(lines[number + 1].strip())
    text = " ".join(kept)
    for pattern, by in _REPLACED:
        text = pattern.sub(by, text)
    return text.strip()
