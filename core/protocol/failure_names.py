"""Names of failures that engine and window read: those that an exit code tells of."""

from __future__ import annotations


def other_failure(code: int | None) -> str:
    """What the names of the failures begin with that the exit code ``also`` tells of."""
    return f"exit code {code}"


def tells_other(failure: str, code: int | None) -> bool:
    """Whether a failure's name is one that the exit code ``also`` gives; None: there is no such code."""
    begin = other_failure(code)
    return code is not None and (failure == begin or failure.startswith(f"{begin}: "))
