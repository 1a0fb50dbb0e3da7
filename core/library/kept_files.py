"""Files of the user's cache with a part of an input, for programs that read files."""

from __future__ import annotations

import hashlib
from contextlib import closing
from pathlib import Path

from core.archive.entry_names import why_unsafe
from core.archive.packer import Packer
from core.errors import InputError
from core.library.jdks import choose_jdk
from core.outside_names import file_name_like
from core.system.budget import shortened
from core.system.files import write_whole
from core.user_folders import cache_folder

MODULE = "jrt:"
"""Beginning of a word that names a module of the JDK."""


def kept_file(name: str, data: bytes) -> Path:
    """Return the place of a file of this name with these bytes, which stays in the cache. Raise OutputError."""
    place = cache_folder() / "inside" / hashlib.sha256(data).hexdigest()[:16] / file_name_like(name)
    if not place.is_file():
        write_whole(place, data, durable=False, parents=True)
    return place


def jar_of_class(path: Path, *, damaged: bool = False) -> Path:
    """Return a jar with a class file, in the place of the class's name. ``damaged``: a file without a readable name is
    placed by the name of the file. Raise InputError, OSError and OutputError."""
    from core.classfile.class_file import parse  # here: few inputs need them, and each command loads this module
    from core.classfile.format_error import ClassFormatError

    data = path.read_bytes()
    try:
        name = parse(data).name
    except ClassFormatError as error:
        if not damaged:
            raise InputError(f"{path}: this is no correct class file ({error}).") from error
        name = path.stem
    if reason := why_unsafe(f"{name}.class"):
        raise InputError(f"{path}: the class {shortened(name)} cannot stand in a jar: {reason}.")
    return kept_file(f"{path.stem}.jar", b"".join(Packer().pack([(f"{name}.class", data)])))


def jar_of_module(name: str) -> Path:
    """Return a jar with a module of the JDK. Raise InputError and OutputError."""
    from core.library.jimage import Image

    jdk = choose_jdk("", 0).jdk
    if jdk.image is None:
        raise InputError(f"{MODULE}{name}: the JDK in {jdk.home} has no modules. Let JAVA_HOME name a later one.")
    with closing(Image(jdk.image)) as image:
        entries = image.module(name)
    if not entries:
        raise InputError(f"{MODULE}{name}: the JDK in {jdk.home} has no module of that name ('java --list-modules').")
    return kept_file(f"{name}.jar", b"".join(Packer().pack(entries)))
