"""Stack traces of Java in a text, as names: type, message, and the innermost frames.

A name reads ``a.B: message at a.C.m < a.D.n < a.E.o; caused by ...``. Numbers, versions, addresses and folders in the
message become ``#`` and nothing; lines, modules, reflection, test libraries and numbers of lambdas are left out of the
frames. Our own verifying program names the failed class: then the class comes first, without the frames, which would be
the virtual machine's.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain, dropwhile, zip_longest

from core.predicate.output.heaps import HEAP, HELD
from core.predicate.output.messages import FOLDERS, replacing, undecorated

_HEAD = re.compile(
    r"^(?P<lead>\s*)(?:Exception in (?:thread \"[^\"]*\"|class (?P<of>\S+)) )?(?P<cause>Caused by: |Suppressed: )?"
    r"(?P<type>(?:[a-z_$][\w$]*\.)+[A-Z_$][\w$.]*)(?::(?: (?P<message>.*))?)?$"
)
_PREFIXED = re.compile(
    r"^(?P<lead>)(?P<of>)(?![\s\"]).*?(?<=[\s:\]|>\"-])(?P<cause>Caused by: |Suppressed: )?"
    r"(?P<type>(?:[a-z_$][\w$]*\.)+[A-Z_$][\w$.]*(?:Exception|Error|Throwable))(?::(?: (?P<message>.*))?)?$"
)
"""A type of an exception behind other words, such as a log's time, a level or a file: if frames follow, at once or
behind a message of several lines."""
_LONGEST = 100
"""Largest number of lines between such a type and the frames."""
_PLAIN = re.compile(
    r"^(?P<lead>\s*)(?:Exception in (?:thread \"[^\"]*\"|class (?P<of>\S+)) )?(?P<cause>Caused by: |Suppressed: )?"
    r"(?P<type>[^\W\d][\w$]*(?:\.[^\W\d][\w$]*)*)(?:: (?P<message>.*))?$"
)
"""Any type, of the default package or with a name that no programmer gave: if a frame follows, or words say so."""
_FRAME = re.compile(r"^(?:\S*:)?(?P<lead>\s+)[Aa]t (?:[\w.@-]*/)*(?P<frame>[\w.$<>/]+)\([^)]*\)")
_ANY_FRAME = re.compile(r"(?:\s|\\t)[Aa]t [^\s(]+\(")
_MOMENT = re.compile(r"(?<!\S)\[?\d[\d:.,/TZ+-]*\](?=\s)|(?<!\S)\d[\d:.,/TZ+-]*(?=\s)")
_HIDDEN = re.compile(r"/0x[0-9a-f]+(?=\.)")
"""Address of a hidden class, behind its name."""
_MORE = re.compile(r"^\s+\.\.\. \d+ (?:more|common frames omitted)")
_FULL = "OutOfMemoryError"
"""End of the type of an exception of full memory, in which there may be no room for frames."""
_JDK = ("java.", "javax.", "jdk.", "sun.")
_REFLECTION = ("jdk.internal.reflect.", "java.lang.reflect.", "sun.reflect.")
_TESTING = ("org.junit.", "junit.framework.", "org.testng.", "org.hamcrest.", "org.assertj.", "org.opentest4j.")
"""Packages whose frames do not tell one failing test from another."""

_FRAMES = 3
_LINE_END = re.compile(r"\r?\n")

_stable = replacing(
    FOLDERS,
    (r"\$\$Lambda(?:\$\d+)?(?:/(?:0x)?[0-9a-f]+)?", "$$Lambda"),
    (r"(\$Proxy)\d+", r"\1"),
    (r"@[0-9a-f]{4,16}\b", "@#"),
    (r"\b(?:0x[0-9a-fA-F]+|[0-9a-f]{8}-[0-9a-f]{4}-[\da-f-]{22})\b", "#"),
    # moments, durations and sizes, and the digits in names of temporary files
    (r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d[\d:.,]*Z?)?|(?<![\w$.])\d+(?:[num]?s|[kKMG]i?B)\b|\d{5,}", "#"),
    # one with points goes whole, with what clings to it: 2.3.0, 12.5s
    (r"(?<![\w$.])-?\d+(?:(?:\.\d+)+[\w$]*|(?![\w$]))", "#"),
    # of the virtual machine's words on null: numbers change with the code, and names go with debug information
    (r'because "(?:<(?:local|parameter)\d+>|(?!this\b)[\w$]+)(?=[".\[(])', 'because "#'),
    (r"\s+", " "),
)
_FRAME_NUMBERS = re.compile(
    r"(\$\$Lambda)[$/\w]*|(\blambda\$(?:\w+\$)?)\d+|(\$Proxy)\d+|(\bjdk\.proxy)\d+"
    r"|(\$(?:\w+By(?:Spring)?CGLIB|SpringCGLIB|MockitoMock|ByteBuddy|auxiliary)\$+|_\$\$_jvst)\w+"
)
"""Numbers and random letters in names of classes that are made while a program runs."""


@dataclass
class _Part:
    """An exception of a trace: the one thrown, or a cause."""

    type: str
    message: str
    of: str = ""
    frames: list[str] = field(default_factory=list)

    @property
    def full(self) -> bool:
        """True if memory was full."""
        return self.type.endswith(_FULL)

    def name(self, frames: int) -> str:
        text = template(self.message)
        if self.of:
            return f"{self.of}: {self.type}" + (f": {text}" if text else "")
        shown = [frame for frame in self.frames if not frame.startswith(_REFLECTION)]
        if self.type.endswith("StackOverflowError"):
            shown = _cycle(shown)
        elif self.full:  # any allocation of the code in question may be the last one
            shown, text = (
                list(dropwhile(is_of_jdk, shown)) or shown,
                text.replace("GC overhead limit exceeded", "Java heap space"),
            )
        shown = ([frame for frame in shown if not frame.startswith(_TESTING)] or shown)[:frames]
        return self.type + (f": {text}" if text else "") + (f" at {' < '.join(shown)}" if shown else "")


def names(text: str) -> tuple[str, ...]:
    """Return a name for each stack trace in ``text``, sorted; a trace without any frame counts for none, unless it
    tells of full memory."""
    if not _ANY_FRAME.search(text) and _FULL not in text:  # as most outputs
        return ()
    found: list[list[_Part]] = []
    open_part: _Part | None = None
    loose: deque[str] = deque(maxlen=_LONGEST)
    indent, telling = "", False
    lines = _plain_lines(text)
    for line, following in zip_longest(lines, lines[1:], fillvalue=""):
        frame = _FRAME.match(line)
        if frame:
            if told := _before_frames(loose):
                open_part, indent = told, ""
                found.append([told])
            loose.clear()
            telling = False
            if open_part is not None:
                open_part.frames.append(_frame(frame["frame"]))
            continue
        head = _HEAD.match(line) or _plain(line, following)
        if head and (head["cause"] or not head["lead"] or _is_deeper(following, head["lead"])):
            part = _Part(head["type"], head["message"] or "", head["of"] or "")
            if head["cause"] == "Caused by: " and open_part is not None:
                if head["lead"] == indent:  # a cause of what was suppressed is indented
                    found[-1].append(part)
            elif head["cause"] != "Suppressed: ":
                found.append([part])
                indent = head["lead"]
            open_part, telling = part, True
            loose.clear()
        elif telling and open_part is not None and not open_part.full:
            telling = _MORE.match(line) is None
            open_part.message += f"\n{line}" if telling else ""  # messages have several lines, the verifier's many
        else:
            loose.append(line)
            if line and not line[0].isspace() and _FRAME.match(following) and not _before_frames(loose):
                open_part = None  # the frames are those of an exception that tells no type
    held = [parts[0].frames for parts in found if parts[0].message == HELD]
    shown = [parts for parts in found if any(part.frames or part.full for part in parts) and parts[0].message != HELD]
    for part in chain(*shown):
        if held and part.message == HEAP:
            part.message, part.frames = HELD, held[0]
    return tuple(sorted(map(_name, shown)))


def _is_deeper(following: str, lead: str) -> bool:
    """Return True if a line is a frame deeper than another line with that ``lead``."""
    frame = _FRAME.match(following)
    return frame is not None and len(frame["lead"]) > len(lead)


def _plain_lines(text: str) -> list[str]:
    """Return the lines without decorations and addresses of classes. A decorated line with the type of an exception
    stays as it is, unless a frame follows: the log may say more about another exception."""
    if "\\n\\tat " in text:  # a log in JSON
        text = text.replace("\\n", "\n").replace("\\t", "\t")
    raw = _by_speaker(_LINE_END.split(text))
    plain = [_HIDDEN.sub("", undecorated(line)) for line in raw]
    rows = zip_longest(raw, plain, plain[1:], fillvalue="")
    return [line if _is_loose(line, own, following) else own for line, own, following in rows]


def _by_speaker(lines: list[str]) -> list[str]:
    """Return the lines of each thread or service together, if several write frames and say on each line who they are:
    traces may be written at the same time."""
    speakers = [_MOMENT.sub("", line.removesuffix(undecorated(line))) for line in lines]
    pairs = zip(lines, speakers, strict=True)
    frames = dict.fromkeys(who for line, who in pairs if who.strip() and _FRAME.match(undecorated(line)))
    places = {who: place for place, who in enumerate(frames)}
    order = sorted(range(len(lines)), key=lambda number: places.get(speakers[number], -1))
    return [lines[number] for number in order] if len(frames) > 1 else lines


def _is_loose(line: str, plain: str, following: str) -> bool:
    head = _HEAD.match(plain) if line != plain and not _FRAME.match(following) else None
    return head is not None and not head["cause"] and not plain.startswith("Exception in ")


def is_of_jdk(frame: str) -> bool:
    """Return True if a frame is one of the JDK's."""
    return frame.startswith(_JDK)


def _cycle(frames: list[str]) -> list[str]:
    """Return the frames that repeat in an endless recursion. The first by name begins, since the end of the stack is
    chance. Frames without a regular cycle are counted, and the most frequent one is returned."""
    stack = frames[len(frames) // 4 : -(len(frames) // 4) or None]
    for period in range(1, len(stack) // 2):
        if stack[period:] == stack[:-period]:
            start = min(range(period), key=lambda at: stack[at : at + period])
            return stack[start : start + period]
    return sorted(stack, key=lambda frame: (-stack.count(frame), frame))[:1]


def frames(text: str) -> list[str]:
    """Return the frames in ``text`` as names have them."""
    found = (_frame(match["frame"]) for line in text.splitlines() if (match := _FRAME.match(line)))
    return [frame for frame in found if not frame.startswith(_REFLECTION)]


def _plain(line: str, following: str) -> re.Match[str] | None:
    """Return the match of a head that can be told only by the text before or behind it."""
    head = _PLAIN.match(line)
    if head is not None and "Exception in " in line[: head.start("type")]:
        return head
    return (head or _PREFIXED.match(line)) if _FRAME.match(following) else None


def _before_frames(lines: Sequence[str]) -> _Part | None:
    """Return the exception in the last line that has an exception's type behind other words."""
    for number in reversed(range(len(lines))):
        if head := _PREFIXED.match(lines[number]):
            return _Part(head["type"], "\n".join([head["message"] or "", *list(lines)[number + 1 :]]))
    return None


def _name(parts: list[_Part]) -> str:
    text = parts[0].name(_FRAMES)
    return text if len(parts) == 1 or parts[0].of else f"{text}; caused by {parts[-1].name(1)}"


def _frame(text: str) -> str:
    return _FRAME_NUMBERS.sub(lambda match: next(filter(None, match.groups())), text)


def template(message: str) -> str:
    """Return the message without what differs from run to run; of the verifier's report place and reason."""
    lines = _LINE_END.split(message.strip())
    kept = lines[:1]
    for number, line in enumerate(lines[:-1]):
        if line.strip() == "Location:":
            kept.append("in " + re.sub(r" @\d+:.*$", "", lines[number + 1].strip()))
        elif line.strip() == "Reason:":
            kept.append(lines[number + 1].strip())
    return _stable(" ".join(kept)).strip()


_TRACE = re.compile(
    r"(?P<type>[\w$]+(?:\.[\w$]+)*)(?P<message>(?:: .*?)?)"
    # the token behind an error of javac has no dot, or dots alone
    r" at (?P<frames>[\w$/-]+\.[\w.$<>/-]+(?: < [\w.$<>/-]+)*)"
    r"(?:; caused by |$)",
    re.DOTALL,
)


_OF_FIELD = r"\[*(?:[BCDFIJSZ]|L[\w$/]+;)"
_DESCRIPTOR = re.compile(rf"\((?:{_OF_FIELD})*\)(?:{_OF_FIELD}|V)|{_OF_FIELD}")
_DATA = re.compile(r"[^\s'\"]*(?:[^\s!-~]|\)[\w\[]|\w;)[^\s'\"]*")
"""Words with bytes of a broken file, or with signs of a descriptor."""


def _without_data(message: str) -> str:
    """Return a message without a tool's quotes of an unreadable file."""
    return _DATA.sub(lambda match: match[0] if _DESCRIPTOR.fullmatch(match[0]) else "#", message)


def is_exception(name: str) -> bool:
    """Return True if a failure of that name is one of a stack trace."""
    return _TRACE.match(name) is not None or name.partition(":")[0].endswith(_FULL)


def kind(name: str, plain: Callable[[str], str]) -> str:
    """Return the types of the exceptions and the place in the tool's code: the innermost frames down to the first one
    outside the JDK. If the input is the failing program, its own frames count. Empty for the name of another failure.
    ``plain`` leaves the input's classes and numbers out of a message."""

    def of_exception(text: str) -> str:
        found = _TRACE.match(text)
        if found is None:
            return plain(text)
        frames = found["frames"].split(" < ")
        end = next((number for number, frame in enumerate(frames) if not is_of_jdk(frame)), len(frames) - 1)
        return f"{found['type']}{plain(_without_data(found['message']))} at {' < '.join(frames[: end + 1])}"

    return "; caused by ".join(map(of_exception, name.split("; caused by "))) if is_exception(name) else ""
