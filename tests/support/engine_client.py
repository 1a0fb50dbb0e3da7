"""Talks to an engine process: commands in, events out."""

import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

from tests.support.engine_nursery import ForkedEngine
from tests.support.patience import patience

ROOT = Path(__file__).resolve().parents[2]


class Client:
    """Talks to an engine process as the window does."""

    def __init__(self, temporary, alone=120):
        self.alone = alone
        """Seconds that :meth:`wait` waits at most on a machine without other work."""
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)}
        self.process = ForkedEngine(
            [sys.executable, "-m", "core.command_loop"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self.events = []
        self._ended = False
        self._news = threading.Condition()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            with self._news:
                self.events.append(json.loads(line))
                self._news.notify_all()
        with self._news:
            self._ended = True
            self._news.notify_all()

    def send(self, **command):
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()

    def wait(self, name, after=0, **fields):
        """The first event of that name with these fields, from place ``after`` on."""

        def found():
            return next((e for e in self.events[after:] if e["event"] == name and fields.items() <= e.items()), None)

        with self._news:
            self._news.wait_for(lambda: found() or self._ended, patience(self.alone))
            event = found()
            assert event, (name, fields, [e["event"] for e in self.events])
            return event

    def ask(self, answer, **command):
        """The first event ``answer`` after that command."""
        after = len(self.events)
        self.send(**command)
        return self.wait(answer, after=after)

    def close(self):
        with suppress(OSError):  # what it does not read any more
            self.process.stdin.close()
        self.process.wait(patience())
        self._reader.join(patience())
        self.process.stdout.close()
