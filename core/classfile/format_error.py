"""The error of a class file that is not correct."""

from __future__ import annotations

from core.errors import InputError


class ClassFormatError(InputError):
    """The bytes are no correct class file; the text gives the reason."""
