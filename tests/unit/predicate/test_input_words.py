"""Words that name an input by something else than a jar or a folder."""

from __future__ import annotations

import hashlib
import shlex
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.errors import InputError
from core.predicate.releases.input_words import Resolved, libraries, resolved
from core.protocol.settings import Settings
from core.service.aims import completed
from tests.support.files import jar_of
from tests.support.java import CompileJava

SOURCES = {
    "a/A.java": "package a; public class A {}",
    "b/B.java": "package b; public class B extends a.A {}",
    "c/C.java": "package c; public class C extends b.B {}",
}


@pytest.fixture
def repository(compile_java: CompileJava, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A local repository, where x:b needs x:a; nothing else is asked."""
    classes, home = compile_java(SOURCES), tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("JARLET_MAVEN", (tmp_path / "nowhere").as_uri())
    for name in "ab":
        place = home / ".m2" / "repository" / "x" / name / "1"
        place.mkdir(parents=True)
        jar_of(classes / name, place / f"{name}-1.jar")
        (place / f"{name}-1.pom").write_text(project(name, "a" if name == "b" else ""))
    return home / ".m2" / "repository" / "x"


def project(name: str, needed: str = "", scope: str = "compile") -> str:
    one = f"<dependency><groupId>x</groupId><artifactId>{needed}</artifactId><version>1</version></dependency>"
    own = f"<groupId>x</groupId><artifactId>{name}</artifactId><version>1</version>"
    return f"<project>{own}<dependencies>{one if needed else ''}</dependencies></project>"


def test_a_coordinate_is_its_jar_and_what_it_needs_are_libraries(repository: Path) -> None:
    found = resolved(["x:b:1"])
    assert found.words == (str(repository / "b/1/b-1.jar"),)
    assert found.libraries == (str(repository / "a/1/a-1.jar"),)
    whole = resolved(["new=x:b:1"], dependencies=True)
    assert whole.words == (f"new={repository / 'b/1/b-1.jar'}", str(repository / "a/1/a-1.jar"))
    assert whole.libraries == ()
    both = resolved(["x:b:1", "x:a:1"], dependencies=True)
    assert both.words == (str(repository / "b/1/b-1.jar"), str(repository / "a/1/a-1.jar"))
    assert resolved(["old=x:b:1", "new=x:b:1"]).libraries == whole.words[1:]


def test_what_was_fetched_once_needs_no_server(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for jar in repository.rglob("*.jar"):
        jar.with_suffix(".jar.sha1").write_text(hashlib.sha1(jar.read_bytes()).hexdigest())
    monkeypatch.setenv("HOME", str(tmp_path / "other"))
    monkeypatch.setenv("JARLET_MAVEN", repository.parent.as_uri())
    found = resolved(["x:b:1"], fetch=True)
    assert len(found.libraries) == 1
    monkeypatch.setenv("JARLET_MAVEN", (tmp_path / "nowhere").as_uri())
    assert resolved(["x:b:1"]) == found


def test_a_project_is_what_it_built(repository: Path, compile_java: CompileJava, tmp_path: Path) -> None:
    pom = tmp_path / "app" / "pom.xml"
    (pom.parent / "target").mkdir(parents=True)
    pom.write_text(project("c", "b"))
    with pytest.raises(InputError, match=r"pom\.xml: there is neither c-1\.jar nor classes in .*target: build the pro"):
        resolved([str(pom)])
    jar_of(compile_java(SOURCES) / "c", pom.parent / "target" / "c-1.jar")
    found = resolved([str(pom)])
    assert found.words == (str(pom.parent / "target" / "c-1.jar"),)
    assert [Path(library).name for library in found.libraries] == ["b-1.jar", "a-1.jar"]
    (tmp_path / "pom.xml").write_text(project("c", "a"))  # of the same name in the folder above: the nearer one counts
    assert resolved([str(pom)]) == found


@pytest.mark.parametrize("fetch", [False, True])
def test_a_coordinate_that_cannot_be_had_is_a_sentence(repository: Path, *, fetch: bool) -> None:
    with pytest.raises(InputError, match="x:none:1: these jars cannot be had") as told:
        resolved(["x:none:1"], fetch=fetch)
    assert ("--fetch downloads what is not here" in str(told.value)) is not fetch


@pytest.mark.parametrize("first", ["x:a:1:tests", "x:a:1:jar:tests", "x:a:1", "x:a:1:jar"])
@pytest.mark.parametrize("then", ["", "x:a:1", "x:b:1", "x:a:1:tests", "lib", "x.jar", "x.y:c:r09"])
def test_a_class_path_has_coordinates_with_classifiers(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str, then: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lib").mkdir()
    shutil.copy(repository / "a/1/a-1.jar", repository / "a/1/a-1-tests.jar")
    other = repository.parent / "x" / "y" / "c" / "r09"
    other.mkdir(parents=True)
    shutil.copy(repository / "a/1/a-1.jar", other / "c-r09.jar")
    (other / "c-r09.pom").write_text(project("c").replace("<groupId>x<", "<groupId>x.y<").replace(">1<", ">r09<"))
    places = {"": [], "x:b:1": ["b-1.jar", "a-1.jar"], "x.y:c:r09": ["c-r09.jar"]}
    own = "a-1-tests.jar" if "tests" in first else "a-1.jar"
    behind = places.get(then, ["a-1-tests.jar" if "tests" in then else "a-1.jar" if ":" in then else then])
    assert [Path(path).name for path in libraries(f"{first}:{then}" if then else first)] == [own, *behind]


def test_a_word_behind_a_version_that_is_nothing_is_told(repository: Path) -> None:
    with pytest.raises(InputError, match="x:a:1:tets: these jars cannot be had"):
        libraries("x:a:1:tets:x:b:1")


@pytest.mark.parametrize("word", ["x:b", ""])
def test_a_word_that_names_nothing_is_told_what_may_be_named(repository: Path, word: str) -> None:
    with pytest.raises(InputError, match=r"no such file\. Name a jar, a folder, or GROUP:ARTIFACT:VERSION"):
        resolved([word])


def test_a_class_file_stands_at_the_place_of_its_name(compile_java: CompileJava) -> None:
    found = resolved([str(compile_java(SOURCES) / "a" / "A.class")])
    jar = read_jar(found.words)
    assert [entry.name for entry in jar.entries] == ["a/A.class"]
    assert jar.title == "A.jar"


def test_what_is_no_class_file_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "A.class").write_bytes(b"\xca\xfe\xba\xbe")
    with pytest.raises(InputError, match=r"A\.class: this is no correct class file"):
        resolved([str(tmp_path / "A.class")])


@pytest.mark.guarded
def test_a_module_of_the_jdk_is_a_jar() -> None:
    jar = read_jar(resolved(["jrt:java.logging"]).words)
    names = {entry.name for entry in jar.entries}
    assert {"java/util/logging/Logger.class", "module-info.class"} <= names
    listed = subprocess.run(["jimage", "list", "--include", "regex:/java.logging/.*"], capture_output=True, check=False)
    assert listed.returncode or listed.stdout.count(b"\n") > 0


@pytest.mark.parametrize(
    ("told", "flags"),
    [
        ("minification=false\n", ["--release", "--no-minification", "--min-api", "21"]),
        ("backend=CF\n", ["--release", "--classfile"]),  # R8 refuses a level for class files, which its dumps name
    ],
)
def test_a_dump_of_r8_is_its_program_and_the_rest_are_libraries_and_options(
    tmp_path: Path, told: str, flags: list[str]
) -> None:
    dump = tmp_path / "dump.zip"
    inner = tmp_path / "inner.jar"
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("p/A.class", b"")
    with zipfile.ZipFile(dump, "w") as archive:
        for name in ("program.jar", "library.jar", "classpath.jar"):
            archive.write(inner, name)
        archive.writestr("proguard.config", "-keep class p.A")
        archive.writestr("build.properties", f"tool=R8\nmode=release\nmin-api=21\ntree-shaking=true\n{told}")
    found = resolved([str(dump)])
    assert [Path(word).name for word in found.words] == ["program.jar"]
    assert [Path(library).name for library in found.libraries] == ["library.jar", "classpath.jar"]
    values = found.options["r8"]
    assert shlex.split(values["lib"]) == [found.libraries[0]]
    rules, config, *others = shlex.split(values["options"])
    assert (rules, others) == ("--pg-conf", flags)
    assert (Path(config).read_text(), found.lines) == ("-keep class p.A", (config,))


def test_a_preset_gets_the_roles_of_a_dump_unless_the_user_has_options() -> None:
    brought = Resolved((), ("/l.jar", "/c.jar"), {"r8": {"lib": "/l.jar", "options": "--pg-conf /r"}}, ("/r",))
    settings = completed(Settings(preset="r8"), brought)
    assert (settings.options, settings.lines) == (brought.options["r8"], ("/r",))
    assert completed(settings, brought) == settings, "a resumed session has them already"
    own = completed(Settings(preset="r8", options={"options": "--debug"}), brought)
    assert (own.options, own.lines, own.classpath) == ({"options": "--debug"}, (), ("/l.jar", "/c.jar"))
    assert completed(Settings(predicate="true"), brought).lines == ()


def test_an_aar_is_its_classes_and_its_libraries(tmp_path: Path) -> None:
    inner, aar = tmp_path / "inner.jar", tmp_path / "lib.aar"
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("p/A.class", b"a")
    with zipfile.ZipFile(aar, "w") as archive:
        archive.writestr("AndroidManifest.xml", "<manifest/>")
        archive.write(inner, "libs/x.jar")
        archive.write(inner, "classes.jar")
    jar = read_jar([aar])
    assert [entry.name for entry in jar.entries] == ["lib.jar!/p/A.class", "x.jar!/p/A.class"]
    assert [each.own() for each in jar.inputs] == [inner.read_bytes()] * 2
