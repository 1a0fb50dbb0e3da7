"""What tests of several folders need: a Java compiler, and places of our own for files that the program keeps."""

from __future__ import annotations

import gc
import hashlib
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from core.predicate.tools import JACOCO
from tests.support import java
from tests.support.engine_nursery import NURSERY, Nursery
from tests.support.java import CompileJava

FETCHED = Path(__file__).resolve().parents[1] / "build" / "fetched"
"""A cache that stays between runs of the tests."""

# nothing is timed: on a loaded machine any example is slow
for _profile, _examples in {"few": 20, "many": 300}.items():
    settings.register_profile(
        _profile, deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=_examples
    )
settings.load_profile("few")  # make test-slow takes many

gc.disable()  # until the tests are collected: what that makes is there to stay


@pytest.fixture(scope="session", autouse=True)
def signals_are_heard() -> None:
    """What is started ends by Ctrl+C and a hang-up, also where the tests run behind ``nohup`` or ``&``."""
    usual_ways = {
        signal.SIGINT: signal.default_int_handler,
        signal.SIGHUP: signal.SIG_DFL,
        signal.SIGQUIT: signal.SIG_DFL,
    }
    for number, usual in usual_ways.items():
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, usual)


@pytest.fixture(scope="session", autouse=True)
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One cache for all tests and workers of a run: what is compiled at first use is compiled once.

    Archives of classes cannot be made in it: a run of a tool costs less than its archive, and few tests run one often.
    """
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / ".cache"
    (folder / "jarlet").mkdir(parents=True, exist_ok=True)
    (folder / "jarlet" / "archives").touch()  # where a folder is needed
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        yield folder


_PLACES = count()


@pytest.fixture(autouse=True)
def own_places(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps sessions and settings of a test out of the user's home, in places that whoever writes there makes.

    Most tests do not write there, and a ``tmp_path`` for each would be a quarter of the cost of a short one.
    """
    place = tmp_path_factory.getbasetemp() / "places" / str(next(_PLACES))
    monkeypatch.setenv("XDG_STATE_HOME", str(place / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(place / "config"))


@pytest.fixture(scope="session", autouse=True)
def nursery() -> Iterator[Nursery]:
    """Engines that are forked: it loads the engine with the first."""
    yield NURSERY
    NURSERY.close()


@pytest.fixture(scope="session")
def compile_java(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CompileJava]:
    """``compile_java({"a/B.java": "package a; ..."}, "-g") -> Path`` of the folder of classes.

    The same sources and options are compiled once a session; treat the folder as read-only.
    """
    done: dict[str, Path] = {}
    compiler = java.compiler()

    def compile_java(sources: dict[str, str], *options: str) -> Path:
        key = hashlib.sha256(repr((sorted(sources.items()), options)).encode()).hexdigest()
        if key not in done:
            folder = tmp_path_factory.mktemp("java")
            files = []
            for name, text in sources.items():
                file = folder / "src" / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
                files.append(str(file))
            classes = folder / "classes"
            compiler.run("-encoding", "UTF-8", "-d", str(classes), *options, *files)
            done[key] = classes
        return done[key]

    yield compile_java
    java.end_compiler()


@pytest.fixture
def processes() -> Callable[[str], list[int]]:
    """``processes(text)``: numbers of the living processes whose command line holds ``text``."""

    def find(text: str) -> list[int]:
        found = []
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit():
                try:
                    words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                except OSError:
                    continue  # gone meanwhile
                if text in words:
                    found.append(int(folder.name))
        return found

    return find


@pytest.fixture(scope="session")
def sample_jar() -> Path:
    """The sample, built from its sources where they are newer."""
    root = Path(__file__).resolve().parent.parent
    subprocess.run(["python3", root / "packaging" / "build_sample.py"], check=True, capture_output=True)
    return root / "build" / "sample.jar"


def pytest_collection_finish() -> None:
    """Keep searches for garbage away from the collected tests (5 % of a worker's time), and let them be rare (2 %)."""
    gc.freeze()
    gc.set_threshold(20_000)
    gc.enable()


def pytest_xdist_auto_num_workers() -> int:
    """Return two workers for each processor, for ``-n auto``: a third of a worker's time is spent on waiting."""
    return 2 * (os.cpu_count() or 1)


@pytest.fixture
def jacoco(monkeypatch: pytest.MonkeyPatch) -> None:
    """JaCoCo where it was fetched before, else fetched now."""
    with monkeypatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(FETCHED))
        found = JACOCO.find({})
        if found is None:
            problem = JACOCO.fetch()
            assert problem is None, problem
            found = JACOCO.find({})
    assert found is not None
    monkeypatch.setenv(JACOCO.variable, ":".join(map(str, found)))
