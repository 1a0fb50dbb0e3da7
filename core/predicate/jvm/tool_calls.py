"""The messages between ``jarlet host`` and the reduction that it asks. The module loads at once, since each probe of a
script may begin with it.
"""

from __future__ import annotations

import socket

VARIABLE = "JARLET_HOST"
"""Variable of the environment with the socket, and behind it :data:`COLD` where nothing resident may answer."""
COLD = ":cold"
COMPILER = "javac"
"""Name of the program that is no jar but the JDK's own compiler."""

_LENGTH = 8
"""Bytes of the length before a message, big-endian."""


def send(connection: socket.socket, data: bytes) -> None:
    """Send a message: its length, and its bytes."""
    connection.sendall(len(data).to_bytes(_LENGTH, "big") + data)


def received(connection: socket.socket) -> bytes:
    """Return the next message. Raise OSError where it does not come whole."""
    return _bytes(connection, int.from_bytes(_bytes(connection, _LENGTH), "big"))


def _bytes(connection: socket.socket, count: int) -> bytes:
    found = bytearray()
    while len(found) < count:
        chunk = connection.recv(min(count - len(found), 1 << 16))
        if not chunk:
            raise OSError("the connection ended")
        found += chunk
    return bytes(found)
