"""What failures name, read back to the classes of real jars, and the candidates made of evidence."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.evidence.agents import Agents, UnusableError
from core.evidence.clues import Clues, Mention, Ran
from core.evidence.failure import FailureReport, heads, mentions
from core.evidence.item_finder import ByItems, ItemFinder
from core.evidence.mentions import ClassNames, method_lines, source_file, words_of
from core.evidence.running import entered, read_coverage, with_previews
from core.evidence.suggestions import around_command, around_mentions, around_run
from core.library.jdk import find_jdk
from core.library.library import open_library
from core.model import class_model
from core.model.building import build
from core.model.item_model import ItemModel
from core.plan.evidence import GatheredEvidence
from core.predicate.output.messages import crash_logs
from core.search.reducers.by_halves import first_of
from tests.support.java import CompileJava
from tests.support.rows import rows

SOURCES = {
    "app/Main.java": """package app;
public class Main {
    public static void main(String[] words) { new Engine().start(words.length); }
    static class Inner { void deep() { throw new IllegalStateException(); } }
}
class Beside { int unused() { return 1; } }
""",
    "app/Engine.java": """package app;
public class Engine implements Part {
    int speed;
    void start(int count) {
        speed = count;
        new app.parts.Wheel().turn(count);
    }
    void start(String name) {
        new app.parts.Wheel().turn(7);
    }
    void never() { new Spare().use(); }
}
class Spare { void use() { } }
interface Part { }
""",
    "app/parts/Wheel.java": "package app.parts; public class Wheel { public int turn(int n) { return n / 0; } }\n",
    "Lone.java": "public class Lone { static void go() { } }\n",
}


@pytest.fixture(scope="module")
def detailed(compile_java: Callable[..., Path]) -> ItemModel:
    jar = read_jar([compile_java(SOURCES, "-g")])
    return build(jar, open_library([]), "full")


@pytest.fixture(scope="module")
def names(detailed: ItemModel) -> ClassNames:
    return ClassNames(detailed.model)


TRACE = """Exception in thread "main" java.lang.RuntimeException: app.Main failed
\tat app//app.Main.main(Main.java:3)
Caused by: java.lang.ArithmeticException: / by zero
\tat java.base/java.lang.Integer.divideUnsigned(Integer.java:1)
\tat app.parts.Wheel.turn(Wheel.java:1)
\tat app.Engine.start(Engine.java:9)
\tat app.Main$Inner.deep(Main.java:4)
"""


def test_a_stack_trace_is_read_from_the_innermost_cause_outward(names: ClassNames) -> None:
    found = names.mentions(TRACE)
    assert found == [
        Mention("app/parts/Wheel", "turn", "(I)I"),
        Mention("app/Engine", "start", "(Ljava/lang/String;)V"),
        Mention("app/Main$Inner", "deep", "()V"),
        Mention("app/Main", "main", "([Ljava/lang/String;)V"),
        Mention("app/Main"),
    ]


@rows(
    ("text", "found"),
    [
        ("class app.Main$Inner cannot be cast", Mention("app/Main$Inner")),
        ("bad type in app/Engine.start(I)V @4: iload", Mention("app/Engine", "start", "(I)V")),
        ("  C2:  66  12  app.parts.Wheel::turn (12 bytes)", Mention("app/parts/Wheel", "turn")),
        (
            "# J 12 c2 app.Main.main([Ljava/lang/String;)V (9 bytes)",
            Mention("app/Main", "main", "([Ljava/lang/String;)V"),
        ),
        ("field Lapp/Engine;", Mention("app/Engine")),
        ("app.Main.Inner is hidden", Mention("app/Main$Inner")),
        ("in app.Engine#never", Mention("app/Engine", "never")),
        ("app.Main$$Lambda$14/0x00007f.run", Mention("app/Main")),
        ("at Lone.go", Mention("Lone", "go")),
        ("warning in src/app/Engine.java:6: slow", Mention("app/Engine", "start", "(I)V")),
        ("1 problem in app/Main.java", Mention("app/Main")),
    ],
)
def test_names_in_any_text(names: ClassNames, text: str, found: Mention) -> None:
    assert names.mentions(text) == [found]


def test_a_method_with_its_descriptor_is_of_the_class_before_it_that_declares_it(names: ClassNames) -> None:
    named = names.mentions("Class  = [app/Engine]\nMethod = [start(I)V] of [app/Main], start(I)V")
    assert named == [Mention("app/Engine", "start", "(I)V"), Mention("app/Engine"), Mention("app/Main")]


def test_other_words_name_nothing(names: ClassNames) -> None:
    assert names.mentions("the engine of java.util.Map and app.Mainly, App.main, xapp.Main; 3.14 /tmp/app") == []


def test_lines_tell_methods(compile_java: Callable[..., Path]) -> None:
    data = (compile_java(SOURCES, "-g") / "app" / "Engine.class").read_bytes()
    assert [method for method, lines in method_lines(data).items() if 6 in lines] == [("start", "(I)V")]
    assert method_lines(data[:-3]) == {}
    assert source_file(data) == "Engine.java"
    assert source_file((compile_java(SOURCES, "-g:none") / "app" / "Engine.class").read_bytes()) == ""


JAVAC = """/tmp/w/sources/app/Engine.java:5: error: cannot find symbol
        this.speed = Wheel.broken(count);
                          ^
  symbol:   method broken(int)
  location: class Wheel
/tmp/w/sources/app/Main.java:5: error: not a statement
        x;
        ^
2 errors
"""


def test_errors_of_javac_name_the_class_that_was_decompiled_not_its_lines(names: ClassNames) -> None:
    chosen = "Engine.java: cannot find symbol; symbol: method broken(int); location: class Wheel"
    assert mentions(names, FailureReport([chosen], JAVAC, failed=True)) == (
        Mention("app/Engine"),
        Mention("app/parts/Wheel"),
    )
    assert mentions(names, FailureReport(["Main.java: not a statement"], JAVAC, failed=True)) == (Mention("app/Main"),)
    assert mentions(names, FailureReport([chosen], "", failed=True)) == (
        Mention("app/Engine"),
        Mention("app/parts/Wheel"),
    )
    assert names.of_file("app/Main.java") == ["app/Main", "app/Main$Inner"]
    trace = "java.lang.X: bad at app.Engine.never < app.Main.main; caused by java.lang.Y at app.parts.Wheel.turn"
    assert mentions(names, FailureReport([trace], TRACE, failed=True))[0] == Mention("app/parts/Wheel", "turn")
    assert mentions(names, FailureReport([], TRACE, failed=True))[0] == Mention("app/parts/Wheel", "turn", "(I)I")
    assert mentions(names, FailureReport(["E42"], "nothing", failed=True)) == ()


def test_a_class_that_is_not_called_like_its_file_is_found_by_what_it_says(
    names: ClassNames, compile_java, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = {"a/Odd.java": "package a; class Even { } class Other { }"}
    other = ClassNames(class_model.build(read_jar([compile_java(sources, "-g")])))
    assert other.of_file("Odd.java") == ["a/Even", "a/Other"]
    assert names.of_file("Odd.java") == []
    monkeypatch.setattr("core.evidence.mentions.source_file", lambda data: pytest.fail("a class is parsed"))
    assert other.of_file("Uses.java") == other.of_file("folder/") == []


def test_of_a_crash_log_only_what_was_compiled_or_run_counts(tmp_path: Path, names: ClassNames) -> None:
    log = """#
# Problematic frame:
# J 31 c1 app.parts.Wheel.turn(I)I (4 bytes)
Current CompileTask:
C2:    123    4   !   4       app.Engine::never (12 bytes)

Dynamic libraries: app.Main
"""
    (tmp_path / "hs_err_pid77.log").write_text(log)
    assert names.mentions(crash_logs(tmp_path)) == [
        Mention("app/parts/Wheel", "turn", "(I)I"),
        Mention("app/Engine", "never"),
    ]
    assert crash_logs(tmp_path / "none") == ""


def test_a_command_names_classes_by_their_paths(names: ClassNames) -> None:
    text = (
        r"sh -c 'unzip -p {jar} app/Main$Inner.class | grep -q app/parts/Wheel\.turn; cat app/Mainly' app.Engine Lone"
    )
    assert names.paths(text) == [Mention("app/Main$Inner"), Mention("app/parts/Wheel")]
    assert names.paths("/home/app/Main src/app/Main.java app/Main/x Lone x/app/Main.class Inner.class") == []
    assert names.paths(r"unzip -l $1 | grep -q -e parts/Wheel.class -e 'Lone\.class'") == [
        Mention("app/parts/Wheel"),
        Mention("Lone"),
    ], "the end of a path that no other class has"


def kept(detailed: ItemModel, chosen: int) -> set[str]:
    return {item.name for number, item in enumerate(detailed.items) if chosen >> number & 1}


def test_candidates_around_a_failure_grow_from_the_method_outward(detailed: ItemModel) -> None:
    mentions = [Mention("app/Engine", "start", "(I)V"), Mention("app/Main")]
    found = around_mentions(ByItems(detailed), detailed.least, mentions)
    alone = "app.Engine, without what needs further classes"
    assert [each.title for each in found][:3] == ["app.Engine.start", alone, "app.Engine"]
    first, second, third = (kept(detailed, each.items) for each in found[:3])
    assert "app/Engine.never:()V" in second & third
    assert {"app/parts/Wheel", "app/Engine.start:(I)V!code"} <= third - second
    assert {"app/Engine.start:(I)V!code", "app/parts/Wheel.turn:(I)I"} <= first
    assert not {"app/Engine.never:()V!code", "app/Main", "Lone", "app/parts/Wheel.turn:(I)I!code"} & first
    sizes = [each.items.bit_count() for each in found]
    assert sizes == sorted(sizes)
    assert "Lone" not in kept(detailed, found[-1].items)
    assert len({each.items for each in found}) == len(found)


def test_what_sources_use_of_named_classes_comes_first_then_what_these_declare(detailed: ItemModel) -> None:
    words = words_of("new Engine().start(1)")
    found = around_mentions(ByItems(detailed), detailed.least, [Mention("app/Engine")], words=words)
    own, used, all_own, first, *others = (kept(detailed, each.items) for each in found)
    assert [each.title for each in found][:4] == [
        "what the sources use of the named classes, with the fewest other classes",
        "what the sources use of the named classes",
        "what the named classes declare, with the fewest other classes",
        "what the named classes declare",
    ]
    assert {"app/Engine.start:(I)V", "app/Engine.<init>:()V", "app/Part"} <= used
    assert not {"app/Engine.never:()V", "app/Engine.start:(I)V!code"} & used
    assert used - own == {"app/Part", "app/Engine<app/Part"}
    assert {"app/Engine.never:()V", "app/Engine.speed:I"} <= all_own - own
    assert "app/Part" not in all_own
    words = words_of("Engine engine; engine.start(1)")
    _, typed, *_ = around_mentions(ByItems(detailed), detailed.least, [Mention("app/Engine")], words=words)
    assert used - kept(detailed, typed.items) == {"app/Engine.<init>:()V"}
    assert "app/Engine.start:(I)V" in first
    assert not any(name.endswith("!code") for name in first)
    alone = around_mentions(ByItems(detailed), detailed.least, [Mention("app/Engine")])
    assert others == [kept(detailed, each.items) for each in alone]


def test_of_what_is_above_a_named_class_only_the_used_members_count(detailed: ItemModel) -> None:
    around = partial(around_mentions, ByItems(detailed), detailed.least, words=words_of("lone.start(1)"))
    _, used, *_ = around([Mention("Lone")], above=["app/Engine"])
    assert {"Lone", "app/Engine.start:(I)V"} <= kept(detailed, used.items)
    assert not {"app/Engine.never:()V", "app/Engine.start:(I)V!code"} & kept(detailed, used.items)


def test_the_supertypes_between_a_used_class_and_a_missing_supertype_come_with_it(compile_java: CompileJava) -> None:
    sources = {
        "Low.java": "public class Low extends Middle { public void go() { } }",
        "Middle.java": "public class Middle extends Top implements Near { }",
        "Near.java": "public interface Near { }",
        "Top.java": "public class Top implements Missing { }",
        "Missing.java": "public interface Missing { }",
    }
    jar = read_jar([compile_java(sources)])
    jar = replace(jar, entries=[entry for entry in jar.entries if entry.name != "Missing.class"])
    detailed = build(jar, open_library([]), "full")
    report = FailureReport((), sources="class Use { void use(Low low) { low.go(); } }")
    around = GatheredEvidence(detailed.model, report, together=False, watcher=None).around_failures()
    first, *_ = around(ByItems(detailed), detailed.least)
    assert {"Low", "Low<Middle", "Middle<Top", "Top<Missing"} <= kept(detailed, first.items)
    assert "Near" not in kept(detailed, first.items)


def test_of_several_failures_that_must_stay_each_has_its_class_in_all_candidates(
    detailed: ItemModel, names: ClassNames
) -> None:
    failures = ["app/Main.java:7: error: a", "app/parts/Wheel.java:3: error: b", "app/Main.java:9: error: c", "no name"]
    assert heads(names, FailureReport(failures, "")) == (Mention("app/Main"), Mention("app/parts/Wheel"))
    mentions = [Mention("app/Main"), Mention("app/parts/Wheel"), Mention("app/Beside")]
    found = around_mentions(ByItems(detailed), detailed.least, mentions, heads(names, FailureReport(failures, "")))
    assert [each.title for each in found][:2] == [
        "the class that each failure names first, and what is nested in it",
        "all classes that the failures name",
    ]
    for each in found:
        assert {"app/Main", "app/parts/Wheel.turn:(I)I!code"} <= kept(detailed, each.items)
    first, second = (kept(detailed, each.items) for each in found[:2])
    assert "app/Beside" in second - first
    sizes = [each.items.bit_count() for each in found]
    assert sizes == sorted(sizes)


def test_candidates_around_a_command_are_bare_classes_then_whole_ones(detailed: ItemModel) -> None:
    bare, whole = around_command(ByItems(detailed), detailed.least, [Mention("app/Engine"), Mention("app/Main")])
    assert {"app/Engine", "app/Main"} <= kept(detailed, bare.items) <= {"app/Engine", "app/Main", "app/Part"}
    assert "app/Engine.never:()V!code" in kept(detailed, whole.items)
    assert "Lone" not in kept(detailed, whole.items)


def test_candidates_around_a_run_hold_the_code_that_ran_and_no_other(detailed: ItemModel) -> None:
    loaded = frozenset({"app/Main", "app/Engine", "app/Part", "app/parts/Wheel"})
    missed = frozenset({("app/Engine", "never", "()V"), ("app/Engine", "start", "(Ljava/lang/String;)V")})
    ran = Ran(loaded, frozenset(loaded - {"app/Part"}), missed)
    found = around_run(ByItems(detailed), detailed.least, ran)
    first = kept(detailed, found[0].items)
    assert {"app/Engine.start:(I)V!code", "app/Engine<app/Part", "app/Main.main:([Ljava/lang/String;)V!code"} <= first
    assert not {"app/Engine.never:()V!code", "app/Spare", "Lone", "app/Main$Inner"} & first
    assert "app/Spare" in kept(detailed, found[-1].items), "whole classes need it"
    above, unknown, *_ = around_run(ByItems(detailed), detailed.least, Ran(loaded))
    assert "app/Engine.never:()V!code" in kept(detailed, unknown.items), "what ran is not known"
    assert kept(detailed, above.items) == {*loaded, "app/Engine<app/Part"}, "a class may not even load"
    assert around_run(ByItems(detailed), detailed.least, Ran()) == []


def test_by_classes_the_same_holds_whole_classes(detailed: ItemModel) -> None:
    model = detailed.model

    def least(wanted) -> int:
        chosen = 0
        for number in wanted:
            chosen |= model.closures[number]
        return chosen

    (first, *_) = around_mentions(ItemFinder(model), least, [Mention("app/parts/Wheel", "turn")])
    assert [item.name for number, item in enumerate(model.items) if first.items >> number & 1] == ["app/parts/Wheel"]


def test_evidence_travels_as_json() -> None:
    ran = Ran(
        frozenset("ab"),
        frozenset("a"),
        frozenset({("a", "m", "()V")}),
        {("a", "n", "()V"): ((3, 4), (9, 20))},
        frozenset({"x.txt"}),
        {"x.txt": frozenset({("a", "m")})},
        frozenset({"/home/x"}),
        7,
    )
    for evidence in (Clues((Mention("a", "m"),), ran), Clues((), None, "No."), Clues((), Ran())):
        assert Clues.from_json(json.loads(json.dumps(evidence.to_json(), default=sorted))) == evidence


def test_what_the_reader_of_records_prints() -> None:
    lines = ["C a/B", "M m ()V 0 3-4", "M n (I)V 12 7-9,30-41", "M <init> ()V 3 -", "C a/C"]
    lines += ["C not/Ours", "M m ()V 1 -", "U a/D"]
    ran = read_coverage(lines, Ran(frozenset({"a/B"})), {"a/B", "a/C", "a/D"})
    assert ran.covered == {"a/B", "a/C", "a/D"} == ran.loaded
    assert ran.missed == {("a/B", "m", "()V")}
    assert ran.dead == {("a/B", "n", "(I)V"): ((7, 9), (30, 41))}
    assert ran.methods == 2
    assert "(first: a.D)" in ran.note


def test_loaded_classes_with_preview_features_count_as_run() -> None:
    minors = {"A": b"\0\0", "B": b"\xff\xff", "C": b"\xff\xff", "D": b"\0\0"}
    entries = [(f"{name}.class", b"\xca\xfe\xba\xbe" + minor + b"\0\x45") for name, minor in minors.items()]
    ran = Ran(frozenset({"A", "B", "D"}), covered=frozenset({"A"}))
    assert with_previews(ran, entries).covered == {"A", "B"}
    assert with_previews(Ran(frozenset({"B"})), entries).covered == frozenset()


def test_paths_that_options_of_an_agent_cannot_have_are_refused() -> None:
    agents = Agents(find_jdk(), Path("/a/jacoco.jar"), Path("/a/own.jar"), Path("/a/asm.jar"), ())
    words = agents.environment(Path("/w/n"), Path("/w/r"), {"JAVA_TOOL_OPTIONS": "-Dx=1"})["JAVA_TOOL_OPTIONS"].split()
    assert words == [
        "-Dx=1",
        "-javaagent:/a/own.jar=/w/n;/a/own.jar;/a/asm.jar",
        "-javaagent:/a/jacoco.jar=destfile=/w/r,inclnolocationclasses=true,excludes=jdk.internal.*:sun.*",
    ]
    with pytest.raises(UnusableError, match="/my work/n has a letter"):
        agents.environment(Path("/my work/n"), Path("/w/r"), {})


def test_suggested_candidates_are_asked_in_one_question() -> None:
    for answer, result in ((1, (0, 1)), (None, (0, 1, 2))):
        search = first_of((0, 1, 2), [(0,), (0, 1)])
        assert next(search).candidates == [(0,), (0, 1)]
        with pytest.raises(StopIteration) as end:
            search.send(answer)
        assert end.value.value == result


def test_what_stacks_had_in_them_did_run_though_no_record_says_so() -> None:
    missed = frozenset({("a/B", "main", "()V"), ("a/B", "other", "()V")})
    ran = Ran(
        frozenset({"a/B"}),
        frozenset({"a/B"}),
        missed,
        {("a/B", "n", "(I)V"): ((7, 9), (30, 41)), ("a/B", "o", "()V"): ((3, 4),)},
    )
    found = entered(
        ran, [("a/B", "main", 2), ("a/B", "n", 32), ("a/B", "n", 35), ("a/B", "o", 3), ("java/lang/System", "exit", 1)]
    )
    assert found.missed == {("a/B", "other", "()V")}
    assert found.dead == {("a/B", "n", "(I)V"): ((7, 9), (36, 41))}
    assert found.methods == 1
