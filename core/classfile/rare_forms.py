"""Classes with rare forms. A tool that only reads class files often fails on a rare form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from heapq import nsmallest
from itertools import chain

from core.classfile.format_error import ClassFormatError
from core.classfile.pool import METHOD_HANDLE, read_pool
from core.classfile.symbolic.attribute_pieces import READERS

_SHARE = 16
"""Number of classes for each one that counts as rare. See decisions/058-rare-forms.md."""
_ATTRIBUTES = frozenset(chain.from_iterable(READERS.values()))


def rarest(files: Mapping[str, bytes]) -> list[str]:
    """Return the names of the class files with the rarest forms: first by the number of files with the rarest form of
    each, then by that of the next one.
    """
    forms = {name: _forms(data) for name, data in files.items()}
    counts = Counter(chain.from_iterable(forms.values()))
    return nsmallest(len(files) // _SHARE, forms, key=lambda name: sorted(counts[form] for form in forms[name]))


def _forms(data: bytes) -> frozenset[object]:
    """Return the version and flags of a class file, its attributes, and its kinds of constants and method handles."""
    try:
        pool, end = read_pool(data, 8)
    except ClassFormatError:
        return frozenset(("damaged",))
    found = [constant[:2] for constant in pool if constant is not None]
    kinds = (kind if kind[0] == METHOD_HANDLE else kind[0] for kind in found)
    return frozenset((data[4:8], data[end : end + 2], *kinds, *_ATTRIBUTES.intersection(kind[1] for kind in found)))
