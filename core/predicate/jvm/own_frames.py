"""Stack traces of a program in a resident process, without the frames of its start there."""

from __future__ import annotations

import re

_SIGN = b"at tool.Exits."
_OWN = re.compile(rb"^\s+at tool\.(?:Program|Exits)\.")
_THREAD = re.compile(rb"^\s+at (?:java\.base/)?java\.lang\.Thread\.run\w*\(")
_MORE = re.compile(rb"^(\s+\.\.\. )(\d+)( (?:more|common frames omitted)\r?\n?)$")
_INSIDE = re.compile(rb"^(?:\s|Caused by: )")


def without_own_frames(text: bytes) -> bytes:
    """Return an output with stack traces as a process of its own prints them: a cause counts fewer frames in common."""
    if _SIGN not in text:
        return text
    kept: list[bytes] = []
    own = 0
    for line in text.splitlines(keepends=True):
        more = _MORE.match(line)
        if _OWN.match(line) or (own and _THREAD.match(line)):
            own += 1
        elif more is not None:
            kept.append(b"%s%d%s" % (more[1], max(0, int(more[2]) - own), more[3]))
        else:
            own = own if _INSIDE.match(line) else 0
            kept.append(line)
    return b"".join(kept)
