"""What is begun before the program is loaded: it loads little, and is what the reduction uses."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.errors import InputError, OutputError, UsageError
from core.library.jdk import find_jdk
from core.predicate import presets
from core.predicate.aim import Aim
from core.predicate.jvm.process_pool import ProcessPool
from core.predicate.jvm.warm import WarmPredicate
from core.predicate.predicate import Predicate
from core.protocol.settings import Settings
from core.service.aims import aim_of
from core.service.head_start import HeadStart
from tests.support.patience import patience

HEAVY = ("numpy", "networkx", "jawa", "pysat", "core.model", "core.search", "core.reduction", "app.commands.reducing")


def test_options_and_resident_processes_load_neither_model_nor_algorithms() -> None:
    code = f"import sys, app.commands.reduce; print([name for name in {HEAVY} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True)
    assert found.stdout == "[]\n"


def test_what_was_begun_is_taken_once_and_for_its_settings_alone(tmp_path: Path) -> None:
    made: list[str] = []

    def make(aim: Aim, timeout: float | None, shelf: ProcessPool | None) -> Predicate:
        made.append(aim.command)
        return aim.predicate(timeout, shelf)

    begun = HeadStart(tmp_path, make)
    wanted, other = Settings(predicate="true {jar}"), Settings(predicate="false {jar}")
    begun.expect(wanted)
    assert "false" in begun.predicate(aim_of(other)).describe()
    begun.expect(wanted)
    for _ in range(2):
        assert "true" in begun.predicate(aim_of(wanted)).describe()
    assert made == ["true {jar}", "false {jar}", "true {jar}", "true {jar}"]
    begun.close()
    begun.close()
    assert not list(tmp_path.iterdir())


def test_a_host_is_there_when_the_predicate_is_taken(tmp_path: Path) -> None:
    begun, settings = HeadStart(tmp_path), Settings(preset=decompiler())
    begun.expect(settings)
    predicate = begun.predicate(aim_of(settings))
    try:
        assert isinstance(predicate, WarmPredicate)
        assert predicate.started()
        assert list(begun.work.path.glob("jarlet-host-*"))
    finally:
        begun.close()
    assert not list(tmp_path.iterdir())


def test_a_signal_while_the_program_is_loaded_leaves_nothing(tmp_path: Path, sample_jar: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    words = [
        "reduce",
        str(sample_jar),
        "--preset",
        decompiler(),
        "--work",
        str(work),
        "-q",
        "-o",
        str(tmp_path / "out.jar"),
    ]
    process = subprocess.Popen([sys.executable, "-m", "app", *words], stderr=subprocess.DEVNULL)
    end = time.monotonic() + patience()
    while not has_host(work) and process.poll() is None:
        assert time.monotonic() < end
        time.sleep(0.002)
    process.send_signal(signal.SIGTERM)
    assert process.wait(patience()) == 130
    assert not list(work.iterdir())


def has_host(work: Path) -> bool:
    try:
        return any(work.glob("*/jarlet-host-*"))
    except FileNotFoundError:  # a folder got its name meanwhile
        return False


def decompiler() -> str:
    """A preset with resident processes that can run here."""
    try:
        find_jdk()
    except InputError as error:
        pytest.skip(str(error))
    name = next((each for each in ("procyon", "cfr", "vineflower") if presets.find(each).missing() is None), None)
    if name is None:
        pytest.skip("no decompiler is installed")
    return name


def test_what_is_wrong_with_the_settings_is_told_when_they_are_wanted(tmp_path: Path) -> None:
    begun = HeadStart(tmp_path)
    settings = Settings(preset="there is none of that name")
    begun.expect(settings)
    with pytest.raises(UsageError, match="There is no preset"):
        aim_of(settings)
    begun.close()


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError):
        HeadStart(tmp_path / "file")
