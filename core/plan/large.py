"""Inputs so large that their classes are searched before there is a model of their members."""

from __future__ import annotations

from core.archive.jar import Jar
from core.search.spaces.class_spaces import LARGE_INPUT


def large(jar: Jar) -> bool:
    """Tell whether models below the class wait until the search of whole classes has made the jar smaller.

    The machine does not matter, so that the search asks the same questions on each.
    """
    return len(jar.classes()) >= LARGE_INPUT
