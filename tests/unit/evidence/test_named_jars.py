"""Opened jars that command and failure name: the search begins at them where no class is named."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.evidence.clues import Mention
from core.evidence.failure import FailureReport, mentions
from core.evidence.item_finder import ItemFinder
from core.evidence.mentions import ClassNames
from core.evidence.suggestions import around_mentions
from core.model import class_model
from core.model.class_model import ClassModel
from core.sets import members, union


@pytest.fixture(scope="module")
def model(compile_java: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> ClassModel:
    outer = tmp_path_factory.mktemp("jars") / "all.zip"
    with zipfile.ZipFile(outer, "w") as archive:
        for name in "abcde":
            folder = compile_java({f"{name}/C.java": f"package {name}; public class C {{ }}"})
            inner = io.BytesIO()
            with zipfile.ZipFile(inner, "w") as jar:
                jar.write(folder / name / "C.class", f"{name}/C.class")
                jar.writestr("META-INF/services/x.Y", name)
                jar.writestr("META-INF/MANIFEST.MF", f"Manifest-Version: 1.0\nAutomatic-Module-Name: m.{name}\n\n")
            archive.writestr(f"lib/{name}-1.0.jar", inner.getvalue())
    return class_model.build(read_jar([outer], nested=True))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("java.util.zip.ZipException: /x/lib/b-1.0.jar: bad entry", "b"),
        ("duplicate: 'd-1.0.jar' and file:///x/b-1.0.jar!/META-INF/services/x.Y", "bd"),
        ("b-1.0.jarred, ab-1.0.jar, b-1.0", ""),
        ("java.lang.module.FindException: Module m.d not found, required by org.x", "d"),
        ("Error: automatic module cannot be used with jlink: m.b from file:///x/y.jar", "b"),
        ("required by m.d", ""),
        ("java -cp a-1.0.jar:b-1.0.jar:c-1.0.jar:d-1.0.jar:e-1.0.jar", ""),
    ],
)
def test_a_text_names_opened_jars_by_their_files_unless_it_lists_most(model: ClassModel, text: str, found: str) -> None:
    assert ClassNames(model).jars(text) == [f"lib/{name}-1.0.jar" for name in found]


def test_each_named_jar_is_tried_with_its_resources_then_all_of_them(model: ClassModel) -> None:
    def least(wanted):
        return union(model.closures[number] for number in wanted)

    jars = ["lib/b-1.0.jar", "lib/d-1.0.jar"]
    tried = around_mentions(ItemFinder(model), least, (), jars=jars)
    entries = [[model.jar.entries[model.items[each].entry].name for each in members(one.items)] for one in tried]
    inside = ("{}/C.class", "META-INF/services/x.Y", "META-INF/MANIFEST.MF")
    of = {name: {f"lib/{name}-1.0.jar!/{each.format(name)}" for each in inside} for name in "bd"}
    assert list(map(set, entries)) == [of["b"], of["d"], of["b"] | of["d"]]


@pytest.mark.parametrize(
    "text",
    [
        "java.lang.module.FindException: Module org.gone not found, required by org.here",
        "java.lang.module.ResolutionException: Modules org.here and org.other export package p to module org.third",
        "Error: Can't read [x.jar] (Can't process class [module-info.class] (Unsupported version number [61.0]))",
        "[error]  : Invalid class file module-info.class (java.lang.ArrayIndexOutOfBoundsException: 19)",
    ],
)
def test_a_text_names_the_class_that_declares_a_module(compile_java, tmp_path, text: str) -> None:
    folder = compile_java(
        {"module-info.java": "module org.here { exports p; }", "p/C.java": "package p; public class C { }"}
    )
    names = ClassNames(class_model.build(read_jar([folder])))
    assert [mention.name for mention in names.mentions(text)] == ["module-info"]


@pytest.mark.parametrize("alone", [False, True])
def test_a_text_names_the_class_of_a_later_java(compile_java, tmp_path, alone: bool) -> None:
    folder = tmp_path / "classes"
    shutil.copytree(compile_java({"p/C.java": "package p; public class C { }"}), folder)
    later = folder / "META-INF/versions/19/p"
    later.mkdir(parents=True)
    (later / "C.class").write_bytes((folder / "p/C.class").read_bytes())
    if alone:
        (folder / "p/C.class").unlink()
    names = ClassNames(class_model.build(read_jar([folder])))
    text = "Problem shading JAR lib-2.15.0.jar entry META-INF/versions/19/p/C.class: java.lang.IllegalArgumentException"
    assert [mention.name for mention in names.mentions(text)] == ["p/C" if alone else "META-INF/versions/19/p/C"]


@pytest.mark.parametrize(
    "text",
    [
        "error: No RuntimeVisibleAnnotations in classfile with ScalaSignature attribute: package object inner",
        "assertion failure for outer.inner.type <:< ?{ util: ? }, frozen = false",
    ],
)
def test_a_text_names_a_package_object_of_scala_and_so_do_imports(compile_java, tmp_path, text: str) -> None:
    other = "packagE"  # a keyword is no name in Java
    sources = {"outer/inner/more/C.java": "package outer.inner.more; public class C { }"}
    sources[f"outer/inner/{other}.java"] = f"package outer.inner; class {other} {{ }}"
    folder = tmp_path / "classes"
    shutil.copytree(compile_java(sources), folder)
    data = (folder / f"outer/inner/{other}.class").read_bytes()
    (folder / f"outer/inner/{other}.class").unlink()
    (folder / "outer/inner/package.class").write_bytes(data.replace(other.encode(), b"package"))
    names = ClassNames(class_model.build(read_jar([folder])))
    assert mentions(names, FailureReport((), text, failed=True))[0].name == "outer/inner/package"
    assert names.in_sources("import outer.inner.more.C") == ["outer/inner/more/C", "outer/inner/package"]


def test_the_named_classes_of_each_java_come_with_the_manifest(compile_java, tmp_path) -> None:
    folder = tmp_path / "classes"
    sources = {"p/C.java": "package p; public class C { }", "p/D.java": "package p; public class D { }"}
    shutil.copytree(compile_java(sources), folder)
    shutil.copytree(folder / "p", folder / "META-INF/versions/19/p")
    (folder / "META-INF/MANIFEST.MF").write_text("Manifest-Version: 1.0\nMulti-Release: true\n\n")
    model = class_model.build(read_jar([folder]))
    tried = around_mentions(ItemFinder(model), lambda wanted: union(1 << each for each in wanted), [Mention("p/C")])
    titles = [one.title for one in tried]
    assert titles == ["p.C", "p.C and its copies for other Java", "the package p"]
    found = {model.items[each].name for each in members(tried[1].items)}
    assert found == {"p/C", "META-INF/versions/19/p/C", "META-INF/MANIFEST.MF"}


def test_a_named_class_comes_with_the_files_of_services_that_name_it_and_with_the_named_jar(
    compile_java, tmp_path
) -> None:
    classes = compile_java({f"{name}/C.java": f"package {name}; public class C {{ }}" for name in "pq"})
    for name in "pq":
        with zipfile.ZipFile(tmp_path / f"{name}.jar", "w") as jar:
            jar.write(classes / name / "C.class", f"{name}/C.class")
            jar.writestr(f"META-INF/services/{name}.S", "p.C # of another jar\n")
            jar.writestr("META-INF/services/x.Y", "q.C\n")
    model = class_model.build(read_jar([tmp_path / "p.jar", tmp_path / "q.jar"]))

    def least(wanted):
        return union(1 << each for each in wanted)

    tried = around_mentions(ItemFinder(model), least, [Mention("p/C")], jars=["q.jar"])
    found = {one.title: {model.items[each].name for each in members(one.items)} for one in tried}
    assert found["p.C and the files of services"] == {
        "p/C", "p.jar!/META-INF/services/p.S", "q.jar!/META-INF/services/q.S"
    }  # fmt: skip
    assert found["the jar q.jar"] == {"p/C", "q/C", "q.jar!/META-INF/services/q.S", "q.jar!/META-INF/services/x.Y"}
