"""How long a candidate takes to be written: ``python -m tests.bench.writing JAR`` (CPU milliseconds, best of five).

Compares the packer that remembers what it compressed with the standard library's ``zipfile``.
"""

from __future__ import annotations

import sys
import time
import zipfile
from collections.abc import Callable
from io import BytesIO

from core.archive.jar import read_jar
from core.archive.packer import LEVEL, Packer
from core.model import class_model


def best(action: Callable[[], object], times: int = 5) -> float:
    """CPU milliseconds of the fastest of some runs."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        action()
        taken.append((time.process_time() - start) * 1000)
    return min(taken)


def with_zipfile(entries: list[tuple[str, bytes]]) -> None:
    """The same archive by the standard library."""
    with zipfile.ZipFile(BytesIO(), "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
        for name, data in entries:
            archive.writestr(name, data)


def main() -> None:
    """Prints a line for each jar named."""
    for path in sys.argv[1:]:
        model = class_model.build(read_jar([path]))
        entries = model.entries(model.full)
        packer = Packer()
        first = best(lambda entries=entries: Packer().pack(entries))
        packer.pack(entries)
        again = best(lambda packer=packer, entries=entries: b"".join(packer.pack(entries)))
        library = best(lambda entries=entries: with_zipfile(entries))
        title = f"{model.jar.title}: {len(entries)} entries"
        print(f"{title}: first {first:.0f} ms, again {again:.1f} ms, zipfile {library:.0f} ms")


if __name__ == "__main__":
    main()
