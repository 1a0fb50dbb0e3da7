"""What can be wrong with a class file."""

from __future__ import annotations

from core.errors import InputError


class ClassFormatError(InputError):
    """The bytes are no correct class file; the text says what is wrong with them."""
