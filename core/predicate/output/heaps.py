"""The code that fills a heap, by a virtual machine's histograms of classes at full collections.

Whoever asks for memory last is at fault by chance: of what is held, the tool's own class with the most bytes says more.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from operator import itemgetter
from pathlib import Path

OPTION = "-Xlog:gc+classhisto*=trace:file=heap-%p.log:none:filecount=1,filesize=8M"
"""Option of a virtual machine that writes histograms in its folder."""
HEAP = "Java heap space"
"""Message of a full heap."""
HELD = f"{HEAP}, largest part"
"""Message with the class that fills it most in place of frames."""

_ROW = re.compile(r"\d+: +\d+ +(\d+) +(\S+)")
_JDK = ("[", "java.", "javax.", "jdk.", "sun.")
_FULL, _PART = 0.9, 0.01
"""Least bytes of a histogram that counts, as a share of the fullest one's, and least bytes of the class, as a share of
all counted histograms'. See decisions/057-hangs.md."""


def reports(folder: Path) -> str:
    """Return an error of the class that fills a heap most, from all histograms of the full heap; empty if there is
    none."""
    texts = "".join(path.read_text("utf-8", "replace") for path in sorted(folder.glob("heap-*.log*")))
    found = [_ROW.findall(text) for text in texts.split("#instances")]
    least, held = _FULL * max(map(_total, found)), Counter[str]()
    full = [rows for rows in found if _total(rows) >= least]
    for size, name in chain(*full):
        if not name.startswith(_JDK):
            held[name] += int(size)
    name, most = max(held.items(), key=itemgetter(1), default=("", 0))
    return f"\njava.lang.OutOfMemoryError: {HELD}\n\tat {name}()\n" if most > _PART * sum(map(_total, full)) else ""


def _total(rows: list[tuple[str, str]]) -> int:
    return sum(int(size) for size, _ in rows)
