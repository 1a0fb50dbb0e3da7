"""What ProGuard needs before it can judge, and what its warnings mean.

ProGuard 6.2.2 refuses class files of Java 14 and later, and reading the whole JDK for each jar would take
most of the time. So it gets copies with the version lowered (all that it does here is to look up names), and of
the JDK those classes that a jar can lead to.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from core.archive.jar import write_jar
from core.classfile.class_file import collector_paused, parse
from core.classfile.descriptors import element_class
from core.classfile.format_error import ClassFormatError
from core.classfile.outline import references
from core.classfile.pool import CLASS, read_pool
from core.library.library import Library, open_library
from core.library.skim import skim
from core.model.lookup import Lookup
from tests.support.rewriting import compacted

_NEWEST = 57
_MISSING = re.compile(r"can't find referenced class (\S+)")


def readable(jar: Path, folder: Path) -> Path:
    """*jar* if ProGuard can read it, else a copy in *folder* that it can."""
    classes = dict(class_files(jar))
    if all(_version(data) <= _NEWEST for data in classes.values()):
        return jar
    copy = folder / f"readable-{jar.name}"
    write_jar(copy, [(name, _lowered(data)) for name, data in classes.items()], durable=False)
    return copy


def jdk_library(jar: Path, class_path: Sequence[Path], target: Path) -> Path:
    """Writes to *target* the JDK's classes that *jar* and *class_path* mention, and all above these."""
    library = open_library()
    try:
        with collector_paused():
            names = mentioned([jar, *class_path])
        write_jar(target, [(f"{name}.class", _lowered(data)) for name, data in _closed(library, names)], durable=False)
    finally:
        library.close()
    return target


def levelled(jar: Path, messages: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """For each warning about *jar*: the internal name of the class, the level ("jvm" or "src"), and the text.

    ProGuard asks for enclosing methods and for the classes in descriptors of declarations, which the virtual
    machine never looks for: such warnings are of level "src".
    """
    constants: dict[str, set[str]] | None = None
    for message in messages:
        name, _, text = message.partition(": ")
        name = name.replace(".", "/")
        level = "src" if "can't find enclosing" in text else "jvm"
        if missing := _MISSING.match(text):
            if constants is None:
                constants = _class_constants(jar)
            if missing[1].replace(".", "/") not in constants.get(name, ()):
                level = "src"
        yield name, level, text


def _version(data: bytes) -> int:
    return int.from_bytes(data[6:8], "big")


def _lowered(data: bytes) -> bytes:
    return data if _version(data) <= _NEWEST else data[:4] + b"\0\0" + _NEWEST.to_bytes(2, "big") + data[8:]


def _class_constants(jar: Path) -> dict[str, set[str]]:
    """For each class of *jar* the names that stand in it as Class constants which something in it uses: javac leaves
    those of classes behind of which it took nothing but the value of a constant."""
    found: dict[str, set[str]] = {}
    for _, data in class_files(jar):
        try:
            pool, _ = read_pool(compacted(parse(data)), 8)
            places = [constant[1] for constant in pool if constant and constant[0] == CLASS]
            names = {element_class(pool[place][1]) for place in places}  # type: ignore[index]
            found.setdefault(skim(data).name, set()).update(name for name in names if name)
        except ClassFormatError:
            continue
    return found


def mentioned(paths: Sequence[Path]) -> set[str]:
    """The classes that class files of *paths* name."""
    names = {"java/lang/Object"}
    for data in (data for path in paths for _, data in class_files(path)):
        try:
            names |= references(data)
        except ClassFormatError:
            continue
    return names


def class_files(jar: Path) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the class files in *jar*; unlike for an input it is no error that there are none."""
    with zipfile.ZipFile(jar) as archive:
        for name in archive.namelist():
            if name.endswith(".class"):
                yield name, archive.read(name)


def _closed(library: Library, names: set[str]) -> Iterator[tuple[str, bytes]]:
    lookup = Lookup({}, library.get, {})
    above = sorted({ancestor for name in names for ancestor in lookup.above(name)})
    for name in above:
        data = library.class_bytes(name)
        if data is not None:
            yield name, data
