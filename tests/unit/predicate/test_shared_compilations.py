"""The helper programs of a JDK: compiled once, whoever asks at once."""

import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import PredicateError
from core.library.jdk import find_jdk
from core.predicate.jvm.helper_programs import compiled


@pytest.fixture
def counted(tmp_path, monkeypatch):
    """A JDK whose javac writes a line for every start, and an empty cache."""
    real = find_jdk()
    (tmp_path / "jdk" / "bin").mkdir(parents=True)
    script = tmp_path / "jdk" / "bin" / "javac"
    script.write_text(f'#!/bin/sh\necho x >> {tmp_path}/starts\nexec {real.home}/bin/javac "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return replace(real, home=tmp_path / "jdk")


@pytest.mark.slow
def test_threads_that_ask_at_once_share_one_compilation(counted, tmp_path):
    barrier, found = threading.Barrier(8), []

    def ask():
        barrier.wait()
        found.append(compiled(counted))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1
    assert len(found) == 8
    assert (found[0] / "warm" / "Adapted.class").is_file()
    assert all(len(path.name) == 32 for path in found[0].parent.iterdir()), "nothing half done is left"
    assert (tmp_path / "starts").read_text() == "x\n"


@pytest.mark.guarded
def test_processes_that_ask_at_once_share_one_compilation(counted, tmp_path):
    script = (
        "from dataclasses import replace; from pathlib import Path; from core.library.jdk import find_jdk;"
        "from core.predicate.jvm.helper_programs import compiled;"
        f"print(compiled(replace(find_jdk(), home=Path({str(counted.home)!r}))))"
    )
    root = Path(__file__).parents[3]
    children = [
        subprocess.Popen([sys.executable, "-c", script], cwd=root, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    told = {child.communicate()[0] for child in children}
    assert len(told) == 1
    assert (Path(told.pop().strip()) / "warm" / "Adapted.class").is_file()
    assert (tmp_path / "starts").read_text() == "x\n"


def test_a_compilation_that_fails_is_told_to_all_who_waited_and_tried_again_later(counted, tmp_path):
    (counted.home / "bin" / "javac").write_text(f"#!/bin/sh\necho x >> {tmp_path}/starts\nsleep 0.5\nexit 1\n")
    barrier, errors = threading.Barrier(4), []

    def ask():
        barrier.wait()
        with pytest.raises(PredicateError, match="cannot be compiled") as error:
            compiled(counted)
        errors.append(error)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(errors) == 4
    assert (tmp_path / "starts").read_text() == "x\n"
    with pytest.raises(PredicateError):
        compiled(counted)
    assert (tmp_path / "starts").read_text() == "x\nx\n"
