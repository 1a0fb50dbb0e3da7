"""Line numbers of a source file and methods of a class (LineNumberTable, JVMS 4.7.12)."""

from __future__ import annotations

from core.classfile.class_file import parse
from core.classfile.format_error import ClassFormatError
from core.classfile.tables import line_table


def source_file(data: bytes) -> str:
    """Return the name of a class file's source file; empty if the class file has none."""
    try:
        cf = parse(data)
        raw = cf.attributes.raw("SourceFile")
        return cf.constants.text(int.from_bytes(raw[:2], "big")) if raw is not None else ""
    except (ClassFormatError, IndexError):
        return ""


def methods_at(data: bytes, line: int) -> list[tuple[str, str]]:
    """Return the names and descriptors of the methods with code of a line. A damaged class file has none."""
    try:
        cf = parse(data)
        found = [method for method in cf.methods if any(number == line for _, number in line_table(cf, method))]
    except ClassFormatError:
        return []
    return [(method.name_text, method.descriptor_text) for method in found]


def has_lines(data: bytes) -> bool:
    """Return True if the methods of a class file say of which lines their code is."""
    try:
        cf = parse(data)
        return any(line_table(cf, method) for method in cf.methods)
    except ClassFormatError:
        return False
