"""The stacks of all threads of a running Java process, asked for as ``jcmd PID Thread.print`` asks, without a virtual
machine of its own: by the socket that HotSpot opens for its tools (Linux).
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import time
from pathlib import Path

_REQUEST = b"1\0threaddump\0\0\0\0"
_LONGEST = 2.0
"""Seconds after which a process counts as one that does not answer: it has stopped its threads, or has no such socket.
"""


def thread_dump(pid: int) -> str:
    """Return the stacks of a process's threads, as its virtual machine prints them; empty for a process without a
    virtual machine, or for one that does not answer."""
    with contextlib.suppress(OSError):
        if "libjvm.so" in Path(f"/proc/{pid}/maps").read_text() and _listens(pid):
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(_LONGEST)
                client.connect(_socket(pid))
                client.sendall(_REQUEST)
                return b"".join(iter(lambda: client.recv(1 << 16), b"")).decode("utf-8", "replace")
    return ""


def _listens(pid: int) -> bool:
    """Have the process open its socket. Return True once the socket is there."""
    if os.path.exists(_socket(pid)):
        return True
    handled = int(Path(f"/proc/{pid}/status").read_text().partition("SigCgt:")[2].split()[0], 16)
    if not handled >> signal.SIGQUIT - 1 & 1:
        return False  # the signal would end it
    wish = Path(f"/tmp/.attach_pid{pid}")
    wish.touch()
    try:
        os.kill(pid, signal.SIGQUIT)
        end = time.monotonic() + _LONGEST
        while not os.path.exists(_socket(pid)) and time.monotonic() < end:
            time.sleep(0.01)
    finally:
        wish.unlink(missing_ok=True)
    return os.path.exists(_socket(pid))


def _socket(pid: int) -> str:
    return f"/tmp/.java_pid{pid}"
