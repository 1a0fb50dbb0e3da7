"""The phase that ARCHITECTURE.md designs, as it stands there, on a real class."""

from __future__ import annotations

import re
from pathlib import Path

from core.archive.jar import read_jar
from core.library.library import open_library
from core.model.building import build
from core.reduction.elements import PartElements, entry_numbers
from core.search.phases import Search, Skip
from tests.support.asking import ItemAsker
from tests.support.phases import start

PAGE = Path(__file__).resolve().parents[3] / "ARCHITECTURE.md"

SOURCE = """
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) @interface Mark { }
@Mark class Marked { @Mark int field; @Mark @Deprecated void method() { } }
"""


def designed():
    """Return the phase of the page, which has its own imports."""
    code = next(block for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S) if "@phase" in block)
    names = {}
    exec(code, names)
    return names["NO_ANNOTATIONS"]


def problem_of(jar):
    library = open_library()
    model = build(read_jar([jar]), library, "full", "jvm")
    library.close()
    return PartElements(model, entry_numbers(model.model)).problem


def test_the_phase_of_the_page_asks_once_for_the_input_without_annotations(compile_java):
    problem = problem_of(compile_java({"Marked.java": SOURCE}))
    marked = {item for item in range(problem.count) if problem.kind_of(item) == "annotation"}
    assert len(marked) >= 4
    search = start(designed(), problem)
    assert isinstance(search, Search)
    asker = ItemAsker(lambda kept: True)
    assert set(asker.run(search.algorithm)).isdisjoint(marked)
    assert len(asker.trace) == 1


def test_it_is_skipped_where_there_are_none(compile_java):
    problem = problem_of(compile_java({"Plain.java": "class Plain { int field; }"}))
    assert isinstance(start(designed(), problem), Skip)
