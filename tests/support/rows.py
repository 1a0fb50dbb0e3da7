"""One test for all rows of a table: it costs its fixtures once."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

_LONGEST = 300
"""Characters of a row in a message."""


def rows(names: str | Sequence[str], table: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test for each row, as one test; a failure names its row and the others that failed.

    All rows are run. Each has a ``tmp_path`` and a ``monkeypatch`` of its own, and shares what other fixtures made.
    """
    listed = [(row,) if isinstance(names, str) else row for row in table]
    arguments = (names,) if isinstance(names, str) else names
    assert listed

    def folded(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def run(**fixtures: Any) -> None:
            __tracebackhide__ = True
            failures: dict[int, BaseException] = {}
            for number, row in enumerate(listed):
                values = dict(zip(arguments, row, strict=True))
                try:
                    with pytest.MonkeyPatch.context() as patch:
                        test(**_renewed(fixtures, number, patch), **values)
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"row {number}: {str(values)[:_LONGEST]}")
                    failures[number] = error
            if failures:
                first = next(iter(failures.values()))
                first.add_note(f"{len(failures)} of {len(listed)} rows failed: {', '.join(map(str, failures))}")
                raise first

        signature = inspect.signature(test)
        kept = [given for name, given in signature.parameters.items() if name not in arguments]
        run.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return run

    return folded


def _renewed(fixtures: dict[str, Any], number: int, patch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the fixtures with those that a row must not share with another."""
    renewed = dict(fixtures)
    if "monkeypatch" in renewed:
        renewed["monkeypatch"] = patch
    if "tmp_path" in renewed:
        renewed["tmp_path"] /= str(number)
        renewed["tmp_path"].mkdir()
    return renewed
