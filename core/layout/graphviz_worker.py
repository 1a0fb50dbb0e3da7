"""The only module that loads pygraphviz, run as a process of its own: a graph in Graphviz's language in, a picture out.

Not to be imported: Graphviz holds the interpreter's lock for the whole of a picture and loads X libraries that make Qt
crash. One starts for each picture, so it loads little else. Its arguments are the kind of picture and the most
seconds of processor time, which also end a worker after its parent's death.
"""

from __future__ import annotations

import contextlib
import sys
from typing import Any

import pygraphviz

from core.system.processes.measures import limit_own_seconds

AGraph: Any = pygraphviz.AGraph  # has no type annotations


def main(kind: str, seconds: str) -> None:
    """Draw nodes with places: ``nop2`` moves none and, told ``line``, only draws straight edges. A failure ends with a
    traceback on standard error and code 1."""
    with contextlib.suppress(ValueError):  # a lower limit is set already
        limit_own_seconds(int(seconds) + 1)
    sys.stdout.buffer.write(AGraph(sys.stdin.buffer.read().decode()).draw(format=kind, prog="nop2"))


if __name__ == "__main__":
    main(*sys.argv[1:])
