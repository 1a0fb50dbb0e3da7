"""Resident processes that misbehave, wear out, or cannot be started."""

import os
import sys
import threading
import time

import pytest

from core.predicate.jvm.host import HostCancelledError, HostCommand, HostError, HostPool, HostTimeoutError
from tests.support.patience import patience


def test_hosts_that_misbehave_are_killed(processes):
    marker = f"sleep 6{os.getpid()}"
    pool = HostPool(HostCommand(("sh", "-c", f"{marker}; true"), 1))
    start = time.monotonic()
    with pytest.raises(HostTimeoutError):
        pool.ask(b"x" * 1_000_000, 0.3)
    cancel = threading.Event()
    threading.Timer(0.2, cancel.set).start()
    with pytest.raises(HostCancelledError):
        pool.ask(b"x", None, cancel)
    assert pool.pids() == []
    while processes(marker) and time.monotonic() - start < patience():
        time.sleep(0.02)  # killed, and on its way out
    assert processes(marker) == []
    pool.close()


@pytest.mark.parametrize("words", [("false",), ("/no/such/program",), ("cat",), ("sh", "-c", "kill -9 $$")])
def test_hosts_that_cannot_work_are_errors_and_soon_no_longer_tried(words, tmp_path):
    pool = HostPool(HostCommand(words, 1), tmp_path)
    for _ in range(3):
        with pytest.raises(HostError):
            pool.ask(b"no jar", 20.0)
    with pytest.raises(HostError, match="one after another"):
        pool.ask(b"no jar", 20.0)
    assert list(tmp_path.iterdir()) == [], "a host that answers wrongly is ended as well"
    pool.close()


def test_after_a_rest_a_host_is_tried_again(tmp_path):
    works = tmp_path / "works"
    answer = "struct.pack('>iqqqiii', 36, 1000000, 2000000, 5, 1, 0, 0)"
    text = (
        f"import os, struct, sys\nopen({str(tmp_path / 'starts')!r}, 'a').write('x')\nif not os.path.exists("
        f"{str(works)!r}): sys.exit(1)\nwhile head := sys.stdin.buffer.read(4):\n sys.stdin.buffer.read(struct.unpack("
        f"'>i', head)[0])\n sys.stdout.buffer.write({answer})\n sys.stdout.buffer.flush()"
    )
    pool = HostPool(HostCommand((sys.executable, "-IS", "-c", text), 100))

    def starts(requests):
        before = len((tmp_path / "starts").read_text()) if (tmp_path / "starts").exists() else 0
        for _ in range(requests):
            with pytest.raises(HostError):
                pool.ask(b"jar", 20.0)
        return len((tmp_path / "starts").read_text()) - before

    assert starts(3) == 3
    assert starts(16) == 0  # turned down
    assert starts(1) == 1
    assert starts(32) == 0  # twice as long
    works.touch()
    assert pool.ask(b"jar", 20.0).sources == 1
    assert pool.ask(b"jar", 20.0).sources == 1
    works.unlink()
    os.kill(pool.pids()[0], 9)
    assert starts(4) == 2  # the one that was killed was none; then three failures make it rest again, not for longer
    assert starts(15) == 0
    assert starts(1) == 1
    pool.close()


def test_a_host_answers_and_is_replaced_when_worn(monkeypatch):
    answer = "struct.pack('>iqqqiii', 36, 1000000, 2000000, 5, 1, 0, 0)"
    text = (
        "import struct, sys\nwhile head := sys.stdin.buffer.read(4):\n sys.stdin.buffer.read(struct.unpack('>i', "
        f"head)[0])\n sys.stdout.buffer.write({answer})\n sys.stdout.buffer.flush()"
    )
    monkeypatch.setattr("core.predicate.jvm.host.MOST_REQUESTS", 3)
    pool = HostPool(HostCommand((sys.executable, "-c", text), 100))
    pids = set()
    for _ in range(4):
        found = pool.ask(b"jar" * 100_000, 20.0)
        assert (found.decompiling, found.compiling, found.heap, found.sources) == (1.0, 2.0, 5, 1)
        pids |= set(pool.pids())
    assert len(pids) == 2
    pool.close()
    assert pool.pids() == []
    with pytest.raises(HostError, match="closed"):
        pool.ask(b"jar")
