"""The jars that a jar needs, from project files: as Maven finds them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from core.errors import InputError
from core.predicate.releases.coordinate import Coordinate
from core.predicate.releases.dependencies import Dependencies
from core.predicate.releases.downloads import FetchError, tree_of
from core.predicate.releases.maven import fetch_with_dependencies
from tests.support.rows import rows

HEAD = '<project xmlns="http://maven.apache.org/POM/4.0.0">'


def needs(name: str, version: str, more: str = "", group: str = "g") -> str:
    """Return a dependency as a project file has it."""
    told = f"<version>{version}</version>" if version else ""
    return f"<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId>{told}{more}</dependency>"


def project(*dependencies: str, managed: str = "", more: str = "") -> str:
    """Return a project file."""
    kept = f"<dependencyManagement><dependencies>{managed}</dependencies></dependencyManagement>" if managed else ""
    return f"{HEAD}{more}{kept}<dependencies>{''.join(dependencies)}</dependencies></project>"


def parent(name: str, version: str = "1") -> str:
    return f"<parent><groupId>g</groupId><artifactId>{name}</artifactId><version>{version}</version></parent>"


WITHOUT_X = "<property><name>!x</name></property>"
BY_DEFAULT = "<activeByDefault>true</activeByDefault>"


def profiles(*conditions: str) -> str:
    """Return a project file that needs version 2 of a jar; the profile of the nth condition has version n + 2."""
    made = (
        f"<profile><activation>{each}</activation><properties><v>{number}</v></properties></profile>"
        for number, each in enumerate(conditions, 3)
    )
    own = f"<properties><v>2</v></properties><profiles>{''.join(made)}</profiles>"
    return project(needs("b", "${v}"), more=own)


EXCLUSION = "<exclusions><exclusion><groupId>{}</groupId><artifactId>{}</artifactId></exclusion></exclusions>"


def found(files: Mapping[str, str], versions: Mapping[str, tuple[str, ...]] | None = None) -> list[str]:
    """Return the jars that version 1 of ``g:a`` needs, where the project files have the names ``artifact:version``."""

    def read(coordinate: Coordinate) -> object:
        text = files.get(f"{coordinate.artifact}:{coordinate.version}")
        return None if text is None else tree_of(text.encode(), "pom")

    search = Dependencies(read, lambda group, artifact: (versions or {})[artifact])  # type: ignore[arg-type]
    return [each.file_name.removesuffix(".jar") for each in search.of(Coordinate("g", "a", "1"))]


CASES: dict[str, tuple[Mapping[str, str], list[str]]] = {
    "a prefix that no namespace has, as in jaxb-parent 3.0.0-M5": (
        {"a:1": project(needs("b", "1"), more="<build><compilerArguments><Xlint:all /></compilerArguments></build>")},
        ["a-1", "b-1"],
    ),
    "no project file": ({}, ["a-1"]),
    "profiles that are on while a property is not set": (
        {"a:1": profiles(WITHOUT_X, BY_DEFAULT)},
        ["a-1", "b-3"],
    ),
    "profiles that are on by default": (
        {"a:1": profiles("<property><name>x</name></property>", BY_DEFAULT, "<jdk>17</jdk>")},
        ["a-1", "b-4"],
    ),
    "profiles with more conditions, or for a value": (
        {"a:1": profiles(WITHOUT_X + BY_DEFAULT, "<property><name>!x</name><value>y</value></property>")},
        ["a-1", "b-2"],
    ),
    "scopes and optional ones": (
        {
            "a:1": project(
                needs("b", "1"),
                needs("c", "1", "<scope>runtime</scope>"),
                *(needs(f"no-{scope}", "1", f"<scope>{scope}</scope>") for scope in ("test", "provided", "system")),
                needs("no-optional", "1", "<optional>true</optional>"),
            )
        },
        ["a-1", "b-1", "c-1"],
    ),
    "the nearest wins, and of equally near ones the first": (
        {
            "a:1": project(needs("b", "1"), needs("c", "1"), needs("d", "1")),
            "b:1": project(needs("e", "1"), needs("d", "7")),
            "c:1": project(needs("e", "2")),
            "d:7": project(needs("f", "1")),
        },
        ["a-1", "b-1", "c-1", "d-1", "e-1"],
    ),
    "properties, and versions from the parent": (
        {
            "a:1": project(
                needs("b", "${b.version}"), needs("c", ""), needs("d", "${project.version}"), more=parent("p")
            ),
            "p:1": project(managed=needs("c", "${c}"), more=f"{parent('q')}<properties><c>3</c><x>9</x></properties>"),
            "q:1": project(
                needs("e", "4"), more="<properties><b.version>${x}</b.version><c>0</c><x>8</x></properties>"
            ),
        },
        ["a-1", "b-9", "c-3", "d-1", "e-4"],
    ),
    "managed ones act on the project's own dependencies alone": (
        {
            "a:1": project(needs("b", ""), managed=needs("b", "2") + needs("c", "9")),
            "b:2": project(needs("c", "1")),
        },
        ["a-1", "b-2", "c-1"],
    ),
    "imported lists, of which the first counts": (
        {
            "a:1": project(
                needs("b", ""),
                needs("c", ""),
                managed=needs("b", "1")
                + needs("bom", "1", "<type>pom</type><scope>import</scope>")
                + needs("mob", "1", "<type>pom</type><scope>import</scope>"),
            ),
            "bom:1": project(managed=needs("b", "8") + needs("c", "${project.version}.5")),
            "mob:1": project(managed=needs("c", "9") + needs("mob", "1", "<type>pom</type><scope>import</scope>")),
        },
        ["a-1", "b-1", "c-1.5"],
    ),
    "exclusions, and those that are managed": (
        {
            "a:1": project(
                needs("b", "1", EXCLUSION.format("g", "x")),
                needs("c", "", ""),
                managed=needs("c", "1", EXCLUSION.format("*", "*")),
            ),
            "b:1": project(needs("d", "1")),
            "d:1": project(needs("x", "1"), needs("e", "1")),
            "c:1": project(needs("f", "1")),
        },
        ["a-1", "b-1", "c-1", "d-1", "e-1"],
    ),
    "classifiers and types": (
        {
            "a:1": project(
                needs("b", "1", "<classifier>x</classifier>"),
                needs("b", "1"),
                needs("c", "1", "<type>pom</type>"),
                needs("d", "1", "<type>test-jar</type>"),
                needs("so", "1", "<type>so</type>"),
            ),
            "c:1": project(needs("e", "1")),
        },
        ["a-1", "b-1-x", "b-1", "d-1-tests", "e-1"],
    ),
    "a relocation": (
        {
            "a:1": project(needs("b", "1")),
            "b:1": project(
                more="<distributionManagement><relocation><artifactId>c</artifactId></relocation>"
                "</distributionManagement>"
            ),
            "c:1": project(needs("d", "1")),
        },
        ["a-1", "c-1", "d-1"],
    ),
    "a circle": ({"a:1": project(needs("b", "1")), "b:1": project(needs("a", "2"))}, ["a-1", "b-1"]),
}


@rows("case", CASES)
def test_the_jars_are_those_that_maven_finds(case: str) -> None:
    files, jars = CASES[case]
    assert found(files) == jars


@pytest.mark.parametrize(
    ("text", "version"),
    [("[1.0,2.0)", "1.10"), ("[1.0]", "1.0"), ("(,1.9]", "1.9"), ("(1.10,)", "2.0"), ("(,1.0),(1.0,1.9]", "1.9")],
)
def test_of_a_range_the_newest_version_is_taken(text: str, version: str) -> None:
    known = {"b": ("1.0", "1.9", "1.10", "2.0")}
    assert found({"a:1": project(needs("b", text))}, known) == ["a-1", f"b-{version}"]


def test_a_range_without_a_version_is_a_sentence() -> None:
    with pytest.raises(FetchError, match=r"No version of g:b that is published is in \[3,4\]"):
        found({"a:1": project(needs("b", "[3,4]"))}, {"b": ("1.0",)})


@pytest.mark.parametrize(
    "files",
    [
        {"a:1": project(more=parent("a"))},
        {"a:1": project(needs("b", "${x}"), more="<properties><x>${y}${y}</x><y>${x}</y></properties>")},
        {"a:1": project(needs("b", "${x}"), more="<properties><x>${x}</x></properties>")}
        | {"b:${x}": project(more=parent("b", "${x}"))},
        {
            f"{name}:1": project(managed=needs(f"{name}a", "1", "<type>pom</type><scope>import</scope>"))
            for name in ("a" * count for count in range(1, 200))
        },
        {f"{'a' * count}:1": project(needs("a" * (count + 1), "1")) for count in range(1, 250)}
        | {"a:1": project(*(needs(f"b{number}", "1") for number in range(1500)))},
    ],
)
def test_project_files_without_an_end_are_a_sentence(files: Mapping[str, str]) -> None:
    with pytest.raises(FetchError, match=r"without end|has no end|more than 1000 jars"):
        found(files)


@rows("name", ["", "..", "../ESC", "a/b", "\\", "x" * 300, "a:b", "a\u202eb"])
@rows("part", ["groupId", "artifactId", "version", "classifier"])
def test_no_name_in_a_project_file_leads_out_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, name: str
) -> None:
    monkeypatch.setenv("JARLET_MAVEN", (tmp_path / "repository").as_uri())
    monkeypatch.setenv("HOME", str(tmp_path))
    place = tmp_path / "repository" / "g" / "a" / "1"
    place.mkdir(parents=True)
    parts = {"groupId": "g", "artifactId": "b", "version": "1", "classifier": "c"} | {part: name}
    told = "".join(f"<{one}>{text}</{one}>" for one, text in parts.items())
    (place / "a-1.pom").write_text(project(f"<dependency>{told}</dependency>"), "utf-8")
    with pytest.raises((InputError, FetchError)) as problem:
        fetch_with_dependencies(Coordinate("g", "a", "1"), tmp_path / "tools")
    if name or part != "classifier":
        assert isinstance(problem.value, InputError), "refused by its name, before anything is asked for"
    assert not (tmp_path / "tools").exists()


REAL = (
    "com.puppycrawl.tools:checkstyle:10.17.0",
    "com.github.spotbugs:spotbugs:4.8.6",
    "org.vineflower:vineflower:1.10.1",
    "com.guardsquare:proguard-base:7.5.0",
)


@pytest.mark.slow
@pytest.mark.parametrize("text", REAL)
def test_of_real_tools_maven_itself_finds_these_jars(tmp_path: Path, text: str) -> None:
    maven = shutil.which("mvn")
    if maven is None:
        pytest.skip("there is no mvn to compare with")
    coordinate = Coordinate.parse(text)
    (tmp_path / "pom.xml").write_text(
        project(
            needs(coordinate.artifact, coordinate.version, group=coordinate.group),
            more="<modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>a</artifactId>"
            "<version>1</version><packaging>pom</packaging>",
        )
    )
    words = [maven, "-q", "-B", "dependency:copy-dependencies", "-DincludeScope=runtime", "-DoutputDirectory=theirs"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"Maven cannot fetch it here: {done.stdout[:200]}")
    fetch_with_dependencies(coordinate, tmp_path / "ours")
    ours, theirs = (sorted(path.name for path in (tmp_path / name).glob("*.jar")) for name in ("ours", "theirs"))
    assert ours == theirs
