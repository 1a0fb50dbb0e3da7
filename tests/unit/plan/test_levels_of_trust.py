"""The items of a program that stay at each level of trust, by the code that ran."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.evidence.clues import Ran
from core.library.library import Library, open_library
from core.model import class_model
from core.model.class_model import ClassModel
from core.plan.trust import Trust
from tests.support.files import jar_of

SOURCES = {
    "app/Main.java": """package app;
public class Main {
    static Shape shape = new Square();
    public static void main(String[] words) {
        if (words.length > 9) rarely();
        shape.area();
        Colour.valueOf("RED");
    }
    static void rarely() { new Round(); Object plugin = "app.Named"; Object helper = new Helper(); }
    private static void never() { new Unused(); System.out.println("never"); System.out.println("at all"); }
    static void apart() { System.out.println("apart"); System.out.println("from all"); System.out.println("else"); }
}""",
    "app/Shape.java": "package app; interface Shape { int area(); }",
    "app/Square.java": """package app;
class Square implements Shape { public int area() { return 4; } public void named() { } }""",
    "app/Lookup.java": """package app;
class Lookup {
    static void call(Object on, String name) throws Exception { on.getClass().getMethod(name).invoke(on); }
}""",
    "app/LookupOne.java": """package app;
class LookupOne { static Object find(Object on) throws Exception { return on.getClass().getMethod("help"); } }""",
    "app/Compares.java": """package app;
class Compares { static boolean ours(String name) { return name.startsWith("plug."); } }""",
    "app/Round.java": """package app;
class Round extends Base implements Shape { public String toString() { return "round"; } }""",
    "app/Base.java": """package app;
class Base { public int area() { System.out.println("in a class above"); return 3; }
    public int length() { System.out.println("nobody"); System.out.println("calls"); return 1; } }""",
    "app/Helper.java": """package app;
class Helper { public int help() { System.out.println("by"); System.out.println("reflection"); return 1; } }""",
    "app/Named.java": "package app; class Named { Named() { } int area() { System.out.println(1); return 5; } }",
    "app/Unused.java": "package app; class Unused { }",
    "app/Colour.java": """package app;
enum Colour { RED; static void mix() { System.out.println("mixed"); System.out.println("well"); } }""",
    "app/Kept.java": """package app;
class Kept implements java.io.Serializable {
    private void readObject(java.io.ObjectInputStream in) { System.out.println("read"); }
    int shown() { for (int i = 0; i < 9; i++) System.out.println("nobody" + "calls"); return hashCode() * 31; }
    private void tidy() { System.out.println("tidied"); System.out.println("up"); }
}""",
    "app/Streams.java": """package app; class Streams {
    static Object read(java.io.InputStream from) throws Exception { return new java.io.ObjectInputStream(from); } }""",
    "app/Calls.java": """package app;
class Calls { interface Shown { int shown(); } int call(Shown one) { return one.shown(); } }""",
    "app/Beans.java": """package app; class Beans {
    static Object look(Class<?> at) throws Exception { return java.beans.Introspector.getBeanInfo(at); } }""",
    "app/Native.java": "package app; class Native { static native void call(); }",
    "app/Lists.java": "package app; class Lists { Object list() { return getClass().getMethods(); } }",
    "app/Listed.java": """package app;
class Listed extends Lists { public int shown() { System.out.println(1); System.out.println(2); return 3; } }""",
    "app/Noted.java": """package app; @Mark @Asked @Many({@One, @One}) class Noted {
    static Object ask(Class<?> one) { return one.getAnnotation(Asked.class); }
    static Object all(Class<?> one) { return one.getAnnotationsByType(One.class); } }
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) @interface Mark { }
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) @interface Asked { }
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) @interface Many { One[] value(); }
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) @interface One { }
class ListsNotes { static Object list(Class<?> one) { return one.getAnnotations(); } }""",
    "app/Served.java": "package app; public class Served implements Runnable { public void run() { } }",
    "app/Offered.java": "package app; public class Offered implements Shape { public int area() { return 1; } }",
    "app/Started.java": "package app; public class Started { }",
    "app/Tool.java": "package app; public class Tool { public static void main(String[] words) { } }",
    "app/InFile.java": "package app; public class InFile { }",
    "app/Finder.java": """package app;
class Finder {
    static class Beside { }
    static Object find(String name) throws Exception { return Class.forName("plug." + name).newInstance(); }
    static Object any(String name) throws Exception { return Class.forName("app.Holder$" + name).newInstance(); }
}""",
    "app/Holder.java": "package app; class Holder { static class Held { } }",
    "app/Lister.java": "package app; class Lister { int count() { return Finder.class.getDeclaredClasses().length; } }",
    "app/Maker.java": "package app; class Maker { Object make() { return null; } }",
    "app/Other.java": """package app;
class Other extends Maker { String make() { System.out.println("made"); return "a string" + new Unused(); } }""",
    "app/Caller.java": """package app;
class Caller { static int call(java.io.InputStream from) throws Exception { return from.read(); } }""",
    "app/Counter.java": """package app;
class Counter { public int read() { System.out.println("no stream"); System.out.println("at all"); return 1; } }""",
    "app/Stream.java": """package app;
class Stream extends java.io.InputStream { public int read() { System.out.println("one"); return -1; } }""",
    "plug/Plug.java": "package plug; public class Plug { }",
    "by/Package.java": """package by;
class Package { Object make(String name) throws Exception {
    return Class.forName(getClass().getPackage().getName() + "." + name).newInstance(); } }""",
    "by/Beside.java": "package by; class Beside { }",
    "by/name/Owner.java": """package by.name;
class Owner { Object make(String name) throws Exception { return Class.forName(Store.class.getName() + name); } }""",
    "by/name/Store.java": "package by.name; class Store { }",
    "by/name/StoreFast.java": "package by.name; class StoreFast { }",
    "by/name/Start.java": """package by.name;
class Start { Object make(String name) throws Exception { return Class.forName("by.name.Un" + name); } }""",
    "by/name/Until.java": "package by.name; class Until { }",
    "by/help/Loads.java": """package by.help;
class Loads { static Object load(String name) throws Exception { return Class.forName(name); }
    static Object near(Class<?> one, String name) throws Exception { return load(one.getPackageName() + name); } }""",
    "by/help/Asks.java": """package by.help;
class Asks { Object make() throws Exception { return Loads.load(Asks.class.getPackage().getName() + ".deep.Down"); } }
class Hands { Object make(String name) throws Exception { return Loads.near(by.help.near.One.class, name); } }""",
    "by/help/Tells.java": """package by.help;
class Tells { String name() { return getClass().getPackage().getName() + ".deep.Down"; } }""",
    "by/help/deep/Down.java": "package by.help.deep; class Down { }",
    "by/help/near/One.java": "package by.help.near; public class One { }",
    "by/help/near/Other.java": "package by.help.near; class Other { }",
    "in/Words.java": """package in;
class Words extends java.util.ListResourceBundle { protected Object[][] getContents() { return null; } }""",
    "in/Words_de.java": "package in; class Words_de extends Words { }",
    "in/Facade.java": "package in; class Facade extends Facade_Part { }",
    "in/Client.java": "package in; class Client { public static void main(String[] words) { new Facade(); } }",
    "in/Facade_Part.java": """package in;
class Facade_Part { static void apart() { System.out.println("nobody"); System.out.println("calls"); } }""",
    "in/part/Part.java": "package in.part; interface Part { }",
    "in/part/First.java": "package in.part; class First implements Part { }",
    "in/part/Second.java": "package in.part; class Second implements Part { }",
    "in/part/Third.java": "package in.part; class Third { }",
    "in/Private.java": """package in;
class Private { Object find(String name) throws Exception { return getClass().getDeclaredMethod(name); }
    private void found() { System.out.println("found"); System.out.println("by"); System.out.println("name"); } }""",
    "in/Reader.java": """package in;
class Reader { Object read(String name) { return getClass().getResource("/" + name + ".ending"); }
    Object draw(int number) { return getClass().getResource("/picture" + number + ".bin"); } }""",
    "in/Tracer.java": "package in; class Tracer { void trace(Error bad) { bad.printStackTrace(System.out); } }",
}
RAN = Ran(
    loaded=frozenset({"app/Main", "app/Shape", "app/Square", "app/Colour", "app/Kept"}),
    covered=frozenset({"app/Main", "app/Square", "app/Colour"}),
    missed=frozenset(
        (f"app/{name}", method, "()V")
        for name, methods in (("Main", ("rarely", "never", "apart")), ("Colour", ("mix",)), ("Square", ("named",)))
        for method in methods
    ),
    read=frozenset({"app/asked.txt"}),
)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, compile_java: Callable[..., Path]) -> ClassModel:
    jar = jar_of(compile_java(SOURCES), tmp_path_factory.mktemp("trust") / "app.jar")
    with zipfile.ZipFile(jar, "a") as made:
        main, agent = "Main-Class: app.Tool\n", "Launcher-Agent-Class: app.Started\n"
        made.writestr("META-INF/MANIFEST.MF", f"Manifest-Version: 1.0\n{main}{agent}\n")
        made.writestr("META-INF/services/java.lang.Runnable", "app.Served\n")
        made.writestr("META-INF/services/app.Shape", "app.Offered\n")
        made.writestr("META-INF/services/app.Maker", "app.Other\n")
        made.writestr("META-INF/services/not.There", "app.Counter\n")
        made.writestr("app/asked.txt", "a")
        made.writestr("app/unread.conf", "class = app.InFile")
        made.writestr("other/folder/strange.bin", "b")
        made.writestr("any.ending", "c")
        made.writestr("picture2.bin", "d")
    return class_model.build(read_jar([jar]))


@pytest.fixture(scope="module")
def library() -> Iterator[Library]:
    opened = open_library()
    yield opened
    opened.close()


@pytest.fixture
def trust(model: ClassModel, library: Library) -> Callable[[str], Trust]:
    return lambda level: Trust(model, RAN, level, library.get)


def test_as_run_keeps_the_code_that_ran_and_no_other(trust) -> None:
    found = trust("as-run")
    assert [name for name, _ in found.methods("app/Main")] == ["<init>", "main", "<clinit>"]
    assert found("app/Main.main:([Ljava/lang/String;)V!code")
    assert not found("app/Main.apart:()V"), "no code calls a method of that name"
    assert not found("app/Main.never:()V"), "nothing but its own class finds it"
    assert not found("app/Round")


def test_careful_follows_the_code_that_ran(trust) -> None:
    found = trust("careful")
    assert "rarely" in {name for name, _ in found.methods("app/Main")}
    assert found.reasons["app/Round"] == "code of app.Main may reach it"
    assert {"never", "apart"}.isdisjoint(name for name, _ in found.methods("app/Main"))
    assert not found("app/Unused")


def test_careful_keeps_what_a_call_may_select_and_not_what_has_the_same_name(trust) -> None:
    found = trust("careful")
    assert [name for name, _ in found.methods("app/Base")] == ["<init>", "area"], "inherited by a shape"
    assert [name for name, _ in found.methods("app/Round")] == ["<init>", "toString"], "called from outside"
    assert [name for name, _ in found.methods("app/Named")] == ["<init>"], "named by a string, and no shape"


def test_careful_keeps_what_a_compiler_made_only_where_code_reaches_it(model, library) -> None:
    ran = with_loaded("app/Other")
    ran = replace(ran, missed=ran.missed | {("app/Other", "make", "()Ljava/lang/String;")})
    found = Trust(model, ran, "careful", library.get)
    assert [name for name, _ in found.methods("app/Other")] == ["<init>"], "the bridge is no evidence of a call"


def test_a_call_of_a_type_outside_selects_among_its_subtypes(model, library) -> None:
    ran = with_loaded("app/Caller", "app/Counter", "app/Stream")
    missed = {(name, "read", "()I") for name in ("app/Counter", "app/Stream")}
    found = Trust(model, replace(ran, missed=ran.missed | missed), "careful", library.get)
    assert [name for name, _ in found.methods("app/Stream")] == ["<init>", "read"]
    assert [name for name, _ in found.methods("app/Counter")] == ["<init>"]


def test_careful_keeps_public_methods_where_the_code_that_ran_looks_methods_up(trust, model, library) -> None:
    assert [name for name, _ in trust("careful").methods("app/Square")] == ["<init>", "area"]
    found = Trust(model, with_loaded("app/Lookup"), "careful", library.get)
    assert [name for name, _ in found.methods("app/Square")] == ["<init>", "area", "named"]


def test_careful_keeps_public_methods_of_objects_that_code_makes_and_only_reflection_can_call(
    trust, model, library
) -> None:
    assert [name for name, _ in trust("careful").methods("app/Helper")] == ["<init>"]
    found = Trust(model, with_loaded("app/Lookup"), "careful", library.get)
    assert [name for name, _ in found.methods("app/Helper")] == ["<init>", "help"]
    assert "area" in {name for name, _ in found.methods("app/Base")}
    assert "length" not in {name for name, _ in found.methods("app/Base")}, "code calls another method of it"


def test_careful_keeps_the_methods_of_a_name_where_the_code_that_ran_looks_up_no_other(trust, model, library) -> None:
    found = Trust(model, with_loaded("app/LookupOne", "app/Helper"), "careful", library.get)
    assert "help" in {name for name, _ in found.methods("app/Helper")}
    assert found.methods("app/Square") == trust("careful").methods("app/Square")
    assert not found.found.keys() & {"app/Square"}
    assert "app/Square" in Trust(model, with_loaded("app/Lookup"), "careful", library.get).found


def test_careful_keeps_the_whole_public_interface_of_a_library_that_tests_run(trust, model, library) -> None:
    assert "app/Tool" not in trust("careful").reasons
    found = Trust(model, RAN, "careful", library.get, tested=True)
    assert found.reasons["app/Tool"] == "public in a library"
    assert ("main", "([Ljava/lang/String;)V") in found.methods("app/Tool")
    assert "named" in {name for name, _ in found.methods("app/Square")}, "a test may have begun with main"
    assert "app/Unused" not in found.reasons
    assert "app/Tool" not in Trust(model, RAN, "as-run", library.get, tested=True).reasons


def test_careful_keeps_what_the_virtual_machine_and_serialization_look_for(trust) -> None:
    found = trust("careful")
    assert {"values", "valueOf"} <= {name for name, _ in found.methods("app/Colour")}
    assert "mix" not in {name for name, _ in found.methods("app/Colour")}
    assert [name for name, _ in found.methods("app/Kept")] == ["<init>"], "no code makes streams of objects"
    assert found("app/Kept.readObject:(Ljava/io/ObjectInputStream;)V"), "it ends loudly"


def test_methods_that_serialization_calls_stay_where_code_makes_streams_of_objects(model, library) -> None:
    found = Trust(model, with_loaded("app/Streams"), "careful", library.get)
    assert "readObject" in {name for name, _ in found.methods("app/Kept")}
    assert not Trust(model, RAN, "careful", library.get)("app/Kept.shown:()I")
    assert found("app/Kept.shown:()I"), "the number of the class comes from the names of its methods"


@pytest.mark.parametrize("level", ["as-run", "careful"])
@pytest.mark.parametrize("user", ["app/Calls", "app/Lookup", "app/Beans", "app/Native"])
def test_methods_go_unless_code_may_call_or_look_up_their_names(trust, model, library, level: str, user: str) -> None:
    method = "app/Kept.shown:()I"
    assert not trust(level)(method)
    found = Trust(model, with_loaded(user), level, library.get)
    assert found(method)
    assert not found(f"{method}!code"), "it ends loudly"


def test_methods_stay_whose_objects_list_their_own_methods(model, library) -> None:
    ran = with_loaded("app/Lists", "app/Listed")
    ran = replace(ran, missed=ran.missed | {("app/Listed", "shown", "()I")})
    found = Trust(model, ran, "as-run", library.get)
    assert found("app/Listed.shown:()I")
    assert not found("app/Main.apart:()V")


@pytest.mark.parametrize("level", ["as-run", "careful", "whole-classes"])
def test_services_and_the_classes_of_the_manifest_stay_at_each_level(trust, level: str) -> None:
    found = trust(level)
    assert found.reasons["app/Served"] == "named in META-INF/services/java.lang.Runnable"
    assert found.reasons["app/Started"] == "named in META-INF/MANIFEST.MF"
    assert found("META-INF/services/java.lang.Runnable")


@pytest.mark.parametrize("level", ["as-run", "careful"])
def test_providers_of_a_service_that_nothing_asks_for_go_with_its_file(trust, level: str) -> None:
    found = trust(level)
    assert found.reasons["app/Offered"] == "named in META-INF/services/app.Shape"
    assert {"app/Other", "app/Counter"}.isdisjoint(found.reasons)
    assert not found("META-INF/services/app.Maker")
    assert not found("META-INF/services/not.There")


def test_the_main_class_of_the_manifest_goes_if_the_run_began_with_another(trust) -> None:
    assert not trust("whole-classes")("app/Tool")


def with_loaded(*names: str) -> Ran:
    return replace(RAN, loaded=RAN.loaded | {*names}, covered=RAN.covered | {*names})


@pytest.mark.parametrize("level", ["as-run", "careful"])
def test_classes_stay_whose_names_begin_with_a_package_or_class_in_a_string(model, library, level: str) -> None:
    found = Trust(model, with_loaded("app/Finder"), level, library.get)
    assert found.reasons["plug/Plug"] == "named in app.Finder"
    assert found.reasons["app/Holder$Held"] == "named in app.Finder"


def test_no_name_begins_with_a_string_that_is_only_compared(model, library) -> None:
    assert "plug/Plug" not in Trust(model, with_loaded("app/Compares"), "careful", library.get).reasons


@pytest.mark.parametrize("level", ["as-run", "careful"])
@pytest.mark.parametrize(
    ("loaded", "found"),
    [
        ("by/Package", "by/Beside"),
        ("by/name/Owner", "by/name/StoreFast"),
        ("by/name/Start", "by/name/Until"),
        ("by/help/Asks", "by/help/deep/Down"),
        ("by/help/Hands", "by/help/near/Other"),
        ("in/Words", "in/Words_de"),
        ("in/part/First", "in/part/Second"),
        ("app/Lister", "app/Finder$Beside"),
    ],
    ids=str,
)
def test_classes_stay_whose_names_code_may_make(model, library, level: str, loaded: str, found: str) -> None:
    assert found in Trust(model, with_loaded(loaded), level, library.get).reasons


def test_a_class_named_by_another_and_an_ending_is_asked_for_only_if_it_is_a_bundle(model, library) -> None:
    found = Trust(model, with_loaded("in/Client", "in/Facade"), "careful", library.get)
    assert found.reasons["in/Facade_Part"] == "above in.Facade"
    assert [name for name, _ in found.methods("in/Facade_Part")] == ["<init>"]


def test_the_name_of_a_package_that_only_is_told_keeps_no_class(model, library) -> None:
    assert "by/help/deep/Down" not in Trust(model, with_loaded("by/help/Tells"), "careful", library.get).reasons


def test_a_class_that_no_class_names_was_asked_for_by_a_name_that_the_program_made(model, library) -> None:
    found = Trust(model, with_loaded("in/part/First"), "careful", library.get)
    assert found.reasons["in/part/Second"] == "named in a name that the program made"
    assert "in/part/Third" not in found.reasons, "it has no supertype in common"


def test_private_methods_stay_where_code_looks_methods_up(model, library) -> None:
    method, ran = "in/Private.found:()V", with_loaded("in/Private")
    ran = replace(ran, missed=ran.missed | {("in/Private", "found", "()V")})
    assert Trust(model, ran, "as-run", library.get)(method)
    assert Trust(model, ran, "careful", library.get)(f"{method}!code")


@pytest.mark.parametrize(("type_", "stays"), [("Mark", False), ("Asked", True), ("Many", True)])
def test_annotations_stay_if_code_may_ask_for_their_type(model, library, type_: str, stays: bool) -> None:
    note = f"app/Noted[@app/{type_}]"
    assert Trust(model, with_loaded("app/Noted"), "as-run", library.get)(note) is stays
    assert Trust(model, with_loaded("app/Noted", "app/ListsNotes"), "as-run", library.get)(note)


def test_line_numbers_stay_where_code_that_ran_prints_them(trust, model, library) -> None:
    assert not trust("careful")("app/Main[lines]")
    assert Trust(model, with_loaded("in/Tracer"), "as-run", library.get)("in/Tracer[lines]")


def test_rows_of_nested_classes_stay_where_code_may_list_them(trust, model, library) -> None:
    row = "app/Finder[inner app/Finder$Beside]"
    assert not Trust(model, with_loaded("app/Finder"), "as-run", library.get)(row)
    assert Trust(model, with_loaded("app/Finder", "app/Lister"), "as-run", library.get)(row)


def test_careful_keeps_classes_named_in_a_resource_that_code_may_ask_for(trust) -> None:
    assert trust("careful").reasons["app/InFile"] == "named in app/unread.conf"
    assert not trust("as-run")("app/InFile")


def test_resources_stay_if_they_were_asked_for_or_a_class_may_ask_for_them(trust) -> None:
    found = trust("careful")
    assert found("app/asked.txt")
    assert not found("other/folder/strange.bin")


@pytest.mark.parametrize("name", ["any.ending", "picture2.bin"])
def test_resources_stay_whose_names_code_may_join(trust, model, library, name: str) -> None:
    assert not trust("careful")(name)
    assert Trust(model, with_loaded("in/Reader"), "careful", library.get)(name)


def test_of_a_jar_of_which_no_class_stays_its_manifest_stays_only_where_code_asks_for_manifests(
    model, library, tmp_path: Path, compile_java
) -> None:
    lone = {"lone/Lone.java": "package lone; public class Lone { }"}
    asks = {
        "asks/Asks.java": """package asks; class Asks {
        Object ask(java.util.jar.JarFile jar) throws Exception { return jar.getManifest(); } }"""
    }
    jars = [jar_of(compile_java(sources), tmp_path / f"{name}.jar") for name, sources in (("a", lone), ("b", asks))]
    for jar in jars:
        with zipfile.ZipFile(jar, "a") as made:
            for name in ("META-INF/MANIFEST.MF", "META-INF/LICENSE", "META-INF/services/other.Service"):
                made.writestr(name, "X: lone.Lone\n")
    joined = class_model.build(read_jar([*model.jar.paths, *jars]))
    asked = replace(RAN, read=frozenset({"META-INF/MANIFEST.MF"}))
    files = [f"a.jar!/META-INF/{name}" for name in ("LICENSE", "MANIFEST.MF", "services/other.Service")]
    assert not any(map(Trust(joined, asked, "careful", library.get), ("lone/Lone", *files)))
    ran = replace(with_loaded("asks/Asks"), read=asked.read)
    assert list(map(Trust(joined, ran, "careful", library.get), files)) == [False, True, False]


def test_whole_classes_keep_all_of_what_careful_keeps_a_part_of(trust) -> None:
    found = trust("whole-classes")
    assert found.reasons == trust("careful").reasons
    assert found.methods("app/Main") is None
    assert found("app/Main.never:()V!code")
    assert not found("app/Unused")
