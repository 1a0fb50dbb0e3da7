"""Computations that end where somebody wants it."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.cancellation import cancellation_point, cancelled_by
from core.library.library import open_library
from core.model import building


class Enough(Exception):  # noqa: N818
    pass


def stop() -> None:
    raise Enough


def test_only_the_thread_and_the_block_are_concerned() -> None:
    cancellation_point()
    others: list[BaseException] = []

    def beside() -> None:
        try:
            cancellation_point()
        except Enough as error:
            others.append(error)

    with cancelled_by(stop):
        thread = threading.Thread(target=beside)
        thread.start()
        thread.join()
        with cancelled_by(lambda: None):
            cancellation_point()
        with pytest.raises(Enough):
            cancellation_point()
    assert not others
    cancellation_point()


def test_a_model_looks_at_the_clock_for_each_class_and_rule(sample_jar: Path) -> None:
    jar, library, looks = read_jar([sample_jar]), open_library(()), 0

    def look() -> None:
        nonlocal looks
        looks += 1

    with cancelled_by(look):
        model = building.build(jar, library)
    assert looks > 10 * len(jar.classes())
    looks = 0
    with cancelled_by(look):
        model.entries(model.least(range(model.full.bit_count() // 2)))
    assert looks
    with pytest.raises(Enough), cancelled_by(stop):
        model.logic.least()
