"""Neutral names on a program that the virtual machine verifies and runs before and after."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from core.archive.jar import read_jar, write_jar
from core.classfile.signatures import renamed_signature
from core.edits.names.naming import NAMES
from core.edits.names.neutral_names import neutral_string
from core.library.library import open_library
from core.model.class_model import build
from core.reduction.elements import entry_numbers
from core.reduction.rewrite_elements import RewriteElements
from tests.support.files import jar_of
from tests.support.patience import patience

FOLDER = Path(__file__).resolve().parents[2] / "data" / "named"
SOURCES = {path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.java")}
MANIFEST = b"Manifest-Version: 1.0\r\nBuilt-By: somebody\r\nMain-Class: secret.start.Launcher\r\n\r\n"
WORDING = "Some wording of eight and thirty char."


@pytest.fixture
def jar(compile_java, tmp_path):
    path = jar_of(compile_java(SOURCES, "-g", "-parameters"), tmp_path / "given.jar")
    entries = read_jar([str(path)]).contents
    entries += [
        (
            "META-INF/MANIFEST.MF",
            b"Manifest-Version: 1.0\r\nBuilt-By: somebody\r\nMain-Class: secret.start.Launcher\r\n\r\n",
        ),
        ("META-INF/services/secret.parts.Greeting", b"# a comment\nsecret.parts.Helper\n"),
        ("secret/parts/wordings.txt", WORDING.encode()),
        ("secret/", b""),
        ("secret/parts/", b""),
    ]
    write_jar(path, entries)
    return path


RUN = ("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar")


def source(path: Path) -> RewriteElements:
    jar = read_jar([str(path)])
    return RewriteElements(NAMES, jar, entry_numbers(build(jar)), open_library().get)


def output(path: Path) -> list[str]:
    run = subprocess.run([*RUN, str(path)], capture_output=True, text=True, check=False, timeout=patience())
    assert run.returncode == 0, run.stderr
    return run.stdout.split()


def renamed(path: Path, new: Path, kept: int = 0) -> Path:
    write_jar(new, source(path).entries(kept))
    return new


def words(path: Path) -> set[str]:
    found: set[str] = set()
    for entry in read_jar([str(path)]).entries:
        found |= set(re.findall(r"[A-Za-z]{5,}", entry.name + entry.data.decode("latin-1")))
    return found


def test_a_program_with_all_names_changed_does_the_same(jar, tmp_path):
    """Strings that are switched over keep their roles only by chance, so they stay here."""
    names = source(jar)
    kept = sum(1 << number for number, edit in enumerate(names.edits) if "string alphabet" in edit.says)
    assert output(renamed(jar, tmp_path / "new.jar", kept)) == output(jar)


def test_no_word_of_five_letters_is_left(jar, tmp_path):
    after = words(renamed(jar, tmp_path / "new.jar"))
    of_the_program = {
        "secret", "start", "parts", "Launcher", "Ancestor", "Marked", "wording", "shades", "Colour", "CRIMSON",
        "TURQUOISE",
        "weight", "Measure", "breadth", "height", "ELEMENT", "Figure", "Circle", "radius", "Square", "surface",
        "Transformer", "transformed", "given", "twofold", "Member", "element", "other", "greatest", "member", "counted",
        "amount", "names", "transformer", "making", "adding", "Local", "sums", "overridden", "figure", "edge", "chosen",
        "colour", "arguments", "launcher", "found", "Greeting", "greeted", "times", "Helper", "helped", "packaged",
        "alphabet", "beginning", "pieces", "marked", "method", "nothing", "number", "wordings", "somebody", "Built",
        "comment", "Some", "eight", "thirty", "OTHER", "INTO", "resource", "surfaces", "circle",
    }  # fmt: skip
    assert not after & of_the_program
    assert words(jar) >= {word for word in of_the_program if len(word) > 4} - {"comment"}


def test_two_runs_give_the_same_bytes_and_a_third_changes_nothing(jar, tmp_path):
    first, second = renamed(jar, tmp_path / "1.jar"), renamed(jar, tmp_path / "2.jar")
    assert first.read_bytes() == second.read_bytes()
    assert [edit.says for edit in source(first).edits] == []


def test_any_names_may_stay(jar, tmp_path):
    """Some names of each kind stay, others change; the virtual machine links and verifies everything."""
    count = source(jar).count
    for step in (2, 3):
        kept = sum(1 << number for number in range(0, count, step))
        path = renamed(jar, tmp_path / f"{step}.jar", kept)
        run = subprocess.run([*RUN, str(path)], capture_output=True, text=True, check=False, timeout=patience())
        assert "VerifyError" not in run.stderr
        assert "LinkageError" not in run.stderr
        assert "NoSuch" not in run.stderr.replace("NoSuchMethodException", "")
        assert run.stdout.split()[:3] == output(jar)[:3]


def test_failures_are_read_back(jar):
    names = source(jar)
    renaming = names.renaming_after(0)
    new = {edit.what[0].text: edit.what[1] for edit in names.edits}
    launcher, helper = new["secret/start/Launcher"], new["secret/parts/Helper"]
    start, parts, counted = new["secret/start"], new["secret/parts"], new["counted"]
    shown = f"java.lang.IllegalStateException at {start}.{launcher}.{counted} < {parts}/{helper}.{new['helped']}"
    assert renaming.read_back([shown], ()) == (
        "java.lang.IllegalStateException at secret.start.Launcher.counted < secret/parts/Helper.helped",
    )
    text = f"{launcher}.java: cannot find symbol; symbol: class {launcher}.{new['secret/start/Launcher$Member']}"
    assert list(renaming.originals(text))[-1] == "Launcher.java: cannot find symbol; symbol: class Launcher.Member"
    assert renaming.edits == ("names became neutral",)


def test_a_pinned_class_keeps_its_name(jar):
    archive = read_jar([str(jar)])
    names = RewriteElements(
        NAMES, archive, entry_numbers(build(archive)), open_library().get, lambda name: name == "secret/parts/Helper"
    )
    kept = {name for name, _ in names.entries(0)}
    assert "secret/parts/Helper.class" in kept
    assert not any(name.startswith("secret/start/") for name in kept)


def test_names_of_type_variables_of_the_jdk_are_no_class_names(jar):
    """A class ``A`` once hid one bug: the message named the type variable ``A`` of a method of the JDK."""
    names = [edit.what[1] for edit in source(jar).edits if edit.what[0].of == "class"]
    assert names
    assert all(re.fullmatch(r"C\d+", name) for name in names)


@pytest.mark.parametrize(
    ("text", "number", "neutral"),
    [
        ("Hello, World 42", 0, "Xxxxx, Xxxxx 11"),
        ("Hello, World 42", 12, "Xxxxx, Xxxbc 11"),
        ("%d of %1$s {0}", 0, "%d xx %1$s {0}"),
        ("\u0001: \u0001", 0, "\u0001: \u0001"),
        ("", 0, ""),
    ],
)
def test_neutral_strings(text, number, neutral):
    assert neutral_string(text, number) == neutral


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("<LONG:Ljava/A;:La/Old;>La/Old<TLONG;[I>.In<*>;", "<T1:Ljava/A;:Lp1/C1;>Lp1/C1<TT1;[I>.C2<*>;"),
        ("<S::La/Old;R:TS;>(TS;IZLa/Old$In;)V^TR;", "<S::Lp1/C1;R:TS;>(TS;IZLp1/C1$C2;)V^TR;"),
        ("(La/Old<*>.Own<La/Alone<*>.In<TR;>;>.In;I)V", "(La/Old$Own<Lp1/C3<TR;>;>.In;I)V"),
        ("La/Alone<La/Old<*>;>.In<La/Old<*>.In;>;", "Lp1/C3<Lp1/C1<*>.C2;>;"),
        ("(I[[La/Old;J)V", "(I[[Lp1/C1;J)V"),
        ("Ljava/util/Map<+La/Old;-TLONG;>;", "Ljava/util/Map<+Lp1/C1;-TT1;>;"),
    ],
)  # fmt: skip
def test_signatures(text, new):
    classes = {"a/Old": "p1/C1", "a/Old$In": "p1/C1$C2", "a/Alone$In": "p1/C3"}
    found = renamed_signature(text, lambda name: classes.get(name, name), lambda name: {"LONG": "T1"}.get(name, name))
    assert found == new
