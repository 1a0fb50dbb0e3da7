"""The referee finds what is broken on purpose, each time in the right place, and nothing in a jar that is whole."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.archive.jar import write_jar
from core.classfile.class_file import parse
from core.classfile.pool import CLASS, UTF8
from core.classfile.symbolic.symbolic_class import read
from core.edits.programs.merges.merging import MERGING
from core.edits.programs.program import WholeProgram
from core.entries import Entries
from core.library.library import open_library
from tests.bench import referee as bench
from tests.bench.referee_judges import PROGUARD, Problem, Referee
from tests.bench.referee_proguard import jdk_library
from tests.bench.referee_rewriting import Changed
from tests.bench.referee_sampling import sample_classes
from tests.support.broken_jar import BROKEN, WHOLE, Broken, Classes, drop, missing, renamed, wrong_stack
from tests.support.java import CompileJava
from tests.support.rebuilt_class import rebuilt
from tests.support.rows import rows

SOURCE_ONLY = {"class in a declaration", "permitted class"}


@pytest.fixture(scope="module")
def judges(tmp_path_factory: pytest.TempPathFactory) -> Referee:
    return Referee(tmp_path_factory.mktemp("referee"))


@pytest.fixture(scope="module")
def whole(compile_java: CompileJava) -> Classes:
    folder = compile_java(WHOLE)
    files = sorted(folder.rglob("*.class"))
    return {path.relative_to(folder).as_posix().removesuffix(".class"): path.read_bytes() for path in files}


def write(target: Path, classes: Classes, files: dict[str, str] | None = None) -> Path:
    entries = [(name, text.encode()) for name, text in (files or {}).items()]
    write_jar(target, [*entries, *((f"{name}.class", data) for name, data in classes.items())])
    return target


@pytest.fixture(scope="module")
def found(judges: Referee, whole: Classes, tmp_path_factory: pytest.TempPathFactory) -> dict[str, frozenset[Problem]]:
    """What the referee finds in the broken jars and, under an empty name, in the whole one."""
    folder = tmp_path_factory.mktemp("broken")
    jars = {"": write(folder / "whole.jar", whole)}
    for name, (edit, *_) in BROKEN.items():
        classes = dict(whole)
        edit(classes)
        assert classes != whole
        jars[name] = write(folder / f"{name.replace(' ', '-')}.jar", classes)
    return dict(zip(jars, (verdict.problems for verdict in judges.machine(list(jars.values()))), strict=True))


@pytest.mark.slow
def test_whole_jar_has_no_problem(found: dict[str, frozenset[Problem]]) -> None:
    assert found[""] == frozenset()


@rows("name", BROKEN)
def test_broken_jar(found: dict[str, frozenset[Problem]], name: str) -> None:
    _, type_, kind, piece = BROKEN[name]
    right = [p for p in found[name] if (p.type, p.kind) == (type_, kind) and piece in f"{p.target} {p.message}"]
    assert right, sorted(found[name])
    levels = {problem.level for problem in found[name]}
    assert levels == {"src"} if name in SOURCE_ONLY else "jvm" in levels


def without_maker(classes: Classes) -> None:
    """Neither the method that declares the type variable is there, nor what tells of it."""
    drop("p/Maker", "methods", "make")(classes)
    renamed("p/Maker$1", b"EnclosingMethod", b"Enclosingmethod")(classes)


UNREADABLE: dict[str, Broken] = {
    # what is done, and what reflection then cannot read: class, kind, a piece of target or message
    "type variable of a method that is gone": (without_maker, "p/Maker$1", "methods", "result TypeNotPresent"),
    "method around a class": (drop("p/Maker", "methods", "make"), "p/Maker$1", "class", "method InternalError"),
    "enum's constant": (drop("p/Colour", "fields", "RED"), "p/Colour", "class", "annotations"),
    "enum's constants": (drop("p/Colour", "methods", "values"), "p/Colour", "class", "annotations"),
    "class in a declaration": (missing("p/Gone"), "p/Api", "methods", "all NoClassDefFoundError"),
    "class in a signature": (renamed("p/Square", b"<Lp/Square;>", b"<Lp/Sphere;>"), "p/Square", "class", "interfaces"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_reflection(judges: Referee, whole: Classes, tmp_path: Path, name: str) -> None:
    edit, type_, kind, piece = UNREADABLE[name]
    classes = dict(whole)
    edit(classes)
    jars = [write(tmp_path / "whole.jar", whole), write(tmp_path / "broken.jar", classes)]
    full, broken = judges.machine(jars, (), "reflection")
    assert full.problems == frozenset()
    right = [p for p in broken.problems if (p.type, p.kind) == (type_, kind) and piece in f"{p.target} {p.message}"]
    assert right, sorted(broken.problems)
    assert {(problem.level, problem.judge) for problem in broken.problems} == {("reflection", "reflection")}


def test_what_the_full_input_lacks_is_known_under_neutral_names_too(
    judges: Referee, compile_java: CompileJava, tmp_path: Path, options: argparse.Namespace
) -> None:
    """A rewriting gives a class that is nowhere a neutral name, too: it is the same missing class."""
    folder = compile_java(
        {"p/User.java": "package p; class User { Gone g; }", "p/Gone.java": "package p; class Gone {}"}
    )
    data = (folder / "p/User.class").read_bytes()
    jar = write(tmp_path / "user.jar", {"p/User": data})
    options.rewritten, options.granularity, options.validity = True, "full", "linked"

    def draw(*arguments: object, **more: object) -> Iterator[Entries]:
        yield from [[("p/User.class", data)]] * options.count

    row = bench.run(jar, [], options, judges, tmp_path, draw)
    assert (row.samples, row.invalid) == (4, 0), row.problems
    assert row.known > 0


def test_what_a_sub_input_shows_before_it_is_rewritten_is_not_blamed_on_rewriting(
    judges: Referee,
    compile_java: CompileJava,
    tmp_path: Path,
    options: argparse.Namespace,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The full input cannot load a class, so nothing is told of it; merging moves its code into one that is loaded."""
    other = {"p/Other.java": "package p; class Other { int told() { return 1; } int tells() { return told(); } }"}
    above = {"p/Gone.java": "package p; class Gone { int held; }"}
    names = ("p/Inheritor", "p/Other")

    def classes(inheritor: str) -> Classes:
        folder = compile_java({"p/Inheritor.java": f"package p; {inheritor}", **above, **other})
        return {name: (folder / f"{name}.class").read_bytes() for name in names}

    whole = classes("class Inheritor extends Gone { int read() { return held; } }")
    less = classes("class Inheritor { int held; int read() { return held; } }")
    drop("p/Inheritor", "fields", "held")(less)
    drawn = [(f"{name}.class", data) for name, data in less.items()]
    options.rewritten, options.count = True, 2
    told = iter(("told", "tells"))

    def merged(entries: Entries) -> Changed:
        program = WholeProgram(tuple(read(data) for _, data in entries), open_library().get)
        (edit,) = MERGING.find(program)
        program = MERGING.make(program, [edit])
        (tree,) = program.classes
        gone = next(told)  # the method that the other one calls is a fault of rewriting, the other one is none
        tree = tree._replace(methods=tuple(each for each in tree.methods if each.name != gone))
        return Changed([(f"{tree.name}.class", tree.written())], program.renaming, entries)

    monkeypatch.setattr(bench, "rewriter", lambda *_: merged)
    row = bench.run(write(tmp_path / "a.jar", whole), [], options, judges, tmp_path, lambda *_, **__: [drawn] * 2)
    assert (row.samples, row.invalid) == (2, 1)
    assert ["told" in problem.message for problem in row.problems] == [True]


def test_class_path_and_files_that_name_classes(judges: Referee, whole: Classes, tmp_path: Path) -> None:
    services = {"META-INF/services/p.Shape": "# none\np.Square\np.Circle # gone\n"}
    library = write(tmp_path / "library.jar", {"p/Failure": whole["p/Failure"]})
    jar = write(tmp_path / "a.jar", {k: v for k, v in whole.items() if k != "p/Failure"}, services)
    (verdict,) = judges.machine([jar], [library])
    assert [(problem.kind, problem.target) for problem in verdict.problems] == [("service", "p.Circle")]
    assert verdict.classes == len(whole) - 1


LIBRARY = {
    "p/Part.java": "package p; class Part extends q.Above { static int n; }",
    "p/Shape.java": "package p; public class Shape {}",
    "q/Above.java": "package q; public class Above {}",
    "q/Below.java": "package q; public class Below extends p.Shape {}",
}
USES = {
    "another package, and the input's own": "int n = Part.n; q.Above above = new q.Above();",
    "another package that needs the input's own": "q.Below below = new q.Below();",
}


@pytest.mark.guarded
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize(
    "lacking", [None, *(pytest.param(name, marks=pytest.mark.slow) for name in ("q/Above", "p/Shape"))]
)
def test_libraries_that_are_loaded_once(
    judges: Referee, compile_java: CompileJava, tmp_path: Path, use: str, lacking: str | None
) -> None:
    """The verdicts are those that a candidate with libraries of its own gets."""
    folder = compile_java({**LIBRARY, "p/Use.java": f"package p; class Use {{ {USES[use]} }}"})
    names = [path.removesuffix(".java") for path in LIBRARY if path != f"{lacking}.java"]
    library = write(tmp_path / "library.jar", {name: (folder / f"{name}.class").read_bytes() for name in names})
    full = write(tmp_path / "full.jar", {"p/Use": (folder / "p/Use.class").read_bytes()})
    (own,) = judges.machine([full], [library])
    with judges.resident([library], "src", full) as machine:
        assert machine.judge([full, full]) == [own, own]
    assert bool(own.problems) == (lacking == ("p/Shape" if "needs" in use else "q/Above"))


def test_what_the_full_input_names_and_nobody_has_is_told_of_no_sub_input(
    compile_java: CompileJava, tmp_path: Path
) -> None:
    """The machine stops at the first class that is missing: where that need is gone, it finds the next one."""
    sources = {
        "p/User.java": "package p; class User extends Gone implements Lost { Inside in; }",
        "p/Gone.java": "package p; class Gone {}",
        "p/Lost.java": "package p; interface Lost {}",
        "p/Inside.java": "package p; class Inside {}",
    }
    folder = compile_java(sources)
    names = {"p/User": "p/User", "META-INF/versions/9/p/Inside": "p/Inside"}
    classes = {place: (folder / f"{name}.class").read_bytes() for place, name in names.items()}
    jar = write(tmp_path / "user.jar", classes)
    case = bench.Case(jar, (), "src")
    _, case.absent = bench.surroundings(jar, ())
    assert case.absent == {"p/Gone", "p/Lost"}
    hidden = Problem("p/Use", "reflection", "methods", "use:()V parameters", "NoClassDefFoundError: p/Gone")
    array = Problem("p/Use", "reflection", "constructors", "all", "NoClassDefFoundError: [Lp/Lost;")
    generic = Problem("p/Use", "reflection", "fields", "all", "TypeNotPresentException: Type p.Lost not present")
    shown = Problem("p/Use", "reflection", "methods", "use:()V parameters", "NoClassDefFoundError: p/Inside")
    assert case.new({hidden, array, generic, shown}) == ([shown], 3)


def test_module_descriptor(judges: Referee, compile_java: CompileJava, tmp_path: Path) -> None:
    folder = compile_java(
        {
            "module-info.java": "module m { exports q; provides q.S with r.T; uses q.S; }",
            "q/S.java": "package q; public interface S {}",
            "r/T.java": "package r; public class T implements q.S {}",
        }
    )
    names = ["module-info", "q/S", "r/T"]
    classes = {name: (folder / f"{name}.class").read_bytes() for name in names}
    full = write(tmp_path / "full.jar", classes)
    less = write(tmp_path / "less.jar", {name: classes[name] for name in names[:2]})
    whole, broken = judges.machine([full, less])
    assert whole.problems == frozenset()
    assert {problem.kind for problem in broken.problems} == {"module"}


@pytest.mark.guarded
def test_copies_for_later_versions_are_judged(judges: Referee, whole: Classes, tmp_path: Path) -> None:
    manifest = {"META-INF/MANIFEST.MF": "Manifest-Version: 1.0\nMulti-Release: true\n\n"}
    classes = dict(whole)
    wrong_stack(classes)
    copied = {**whole, "META-INF/versions/9/p/Square": classes["p/Square"]}
    for files, kinds in ((manifest, {"link"}), ({}, set())):
        jar = write(tmp_path / f"{len(files)}.jar", copied, files)
        (verdict,) = judges.machine([jar])
        assert {problem.kind for problem in verdict.problems if problem.type == "p/Square"} == kinds


@pytest.mark.guarded
def test_warnings_of_the_virtual_machine_are_passed_over(
    judges: Referee, whole: Classes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It writes them to its output, between the rows."""
    monkeypatch.setenv("JDK_JAVA_OPTIONS", "-Xlog:class+load=info:stdout")
    (verdict,) = judges.machine([write(tmp_path / "whole.jar", whole)])
    assert (verdict.classes, verdict.problems) == (len(whole), frozenset())


def test_a_judge_that_ends_early_is_an_error(judges: Referee, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"before it was done with .*none\.jar"):
        judges.machine([tmp_path / "none.jar"])


needs_proguard = pytest.mark.skipif(not PROGUARD.exists(), reason="ProGuard is not installed")


@pytest.mark.guarded
@needs_proguard
def test_proguard(judges: Referee, whole: Classes, tmp_path: Path) -> None:
    full = write(tmp_path / "full.jar", whole)
    library = jdk_library(full, [], tmp_path / "jdk.jar")
    jars = [full, write(tmp_path / "empty.jar", {})]
    for name in ("missing method", "missing class", "class in a declaration"):
        classes = dict(whole)
        BROKEN[name][0](classes)
        jars.append(write(tmp_path / f"{name}.jar", classes))
    clean, empty, method, type_, declaration = (verdict.problems for verdict in judges.proguard(jars, [library]))
    assert empty == frozenset()
    assert [problem.target for problem in clean] == [
        "can't find referenced method 'void invokeExact()' in library class java.lang.invoke.MethodHandle"
    ]  # which takes any arguments: a comparison with the full input is needed
    (lost,) = method - clean
    assert (lost.type, lost.level) == ("p/Main", "jvm")
    assert "can't find referenced method 'p.Base of(int)'" in lost.target
    assert {(problem.type, problem.level) for problem in type_ - clean} == {("p/Square", "jvm")}
    assert {(problem.type, problem.level) for problem in declaration - clean} == {("p/Api", "src")}


@pytest.fixture
def options(tmp_path: Path) -> argparse.Namespace:
    return argparse.Namespace(
        count=4,
        seed=1,
        granularity="class",
        validity="jvm",
        keep=tmp_path / "kept",
        no_proguard=True,
        no_reflection=False,
        rewritten=False,
        alone=False,
    )


@pytest.mark.guarded
def test_sub_inputs_are_compared_with_the_full_input(
    judges: Referee, whole: Classes, tmp_path: Path, options: argparse.Namespace
) -> None:
    """A class that is missing from the start is no problem of a sub-input, a method missing from one is."""
    classes = {name: data for name, data in whole.items() if name != "p/Note"}
    jar = write(tmp_path / "a.jar", classes)

    def draw(*arguments: object, **more: object) -> Iterator[Entries]:
        yield [(f"{name}.class", data) for name, data in classes.items()]
        broken = dict(classes)
        drop("p/Base", "methods", "of")(broken)
        yield [(f"{name}.class", data) for name, data in broken.items()]
        yield []

    row = bench.run(jar, [], options, judges, tmp_path, draw)
    assert (row.samples, row.invalid, row.excused) == (3, 1, 0)
    assert [(p.type, p.target) for p in row.problems] == [("p/Main", "p/Base.of:(I)Lp/Base;")]
    assert row.known > 0
    assert sorted(path.name for path in options.keep.iterdir()) == [
        "class-jvm-a-00001.jar", "class-jvm-a-00001.txt",
    ]  # fmt: skip
    assert "a.jar" in bench.printed(row)
    assert json.loads(json.dumps(row, default=bench.as_json))["invalid"] == 1


@pytest.mark.guarded
def test_what_the_full_input_cannot_load_is_not_told(
    judges: Referee, whole: Classes, tmp_path: Path, options: argparse.Namespace
) -> None:
    """A sub-input that drops the missing superclass may show what was hidden behind it."""
    classes = {name: data for name, data in whole.items() if name != "p/Base"}
    jar = write(tmp_path / "b.jar", classes)

    def draw(*arguments: object, **more: object) -> Iterator[Entries]:
        cf = parse(whole["p/Square"])
        pool = cf.constants._pool
        pool += [(UTF8, "java/lang/Object"), (CLASS, len(pool))]
        cf._super = len(pool) - 1
        yield [(f"{name}.class", rebuilt(cf) if name == "p/Square" else data) for name, data in classes.items()]

    row = bench.run(jar, [], options, judges, tmp_path, draw)
    assert (row.samples, row.invalid) == (1, 0)
    assert row.excused > 0


@pytest.mark.slow
@needs_proguard
def test_bench_command(whole: Classes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jar = write(tmp_path / "whole.jar", whole)
    (tmp_path / "list.txt").write_text(f"{jar}\t\n")
    arguments = ["--list", str(tmp_path / "list.txt"), "--count", "6", "--granularity", "class", "--json"]
    assert bench.main(arguments) == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["samples"], row["invalid"], row["known"], row["classes"]) == (6, 0, 1, len(whole))


def test_samples_of_classes_are_the_same_again(whole: Classes, tmp_path: Path) -> None:
    jar = write(tmp_path / "whole.jar", whole)
    first, again = (list(sample_classes(jar, 5, 7)) for _ in range(2))
    assert first == again
    assert len({len(entries) for entries in first}) > 1


@pytest.mark.parametrize("alone", [False, True])
def test_the_class_path_is_the_judges_alone(
    judges: Referee, compile_java: CompileJava, tmp_path: Path, options: argparse.Namespace, alone: bool
) -> None:
    folder = compile_java(
        {"a/Above.java": "package a; class Above { }", "a/Low.java": "package a; class Low extends Above { }"}
    )
    above, low = (
        write(tmp_path / f"{n}.jar", {f"a/{n}": (folder / f"a/{n}.class").read_bytes()}) for n in ("Above", "Low")
    )
    options.alone, options.granularity, options.count = alone, "full", 2
    given: list[object] = []

    def draw(jar: Path, *arguments: object, class_path: object) -> Iterator[Entries]:
        given.append(class_path)
        yield [("a/Low.class", (folder / "a/Low.class").read_bytes())]

    row = bench.run(low, [above], options, judges, tmp_path, draw)
    assert (given, row.known, row.invalid) == ([() if alone else [above]], 0, 0)
