"""Names from outside that become paths: each place that joins one to a folder gets hostile ones."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from core.archive.packer import Packer
from core.batch.hunt_results import bug_key
from core.errors import InputError, JarletError
from core.library.class_path import Classpath
from core.outside_names import file_name_like, inside
from core.predicate import presets
from core.protocol.settings import Settings
from core.service.aims import aim_of
from core.store.other_failures import OtherFailureStore
from core.store.retention import fresh_place
from core.system.files import write_folder
from tests.support.rows import rows

HOSTILE = (
    "",
    ".",
    "..",
    "../ESC",
    "1/../../../../ESC",
    "/ESC",
    "a\\..\\ESC",
    "a\0ESC",
    "\x1b[2J\n\t",
    "x" * 300,
    "é" * 200,
    "\ud800",
    "\u202eraj",
)


JAR = b"".join(Packer().pack([("a", b"1")]))


@rows("name", HOSTILE[:8] + HOSTILE[9:12])
def test_what_leads_elsewhere_or_is_no_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="cannot be that of a file or folder"):
        inside(tmp_path, "a", name)


def test_what_stays_inside_is_a_path_of_as_many_parts(tmp_path: Path) -> None:
    assert inside(tmp_path, "a b", "..c", "1.0-ä~x") == tmp_path / "a b" / "..c" / "1.0-ä~x"


@rows("text", HOSTILE)
def test_a_name_that_is_like_a_text_can_be_that_of_a_file(tmp_path: Path, text: str) -> None:
    made = inside(tmp_path, f"{file_name_like(text)}-1.jar")
    made.write_bytes(b"")
    assert list(tmp_path.iterdir()) == [made]
    assert made.name.isprintable()


def _preset(line: str) -> Callable[[Path, str], object]:
    """Return a use of a preset file in which a name stands for NAME."""

    def load(home: Path, name: str) -> object:
        quoted = "".join(f"\\U{ord(sign):08x}" for sign in name if not 0xD800 <= ord(sign) < 0xE000)
        text = 'name = "own"\ntitle = "Own"\nabout = "Tries."\n[[steps]]\nrun = ["true"]\n' + line
        (home / "own.toml").write_text(text.replace("NAME", quoted))
        preset = presets.load(home / "own.toml")
        assert all(tool.find() is None for tool in preset.tools)
        return preset

    return load


def _folder_of_classes(home: Path, name: str) -> object:
    (home / "classes").mkdir(exist_ok=True)
    (home.parent / "ESC.class").write_bytes(b"outside")
    (home / "ESC.class").write_bytes(b"outside")
    return Classpath([home / "classes"], lambda: 0).class_bytes(name)


CALLERS: dict[str, Callable[[Path, str], object]] = {
    "files of a folder that is written": lambda home, name: write_folder(home / "made", [(name, b"ESC", False)]),
    "a class that a class file names": _folder_of_classes,
    "a jar inside the input": lambda home, name: aim_of(
        Settings(preset="cfr"), entries=[(f"lib/{name}.jar", JAR), (f"lib/{name}", JAR + b" ")]
    ),
    "the title of an input": lambda home, name: fresh_place(name).mkdir(parents=True),
    "a tool's name, for the folder of a bug": lambda home, name: (home / bug_key(name, name)).mkdir(),
    "another failure": lambda home, name: OtherFailureStore(home / "others").keep(name, [("a", b"ESC")]),
    "a preset's jar": _preset('[[tools]]\nname = "t"\ntitle = "T"\njars = [["NAME"]]\n'),
    "a preset's folder": _preset('makes = ["NAME"]\n'),
    "a preset's list": _preset('lists = "NAME"\n'),
}


@rows("name", HOSTILE)
@rows("caller", CALLERS)
def test_no_hostile_name_leads_out_or_ends_in_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caller: str, name: str
) -> None:
    home = tmp_path / "1" / "2" / "3" / "4" / "5"
    home.mkdir(parents=True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    found = None
    with suppress(JarletError):
        found = CALLERS[caller](home, name)
    assert found != b"outside"
    assert not [path for path in tmp_path.rglob("*ESC*") if home not in path.parents and path.suffix != ".class"]
    assert not Path("/ESC").exists()
