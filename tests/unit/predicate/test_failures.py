"""Failures by name: stack traces, regular expressions, and what is demanded of the names."""

import pytest

from core.errors import UsageError
from core.predicate import presets
from core.predicate.command import PredicateCommand
from core.predicate.condition import Condition
from core.predicate.failures import FailureNaming, Statement, Wanted
from core.predicate.output import traces
from core.predicate.output.kinds import KINDS
from core.predicate.predicate import CommandPredicate
from core.predicate.verdict import Verdict
from tests.support.rows import rows

TRACE = """some output
Exception in thread "main" java.lang.IllegalStateException: bad thing 42 at /home/u/x/file.txt a.B@1b2c3d4e
\tat app//a.b.C.lambda$run$3(C.java:12)
\tat java.base/jdk.internal.reflect.NativeMethodAccessorImpl.invoke0(Native Method)
\tat a.b.C$$Lambda$14/0x0000000800c03000.apply(Unknown Source)
\tat a.b.D.<init>(D.java)
\tat a.b.E.main(E.java:3)
Caused by: java.lang.NullPointerException
\tat a.b.F.g(F.java:1)
\t... 4 more
more output
"""


def test_names_of_stack_traces():
    name = (
        "java.lang.IllegalStateException: bad thing # at file.txt a.B@# at a.b.C.lambda$run$ < "
        "a.b.C$$Lambda.apply < a.b.D.<init>; caused by java.lang.NullPointerException at a.b.F.g"
    )
    assert traces.names(TRACE) == (name,)
    moved = TRACE.replace(":12", ":99").replace("run$3", "run$7").replace("$14/0x0000000800c03000", "$2/0x1")
    moved = moved.replace("42", "-7").replace("/home/u/x/", "/tmp/").replace("1b2c3d4e", "77aa00ff")
    assert traces.names(moved) == (name,)
    assert traces.names("no.Trace: here\nall is well\n") == ()
    assert traces.names(TRACE.replace("\tat ", "      At ")) == (name,), "as SpotBugs writes them"


@rows(
    "lead",
    [
        "     [java] ", "[ERROR] ", "web_1  | ", "2026-11-29T12:00:01.1234567Z ", "2026-11-29 12:00:01,123 [main] ",
        "[12:00:01] [main/ERROR]: ", "    ",
    ],
)  # fmt: skip
def test_a_trace_that_another_tool_passes_on_is_the_same(lead):
    trace = TRACE.replace('Exception in thread "main" ', "")
    assert traces.names("".join(f"{lead}{line}\n" for line in ("all is well", *trace.splitlines()))) == traces.names(
        trace
    )


@rows("lead", ["[pool-1-thread-{0}] ", "2026-11-29T12:00:01.{1} [main-{0}] ", "web_{0}  | "])
def test_traces_of_threads_that_write_at_the_same_time_are_told_apart(lead):
    one = TRACE.replace('Exception in thread "main" ', "")
    other = one.replace("a.b.C", "a.b.X")
    pairs = zip(one.splitlines(), other.splitlines(), strict=True)
    mixed = (
        f"{lead.format(who, number)}{line}\n" for number, pair in enumerate(pairs) for who, line in enumerate(pair)
    )
    assert traces.names("".join(mixed)) == traces.names(one) + traces.names(other)


def test_a_trace_of_windows_or_in_json_is_the_same():
    trace = TRACE.replace('Exception in thread "main" ', "")
    assert traces.names(trace.replace("\n", "\r\n")) == traces.names(trace)
    told = trace.replace("\n", "\\n").replace("\t", "\\t")
    assert traces.names(f'{{"level":"ERROR","stack":"{told}"}}\n') == traces.names(trace)


@rows(
    ("one", "other"),
    [
        ("app.In/0x0000000800c03000.m", "app.In/0x00007f1c04001000.m"), ("a.B$$Lambda/0x01.m", "a.B$$Lambda$14/0x0f.m"),
        ("jdk.proxy2/jdk.proxy2.$Proxy12.m", "jdk.proxy3/jdk.proxy3.$Proxy7.m"),
        ("B_$$_jvst3f2_0.m", "B_$$_jvstaa_1.m"), ("B$ByteBuddy$aB3.m", "B$ByteBuddy$x9.m"),
        ("B$$EnhancerBySpringCGLIB$$8f6e3a1.m", "B$$EnhancerBySpringCGLIB$$77.m"),
        ("B$MockitoMock$1894837.m", "B$MockitoMock$21.m"),
    ],
)  # fmt: skip
def test_classes_made_by_chance_have_one_name(one, other):
    assert len({traces.names(f"a.Odd\n\tat {frame}(Unknown Source)\n") for frame in (one, other)}) == 1
    assert traces.names(f"a.Odd\n\tat {one}(Unknown Source)\n")[0].endswith(".m")


def test_an_exception_without_a_type_is_told_by_its_cause():
    odd = "BUG! in phase 1\n\tat a.B.c(B.java:1)\nCaused by: a.Odd: 3\n\tat a.D.e(D.java:1)\n\t... 7 more\n"
    assert traces.names(odd) == ("a.Odd: # at a.D.e",)
    assert traces.names(f"a.First\n\tat f.F.f(F.java:1)\n{odd}") == ("a.First at f.F.f", "a.Odd: # at a.D.e")


def test_a_pattern_s_names_have_no_hash_codes():
    naming = FailureNaming(pattern="^bad (.*)")
    text = "bad a.B@1b2c3d4 of 3f2a9c1e-8a7b-4c1d-9e2f-0123456789ab at 0x00007f1c04001000, a@b.org\n"
    assert naming.names(text) == ("a.B@# of # at #, a@b.org",)


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("12ms of 3 MB, 20kB", "# of # MB, #"), ("at 2026-11-29T12:00:01Z", "at #"), ("in x827364.tmp", "in x#.tmp"),
        ("metadata 2.3.0 unknown", "metadata # unknown"), ("metadata 2.3.0-RC2, 1.9", "metadata #-RC2, #"),
        ("took 12.5s", "took #"), ("v2.3.0, T9 of 3.", "v2.3.0, T9 of #."), ("1.2.3_4 and 2.0e10", "# and #"),
        ("of -4.25, 3rd", "of #, 3rd"), ("$Proxy12", "$Proxy"),
    ],
)  # fmt: skip
def test_numbers_and_versions_of_a_message_stay_or_go_whole(told, shown):
    assert traces.names(f"a.Odd: {told}\n\tat a.B.c(B.java:1)\n") == (f"a.Odd: {shown} at a.B.c",)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('Exception in thread "main" Odd: x 3\n\tat Main.main(Main.java:1)\n', "Odd: x # at Main.main"),
        ("Odd\n\tat Main.main(Main.java:1)\n", "Odd at Main.main"),
        ("1) deep(T)\na.b.c: bad\n\tat a.b.d(Unknown Source)\n", "a.b.c: bad at a.b.d"),
        (
            'Exception in thread "main" x.y\n\tat a.b(A.java:2)\nCaused by: z\n\tat c.d(C.java:1)\n\t... 1 more\n',
            "x.y at a.b; caused by z at c.d",
        ),
        ("\u00fc.\u00c4rger: nein\n\tat \u00fc.B.c(B.java:1)\n", "\u00fc.\u00c4rger: nein at \u00fc.B.c"),
        (
            "error: a.b.FatalError:\n  bad 7\n     while: X.scala\n\n\tat a.B.c(B.scala:1)\n",
            "a.b.FatalError: bad # at a.B.c",
        ),
        ("[E] a.OneError: 1\nerror: b.TwoError: two\n  more\n\tat a.B.c(B.java:1)\n", "b.TwoError: two at a.B.c"),
        ("a.OneError: 1\n say: b.TwoError: no\n\n\tat a.B.c(B.java:1)\n", "a.OneError: # at a.B.c"),
    ],
)
def test_types_of_any_name(text, name):
    assert traces.names(text) == (name,)


def test_an_error_of_javac_with_its_token_is_no_exception():
    errors = tuple(f"A.java: ';' expected; at {token}" for token in ("-", "<", "->", "...", "default"))
    wanted, thrown = Wanted.parse("exceptions, else kinds"), ("a.OneError: # at a.B.c", "Odd at Main.<init> < a.B.c")
    assert wanted.counted((*errors, *thrown), (*errors, *thrown)) == thrown
    assert wanted.counted((*errors, "no source for a.B"), errors) == (*errors, "no source for a.B")


def test_a_cause_without_frames_of_its_own_is_over_with_the_count_of_frames_that_it_shares():
    first = "a.OneError: 1\n\tat a.B.c(B.java:1)\nCaused by: a.OtherError\n\t... 3 more\n"
    other = "[E] b.TwoError: two\n  more\n\tat a.D.e(D.java:1)\n"
    assert traces.names(first + other) == ("a.OneError: # at a.B.c; caused by a.OtherError", "b.TwoError: two at a.D.e")


def test_a_failing_assertion_is_told_by_its_test():
    assertion = "java.lang.AssertionError\n\tat org.junit.Assert.fail(Assert.java:87)\n"
    runner = "\tat org.junit.runners.ParentRunner.run(ParentRunner.java:4)\n"
    assert traces.names(f"{assertion}\tat a.T.one(T.java:3)\n{runner}") == ("java.lang.AssertionError at a.T.one",)
    assert traces.names(f"{assertion}\tat a.T.two(T.java:4)\n{runner}") == ("java.lang.AssertionError at a.T.two",)
    whole = "java.lang.AssertionError at org.junit.Assert.fail < org.junit.runners.ParentRunner.run"
    assert traces.names(assertion + runner) == (whole,)


def test_what_is_null_is_told_without_numbers_and_names_of_variables():
    line = 'java.lang.NullPointerException: Cannot invoke "a.B.c()" because "{}" is null\n\tat a.B.d(B.java:1)\n'
    for one, other, same in [
        ("<local4>", "<local2>", True), ("price", "<parameter1>", True), ("<local4>.next", "node.next", True),
        ("<local1>.next", "<local1>.last", False), ("this.x", "this.y", False), ("<local1>", "this.x", False),
    ]:  # fmt: skip
        assert (traces.names(line.format(one)) == traces.names(line.format(other))) is same, (one, other)


def test_a_verification_error_has_its_place_and_reason_in_its_name():
    text = (
        'Exception in thread "main" java.lang.VerifyError: Bad type on operand stack\n'
        "Exception Details:\n  Location:\n    A.m()V @2: invokevirtual\n  Reason:\n"
        "    Type integer (current frame, stack[0]) is not assignable to 'A'\n  Current Frame:\n    bci: @2\n"
        "\tat java.base/java.lang.Class.forName0(Native Method)\n"
    )
    (name,) = traces.names(text)
    assert name.startswith("java.lang.VerifyError: Bad type on operand stack in A.m()V Type integer")
    assert name.endswith("is not assignable to 'A' at java.lang.Class.forName0")


def test_what_is_demanded_of_the_names():
    two = ("a", "b")
    for wanted, names, holds in [
        (Wanted(Statement.SAME), two, True),
        (Wanted(Statement.SAME), ("a",), False),
        (Wanted(Statement.SAME), ("a", "b", "b"), False),
        (Wanted(Statement.SAME), ("a", "b", "c"), False),
        (Wanted(), two, True),
        (Wanted(), ("a", "b", "b"), True),
        (Wanted(), ("a",), False),
        (Wanted(), ("a", "b", "c"), False),
        (Wanted(chosen=("b",)), ("a",), True),
        (Wanted(chosen=("b",)), ("b",), False),
        (Wanted(chosen=("b",)), ("a", "c"), False),
        (Wanted(Statement.AT_LEAST), ("a", "b", "c"), True),
        (Wanted(Statement.AT_LEAST), ("a", "c"), False),
        (Wanted(Statement.AT_LEAST, no_new=True), ("a", "b", "c"), False),
        (Wanted(Statement.AT_LEAST, no_new=True), ("a", "b", "b"), True),
        (Wanted(Statement.CHOSEN, ("b",)), ("b", "c"), True),
        (Wanted(Statement.CHOSEN, ("b",)), ("a",), False),
        (Wanted(Statement.CHOSEN, ("b",), no_new=True), ("b", "c"), False),
    ]:
        assert (wanted.objection(names, two) == "") is holds, (wanted, names)
    assert "no failure" in Wanted().objection((), None)
    assert "gone" in Wanted(Statement.CHOSEN, ("z",)).objection(two, two)
    for wish in (Wanted(Statement.CHOSEN, ("z",)), Wanted(chosen=("z",))):
        assert wish.objection(two, None) == "no failure has the name 'z'."
    sentence = "W WRITES_A_FIELD: " + "the class writes a field that nothing reads, " * 5
    meant = Wanted.parse(f"chosen {sentence[:99]}").objection((*two, sentence), None)
    assert meant == f"no failure has the name {sentence[:99]!r}. Did you mean {sentence!r}?"
    within = Wanted(Statement.CHOSEN, ("Writes_A_Field",)).objection((f"A {sentence}", sentence, *two), None)
    assert within.endswith(f"Did you mean {f'A {sentence}'!r} or {sentence!r}?")
    four = tuple(f"{number} of many" for number in range(4))
    few = Wanted(Statement.CHOSEN, ("many",)).objection(four, None)
    assert few.endswith("Did you mean '0 of many' or '1 of many' or '2 of many'?")
    assert not Wanted(Statement.CHOSEN, (sentence,)).objection((sentence,), None)


def test_one_failure_of_each_kind_is_enough():
    full, kind_of = ("A: x", "B: x", "C: y"), lambda name: name[3:]
    for names, objection in [
        (("B: x", "D: y"), ""),
        (("A: x", "B: x"), "failures that are gone: C: y"),
        (("C: y",), "failures that are gone: A: x"),
        (("B: x", "C: y", "C: z"), "other failures: C: z"),
    ]:
        assert Wanted().objection(names, full, kind_of) == objection
    assert not Wanted(chosen=("C: y",)).objection(("B: x",), full, kind_of)
    assert Wanted(Statement.SAME).objection(("B: x", "D: y"), full, kind_of)
    others_too = Wanted(Statement.KINDS_AT_LEAST)
    assert not others_too.objection(("B: x", "C: y", "C: z"), full, kind_of)
    assert others_too.objection(("C: y", "C: z"), full, kind_of) == "failures that are gone: A: x"
    assert Wanted(chosen=("C: y",)).kept(full, kind_of) == {"x": ["A: x", "B: x"]}


def test_a_crash_goes_before_complaints():
    crash, other = "java.lang.X: a at t.Tool.run", "java.lang.Y at t.Tool.end"
    first = Wanted(exceptions=True)
    for names, full, objection in [
        ((crash, "C: new"), (crash, "A: x", "B: y"), ""),
        (("A: x", "B: y"), (crash, "A: x", "B: y"), f"failures that are gone: {crash}"),
        ((crash, other), (crash, "A: x"), f"other failures: {other}"),
        (("A: x",), ("A: x", "B: y"), "failures that are gone: B: y"),
    ]:
        assert first.objection(names, full) == objection
        assert first.counted(names, full) == (names if crash not in full else tuple(n for n in names if " at " in n))
    assert first.kept((crash, "A: x"), str) == {crash: [crash]}
    assert presets.find("spotbugs").wanted == Wanted(Statement.KINDS_AT_LEAST, exceptions=True)


@rows(
    ("text", "wanted"),
    [
        ("kinds", Wanted()),
        ("kinds but A.java: f, but g", Wanted(chosen=("A.java: f, but g",))),
        ("kinds but A\nB", Wanted(chosen=("A", "B"))),
        ("kinds at least", Wanted(Statement.KINDS_AT_LEAST)),
        ("exceptions, else kinds but A", Wanted(chosen=("A",), exceptions=True)),
        ("kinds at least but A", Wanted(Statement.KINDS_AT_LEAST, ("A",))),
        ("same", Wanted(Statement.SAME)),
        ("at least, no new kinds", Wanted(Statement.AT_LEAST, (), True)),
        ("chosen A.java: f, g", Wanted(Statement.CHOSEN, ("A.java: f, g",))),
        ("chosen A.java: f, g, no new kinds", Wanted(Statement.CHOSEN, ("A.java: f, g",), True)),
    ],
)
def test_demands_are_read(text, wanted):
    assert Wanted.parse(text) == wanted


def test_bad_demands_are_sentences():
    for text in ("some", "chosen", "chosen "):
        with pytest.raises(UsageError):
            Wanted.parse(text)
    with pytest.raises(UsageError, match="cannot be used"):
        FailureNaming(pattern="(")
    with pytest.raises(UsageError, match="choose among"):
        FailureNaming(("gcc",))
    with pytest.raises(UsageError, match="how they are read"):
        Condition(wanted=Wanted())


def test_a_command_whose_failures_are_named_by_a_pattern(tmp_path):
    condition = Condition(reading=FailureNaming(pattern=r"^FAIL (\w+)"), wanted=Wanted(Statement.AT_LEAST))
    predicate = CommandPredicate(
        PredicateCommand.parse("grep -ah . {jar} {classes}/list.txt"), condition=condition, timeout=20.0
    )
    first = [("list.txt", b"FAIL one 1\nFAIL two 2\nok three\n")]
    predicate, outcome = predicate.calibrated(first, tmp_path / "first")
    assert outcome.interesting
    assert outcome.failures == ("one", "two")
    for text, verdict, failures in [
        (b"FAIL two 9\nFAIL one 8\nFAIL four\n", Verdict.INTERESTING, ("four", "one", "two")),
        (b"FAIL one 1\n", Verdict.NOT_INTERESTING, ("one",)),
    ]:
        work = tmp_path / f"work-{len(text)}"
        outcome = predicate.probe([("list.txt", text)], work)
        assert (outcome.verdict, outcome.failures) == (verdict, failures), outcome
    _, outcome = predicate.calibrated([("list.txt", b"fine\n")], tmp_path / "fine")
    assert not outcome.interesting
    assert "no failure was found" in outcome.detail


def test_an_endless_recursion_is_named_by_its_cycle_wherever_its_stack_ends():
    def trace(*frames: str) -> str:
        lines = "".join(f"\tat {frame}(A.java:1)\n" for frame in frames)
        return f'Exception in thread "main" java.lang.StackOverflowError\n{lines}'

    cycle = ["a.B.two", "a.A.one", "a.C.three"]
    name = ("java.lang.StackOverflowError at a.A.one < a.C.three < a.B.two",)
    assert traces.names(trace("java.util.Leaf.hash", *cycle * 300, "a.A.one")) == name
    assert traces.names(trace("a.C.three", *cycle * 200, "a.B.two")) == name
    uneven = ["a.V.visit", "a.If.accept", "a.V.visit", "a.Or.accept", "a.V.visit", "a.V.visit"]
    assert traces.names(trace(*uneven * 7, *uneven[::-1] * 8, *uneven[2:] * 9)) == (
        "java.lang.StackOverflowError at a.V.visit",
    )


def test_a_heap_that_is_full_is_named_by_the_code_that_asks_for_memory():
    def trace(why: str, *frames: str) -> str:
        return f"java.lang.OutOfMemoryError: {why}\n" + "".join(f"\tat {frame}(A.java:1)\n" for frame in frames)

    grown = trace("Java heap space", "java.util.Arrays.copyOf", "java.util.ArrayList.grow", "a.Leak.add")
    assert traces.names(grown) == traces.names(trace("GC overhead limit exceeded", "a.Leak.add"))
    no_room = trace("Java heap space") + "ERROR: p/A couldn't be decompiled.\n"
    assert traces.names(no_room) == ("java.lang.OutOfMemoryError: Java heap space",)
    assert traces.names(f"done\n{trace('Metaspace')}") == ("java.lang.OutOfMemoryError: Metaspace",)
    complaint = "Odd.java: ';' expected"
    assert Wanted(exceptions=True).counted((complaint, *traces.names(no_room)), traces.names(no_room)) == (
        "java.lang.OutOfMemoryError: Java heap space",
    ), "an exception though it has no frames"


def test_a_full_heap_is_named_by_the_class_that_fills_it_most(tmp_path):
    table = "GC(3)  num     #instances         #bytes  class name (module)\nGC(3) -----\n"
    counts = "GC(3)    1:         900      {}  [B (java.base@17.0.15)\nGC(3)    2:         30      {}  tool.Node\n"
    (tmp_path / "heap-1.log.0").write_text(table + counts.format(9000, 10))
    (tmp_path / "heap-1.log").write_text(table + counts.format(90000, 9000) + table + counts.format(80, 10))
    thrown = (
        "java.lang.OutOfMemoryError: Java heap space\n\tat java.util.HashMap.resize(A.java:1)\n\tat tool.{}(A.java:2)\n"
    )
    kind = KINDS["traces"]
    found = {tuple(kind.names(thrown.format(last) + kind.reports(tmp_path), True)) for last in ("Set.add", "Map.put")}
    assert found == {("java.lang.OutOfMemoryError: Java heap space, largest part at tool.Node",)}
    assert kind.names("a.B: no\n\tat a.C.m(C.java:1)\n" + kind.reports(tmp_path), True) == ("a.B: no at a.C.m",)
    (tmp_path / "heap-1.log").write_text(table + counts.format(90000, 900))
    assert kind.names(thrown.format("Set.add") + kind.reports(tmp_path), True) == (
        "java.lang.OutOfMemoryError: Java heap space at tool.Set.add",
    )
