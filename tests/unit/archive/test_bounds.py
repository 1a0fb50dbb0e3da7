"""Archives of anybody are read within bounds: of bytes as they are inflated, of entries, of depth, of time."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.archive.zips import SMALL, Allowance, Archive
from core.cancellation import cancelled_by
from core.errors import InputError
from core.report.needed_places import coordinate_of

ROOT = Path(__file__).parents[3]
CLASS = b"\xca\xfe\xba\xbe"
MEGABYTES = 1 << 20


def packed(*entries: tuple[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return made.getvalue()


def zeros(path: Path, name: str, octets: int) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive, archive.open(name, "w") as entry:
        for _ in range(octets // MEGABYTES):
            entry.write(bytes(MEGABYTES))
    return path


def peak_of(code: str, *words: Path) -> tuple[str, int]:
    """Return what a Python program prints, and the MiB that it held at most: its own, without those of this process,
    which ``getrusage`` counts too."""
    if not Path("/proc/self/status").exists():
        pytest.skip("no /proc")
    code += "\nprint(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')).split()[1])"
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, words)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    *lines, peak = done.stdout.splitlines()
    return "\n".join(lines), int(peak) // 1024


def test_a_librarys_properties_full_of_zeros_take_no_memory(tmp_path: Path) -> None:
    jar = zeros(tmp_path / "a.jar", "META-INF/maven/g/a/pom.properties", 300 * MEGABYTES)
    code = "import sys, pathlib\nfrom core.report.needed_places import coordinate_of\n"
    told, peak = peak_of(code + "print(repr(coordinate_of(pathlib.Path(sys.argv[1]))))", jar)
    assert told == "''"
    assert peak < 250


def test_properties_of_a_usual_size_are_read(tmp_path: Path) -> None:
    jar = tmp_path / "a-1.jar"
    jar.write_bytes(packed(("META-INF/maven/g/a/pom.properties", b"groupId=g\nartifactId=a\nversion=1\n")))
    assert coordinate_of(jar) == "g:a:1"


def test_a_jar_without_properties_is_named_by_the_project_file_beside_it(tmp_path: Path) -> None:
    jar = tmp_path / "b-2.jar"
    jar.write_bytes(packed(("b/B.txt", b"")))
    assert coordinate_of(jar) == ""
    parent = "<parent><groupId>g</groupId><artifactId>p</artifactId><version>2</version></parent>"
    jar.with_suffix(".pom").write_text(f"<project>{parent}<artifactId>b</artifactId></project>")
    assert coordinate_of(jar) == "g:b:2"


OPEN = """
import sys
from core.archive.jar import read_jar
jar = read_jar(sys.argv[1:], nested=True)
print(len(jar.entries), *jar.warnings)
"""


def test_nested_jars_of_zeros_are_bounded_together(tmp_path: Path) -> None:
    inner = zeros(tmp_path / "inner.jar", "a.bin", 100 * MEGABYTES).read_bytes()
    (tmp_path / "a.jar").write_bytes(packed(("A.class", CLASS), *((f"{n}.jar", inner) for n in range(12))))
    told, peak = peak_of(OPEN, tmp_path / "a.jar")
    assert "stays whole" in told
    assert "too large" in told
    assert peak < 600


def test_ten_jars_in_each_of_eight_levels_are_bounded(tmp_path: Path) -> None:
    inner = packed(("a.bin", bytes(MEGABYTES)))
    for _ in range(8):
        inner = packed(*((f"{n}.jar", inner) for n in range(10)))
    (tmp_path / "a.jar").write_bytes(packed(("A.class", CLASS), ("n.jar", inner)))
    told, peak = peak_of(OPEN, tmp_path / "a.jar")
    assert "n.jar" in told or int(told.split()[0]) > 1
    assert peak < 600


def test_real_nested_jars_fit_into_the_allowance(tmp_path: Path) -> None:
    inner = packed(*((f"p/C{n}.class", CLASS + bytes(str(n), "ascii") * 500) for n in range(300)))
    (tmp_path / "a.jar").write_bytes(packed(*((f"lib/{n}.jar", inner) for n in range(30))))
    jar = read_jar([tmp_path / "a.jar"], nested=True)
    assert len(jar.entries) == 9000
    assert jar.warnings == ()


def lying(octets: int, told: int) -> bytes:
    """Return a jar with one entry whose directory and header say another size than it has."""
    data = bytearray(packed(("A.class", bytes(octets))))
    size = octets.to_bytes(4, "little")
    while (at := data.find(size)) >= 0:
        data[at : at + 4] = told.to_bytes(4, "little")
    return bytes(data)


@pytest.mark.parametrize("told", [10, 0x7FFFFFFF])
def test_the_bytes_count_that_come_and_not_those_that_the_header_says(tmp_path: Path, told: int) -> None:
    (tmp_path / "a.jar").write_bytes(lying(64 * MEGABYTES, told))
    code = """
import sys, pathlib
from core.archive.zips import Archive
from core.errors import InputError
try:
    Archive(pathlib.Path(sys.argv[1])).read("A.class")
except InputError as error:
    print(error)
"""
    said, peak = peak_of(code, tmp_path / "a.jar")
    assert "a.jar: the entry A.class" in said
    assert peak < 120


def test_an_entry_beyond_the_bound_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.jar").write_bytes(packed(("a.txt", bytes(SMALL)), ("b.txt", bytes(SMALL + 1))))
    with Archive(tmp_path / "a.jar") as archive:
        assert len(archive.read("a.txt")) == SMALL
        with pytest.raises(InputError, match=r"a\.jar: the entry b\.txt has more than 16,777,216 bytes"):
            archive.read("b.txt")
        with pytest.raises(InputError, match=r"a\.jar: there is no entry c\.txt in it"):
            archive.read("c.txt")


@pytest.mark.parametrize(("octets", "entries"), [(10, 100), (1000, 1)])
def test_an_allowance_counts_bytes_and_entries(octets: int, entries: int) -> None:
    allowance = Allowance(octets, entries)
    with pytest.raises(InputError):
        allowance.take(11, 2)
    with pytest.raises(InputError):
        allowance.take(0)


def test_reading_ends_between_two_pieces_when_somebody_wants_it(tmp_path: Path) -> None:
    (tmp_path / "a.jar").write_bytes(packed(("a.bin", bytes(10 * MEGABYTES))))

    class EndedError(Exception):
        pass

    asked = []

    def check() -> None:
        asked.append(1)
        if len(asked) == 3:
            raise EndedError

    with Archive(tmp_path / "a.jar") as archive, cancelled_by(check), pytest.raises(EndedError):
        archive.read("a.bin")
    assert len(asked) == 3


def test_zips_are_read_in_one_place_alone() -> None:
    """Others only write them, and ask if a file is one."""
    sources = (path for room in ("core", "app", "jarlet") for path in (ROOT / room).rglob("*.py"))
    readers = {p.relative_to(ROOT).as_posix() for p in sources if re.search(r'ZipFile\((?!\w+, "w")', p.read_text())}
    assert readers == {"core/archive/zips.py"}
