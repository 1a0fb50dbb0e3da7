"""The order in which classes near the failures are tried."""

from __future__ import annotations

from contextlib import closing

from core.archive.jar import read_jar
from core.evidence.clues import Mention
from core.evidence.item_finder import ByItems
from core.evidence.suggestions import around_mentions, around_site
from core.library.library import open_library
from core.model.building import build
from core.model.item_model import ItemModel
from core.plan.evidence import nearest_first
from core.reduction.elements import PartElements, entry_numbers

SOURCES = {
    "p/Start.java": "package p; class Start { Hub hub; Small small; }",
    "p/Hub.java": "package p; class Hub { Far far; void a(Far x) { } void b(Far x) { } void c(Far x) { } int d, e; }",
    "p/Small.java": "package p; class Small { }",
    "p/Far.java": "package p; class Far { }",
    "p/Other.java": "package p; class Other { }",
}


def model_of(compile_java) -> ItemModel:
    with closing(open_library()) as library:
        return build(read_jar([compile_java(SOURCES)]), library, "full", "jvm")


def test_near_classes_come_first_and_of_equally_near_ones_the_small_ones(compile_java):
    model = model_of(compile_java)
    names = [item.name for item in model.items]
    order = nearest_first(PartElements(model, entry_numbers(model.model)), 1 << names.index("p/Start"))
    tops = [next(names[item] for item in group if model.parents[item] < 0) for group in order]
    assert tops == ["p/Start", "p/Small", "p/Hub", "p/Far", "p/Other"]


def test_the_rest_of_the_package_is_no_step_around_a_site(compile_java):
    model = model_of(compile_java)
    finder, start = ByItems(model), [Mention("p/Start")]
    other = 1 << finder.bare("p/Other")[0]
    (*_, alone) = around_mentions(finder, model.least, start)
    (*_, site) = around_site(finder, model.least, start, start)
    assert (alone.items & other, site.items & other) == (other, 0)
