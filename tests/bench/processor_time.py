"""Processor seconds of tests, by file and by test: of this process, of its children that ended, and of those alive.

    .venv/bin/python -m pytest -n 0 -p tests.bench.processor_time tests/system/test_engine.py

A child of somebody else (a process that was handed over) is not counted. On a loaded machine the same work takes up to
three times the processor seconds: compare only what ran at the same load.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest

_TICKS = os.sysconf("SC_CLK_TCK")
_SHOWN = 20


def _alive() -> float:
    """Return the processor seconds of all living descendants."""
    children: dict[int, list[int]] = {}
    used: dict[int, float] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
            except OSError:
                continue  # gone meanwhile
            children.setdefault(int(fields[1]), []).append(int(folder.name))
            used[int(folder.name)] = sum(map(int, fields[11:15])) / _TICKS
    waiting, total = children.get(os.getpid(), []), 0.0
    while waiting:
        number = waiting.pop()
        total += used[number]
        waiting += children.get(number, [])
    return total


class _Clock:
    """Processor seconds since the start, without those of the clock itself."""

    def __init__(self) -> None:
        self._own = 0.0

    def now(self) -> float:
        """Return the seconds of this process and of what it started."""
        began = time.thread_time()
        alive, times = _alive(), os.times()
        self._own += time.thread_time() - began
        return time.process_time() + times.children_user + times.children_system + alive - self._own


_CLOCK = _Clock()
_SPENT: Counter[str] = Counter()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Measure a test with its fixtures."""
    before = _CLOCK.now()
    try:
        return (yield)
    finally:
        _SPENT[item.nodeid] += _CLOCK.now() - before


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the files and the dearest tests."""
    files: Counter[str] = Counter()
    for name, seconds in _SPENT.items():
        files[name.partition("::")[0]] += seconds
    for title, counted in (("files", files.most_common()), ("tests", _SPENT.most_common(_SHOWN))):
        terminalreporter.section(f"processor seconds of {title}")
        for name, seconds in counted:
            terminalreporter.line(f"{seconds:8.2f}  {name}")
