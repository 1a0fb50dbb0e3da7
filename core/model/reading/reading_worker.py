"""A process that reads class files: chunks of them in, readings out, until its input ends.

Both ways a message is its length in eight bytes and a pickle: the granularity and pairs of entry and bytes; a list of
readings. Imports nothing that takes long: numpy and networkx stay out.
"""

from __future__ import annotations

import gc
import pickle
import struct
import sys
from typing import IO, Any

from core.classfile.outline import SharedNames
from core.model.reading.class_reading import read_class

_SIZE = struct.Struct(">Q")


def send(stream: IO[bytes], message: Any) -> None:
    """Write a message. OSError: nobody reads it."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    stream.write(_SIZE.pack(len(data)))
    stream.write(data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Read a message; EOFError at the end of the stream, or in the middle of a message."""
    head = stream.read(_SIZE.size)
    if len(head) < _SIZE.size:
        raise EOFError
    (size,) = _SIZE.unpack(head)
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return pickle.loads(data)


def main() -> None:
    """Serve the process that started this one."""
    gc.disable()  # little of what is made here is in cycles, and the process soon ends
    names = SharedNames()
    while True:
        try:
            granularity, classes = receive(sys.stdin.buffer)
        except EOFError:
            return
        send(sys.stdout.buffer, [read_class(entry, data, granularity, names) for entry, data in classes])


if __name__ == "__main__":
    main()
