"""The order in which classes near the failures are tried."""

from __future__ import annotations

from contextlib import closing
from functools import partial

from core.archive.jar import read_jar
from core.evidence.clues import Mention
from core.evidence.item_finder import ByItems
from core.evidence.suggestions import around_mentions, around_site
from core.library.library import open_library
from core.model.building import build
from core.model.item_model import ItemModel
from core.plan.evidence import nearest_first
from core.plan.phase_elements import suggestions
from core.reduction.elements import PartElements, WholeElements, entry_numbers
from core.sets import mask_of, members

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
    (*_, site) = around_site(finder, model.least, start, start, several=False)
    assert (alone.items & other, site.items & other) == (other, 0)


def test_each_step_around_several_failures_of_a_site_holds_the_class_in_which_they_show(compile_java):
    nested = {"p/Start.java": SOURCES["p/Start.java"] + "class Lone { class In { int x; } }"}
    model = model_of(lambda sources: compile_java(sources | nested))
    finder, head = ByItems(model), Mention("p/Lone")
    found = list(around_site(finder, model.least, [Mention("p/Small", "f"), head], [head], several=True))
    wanted = mask_of(finder.whole("p/Lone"), len(model.items))
    assert all(each.items & wanted == wanted for each in found)
    assert finder.bare("p/Lone$In")[0] in members(found[0].items)


def test_a_resource_with_the_name_of_a_class_comes_with_it(compile_java):
    folder = compile_java({**SOURCES, "p/Two.java": "package p; class Two extends Small { class In { } Start s; }"})
    files = {"p/Two.tasty", "p/Small.tasty", "p/Small.txt", "p/Other.tasty", "p/Smaller.tasty"}
    for name in files:
        (folder / name).write_bytes(b"x")
    jar = read_jar([folder])
    with closing(open_library()) as library:
        parts = PartElements(build(jar, library, "full", "jvm"), {})
    for elements in (parts, WholeElements(parts.item_model.model)):
        for name in ("p/Two", "p/Two$In"):
            first = next(iter(suggestions(elements, partial(around_mentions, mentions=[Mention(name)]))))
            named = {parts.item_model.items[number].name for number in members(first.items)}
            of_super = {"p/Small.tasty", "p/Small.txt"} if "p/Small" in named else set()
            assert named & files == {"p/Two.tasty", *of_super}
            assert ("p/Small" in named) is (name == "p/Two" or elements is not parts)
