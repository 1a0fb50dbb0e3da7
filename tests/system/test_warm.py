"""Decompiling and compiling in resident Java processes: the same failures as cold, whatever happens to the process."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import pytest

from core.archive.jar import read_jar
from core.model import class_model
from core.predicate import presets
from core.predicate.jvm.warm import WarmPredicate
from core.predicate.output.declarations import SourceDeclaration
from core.predicate.preset import ToolRuns
from core.predicate.verdict import Verdict
from tests.support.patience import patience

pytestmark = pytest.mark.usefixtures("decompilers")

SOURCES = {
    "a/Bad.java": """package a;
import java.util.*;
public class Bad<T> {
    private final Map<String, List<? super T>> map = new HashMap<>();
    @SuppressWarnings("unchecked")
    public <E extends Exception, R> R call(Callback<? super T, ? extends R, E> callback, Object o) throws E {
        Callback<Object, R, RuntimeException> other = (Callback<Object, R, RuntimeException>) (Callback) callback;
        return other.call(o);
    }
    interface Callback<A, B, E extends Exception> { B call(A a) throws E; }
}
""",
    "a/Good.java": "package a; public class Good { int f(int x) { return x + 1; } }",
    "a/Uses.java": "package a; class Uses { int g() { return new Good().f(2) + new Gone().h(); } }",
    "a/Gone.java": "package a; class Gone { int h() { return 1; } }",
}


@pytest.fixture(scope="module")
def entries(compile_java):
    """Classes that lack one they need: the failure is javac's "cannot find symbol". One more class file breaks off:
    Procyon prints something, ends with exit code 0, and writes the other classes."""
    folder = compile_java(SOURCES)
    paths = sorted(folder.rglob("*.class"))
    classes = [(path.relative_to(folder).as_posix(), path.read_bytes()) for path in paths if path.stem != "Gone"]
    return sorted([*classes, ("a/Silent.class", b"\xca\xfe\xba\xbe\0\0\0\x34")])


@pytest.fixture(scope="module")
def procyon(entries, tmp_path_factory):
    """The preset's predicate after its check, with one host that has answered."""
    preset = presets.find("procyon")
    assert preset.missing() is None
    first = preset.predicate(runs=ToolRuns(timeout=120.0))
    predicate, outcome = first.calibrated(entries, tmp_path_factory.mktemp("procyon") / "first")
    assert outcome.interesting, outcome
    yield predicate
    predicate.close()


@pytest.mark.slow
def test_warm_and_cold_find_the_same_failures(procyon, entries, tmp_path):
    assert procyon.warm
    assert any(
        name.startswith("Uses.java: cannot find symbol; symbol: class Gone") for name in procyon.reference.failures
    )
    assert procyon.probe(entries, tmp_path / "all").interesting
    without = [entry for entry in entries if "Uses" not in entry[0]]
    warm, cold = procyon.probe(without, tmp_path / "warm"), procyon.confirm(without, tmp_path / "cold")
    assert (warm.verdict, warm.failures, warm.exit) == (cold.verdict, cold.failures, cold.exit)
    assert warm.verdict is Verdict.NOT_INTERESTING
    nothing = procyon.probe([("note.txt", b"")], tmp_path / "nothing")
    assert (nothing.verdict, nothing.failures) == (Verdict.NOT_INTERESTING, ())


@pytest.mark.guarded
def test_a_class_that_the_decompiler_leaves_out_is_a_failure_warm_and_cold(procyon, entries, tmp_path):
    assert procyon.warm, "both found the same failures"
    assert [name for name in procyon.reference.failures if "no source" in name] == ["no source for a.Silent"]
    whole = procyon.probe([entry for entry in entries if "Silent" not in entry[0]], tmp_path / "whole")
    assert whole.failures
    assert not any("no source" in name for name in whole.failures)


@pytest.mark.guarded
def test_a_host_and_a_cold_run_leave_the_sources_that_show_where_failures_are(procyon, entries, tmp_path):
    (gone,) = (place for place in procyon.reference.places if "symbol: class Gone" in place.failure)
    assert gone.declaration == SourceDeclaration(("Uses",), "g")
    procyon.ask(entries, tmp_path / "run")
    assert all((tmp_path / "run" / place.path).is_file() for place in procyon.reference.places)
    assert "new Gone()" in (tmp_path / "run/sources/a/Uses.java").read_text()


@pytest.mark.slow
def test_a_host_that_is_killed_is_replaced_and_the_verdict_stands(procyon, entries, tmp_path):
    (pid,) = procyon.residents()
    os.kill(pid, signal.SIGKILL)
    assert procyon.probe(entries, tmp_path / "after").interesting
    assert procyon.probe(entries, tmp_path / "again").interesting
    assert pid not in procyon.residents()


@pytest.mark.guarded
def test_a_host_that_stands_still_is_a_time_out(procyon, entries, tmp_path):
    assert procyon.probe(entries, tmp_path / "before").interesting
    (pid,) = procyon.residents()
    os.kill(pid, signal.SIGSTOP)
    outcome = procyon.probe(entries, tmp_path / "stopped", seconds=0.5)
    assert outcome.verdict is Verdict.TIMED_OUT
    assert procyon.residents() == []


@pytest.mark.slow
def test_several_workers_at_once(procyon, entries, tmp_path):
    outcomes = {}

    def work(number):
        kept = entries if number % 2 else entries[:-1]
        outcomes[number] = procyon.probe(kept, tmp_path / f"work-{number}").failures

    threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes[0] != outcomes[1] == procyon.reference.failures


@pytest.mark.slow
def test_hosts_end_when_we_do(procyon, processes):
    command = procyon.commands()[0]
    code = (
        "import pickle, sys, time; from core.predicate.jvm.tool_process import ToolProcess\n"
        f"host = ToolProcess(pickle.loads({pickle.dumps(command)!r}), None)\n"
        "print(host.pid, flush=True); time.sleep(60)"
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    pid = int(child.stdout.readline())
    child.kill()
    child.wait()
    child.stdout.close()
    deadline = time.monotonic() + patience()
    while os.path.exists(f"/proc/{pid}") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not os.path.exists(f"/proc/{pid}")


def fetched(name):
    """Return a preset with its tools, or skip the test where these cannot be had."""
    preset = presets.find(name)
    lacking = preset.fetch()
    if lacking:
        pytest.skip(lacking)
    return preset


@pytest.mark.slow
def test_a_nested_class_of_another_class_is_named_alike(compile_java, tmp_path):
    """A nested class of a library is imported by its own name, which javac refuses where the class is protected."""
    preset = fetched("vineflower")
    folder = compile_java({
        "a/Outer.java": "package a; public class Outer { protected enum In { ONE } protected void take(In one) { } }",
        "b/Sub.java": "package b; class Sub extends a.Outer { void give() { take(In.ONE); new Gone().go(); } }",
        "b/Gone.java": "package b; class Gone { void go() { } }",
    })  # fmt: skip
    classes = [(path.relative_to(folder).as_posix(), path.read_bytes()) for path in sorted(folder.rglob("*.class"))]
    entries = [entry for entry in classes if entry[0] != "b/Gone.class"]
    predicate, _ = preset.predicate(runs=ToolRuns(timeout=300.0)).calibrated(entries, tmp_path / "first")
    try:
        warm, cold = predicate.probe(entries, tmp_path / "warm"), predicate.confirm(entries, tmp_path / "cold")
        assert predicate.warm
        assert (
            warm.failures == cold.failures == ("Sub.java: cannot find symbol; symbol: class Gone; location: class Sub",)
        )
    finally:
        predicate.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["procyon", "cfr", "vineflower"])
def test_candidates_of_a_real_jar_fail_alike(name, tmp_path):
    preset = fetched(name)
    model = class_model.build(read_jar(["/usr/share/java/commons-codec.jar"]))
    # Without this interface there are failures for every decompiler.
    gone = next(1 << number for number, item in enumerate(model.items) if item.name.endswith("/codec/Encoder"))
    full = model.entries(model.full & ~gone)
    predicate, outcome = preset.predicate(runs=ToolRuns(timeout=300.0)).calibrated(full, tmp_path / "first")
    assert outcome.interesting, outcome
    assert isinstance(predicate, WarmPredicate)
    assert predicate.warm
    try:
        for number in range(0, len(model.items), 16):
            kept = model.closures[number] | model.closures[(number * 7 + 3) % len(model.items)]
            candidate = model.entries(kept & ~gone)
            warm = predicate.probe(candidate, tmp_path / f"warm-{number}")
            cold = predicate.confirm(candidate, tmp_path / f"cold-{number}")
            assert (warm.verdict, warm.failures) == (cold.verdict, cold.failures)
    finally:
        predicate.close()


@pytest.mark.slow
def test_cfr_reads_a_class_whose_name_begins_with_a_dollar_sign_as_in_a_cold_run(compile_java, tmp_path):
    """CFR writes ``.Used`` for such a class until it has read the class file, which comes first here."""
    preset = fetched("cfr")
    sources = {
        "a/$Used.java": "package a; public interface $Used { }",
        "a/$Uses.java": "package a; public interface $Uses { void f($Used x, Gone y); }",
        "a/Gone.java": "package a; public interface Gone { }",
    }
    folder = compile_java(sources)
    entries = [(f"a/{name}.class", (folder / f"a/{name}.class").read_bytes()) for name in ("$Used", "$Uses")]
    predicate, outcome = preset.predicate(runs=ToolRuns(timeout=120.0)).calibrated(entries, tmp_path / "first")
    try:
        assert {name.partition(";")[0] for name in outcome.failures} == {"$Uses.java: cannot find symbol"}
        assert "reuse" in predicate._hosts.command.arguments, "the fast process stays"
    finally:
        predicate.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["procyon", "cfr", "vineflower"])
def test_what_a_class_says_of_another_ones_nesting_counts_warm_as_cold(name, compile_java, tmp_path):
    """Decompilers go by names, or by what they read first, where class files do not agree on which class is nested."""
    preset = fetched(name)
    folder = compile_java({
        "a/Box.java": "package a; class Box { Gone gone; static class Lid { Gone gone; } Lid lid; }",
        "a/Pot.java": "package a; class Pot$Lid { Gone gone; }",
        "a/Use.java": "package a; class Use { Pot$Lid of(Pot$Lid lid) { return lid; } Box.Lid lid; Gone gone; }",
        "a/Gone.java": "package a; class Gone { }",
    })  # fmt: skip
    classes = {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.class"))}
    del classes["a/Gone.class"]
    alone = classes["a/Box$Lid.class"].replace(b"InnerClasses", b"OuterClasses")  # an attribute that nobody knows
    entries = list(reversed({**classes, "a/Box$Lid.class": alone}.items()))
    first = [("a/Box.class", classes["a/Box.class"])]
    predicate, _ = preset.predicate(runs=ToolRuns(timeout=300.0)).calibrated(first, tmp_path / "first")
    try:
        assert predicate.warm
        for number, candidate in enumerate([list(reversed(classes.items())), entries]):
            warm = predicate.probe(candidate, tmp_path / f"warm-{number}")
            cold = predicate.confirm(candidate, tmp_path / f"cold-{number}")
            assert warm.failures == cold.failures
            assert {"Use", "Pot$Lid"} <= {failure.split(".java")[0] for failure in cold.failures}
    finally:
        predicate.close()


@pytest.mark.slow
def test_cfr_takes_a_nested_class_that_does_not_say_so_as_in_a_cold_run(compile_java, tmp_path):
    """Its outer class alone says that it is nested: what CFR writes depends on which of the two it reads first."""
    preset = fetched("cfr")
    sources = {
        "a/Outer.java": "package a; class Outer { static class In { Gone gone; } }",
        "a/Gone.java": "package a; class Gone { }",
    }
    folder = compile_java(sources, "-g:none")
    nested, outer = ((folder / f"a/{name}.class").read_bytes() for name in ("Outer$In", "Outer"))
    full = [("a/Outer$In.class", nested), ("a/Outer.class", outer)]
    entries = [("a/Outer$In.class", nested.replace(b"InnerClasses", b"InnerClassez")), ("a/Outer.class", outer)]
    predicate, _ = preset.predicate(runs=ToolRuns(timeout=120.0)).calibrated(full, tmp_path / "first")
    try:
        predicate.probe(entries, tmp_path / "all classes together")
        warm, cold = predicate.probe(entries, tmp_path / "warm"), predicate.confirm(entries, tmp_path / "cold")
        assert predicate.warm
        assert warm.failures == cold.failures
        assert {name.partition(":")[0] for name in cold.failures} == {"Outer$In.java"}
    finally:
        predicate.close()


@pytest.mark.slow
def test_cfr_writes_the_object_around_a_new_one_as_in_a_cold_run(compile_java, tmp_path):
    """CFR leaves it out of the arguments once it has decompiled the class around the nested one."""
    preset = fetched("cfr")
    sources = {
        "a/Around.java": "package a; class Around { class In { In(int i) { } } }",
        "a/Sub.java": "package a; class Sub extends Around { Gone gone; Object f() { return new In(1); } }",
        "a/Gone.java": "package a; class Gone { }",
    }
    folder = compile_java(sources, "-g:none")
    names = ("a/Around$In.class", "a/Around.class", "a/Sub.class")
    entries = [(name, (folder / name).read_bytes()) for name in names]
    predicate, _ = preset.predicate(runs=ToolRuns(timeout=120.0)).calibrated(entries, tmp_path / "first")
    try:
        warm, cold = predicate.probe(entries, tmp_path / "warm"), predicate.confirm(entries, tmp_path / "cold")
        assert predicate.warm
        assert warm.failures == cold.failures
        assert "reuse" in predicate._hosts.command.arguments
    finally:
        predicate.close()


@pytest.mark.slow
def test_vineflower_writes_an_anonymous_class_that_does_not_say_where_it_is_as_in_a_cold_run(compile_java, tmp_path):
    """Class files before Java 5 do not say so: their anonymous classes have sources of their own."""
    preset = fetched("vineflower")
    sources = {
        "a/Around.java": "package a; class Around { Gone gone; Object f() { return new Object() { Gone gone; }; } }",
        "a/Gone.java": "package a; class Gone { }",
    }
    folder = compile_java(sources, "-g:none")
    around, anonymous = ((folder / f"a/{name}.class").read_bytes() for name in ("Around", "Around$1"))
    entries = [
        ("a/Around$1.class", anonymous.replace(b"EnclosingMethod", b"EnclosingMethoz")), ("a/Around.class", around),
    ]  # fmt: skip
    predicate, outcome = preset.predicate(runs=ToolRuns(timeout=120.0)).calibrated(entries, tmp_path / "first")
    try:
        assert {name.partition(":")[0] for name in outcome.failures} == {"Around.java", "Around$1.java"}
        assert "reuse" in predicate._hosts.command.arguments, "the fast process stays"
    finally:
        predicate.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("cfr", "org.benf:cfr:0.141"),
        ("procyon", "org.bitbucket.mstrobel:procyon-compilertools:0.5.34"),
        ("vineflower", "org.vineflower:vineflower:1.10.1"),
    ],
)
def test_an_old_version_of_a_tool_answers_in_memory_as_in_a_cold_run(name, version, entries, tmp_path):
    preset = presets.find(name).with_tools({name: version})
    lacking = preset.fetch()
    if lacking:
        pytest.skip(lacking)
    whole = [entry for entry in entries if entry[0] != "a/Silent.class"]
    predicate, outcome = preset.predicate(runs=ToolRuns(timeout=300.0)).calibrated(whole, tmp_path / "first")
    try:
        assert outcome.interesting, outcome
        assert "reuse" in predicate._hosts.command.arguments, "the fast process stays"
    finally:
        predicate.close()
