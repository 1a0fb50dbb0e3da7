"""The files below a folder that a command may have filled: of any depth, where ``os.walk`` recurses, and any number."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator
from contextlib import suppress
from pathlib import Path


def files_below(folder: Path, left_out: Container[str] = ()) -> Iterator[os.DirEntry[str]]:
    """Yield all below ``folder`` that is no folder, in no order.

    No link below ``folder`` is followed. A folder named in ``left_out`` has nothing, nor has one that cannot be read,
    is gone, or has a path longer than the system allows.
    """
    waiting = [os.fspath(folder)]
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as found:
            for entry in found:
                if not entry.is_dir(follow_symlinks=False):
                    yield entry
                elif entry.name not in left_out:
                    waiting.append(entry.path)
