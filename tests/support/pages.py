"""README, guide and recipes, and the commands in them that are there to be copied."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    (ROOT / "README.md", ROOT / "packaging/examples/README.md", *(ROOT / "resources/help").glob("*.md")),
    key=lambda page: page.name,
)
BLOCK = re.compile(r"(?:^    [^\n]*\n(?:\n(?=    ))?)+|^```\w*\n.*?^```$", re.MULTILINE | re.DOTALL)
"""A block of a page: lines that are indented, or between fences."""


def blocks(page: Path) -> list[str]:
    """Return the blocks of a page, in order."""
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def copied(page: Path) -> Iterator[list[str]]:
    """Yield the commands in a page's blocks, which are there to be copied, as words without ``jarlet``."""
    for block in blocks(page):
        for line in block.replace("\\\n", " ").splitlines():
            for command in re.findall(r"(?:^ *|run: |[;&] |timeout \w+ )(jarlet .*)", line):
                yield shlex.split(command, comments=True)[1:]
