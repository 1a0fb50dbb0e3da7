"""The code that fills a heap, by the histograms of classes that a virtual machine writes at full collections.

Whoever asks for memory last is at fault by chance: of what is held, the tool's own class with the most bytes says more.
"""

from __future__ import annotations

import re
from pathlib import Path

OPTION = "-Xlog:gc+classhisto*=trace:file=heap-%p.log:none:filecount=1,filesize=8M"
"""Option of a virtual machine that writes histograms in its folder."""
HEAP = "Java heap space"
"""Message of a full heap."""
HELD = f"{HEAP}, largest part"
"""Message with the class that fills it most in place of frames."""

_ROW = re.compile(r"\d+: +\d+ +(\d+) +(\S+)")
_JDK = ("[", "java.", "javax.", "jdk.", "sun.")
_PART = 0.05
"""Least share of the bytes. See decisions/057-hangs.md."""


def reports(folder: Path) -> str:
    """Return an error of the class that fills a heap most, from the largest histogram; empty if there is none."""
    texts = "".join(path.read_text("utf-8", "replace") for path in sorted(folder.glob("heap-*.log*")))
    rows = max(map(_ROW.findall, texts.split("#instances")), key=_total)
    name = next((name for size, name in rows if not name.startswith(_JDK) and int(size) >= _PART * _total(rows)), "")
    return f"\njava.lang.OutOfMemoryError: {HELD}\n\tat {name}()\n" if name else ""


def _total(rows: list[tuple[str, str]]) -> int:
    return sum(int(size) for size, _ in rows)
