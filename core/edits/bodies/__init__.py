"""Reduction inside of method bodies: the edits of a class, and the class with any of them.

Every result is well-formed, and passes the verifier if the class did, as far as that depends on this class alone:
an edit takes control flow away, or puts null or 0 where there was a more special type.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.classfile.class_file import ClassFile
from core.code.edit import Edit, EditKind
from core.edits.bodies.editor import Editor, numbers

__all__ = ["Edit", "EditKind", "Editor", "apply", "edits"]


def edits(cf: ClassFile) -> tuple[Edit, ...]:
    """Return the edits of all methods, by method, offset, kind and index; see :class:`Editor` for errors."""
    return Editor(cf).edits


def apply(cf: ClassFile, chosen: int | Iterable[int], edits: Sequence[Edit]) -> bytes:
    """Return the class with the ``chosen`` ones of ``edits``, a mask or numbers in ``edits``: see
    :meth:`Editor.written`.

    To write a class more than once, keep an :class:`Editor`.
    """
    return Editor(cf).written([edits[number] for number in numbers(chosen)])
