"""Neutral names in modules and in multi-release jars, which the virtual machine loads before and after."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from core.archive.jar import read_jar, write_jar
from core.edits.names.naming import NAMES
from core.library.library import open_library
from core.model.class_model import build
from core.reduction.elements import entry_numbers
from core.reduction.rewrite_elements import RewriteElements

MODULE = """
/** Module with every kind of row. */
module secret.castle {
    requires java.logging;
    exports secret.hall;
    exports secret.tower to friendly.village, jdk.jfr;
    opens secret.tower to friendly.village;
    opens secret.gallery;
    uses secret.hall.Guard;
    provides secret.hall.Guard with secret.tower.Watchman;
}
"""
SOURCES = {
    "secret/hall/Guard.java": "package secret.hall; public interface Guard { String spoken(); }",
    "secret/tower/Watchman.java": """package secret.tower;
public class Watchman implements secret.hall.Guard { public String spoken() { return "halt"; } }
""",
    "secret/hall/Entrance.java": """package secret.hall;
public class Entrance {
    public static void main(String[] arguments) throws Exception {
        for (Guard guard : java.util.ServiceLoader.load(Guard.class)) System.out.print(guard.spoken() + " ");
        Module module = Entrance.class.getModule();
        System.out.print(module.isNamed() + " ");
        if (module.isNamed()) System.out.print(ModuleLayer.boot().findModule("secret.castle").isPresent() + " ");
        System.out.print(new Stair().steps() + " ");
        try (var text = Entrance.class.getResourceAsStream("/painting.txt")) {
            System.out.print(text.available() + " ");
        }
        try (var text = Entrance.class.getResourceAsStream("/secret/gallery/portrait.txt")) {
            System.out.println(text.available());
        }
    }
}
""",
    "secret/hall/Stair.java": """package secret.hall;
class Stair { int steps() { return old(); } private int old() { return 8; } }
""",
}
COPIES = {
    "secret/hall/Stair.java": """package secret.hall;
class Stair implements java.util.function.IntSupplier {
    int steps() { return new Banister().getAsInt(); }
    public int getAsInt() { return 11; }
    static class Banister extends Stair { public int getAsInt() { return super.getAsInt() + 2; } }
}
""",
}
OF_OURS = {
    "secret", "castle", "tower", "friendly", "village", "Guard", "Watchman", "Entrance", "Stair", "steps", "Banister",
    "spoken", "painting", "picture", "SNAPSHOT", "drawing", "gallery",
    "portrait",
}  # fmt: skip


@pytest.fixture
def jar(compile_java, tmp_path) -> Path:
    options = ("-Xlint:-module", "--module-version", "1.0-SNAPSHOT")
    classes = compile_java({"module-info.java": MODULE, **SOURCES}, *options)
    copies = compile_java(COPIES, "--release", "11")
    entries = [("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n")]
    entries += [(path.relative_to(classes).as_posix(), path.read_bytes()) for path in sorted(classes.rglob("*.class"))]
    found = sorted(copies.rglob("*.class"))
    entries += [(f"META-INF/versions/11/{path.relative_to(copies).as_posix()}", path.read_bytes()) for path in found]
    entries += [
        ("META-INF/versions/11/module-info.class", (classes / "module-info.class").read_bytes()),
        ("painting.txt", b"a picture"),
        ("secret/gallery/portrait.txt", b"a portrait, as it hangs there"),
        ("META-INF/versions/11/secret/hall/", b""),
        ("META-INF/versions/11/painting.txt", b"another picture"),
        ("META-INF/versions/17/drawing.txt", b"drawing of a picture"),
    ]
    path = tmp_path / "castle.jar"
    write_jar(path, entries)
    return path


def source(path: Path) -> RewriteElements:
    jar = read_jar([str(path)])
    return RewriteElements(NAMES, jar, entry_numbers(build(jar)), open_library().get)


def renamed(path: Path, new: Path) -> tuple[Path, RewriteElements]:
    names = source(path)
    write_jar(new, names.entries(0))
    return new, names


def words(path: Path) -> set[str]:
    text = "".join(entry.name + entry.data.decode("latin-1") for entry in read_jar([str(path)]).entries)
    return set(re.findall(r"[A-Za-z]{5,}", text))


def output(*command: object) -> list[str]:
    run = subprocess.run(["java", *QUICK_JAVA, *map(str, command)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout.split()


QUICK_JAVA = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")


def test_a_module_runs_under_its_neutral_name_and_finds_its_services_and_itself(jar, tmp_path):
    assert output("-p", jar, "-m", "secret.castle/secret.hall.Entrance") == ["halt", "true", "true", "13", "15", "29"]
    new, names = renamed(jar, tmp_path / "new.jar")
    main = names.renaming_after(0).given("secret.hall.Entrance")
    assert output("-p", new, "-m", f"M1/{main}")[1:] == ["true", "true", "13", "15", "29"]
    told = subprocess.run(
        ["java", *QUICK_JAVA, "-p", new, "-d", "M1"], capture_output=True, text=True, check=True
    ).stdout  # fmt: skip
    assert "requires java.logging" in told
    assert re.search(r"qualified opens p\d+ to M2\n", told)
    assert re.search(r"^opens p\d+\n", told, re.MULTILINE)
    assert re.search(r"qualified exports p\d+ to (M2 jdk.jfr|jdk.jfr M2)\n", told)
    assert names.renaming_after(0).undone("Module M1 not found") == "Module secret.castle not found"


@pytest.mark.parametrize("release", [8, 11])
def test_copies_for_later_versions_have_the_names_of_the_first_ones(jar, tmp_path, release):
    """A virtual machine that is told to be of an earlier release reads the jar as that one does."""
    version = f"-Djdk.util.jar.version={release}"
    given = output(version, "-cp", jar, "secret.hall.Entrance")
    new, names = renamed(jar, tmp_path / "new.jar")
    assert given == ["false", *(("8", "9") if release == 8 else ("13", "15")), "29"]
    assert output(version, "-cp", new, names.renaming_after(0).given("secret.hall.Entrance")) == given


def test_no_word_is_left_in_a_module_or_a_copy(jar, tmp_path):
    new, _ = renamed(jar, tmp_path / "new.jar")
    assert not words(new) & OF_OURS
    assert words(jar) > OF_OURS


def test_two_runs_give_the_same_bytes_and_a_third_changes_nothing(jar, tmp_path):
    first, second = renamed(jar, tmp_path / "1.jar")[0], renamed(jar, tmp_path / "2.jar")[0]
    assert first.read_bytes() == second.read_bytes()
    assert [edit.says for edit in source(first).edits] == []


def test_a_module_that_is_required_keeps_its_name(compile_java, tmp_path):
    """Only the library's own jar could have another one."""
    library = compile_java({"module-info.java": "module foreign.library {}"})
    given = {"module-info.java": "module secret.castle { requires foreign.library; }"}
    given |= {"secret/A.java": "package secret; class A {}"}
    classes = compile_java(given, "-p", str(library))
    path = tmp_path / "castle.jar"
    write_jar(path, [(each.relative_to(classes).as_posix(), each.read_bytes()) for each in classes.rglob("*.class")])
    new, _ = renamed(path, tmp_path / "new.jar")
    assert {"foreign", "library"} <= words(new)
    assert not words(new) & {"secret", "castle"}


def test_a_class_at_another_place_than_its_name_tells_leaves_all_names(jar, tmp_path):
    entries = [
        (entry.name.replace("versions/11", "versions/011"), entry.data) for entry in read_jar([str(jar)]).entries
    ]
    write_jar(tmp_path / "odd.jar", entries)
    assert source(tmp_path / "odd.jar").obstacle
