"""A real browser without a window: Chromium, spoken to by its DevTools protocol over two pipes."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PROGRAM = next(filter(None, map(shutil.which, NAMES)), None)

needs_browser = pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium")

_LONGEST = 60.0
_OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--remote-debugging-pipe",
)  # fmt: skip
# Chromium reads its commands from descriptor 3, and writes answers to 4.
_PLACED = (
    "import fcntl, os, sys; high = [fcntl.fcntl(int(n), fcntl.F_DUPFD, 20) for n in sys.argv[1:3]]; "
    "os.dup2(high[0], 3); os.dup2(high[1], 4); os.execv(sys.argv[3], sys.argv[3:])"
)


class Browser:
    """A browser with one page. ``requests`` are the addresses that the page asked for since it was opened."""

    def __init__(self, write: int, read: int) -> None:
        self._write, self._read = write, read
        self._rest = b""
        self._number = 0
        self._session = ""
        self._events: list[dict[str, Any]] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for part in ("Page", "Network", "Log"):
            self.ask(f"{part}.enable")

    def open(self, path: Path) -> None:
        """Load a file, and wait until all that belongs to it has come."""
        self._events.clear()
        self.ask("Page.navigate", url=path.as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self._events):
            self._take()

    @property
    def requests(self) -> list[str]:
        self.value("0")  # what was asked for before is told before the answer
        sent = [event for event in self._events if event["method"] == "Network.requestWillBeSent"]
        return [str(event["params"]["request"]["url"]) for event in sent]

    @property
    def refused(self) -> list[str]:
        """Return the refusals of the page's policy, in the browser's words."""
        entries = [event["params"]["entry"] for event in self._events if event["method"] == "Log.entryAdded"]
        return [str(entry["text"]) for entry in entries if "Content Security Policy" in entry["text"]]

    def value(self, script: str) -> Any:
        """The value of an expression in the page."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def dark(self, dark: bool) -> None:
        """Prefer dark pages, or light ones."""
        wish = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[wish])

    def ask(self, method: str, **values: Any) -> dict[str, Any]:
        """The answer to a command of the protocol."""
        self._number += 1
        number = self._number
        message: dict[str, Any] = {"id": number, "method": method, "params": values}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._take()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                return dict(answer["result"])

    def _take(self) -> dict[str, Any]:
        deadline = time.monotonic() + _LONGEST
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._read], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, "the browser does not answer"
            chunk = os.read(self._read, 1 << 16)
            assert chunk, "the browser has ended"
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        if "method" in message:
            self._events.append(message)
        return message


@contextmanager
def opened(folder: Path) -> Iterator[Browser]:
    """A browser whose profile is in ``folder``."""
    assert PROGRAM is not None
    (there, write), (read, back) = os.pipe(), os.pipe()
    command = [PROGRAM, *_OPTIONS, f"--user-data-dir={folder}"]
    process = subprocess.Popen(
        [sys.executable, "-c", _PLACED, str(there), str(back), *command],
        pass_fds=(there, back),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(there)
    os.close(back)
    try:
        yield Browser(write, read)
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        os.close(write)
        os.close(read)
