"""Limits on the memory and space of an input on this machine, checked early so that refusing costs little.

The figures come from the operating system: the available memory (psutil), the limits of the control groups (version 1
and 2), unknown to psutil, and that of the process (``RLIMIT_AS``). If none of them is known, only the fixed limits
hold.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

from core.errors import InputError
from core.system.processes.measures import free_addresses, free_memory

LIMIT = 2 << 30
"""Most bytes that the unpacked entries of an input may have together (2 GiB)."""

DIRECTORY = 48 << 20
"""Most bytes of a zip's central directory: at least 46 a file, which takes about 700 in memory."""

ENTRIES = 1_000_000
"""Most files of an input."""

DEEPEST = 256
"""Most folders that one file may be nested in. Real packages have fewer than 30; a path of 4,096 bytes is the longest
that systems take."""

SUSPICIOUS, RATIO = 256 << 20, 100
"""From this size on, an archive that grows more than so many times is a zip bomb: class files shrink to a third,
deflate comes to 1,000 times with zeros alone."""

PER_ENTRY = 2_000
"""Bytes that an entry takes beside its content: directory, entry, item, its place in views."""

LEAST_FREE = 96 << 20
"""Bytes left free while a model is built: below that the model is given up, before the system ends processes of its
choice."""

MODEL = 35
"""Bytes that a search below the class is taken to need for each byte of a class file: the model of 10,000 joined ones
takes about 22 (``tests/bench/model.py``), and the search has sets of its items. An estimate, on the safe side."""

_COST = 200
"""Least time between two looks at the memory, as a multiple of the time that a look takes: half a millisecond, under
load much more."""

_SHARE = 0.5
"""Of the memory that is available, for the input: the model and the predicate's processes need room too."""

_PROC, _GROUPS = Path("/proc"), Path("/sys/fs/cgroup")


def available() -> int | None:
    """Return the bytes of memory that this process may still take; None where nobody tells."""
    found = [free_memory(), free_addresses()]
    with suppress(OSError, ValueError):
        for line in (_PROC / "self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if not controllers:
                found += _group_limits(_GROUPS, path, "memory.max", "memory.current")
            elif "memory" in controllers.split(","):
                names = ("memory.limit_in_bytes", "memory.usage_in_bytes")
                found += _group_limits(_GROUPS / "memory", path, *names)
    known = [number for number in found if number is not None]
    return max(0, min(known)) if known else None


def refuse_if_too_large(source: Path, content: int, entries: int, largest: int, packed: int | None = None) -> None:
    """Raise InputError when an input of ``content`` unpacked bytes in ``entries`` files must not be read into memory.

    ``largest``: bytes of the largest file, which is held twice for a moment; ``packed``: size of the archive.
    """
    if entries > ENTRIES:
        raise InputError(f"{source}: it has {entries:,} files, and Jarlet reads {ENTRIES:,}. Name a part of it.")
    if packed is not None and content > max(SUSPICIOUS, RATIO * packed):
        raise InputError(
            f"{source}: unpacked it would be {_megabytes(content)} MB, {content // max(packed, 1):,} times its size:"
            " this is a zip bomb. Remove the entries that are none of the program."
        )
    needed, free = content + largest + PER_ENTRY * entries, available()
    if free is not None and needed > free * _SHARE:
        raise InputError(
            f"{source}: reading it takes {_megabytes(needed)} MB of memory, and of the {_megabytes(free)} MB that are"
            f" available an input may take {_megabytes(int(free * _SHARE))} MB. Close other programs, raise the"
            " memory limit, or name a part of the input."
        )


def most_unpacked(packed: int, left: int) -> int:
    """Return the bytes that the jars inside an input of ``packed`` bytes may have together, ``left`` at most."""
    free = available()
    return min(left, max(SUSPICIOUS, RATIO * packed), left if free is None else int(free * _SHARE))


def refuse_if_too_deep(source: Path, name: str) -> None:
    """Raise InputError for a file nested in more folders than any path can have."""
    if name.count("/") > DEEPEST + 1:
        raise InputError(
            f"{source}: refused because of the entry {shortened(name)!r}: it is nested in"
            f" {name.rstrip('/').count('/'):,} folders, and Jarlet reads {DEEPEST}. Remove that entry."
        )


def refuse_if_model_too_large(title: str, content: int, classes: int) -> None:
    """Raise InputError when the model below the class of so many bytes of class files does not fit into memory."""
    needed, free = content * MODEL, available()
    if free is not None and needed > free - LEAST_FREE:
        raise InputError(
            f"{title}: the model below the class of its {classes:,} classes takes about {_megabytes(needed)} MB of"
            f" memory, and {_megabytes(free)} MB are available. Choose the algorithm auto, which looks below the class"
            " only in what whole classes leave, or the granularity class; or raise the memory limit, or name a part of"
            " the input."
        )


class Room:
    """A check, now and then while a model grows, that the machine still has memory for the model."""

    def __init__(self, title: str) -> None:
        """``title``: of the input, for the sentence."""
        self._title = title
        self._next = 0.0

    def check(self) -> None:
        """Raise InputError where hardly any memory is left; ask the system some ten times a second."""
        now = time.monotonic()
        if now < self._next:
            return
        free = available()
        self._next = now + _COST * (time.monotonic() - now)
        if free is not None and free < LEAST_FREE:
            raise InputError(
                f"{self._title}: its model does not fit into memory, of which {_megabytes(free)} MB are left."
                " Close other programs, raise the memory limit, choose a coarser granularity, or name a part of the"
                " input."
            )


def shortened(name: str, most: int = 100) -> str:
    """Return a name as a message shows it: a long one without its middle."""
    return name if len(name) <= most else f"{name[: most // 2]}...{name[-most // 2 :]}"


def _group_limits(mount: Path, path: str, most: str, used: str) -> list[int]:
    """Return the bytes left in a control group and in each group above. Within a container the own group is the
    mount."""
    group = mount / path.strip("/")
    left = []
    for folder in (group, *group.parents)[: 1 + len(group.parts) - len(mount.parts)]:
        with suppress(OSError, ValueError):  # "max", or a group that is not seen from here
            left.append(int((folder / most).read_text()) - _in_use(folder, used))
    return left


def _in_use(folder: Path, used: str) -> int:
    """Return the bytes in use but for the cache of files, which gives way."""
    cache = 0
    with suppress(OSError, ValueError, IndexError):
        for line in (folder / "memory.stat").read_text().splitlines():
            if line.startswith(("inactive_file ", "total_inactive_file ")):
                cache = max(cache, int(line.split()[1]))
    return int((folder / used).read_text()) - cache


def _megabytes(size: int) -> str:
    return f"{-(-size // 1_000_000):,}"
