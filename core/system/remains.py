"""The sentence on a temporary folder that cannot be removed, with the command for removing it.

The usual reasons are an immutable file (``chattr +i``), a mount, and a folder without write permission.
"""

from __future__ import annotations

import os
import re
import shlex
import struct
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from core.words import sentence

_GET_FLAGS = 0x80086601
"""Number of the system call that reads the attributes of a file (``FS_IOC_GETFLAGS`` on 64 bits)."""
_HELD = 0x10 | 0x20
"""Bits of the attributes immutable and append-only."""
_OCTAL = re.compile(r"\\([0-7]{3})")


def remains_text(path: Path, stuck: Sequence[str]) -> str:
    """Return a sentence on the folder ``path``, of which the paths ``stuck`` could not be removed; empty if none is."""
    if not stuck:
        return ""
    reason, before = _obstacle(path, [Path(each) for each in stuck])
    command = " && ".join([*before, f"rm -rf {shlex.quote(str(path))}"])
    return sentence(f"The temporary folder {path} cannot be removed ({reason}): remove it with {command}")


def _obstacle(path: Path, stuck: Sequence[Path]) -> tuple[str, list[str]]:
    """Return the obstacle to removing the folder, and the commands that clear the way."""
    mounts = [place for place in _mounts() if place == path or path in place.parents]
    if mounts:
        return f"{mounts[0]} is a mount", [f"umount {shlex.quote(str(place))}" for place in reversed(mounts)]
    held = next((place for each in stuck for place in (each, each.parent) if _is_held(place)), None)
    if held is not None:
        return f"{held} is immutable", [f"chattr -R -i -a {shlex.quote(str(held if held == path.parent else path))}"]
    parent = next((each.parent for each in stuck if not _writable(each.parent)), None)
    if parent is not None and parent.exists():
        return f"{parent} may not be written to", [f"chmod u+w {shlex.quote(str(parent))}"]
    return f"{stuck[0]} stays", []


def _writable(folder: Path) -> bool:
    """Return True if this process may change the folder."""
    return os.access(folder, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _mounts() -> list[Path]:
    """Return the places where file systems are mounted, outer ones first (Linux)."""
    with suppress(OSError), open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
        fields = (line.split(" ")[4] for line in file)
        return [Path(_OCTAL.sub(lambda code: chr(int(code[1], 8)), field)) for field in fields]
    return []


def _is_held(path: Path) -> bool:
    """Return True if the attributes of a file or folder keep everybody from removing it or its content (Linux)."""
    with suppress(OSError, ImportError):
        import fcntl

        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            flags = fcntl.ioctl(file, _GET_FLAGS, bytes(8))
        finally:
            os.close(file)
        return bool(struct.unpack("=Q", flags)[0] & _HELD)
    return False
