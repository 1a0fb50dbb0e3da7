"""Fixtures that hide the decompilers from tests that do not ask for them."""

from __future__ import annotations

import pytest

from core.predicate.several.decompiling import BEST_FIRST


def hide(patch: pytest.MonkeyPatch) -> None:
    """Have the decompilers not found."""
    for name in BEST_FIRST:
        patch.setenv(f"JARLET_{name.upper()}", "/no/such.jar")


@pytest.fixture(autouse=True)
def no_decompiler(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hides the decompilers that come with Jarlet, but for a test that asks for ``decompilers``: without source a
    report saves the seconds of a cold one."""
    if "decompilers" not in request.fixturenames:
        hide(monkeypatch)


@pytest.fixture
def decompilers() -> None:
    """Decompilers are found where they are installed."""
