"""Jars inside a jar, opened: ``BOOT-INF/lib/a.jar!/p/C.class`` is an entry of ``BOOT-INF/lib/a.jar``. A class path of
several jars is such a jar, which has no file of its own: ``a.jar!/p/C.class`` is an entry of its jar ``a.jar``.

Opened ones are folded again before anything is written, in the place of their first entry. So the written jar has the
layout of the input. One that has lost all its entries is gone.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from core.archive.entry_names import (
    MARK,
    NESTED,
    OPENED,
    ROOTS,
    SERVICES,
    EntryKind,
    below_roots,
    kind_of,
    why_unsafe,
)  # fmt: skip
from core.archive.manifest import joined
from core.archive.zips import Allowance, Archive
from core.entries import Entries
from core.errors import InputError
from core.system.budget import LIMIT

_INSIDE = re.compile(rf"(.*?(?:{'|'.join(map(re.escape, OPENED))})){re.escape(MARK)}(.*)", re.IGNORECASE | re.DOTALL)
_DEEPEST = 4
"""Number of jars within each other that are opened: a library of a war of an ear has 2 around it."""


class NotOpenedError(Exception):
    """A nested jar that stays whole; the text says why."""


def unfold(name: str, data: bytes, allowance: Allowance, depth: int = 1) -> Iterator[tuple[str, bytes]]:
    """Yield the entries of the nested jar ``name``, those of jars inside it too. Raise NotOpenedError if the jar cannot
    be written back as it was, or has more than the ``allowance`` of all jars inside the input.
    """
    try:
        with Archive(Path(name), data) as archive:
            _refuse(archive.infos)
            allowance.take(0, len(archive.infos))
            for info in archive.infos:
                inner = archive.read(info, LIMIT, allowance)
                if depth < _DEEPEST and info.filename.lower().endswith(NESTED):
                    with suppress(NotOpenedError):
                        yield from list(unfold(f"{name}{MARK}{info.filename}", inner, allowance, depth + 1))
                        continue
                yield f"{name}{MARK}{info.filename}", inner
    except (InputError, OSError) as error:
        raise NotOpenedError(str(error).removesuffix(".")) from error


def unfolded(entries: Entries, *, inputs: bool, nested: bool) -> Iterator[tuple[str, bytes]]:
    """Yield entries that :func:`folded` made, with those of opened jars in the place of the jars. With ``inputs`` each
    entry is a jar of a class path; with ``nested`` jars inside are opened."""
    for name, data in entries:
        inside = [(name, data)]
        if inputs or (nested and name.lower().endswith(NESTED)):
            with suppress(NotOpenedError):
                inside = list(unfold(name, data, Allowance(), 0 if nested and inputs else 1 if nested else _DEEPEST))
        yield from inside


def forms(entries: Entries) -> Iterator[Entries]:
    """Yield all that :func:`folded` may have made these entries of."""
    for nested in (False, True):
        for inputs in (False, True):
            yield list(unfolded(entries, inputs=inputs, nested=nested))


def folded(entries: Iterable[tuple[str, bytes]], pack: Callable[[str, list[tuple[str, bytes]]], bytes]) -> Entries:
    """Return the entries with each opened jar as one entry again, which ``pack`` makes of its name and entries."""
    found: dict[str, bytes | list[tuple[str, bytes]]] = {}
    for name, data in entries:
        inside = _INSIDE.fullmatch(name) if MARK in name else None
        if inside is None:
            found[name] = data
            continue
        part = found.setdefault(inside[1], [])
        assert isinstance(part, list), "a jar is whole or opened"
        part.append((inside[2], data))
    return [(name, pack(name, part) if isinstance(part, list) else part) for name, part in found.items()]


def flattened(entries: Entries) -> Entries:
    """Return the entries as tools that read one jar want them: those of opened jars at the top, beside the classes of
    ``BOOT-INF/classes`` and ``WEB-INF/classes``, of several with one name the first, service files joined, without
    signatures. If neither is there, return the entries as they are.
    """
    if not any(MARK in name or name.startswith(ROOTS) for name, _ in entries):
        return entries
    found: dict[str, bytes] = {}
    for name, data in entries:
        own = below_roots(name)
        if SERVICES.fullmatch(own) and own in found:
            found[own] = joined(found[own], data)
        elif own and kind_of(own) is not EntryKind.SIGNATURE:
            found.setdefault(own, data)
    return list(found.items())


def _refuse(infos: list[zipfile.ZipInfo]) -> None:
    """Raise NotOpenedError for a jar if writing would change its entries."""
    names = [info.filename for info in infos]
    if not names:
        raise NotOpenedError("empty")
    if len(set(names)) < len(names):
        raise NotOpenedError("two entries of one name")
    for name in names:
        if reason := why_unsafe(name):
            raise NotOpenedError(f"{name}: {reason}")
