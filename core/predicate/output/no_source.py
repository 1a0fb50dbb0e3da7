"""Classes for which a decompiler wrote no source file, as lines of output and as failures of these names.

A decompiler that gives up on a class may say nothing. Without a failure for that class its silence would count as a
success, since the compiler cannot complain about a missing file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from pathlib import Path

from core.archive.entry_names import MARK, ROOTS, class_path
from core.entries import Entries
from core.predicate.output import decompiler_comments

_LINE = re.compile(r"^no source for \S+$", re.MULTILINE)
_SUFFIX = ".class"
_ELSEWHERE = ("META-INF/", "WEB-INF/", "BOOT-INF/")
"""Folders of archives in which a class does not stand at the path of its name, but for the roots of classes in them."""
_NO_CLASS = ("module-info", "package-info")


def said(entries: Entries, folder: Path) -> str:
    """Return the failures of a decompiler that the sources in ``folder`` tell: :func:`lines`, and its crashes."""
    return lines(entries, folder) + decompiler_comments.crashes(folder)


def lines(entries: Entries, folder: Path) -> str:
    """Return a line for each class of ``entries`` whose source is not in ``folder``, or is an empty file.

    A source may lie in any folder, since tools have habits of their own for ``WEB-INF/classes`` and
    ``BOOT-INF/classes``. Classes in jars inside are passed over: no tool looks into those.

    A class with a dollar sign in its name may be written into the file of another class, and counts as written. So does
    one whose name differs from another by case alone: CFR numbers such files.
    """
    written = {path.relative_to(folder).as_posix() for path in folder.rglob("*.java") if path.stat().st_size}
    return "".join(f"no source for {name.replace('/', '.')}\n" for name in _lacking(entries, written))


def names(text: str) -> list[str]:
    """Return the names of these failures in a text."""
    return _LINE.findall(text)


def _lacking(entries: Entries, written: Collection[str]) -> list[str]:
    names = (name for name, _ in entries if name.endswith(_SUFFIX) and MARK not in name)
    roots = (class_path(name) if name.startswith(ROOTS) else name for name in names)
    classes = {name.removesuffix(_SUFFIX) for name in roots}
    ends = {path[place:] for path in written for place in _beginnings(path)}
    alike = Counter(name.lower() for name in classes)
    own = (name for name in classes if alike[name.lower()] == 1 and "$" not in name)
    own = (name for name in own if not name.startswith(_ELSEWHERE))
    return sorted(name for name in own if Path(name).name not in _NO_CLASS and f"{name}.java" not in ends)


def _beginnings(path: str) -> list[int]:
    """Return the places at which a path or the rest of it after a folder begins."""
    return [0, *(place + 1 for place, letter in enumerate(path) if letter == "/")]
