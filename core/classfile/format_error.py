"""The error of a class file that is not correct."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager

from core.errors import InputError


class ClassFormatError(InputError):
    """The bytes are no correct class file; the text gives the reason."""


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Raise :class:`ClassFormatError` where the bytes of ``what`` end too early."""
    try:
        yield
    except (struct.error, IndexError) as error:
        raise ClassFormatError(f"{what} is cut off") from error
