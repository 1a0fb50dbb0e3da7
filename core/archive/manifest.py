"""The two kinds of entry that name other entries: the manifest and ``META-INF/services`` files.

Both are pruned line by line, so that the remaining lines keep their bytes (line ends, folding, comments).
"""

from __future__ import annotations

import re
from collections.abc import Callable

_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_DIGEST = re.compile(rb"(?:.+-Digest(?:-.+)?|Digest-Algorithms|Magic)", re.IGNORECASE)


def _lines(data: bytes) -> list[bytes]:
    """Return the lines of ``data`` with their ends, whichever of the three kinds these are."""
    return [line for line in _LINE.findall(data) if line]


def prune_manifest(data: bytes, gone: Callable[[str], bool]) -> bytes:
    """Return a manifest without the digests of its entries and without sections of entries that are ``gone``.

    The main section stays byte for byte, other attributes of other sections too. A section
    that has nothing left but its name goes. ``gone`` is asked for entry names; a name that
    ends in ``/`` is a folder's.
    """
    main, *sections = _sections(data)
    kept = [main]
    for section in sections:
        attributes = _attributes(section)
        name = next((value for key, value, _ in attributes if key.lower() == b"name"), None)
        if name is not None and gone(name.decode("utf-8", "replace")):
            continue
        left = [raw for key, _, raw in attributes if not _DIGEST.fullmatch(key)]
        if len(left) == len(attributes):
            kept.append(section)
        elif len(left) > 1:
            blank = [line for line in _lines(section) if not line.strip(b"\r\n")]
            kept.append(b"".join(left + blank))
    return b"".join(kept)


def _sections(data: bytes) -> list[bytes]:
    """Return the sections with the empty lines that end them; the first is the main one."""
    sections: list[list[bytes]] = [[]]  # joined at the end: a manifest of a million lines is no reason to wait
    ended = False
    for line in _lines(data):
        empty = not line.strip(b"\r\n")
        if ended and not empty:
            sections.append([])
        ended = empty
        sections[-1].append(line)
    return [b"".join(section) for section in sections]


def _attributes(section: bytes) -> list[tuple[bytes, bytes, bytes]]:
    """Return the name, unfolded value and raw lines of each attribute.

    A line of at most 72 bytes goes on in the next one when that begins with a blank; the break may
    stand inside of a character, so lines are joined as bytes.
    """
    joined: list[tuple[list[bytes], list[bytes]]] = []
    for line in _lines(section):
        text = line.rstrip(b"\r\n")
        if text.startswith(b" ") and joined:
            joined[-1][0].append(text[1:])
            joined[-1][1].append(line)
        elif text:
            joined.append(([text], [line]))
    found = []
    for texts, lines in joined:
        key, _, value = b"".join(texts).partition(b":")
        found.append((key, value.removeprefix(b" "), b"".join(lines)))
    return found


def main_attributes(data: bytes) -> dict[str, str]:
    """Return the attributes of the main section, names in small letters."""
    found = _attributes(_sections(data)[0])
    return {
        key.decode("utf-8", "replace").strip().lower(): value.decode("utf-8", "replace").strip()
        for key, value, _ in found
    }


def without_class_path(data: bytes) -> tuple[bytes, str]:
    """Return a manifest without the ``Class-Path`` of its main section, and the value of that attribute."""
    for key, value, raw in _attributes(_sections(data)[0]):
        if key.lower() == b"class-path":
            return data.replace(raw, b"", 1), value.strip().decode("utf-8", "replace")
    return data, ""


def joined(data: bytes, more: bytes) -> bytes:
    """Return two service files as one, in their order: of the second one the providers that the first one lacks."""
    known = {_provider(line) for line in _lines(data)} | {b""}
    lines = {provider: line for line in reversed(_lines(more)) if (provider := _provider(line)) not in known}
    end = b"" if not data or data.endswith((b"\n", b"\r")) else b"\n"
    return data + end + b"".join(reversed(lines.values()))


def _provider(line: bytes) -> bytes:
    return line.partition(b"#")[0].strip()


def prune_services(data: bytes, gone: Callable[[str], bool]) -> bytes | None:
    """Return a service file without the providers that are ``gone``, or None if it had some and none is left.

    ``gone`` is asked for names as Java writes them (``a.b.C$D``). Comments stay.
    """
    kept, before, after = [], 0, 0
    for line in _lines(data):
        provider = _provider(line).decode("utf-8", "replace")
        removed = bool(provider) and gone(provider)
        before += bool(provider)
        after += bool(provider) and not removed
        if not removed:
            kept.append(line)
    return None if before and not after else b"".join(kept)


def classes_of_service(name: str, data: bytes) -> frozenset[str]:
    """Return the internal names of the service and of its providers; nothing for an entry that is no service file."""
    folder, _, service = name.rpartition("/")
    if folder != "META-INF/services":
        return frozenset()
    lines = data.decode("utf-8", "replace").splitlines()
    named = [service, *(line.partition("#")[0].strip() for line in lines)]
    return frozenset(each.replace(".", "/") for each in named if each)
