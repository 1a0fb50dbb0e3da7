"""Jars inside a jar: whole or opened, and written back in the same layout."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from core.archive.entry_names import EntryKind, class_path, kind_of
from core.archive.jar import read_jar, write_folder, write_jar
from core.archive.nested import NotOpenedError, flattened, folded, unfold, unfolded
from core.archive.selection import select
from core.archive.zips import Allowance
from core.errors import InputError

CLASS = b"\xca\xfe\xba\xbe"


def packed(*entries: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return made.getvalue()


LIBRARY = packed(
    ("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\n\nName: q/\nSealed: true\n\nName: p/\nSealed: true\n\n"),
    ("META-INF/services/p.P", b"p.A\np.B\n"),
    ("META-INF/X.SF", b"signed"),
    ("p/A.class", CLASS),
    ("p/B.class", CLASS + b"B"),
    ("q/C.class", CLASS + b"C"),
)
WAR = packed(("WEB-INF/classes/w/W.class", CLASS), ("WEB-INF/lib/a.jar", LIBRARY))
BOOT = (
    ("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\n"),
    ("BOOT-INF/classes/app/Main.class", CLASS),
    ("BOOT-INF/lib/a.jar", LIBRARY),
    ("app.war", WAR),
    ("BOOT-INF/lib/empty.jar", packed()),
    ("BOOT-INF/lib/damaged.jar", b"no zip"),
    ("after.txt", b"x"),
)
IN_WAR = "app.war!/WEB-INF/lib/a.jar!/"


@pytest.fixture
def boot(tmp_path: Path) -> Path:
    path = tmp_path / "boot.jar"
    path.write_bytes(packed(*BOOT))
    return path


def test_whole_ones_are_said_to_be_whole_with_the_option_that_opens_them(boot: Path) -> None:
    jar = read_jar([boot])
    assert [entry.kind for entry in jar.entries if entry.name.endswith((".jar", ".war"))] == [EntryKind.NESTED] * 4
    assert len(jar.warnings) == 1
    assert "BOOT-INF/lib/a.jar, app.war, BOOT-INF/lib/empty.jar and 1 more" in jar.warnings[0]
    assert "--nested opens them" in jar.warnings[0]
    assert not jar.unfolded


def test_opened_ones_have_their_entries_in_their_place_jars_within_too(boot: Path) -> None:
    jar = read_jar([boot], nested=True)
    names = [entry.name for entry in jar.entries]
    assert names[:3] == [
        "META-INF/MANIFEST.MF",
        "BOOT-INF/classes/app/Main.class",
        "BOOT-INF/lib/a.jar!/META-INF/MANIFEST.MF",
    ]
    assert f"{IN_WAR}p/A.class" in names
    assert names[-3:] == ["BOOT-INF/lib/empty.jar", "BOOT-INF/lib/damaged.jar", "after.txt"]
    assert [warning for warning in jar.warnings if "stays whole" in warning] == list(jar.warnings)
    assert len(jar.warnings) == 2
    assert jar.unfolded


def test_an_opened_entry_is_judged_by_its_name_within_its_own_jar() -> None:
    assert kind_of("a.jar!/META-INF/X.SF") is EntryKind.SIGNATURE
    assert kind_of("a.war!/b.jar") is EntryKind.NESTED
    assert class_path(f"{IN_WAR}META-INF/versions/11/p/A.class") == "p/A.class"
    assert class_path("app.war!/WEB-INF/classes/w/W.class") == "w/W.class"
    assert class_path("BOOT-INF/classes/app/Main.class") == "app/Main.class"


def test_what_is_opened_is_written_back_in_the_same_layout_and_stored(boot: Path, tmp_path: Path) -> None:
    jar = read_jar([boot], nested=True)
    entries = select(jar, lambda index: True)
    write_jar(tmp_path / "out.jar", entries)
    again = read_jar([tmp_path / "out.jar"], nested=True)
    assert again.contents == entries
    with zipfile.ZipFile(tmp_path / "out.jar") as archive:
        assert archive.namelist() == [name for name, _ in BOOT]
        inside = [info for info in archive.infolist() if info.filename.endswith((".jar", ".war"))]
        assert {info.compress_type for info in inside} == {zipfile.ZIP_STORED}
        assert archive.testzip() is None
    write_folder(tmp_path / "out", entries)
    assert zipfile.ZipFile(tmp_path / "out/BOOT-INF/lib/a.jar").read("p/B.class") == CLASS + b"B"


def test_without_some_entries_a_nested_jar_is_pruned_and_without_all_it_is_gone(boot: Path) -> None:
    jar = read_jar([boot], nested=True)
    gone = {"BOOT-INF/lib/a.jar!/p/B.class", "BOOT-INF/lib/a.jar!/q/C.class"}
    kept = [
        index
        for index, entry in enumerate(jar.entries)
        if entry.name not in gone and not entry.name.startswith(IN_WAR) and entry.name != "after.txt"
    ]
    found = dict(select(jar, set(kept)))
    assert found["BOOT-INF/lib/a.jar!/META-INF/MANIFEST.MF"] == b"Manifest-Version: 1.0\n\nName: p/\nSealed: true\n\n"
    assert "BOOT-INF/lib/a.jar!/META-INF/X.SF" not in found
    written = dict(folded(found.items(), lambda _, inside: packed(*inside)))
    with zipfile.ZipFile(io.BytesIO(written["app.war"])) as war:
        assert war.namelist() == ["WEB-INF/classes/w/W.class"]


def test_folding_and_unfolding_are_inverse(boot: Path) -> None:
    entries = read_jar([boot], nested=True).contents
    folding = folded(entries, lambda _, inside: packed(*folded(inside, lambda _, within: packed(*within))))
    assert list(unfolded(folding, inputs=False, nested=True)) == entries


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"no zip", "damaged"),
        (packed(), "empty"),
        (packed(("../a", b"")), "leads out"),
        (packed(("a.jar!/b", b"")), "opened nested jar"),
        (packed(("a", b"x" * 101)), "too large"),
    ],
)
def test_what_could_not_be_written_back_stays_whole(data: bytes, why: str) -> None:
    with pytest.raises(NotOpenedError, match=why):
        list(unfold("a.jar", data, Allowance(100)))


def test_an_input_of_jars_alone_names_the_option(tmp_path: Path) -> None:
    path = tmp_path / "app.ear"
    path.write_bytes(packed(("app.war", WAR)))
    with pytest.raises(InputError, match="--nested opens them"):
        read_jar([path])
    assert any(entry.kind is EntryKind.CLASS for entry in read_jar([path], nested=True).entries)


def test_a_name_that_looks_like_an_opened_jar_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.jar"
    path.write_bytes(packed(("a.jar!/A.class", CLASS)))
    with pytest.raises(InputError, match="stands for an opened nested jar"):
        read_jar([path])


def test_tools_find_the_classes_of_an_application_where_their_packages_say_without_opened_jars_too() -> None:
    entries = (("BOOT-INF/classes/app/Main.class", CLASS), ("BOOT-INF/lib/a.jar", LIBRARY), ("after.txt", b"x"))
    assert [name for name, _ in flattened(entries)] == ["app/Main.class", "BOOT-INF/lib/a.jar", "after.txt"]
    plain = (("app/Main.class", CLASS), ("META-INF/X.SF", b"signed"))
    assert flattened(plain) is plain
