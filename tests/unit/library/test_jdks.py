"""The JDKs of a machine, and the choice among them by what an input needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError, UsageError
from core.library import jdks
from core.library.jdks import choose_jdk, class_library, installed_jdks, needed_java
from core.protocol.settings import Settings
from core.service.aims import aim_of


def installation(home: Path, release: str, compiler: bool = True) -> Path:
    """A folder that looks like a JDK."""
    (home / "lib").mkdir(parents=True)
    (home / "bin").mkdir()
    (home / "lib/modules").touch()
    (home / "release").write_text(f'JAVA_VERSION="{release}"\n')
    for name in ("java", "javac") if compiler else ("java",):
        (home / "bin" / name).write_text("#!/bin/sh\n")
        (home / "bin" / name).chmod(0o755)
    return home


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with JDK 17 on the PATH, and 21, 25 and a runtime 23 elsewhere; the machine's own are out of sight."""
    monkeypatch.setattr(jdks, "_FOLDERS", {"linux": (f"{tmp_path}/usr/lib/jvm/*",)})
    for name in ("JAVA_HOME", "JDK_HOME", "SDKMAN_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    first = installation(tmp_path / "usr/lib/jvm/java-17", "17.0.15")
    installation(tmp_path / ".sdkman/candidates/java/25-tem", "25.0.3")
    installation(tmp_path / ".jdks/temurin-21", "21.0.5")
    installation(tmp_path / ".jdks/runtime-23", "23.0.1", compiler=False)
    (tmp_path / ".jdks/no-jdk").mkdir()
    (tmp_path / ".sdkman/candidates/java/current").symlink_to("25-tem")
    monkeypatch.setenv("PATH", str(first / "bin"))
    return tmp_path


def test_all_are_found_once_the_default_first(machine: Path) -> None:
    assert [jdk.release for jdk in installed_jdks()] == ["17.0.15", "21.0.5", "25.0.3", "23.0.1"]


@pytest.mark.parametrize(
    ("needed", "chosen", "why"),
    [
        (0, "17.0.15", ""),
        (8, "17.0.15", ""),
        (17, "17.0.15", ""),
        (18, "21.0.5", "needs Java 18"),
        (22, "25.0.3", "22"),
    ],
)
def test_the_default_is_taken_while_it_is_new_enough_then_the_oldest(
    machine: Path, needed: int, chosen: str, why: str
) -> None:
    choice = choose_jdk("", needed)
    assert choice.jdk.release == chosen
    assert why in choice.why
    assert bool(choice.why) == bool(why)
    assert not choice.lacking


def test_an_input_newer_than_all_takes_the_newest_and_says_what_to_do(machine: Path) -> None:
    choice = choose_jdk("", 26)
    assert choice.jdk.release == "25.0.3"
    for words in ("Java 26", "JDK 17.0.15", "JDK 25.0.3", "install a JDK 26 or later", "--jdk"):
        assert words in choice.lacking
    assert "--jdk 21 takes one that reads them" in choose_jdk("17", 20).lacking


@pytest.mark.parametrize(
    ("wanted", "chosen"), [("21", "21.0.5"), ("25.0.3", "25.0.3"), ("~/.jdks/runtime-23", "23.0.1")]
)
def test_a_jdk_is_named_by_its_version_or_folder(machine: Path, wanted: str, chosen: str) -> None:
    choice = choose_jdk(wanted, 8)
    assert choice.jdk.release == chosen
    assert choice.why == "as --jdk says"


@pytest.mark.parametrize("wanted", ["11", "2", "~/.jdks/no-jdk", "/nowhere"])
def test_a_jdk_that_is_not_there_is_told_with_those_that_are(machine: Path, wanted: str) -> None:
    with pytest.raises(UsageError, match=r"JDK 17\.0\.15 .* and JDK 25\.0\.3"):
        choose_jdk(wanted, 8)


def test_a_runtime_on_the_path_gives_way_to_a_jdk(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(machine / ".jdks/runtime-23/bin"))
    assert choose_jdk("", 8).jdk.release == "17.0.15"
    assert "javac" in choose_jdk("", 8).why


def test_without_java_on_the_path_one_is_found_and_without_any_it_is_said(
    machine: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert choose_jdk("", 8).jdk.release == "17.0.15"
    monkeypatch.setenv("HOME", str(tmp_path / "empty"))
    monkeypatch.setattr(jdks, "_FOLDERS", {"linux": ()})
    with pytest.raises(InputError, match="Install a JDK"):
        choose_jdk("", 8)


def test_what_an_input_needs_is_its_newest_class_that_an_older_java_would_load() -> None:
    def class_of(version: int) -> bytes:
        return b"\xca\xfe\xba\xbe\0\0" + version.to_bytes(2, "big")

    entries = [("a/A.class", class_of(52)), ("BOOT-INF/classes/b/B.class", class_of(61)), ("a/x.txt", class_of(80))]
    assert needed_java(entries) == 17
    later = [("META-INF/versions/21/a/A.class", class_of(65)), ("module-info.class", class_of(69))]
    assert needed_java([*entries, *later]) == 17
    assert needed_java([("a/A.class", b""), ("a/B.class", class_of(46))]) == 2
    assert needed_java([]) == 0


@pytest.mark.parametrize(("needed", "newest", "chosen"), [(8, 23, "17.0.15"), (21, 23, "21.0.5"), (25, 23, "21.0.5")])
def test_a_tool_that_reads_the_library_gets_a_jdk_that_it_knows(
    machine: Path, needed: int, newest: int, chosen: str
) -> None:
    choice = choose_jdk("", needed, newest)
    assert (choice.jdk.release, choice.lacking) == (chosen, "")


def test_a_default_that_is_too_new_for_the_tool_gives_way(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(machine / ".sdkman/candidates/java/25-tem/bin"))
    choice = choose_jdk("", 8, 23)
    assert choice.jdk.release == "17.0.15"
    assert "the tool reads the classes of Java 23 at most" in choice.why
    assert "the tool reads the classes of Java 16 at most" in choose_jdk("", 8, 16).lacking


def test_settings_name_the_jdk_only_where_it_is_another_one(machine: Path) -> None:
    new = [("A.class", b"\xca\xfe\xba\xbe\0\0\0\x43")]  # Java 23
    home = str(machine / ".sdkman/candidates/java/25-tem")

    def chosen(entries: list[tuple[str, bytes]], **words: str) -> str:
        return aim_of(Settings(**words), entries=entries).jdk

    assert chosen([], preset="verify") == ""
    assert chosen(new, preset="verify") == chosen(new, preset="verify", jdk=home) == home
    assert chosen(new, predicate="java {jar}") == "", "a command runs as in the user's shell"
    assert chosen(new, preset="command") == ""
    assert chosen(new, predicate="java {jar}", jdk="25") == home
    assert aim_of(Settings(preset="verify")).chosen_jdk is None


def test_a_jdk_without_jmods_borrows_those_of_the_newest_that_has_some(machine: Path) -> None:
    one = choose_jdk("25", 0).jdk
    assert class_library(one) == ()
    for place in ("usr/lib/jvm/java-17", ".jdks/temurin-21"):
        (machine / place / "jmods").mkdir()
    assert class_library(one) == (machine / ".jdks/temurin-21/jmods",)
    (one.home / "jmods").mkdir()
    assert class_library(one) == (one.home / "jmods",)
