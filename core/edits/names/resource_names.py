"""The names of classes in entries that are no classes: service files and the manifest; other texts become neutral."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from core.archive.entry_names import place_of, placed
from core.edits.names.neutral_names import RESOURCE, Name, NeutralNames, neutral_string

Resource = tuple[str, bytes]
"""Name and content of an entry that is no class."""
MANIFEST = "META-INF/MANIFEST.MF"
_SERVICES = "META-INF/services/"
_CLASS_OF = ("Main-Class", "Premain-Class", "Agent-Class", "Launcher-Agent-Class")
"""Attributes of a manifest that name a class."""
_ACTS = (
    "Manifest-Version", "Multi-Release", "Class-Path", "Add-Exports", "Add-Opens", "Enable-Native-Access",
    "Can-Redefine-Classes", "Can-Retransform-Classes", "Can-Set-Native-Method-Prefix",
)  # fmt: skip
"""Attributes of a manifest with an effect on the program's behaviour."""
_WIDTH = 70
"""Most bytes of a line of a manifest before its end."""


def resources_with(
    resources: Sequence[Resource | None], names: NeutralNames, classes: Sequence[str]
) -> tuple[Resource | None, ...]:
    """Return all entries that are no classes with the new names; None for a folder in which nothing is any more.
    ``classes`` are the new names of the classes, those of copies with their folder.
    """
    new = [None if entry is None else named_anew(entry, names) for entry in resources]
    inside = [*classes, *(entry[0] for entry in new if entry is not None and not entry[0].endswith("/"))]

    def left(entry: Resource) -> bool:
        return not entry[0].endswith("/") or any(name.startswith(entry[0]) for name in inside)

    return tuple([entry if entry is not None and left(entry) else None for entry in new])


def named_anew(entry: Resource, names: NeutralNames) -> Resource:
    """Return an entry that is no class with the new names of classes, and neutral if its own name is to change. A copy
    for a later Java version stays one.
    """
    version, name = place_of(entry[0])
    new, data = _anew((name, entry[1]), names)
    return placed(version, new), data


def _anew(entry: Resource, names: NeutralNames) -> Resource:
    name, data = entry
    if name == MANIFEST:
        return name, _manifest(data, names, neutral=Name(RESOURCE, name) in names.new)
    if name.startswith(_SERVICES) and "/" not in name.removeprefix(_SERVICES):
        return _service(entry, names)
    if name.endswith("/"):
        return f"{names.package(name[:-1])}/", data
    return names.resource(name), _neutral(data) if Name(RESOURCE, name) in names.new else data


def resources_to_name(names: list[str]) -> list[Name]:
    """Return the entries that may get another name or a neutral content; folders and service files follow classes."""
    inside = dict.fromkeys(place_of(name)[1] for name in names)
    return [Name(RESOURCE, name) for name in inside if not name.endswith("/") and not name.startswith(_SERVICES)]


def new_resource(name: str, number: int) -> str:
    """Return the new name of an entry; a short suffix stays, because it tells the format."""
    if name == MANIFEST:
        return name
    suffix = re.search(r"\.[a-z]{1,4}$", name)
    return f"r{number}{suffix[0] if suffix else ''}"


def _service(entry: Resource, names: NeutralNames) -> Resource:
    name, data = entry
    service = _dotted(names.class_)(name.removeprefix(_SERVICES))
    lines = [line.partition("#")[0].strip() for line in data.decode("utf-8", "replace").splitlines()]
    providers = [line for line in lines if line]
    new = [_dotted(names.class_)(line) for line in providers]
    if service == name.removeprefix(_SERVICES) and new == providers:
        return entry
    return f"{_SERVICES}{service}", "".join(f"{line}\n" for line in new).encode()


def _manifest(data: bytes, names: NeutralNames, *, neutral: bool) -> bytes:
    text = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n").replace("\n ", "")
    main, _, _ = text.partition("\n\n")
    pairs = [line.partition(": ")[::2] for line in main.split("\n") if ": " in line]
    new = [(key, _dotted(names.class_)(value) if key in _CLASS_OF else value) for key, value in pairs]
    if neutral:
        new = [(key, value) for key, value in new if key in (*_CLASS_OF, *_ACTS)]
    elif new == pairs:
        return data
    return b"".join(_folded(f"{key}: {value}".encode()) for key, value in new) + b"\r\n"


def _folded(line: bytes) -> bytes:
    lines = [line[at : at + _WIDTH] for at in range(0, len(line), _WIDTH)]
    return b"\r\n ".join(lines) + b"\r\n"


def _dotted(class_: Callable[[str], str]) -> Callable[[str], str]:
    return lambda name: class_(name.strip().replace(".", "/")).replace("/", ".")


def _neutral(data: bytes) -> bytes:
    """Return a text without its words; nothing for bytes that are no text."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return b""
    return b"" if "\0" in text else neutral_string(text, 0).encode()
