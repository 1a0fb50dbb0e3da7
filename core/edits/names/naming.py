"""The kind of rewriting that gives neutral names: one edit for each name, with all its places, resources among them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from core.archive.entry_names import place_of, placed
from core.edits.names.name_map import CLASS, MEMBER, MODULE, PACKAGE, RESOURCE, STRING
from core.edits.names.names_in_use import NamesInUse
from core.edits.names.neutral_names import (
    Name,
    NeutralNames,
    may_stay,
    names_of,
    neutral_names,
    neutral_string,
    own_name,
    string_pieces,
)
from core.edits.programs.program import OBJECT, ProgramEdit, WholeProgram, kind, shown
from core.renaming import Neutral

_MOST_CLASS_BYTES = 20_000_000
"""Most bytes of classes with changed names: every probe takes as long as writing all of them. See
decisions/051-neutral-names.md."""


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return an edit for each name with a meaning; none if the names of the JDK are unknown."""
    if not program.classes or program.library(OBJECT) is None:
        return ()
    in_use = NamesInUse(program)
    names = [name for name in names_of(in_use) if not may_stay(name, in_use)]
    new = neutral_names(names, in_use.simple_names(), in_use.known[STRING])
    new |= _resources(program, in_use)
    changed = NeutralNames(in_use, new)
    new = {name: text for name, text in new.items() if name.of != STRING or changed.spelled(name.text) is None}
    declaring = _declaring(program)
    return [
        ProgramEdit(f"the {name.of} {shown(name.text)} becomes {text}", _touched(name, declaring, in_use), (name, text))
        for name, text in new.items()
    ]


@kind(
    "names",
    _find,
    most=_MOST_CLASS_BYTES,
    copies=True,
    weighs=False,
    may_grow=True,
    told="names became neutral",
)
def NAMES(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Give neutral names; strings and resources that name a class follow it."""
    names = NeutralNames(NamesInUse(program), dict(edit.what for edit in edits))
    return named(program, names)


def named(program: WholeProgram, names: NeutralNames) -> WholeProgram:
    """Return the program with other names."""
    trees = [(tree, names.anew(tree)) for tree in program.classes]
    copies = [(number, tree, names.anew(tree)) for number, tree in program.versioned]
    versioned = [(number, old if old == new else new) for number, old, new in copies]
    places = [placed(number, tree.name) for number, tree in versioned]
    neutral = Neutral(
        classes={new: old for old, new in names.classes.items()},
        packages={new: name.text for name, new in names.new.items() if name.of == PACKAGE},
        words=_words(names),
    )
    return replace(
        program,
        classes=tuple([old if old == new else new for old, new in trees]),
        versioned=tuple(versioned),
        renaming=replace(program.renaming, neutral=neutral.after(program.renaming.neutral)),
        resources=resources_with(program.resources, names, [new.name for _, new in trees] + places),
    )


def _words(names: NeutralNames) -> dict[str, str]:
    """Return the old words by the new ones: own names of classes, members, strings with their pieces."""
    found: dict[str, str] = {}
    for name, new in names.new.items():
        if name.of == STRING:
            for piece, old in string_pieces(name.text, new):
                found.setdefault(piece, old)
        elif name.of in (CLASS, MEMBER, MODULE):
            found[new] = own_name(name.text, names.in_use.outer) if name.of == CLASS else name.text
    return found


def _resources(program: WholeProgram, in_use: NamesInUse) -> dict[Name, str]:
    """Return the new names of resources whose old names have a meaning."""
    entries = [entry for entry in program.resources if entry is not None]
    resources = resources_to_name([name for name, _ in entries])
    new = {name: new_resource(name.text, number) for number, name in enumerate(resources, 1)}
    changed = NeutralNames(in_use, new)
    changing = {place_of(entry[0])[1] for entry in entries if named_anew(entry, changed) != entry}
    return {name: text for name, text in new.items() if name.text in changing}


def _declaring(program: WholeProgram) -> dict[str, list[str]]:
    """Return the classes that declare members, by the members' names."""
    found: dict[str, dict[str, None]] = {}
    for tree in (*program.classes, *(copy for _, copy in program.versioned)):
        for member in (*tree.fields, *tree.methods):
            found.setdefault(member.name, {})[tree.name] = None
    return {name: list(classes) for name, classes in found.items()}


def _touched(name: Name, declaring: dict[str, list[str]], in_use: NamesInUse) -> tuple[str, ...]:
    """Return the classes and entries that a new name changes."""
    known = in_use.program.by_name
    if name.of == PACKAGE:
        return tuple(each for each in known if each.rpartition("/")[0] == name.text)
    if name.of == MEMBER:
        return tuple(declaring.get(name.text, ()))
    return (name.text,) if name.of == CLASS else ()


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
        return f"{names.new_name(PACKAGE, name[:-1])}/", data
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
