"""The entries of a sub-input: signatures, manifest, service files, folders."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

import pytest

from core.archive.entry_names import kind_of
from core.archive.jar import Entry, Jar, read_jar, write_jar
from core.archive.manifest import prune_manifest, prune_services
from core.archive.selection import select

LONG = "a/" + "long" * 30 + ".txt"


def fold(line: str) -> str:
    """A manifest line folded at 72 bytes."""
    data, parts = line.encode(), []
    while data:
        take = 72 if not parts else 71
        parts.append(data[:take])
        data = data[take:]
    return b"\r\n ".join(parts).decode("utf-8", "surrogateescape") + "\r\n"


MAIN = "Manifest-Version: 1.0\r\nCreated-By: me\r\n" + fold("Class-Path: " + "x" * 200) + "\r\n"
SECTION_A = "Name: a/A.class\r\nSHA-256-Digest: abc=\r\n\r\n"
SECTION_LONG = fold(f"Name: {LONG}") + fold("SHA-256-Digest: " + "d" * 100) + "Magic: x\r\nX-Own: stays\r\n\r\n"
SECTION_B = "Name: b/B.class\r\nSHA-256-Digest: def=\r\nX-Own: goes\r\n\r\n"
SECTION_PACKAGE = "Name: a/\r\nSealed: true\r\n\r\n"
SECTION_GONE_PACKAGE = "Name: b/\r\nSealed: true\r\n\r\n"
SECTION_ELSEWHERE = "Name: http://example.org/x\r\nX-Own: stays\r\n\r\n"
MANIFEST = MAIN + SECTION_A + SECTION_LONG + SECTION_B + SECTION_PACKAGE + SECTION_GONE_PACKAGE + SECTION_ELSEWHERE
SERVICES = "# ours\r\na.A\r\n  b.B # gone\r\nother.Outside\r\n"
FILES = {
    "META-INF/": "",
    "META-INF/MANIFEST.MF": MANIFEST,
    "META-INF/ME.SF": "signature",
    "META-INF/ME.RSA": "signature",
    "META-INF/INDEX.LIST": "JarIndex-Version: 1.0",
    "META-INF/services/x.Y": SERVICES,
    "META-INF/services/x.Z": "b.B\n",
    "META-INF/services/x.Empty": "# nothing\n",
    "a/": "",
    "a/A.class": "A",
    LONG: "text",
    "b/": "",
    "b/c/": "",
    "b/B.class": "B",
    "lib/x.jar": "jar",
}


def jar_of(files: dict[str, str]) -> Jar:
    entries = tuple(Entry(name, text.encode(), kind_of(name)) for name, text in files.items())
    return Jar((Path("x.jar"),), "x.jar", entries)


def without(jar: Jar, *names: str) -> dict[str, bytes]:
    kept = {index for index, entry in enumerate(jar.entries) if entry.name not in names}
    assert len(kept) == len(jar.entries) - len(names)
    return dict(select(jar, kept))


def test_all_kept_is_unchanged() -> None:
    jar = jar_of(FILES)
    whole = jar.contents
    assert select(jar, range(len(jar.entries))) == whole
    assert select(jar, lambda index: True) == whole
    # Folders and signatures are derived: whether they are "kept" is not asked.
    items = {index for index, name in enumerate(FILES) if not name.endswith("/") and "/ME." not in name}
    assert select(jar, items) == whole


def test_one_class_gone() -> None:
    left = without(jar_of(FILES), "b/B.class")
    assert list(left) == [
        "META-INF/", "META-INF/MANIFEST.MF", "META-INF/services/x.Y", "META-INF/services/x.Empty",
        "a/", "a/A.class", LONG, "lib/x.jar",
    ]  # fmt: skip
    assert left["META-INF/services/x.Y"] == b"# ours\r\na.A\r\nother.Outside\r\n"
    own = fold(f"Name: {LONG}") + "X-Own: stays\r\n\r\n"
    assert left["META-INF/MANIFEST.MF"].decode() == MAIN + own + SECTION_PACKAGE + SECTION_ELSEWHERE
    assert all(len(line) <= 72 for line in left["META-INF/MANIFEST.MF"].split(b"\r\n"))


@pytest.mark.parametrize("name", [LONG, "lib/x.jar", "META-INF/services/x.Empty"])
def test_any_item_gone_ends_the_signature(name: str) -> None:
    left = without(jar_of(FILES), name)
    assert "META-INF/ME.SF" not in left
    assert "META-INF/ME.RSA" not in left
    assert "META-INF/INDEX.LIST" not in left, "java ends at a package that is not there"
    assert b"Digest" not in left["META-INF/MANIFEST.MF"]
    assert left["META-INF/services/x.Y"] == SERVICES.encode()


def test_nothing_kept() -> None:
    assert select(jar_of(FILES), ()) == []


def test_classes_of_a_war_and_of_a_multi_release_jar() -> None:
    files = {
        "WEB-INF/classes/META-INF/services/x.Y": "a.A\nb.B$In\n",
        "WEB-INF/classes/a/A.class": "",
        "WEB-INF/classes/b/B$In.class": "",
    }
    left = without(jar_of(files), "WEB-INF/classes/b/B$In.class")
    assert left["WEB-INF/classes/META-INF/services/x.Y"] == b"a.A\n"
    files = {"META-INF/services/x.Y": "a.A\n", "a/A.class": "", "META-INF/versions/9/a/A.class": ""}
    assert "META-INF/services/x.Y" in without(jar_of(files), "META-INF/versions/9/a/A.class")
    both = without(jar_of(files), "a/A.class", "META-INF/versions/9/a/A.class")
    assert "META-INF/services/x.Y" not in both


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_manifest_with_any_line_ends(end: str) -> None:
    text = MANIFEST.replace("\r\n", end).encode()
    pruned = prune_manifest(text, lambda name: name.startswith("b/"))
    assert pruned.startswith(MAIN.replace("\r\n", end).encode())
    assert b"Digest" not in pruned
    assert b"goes" not in pruned
    assert pruned.count(b"stays") == 2


def test_manifest_name_folded_inside_a_character() -> None:
    name = "a/" + "\u00e9" * 60
    data = f"Name: {name}".encode()
    folded = data[:71] + b"\r\n " + data[71:]  # byte 71 is the second half of a character
    asked = []
    prune_manifest(b"M: 1\r\n\r\n" + folded + b"\r\n\r\n", lambda name: bool(asked.append(name)))
    assert asked == [name]


@pytest.mark.parametrize(
    "text", [b"", b"\n\n", b"Manifest-Version: 1.0", b"garbage\n continued\n\n: \n", b"\xff\xfe\n\nName"]
)
def test_odd_manifests_survive(text: bytes) -> None:
    assert prune_manifest(text, lambda name: False) == text


def test_services_without_providers_stay() -> None:
    assert prune_services(b"# only a comment\n", lambda name: True) == b"# only a comment\n"
    assert prune_services(b"a.A\nb.B", lambda name: name == "b.B") == b"a.A\n"
    assert prune_services(b"a.A", lambda name: True) is None


@pytest.mark.slow
def test_a_signed_jar_still_runs_with_a_class_gone(tmp_path: Path, compile_java) -> None:
    classes = compile_java({
        "p/Main.java": "package p; public class Main { public static void main(String[] a) { System.out.print(7); } }",
        "p/Other.java": "package p; class Other { }",
    })  # fmt: skip
    path, keys = tmp_path / "signed.jar", tmp_path / "keys"
    write_jar(path, [(f"p/{name}.class", (classes / "p" / f"{name}.class").read_bytes()) for name in ("Main", "Other")])
    password = hashlib.sha256(os.urandom(8)).hexdigest()
    common = ["-keystore", str(keys), "-storepass", password]
    generate = ["keytool", "-genkeypair", "-keyalg", "EC", "-alias", "me", "-dname", "CN=me", *common]
    for command in (generate, ["jarsigner", *common, str(path), "me"]):
        subprocess.run(command, check=True, capture_output=True)
    jar = read_jar([path])
    names = [entry.name for entry in jar.entries]
    assert "META-INF/ME.SF" in names
    left = without(jar, "p/Other.class")
    assert not any(name.startswith("META-INF/ME.") for name in left)
    write_jar(tmp_path / "less.jar", left.items())
    command = ["java", "-cp", tmp_path / "less.jar", "p.Main"]
    assert subprocess.run(command, check=True, capture_output=True).stdout == b"7"
    listing = subprocess.run(
        ["jarsigner", "-verify", tmp_path / "less.jar"], capture_output=True, text=True, check=False
    )
    assert "jar is unsigned" in listing.stdout
