"""Every command that the guide gives to be copied is run as it stands, on real jars, tools and workers.

The commands of README and the first of *start* are run in ``test_documented_commands.py``. One thing is changed:
a cluster has the address of the one that runs here.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.predicate.presets import find
from tests.support.dask_cluster import loopback_cluster, needs_dask, wait_for_workers
from tests.support.files import script
from tests.support.pages import ROOT, blocks, copied

GUIDE = ROOT / "resources/help"
Run = Callable[..., subprocess.CompletedProcess[str]]
ORO = Path("/usr/share/java/oro.jar")
"""A jar that fails with Procyon, CFR and Vineflower."""
BREAKS = "java -Xshare:auto -cp \"$1\" sample.Main 2>&1 | grep -q 'no reciprocal'"
LEFT = {"batch": ("small/codec.jar", "small/codec.json"), "hunt": ("hunt/index.html", "hunt/hunt.json")}
"""The files that a command leaves, where its words do not name them."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not ORO.exists() or find("procyon").missing() is not None, reason="needs liboro-java, Procyon"),
]


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """The address of a scheduler with two workers."""
    with loopback_cluster(2, path=str(ROOT)) as cluster:
        wait_for_workers(cluster.address, 2)
        yield cluster.address


@pytest.fixture(scope="module")
def small_jars() -> dict[str, bytes]:
    """The small jars that were made, by preset."""
    return {}


@pytest.fixture
def place(tmp_path: Path, sample_jar: Path, small_jars: dict[str, bytes], jarlet: Run, decompilers: None) -> Path:
    """A folder with what the pages take for granted, but for small.jar: folders of jars, jobs and their inputs."""
    for preset in ("procyon", "vineflower"):
        if preset not in small_jars:
            words = (ORO, "--preset", preset, "--fetch", "--granularity", "class", "-o", preset, "-q")
            done = jarlet("reduce", *words)
            assert done.returncode == 0, done.stderr
            small_jars[preset] = (tmp_path / preset).read_bytes()
    jarlet("check", ORO, "--preset", "cfr", "--fetch")
    for folder in ("corpus", "lib"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "oro.jar").write_bytes(small_jars["vineflower"])
    jobs = next(block for block in blocks(GUIDE / "cluster.md") if "[[job]]" in block)
    (tmp_path / "jobs.toml").write_text(re.sub(r"^```\w*$", "", jobs, flags=re.MULTILINE))
    (tmp_path / "codec.jar").write_bytes(small_jars["procyon"])
    shutil.copy(ORO, tmp_path / "app.jar")
    shutil.copy(sample_jar, tmp_path / "other.jar")
    script(tmp_path, f"if {BREAKS}; then exit 1; fi", "breaks.sh")
    return tmp_path


def run(words: list[str], place: Path, small_jars: dict[str, bytes], jarlet: Run) -> None:
    """Run one command in the folder. Each does what it is for: its exit code says so, and its files are there."""
    if words[1] == "small.jar":
        (place / "small.jar").write_bytes(small_jars[words[words.index("--preset") + 1]])
    done = jarlet(*words)
    assert done.returncode == (1 if words[0] == "hunt" else 0), done.stderr
    named = [words[words.index("-o") + 1]] if "-o" in words else []
    assert [name for name in (*named, *LEFT.get(words[0], ())) if not (place / name).exists()] == []


@pytest.mark.parametrize("page", ["results", "start", "cluster"])
def test_commands_to_copy_run(page: str, place: Path, small_jars: dict[str, bytes], jarlet: Run) -> None:
    commands = [words for words in copied(GUIDE / f"{page}.md") if "--cluster" not in words]
    for words in commands[1:] if page == "start" else commands:
        run(words, place, small_jars, jarlet)


@needs_dask
def test_commands_for_a_cluster_run(scheduler: str, place: Path, small_jars: dict[str, bytes], jarlet: Run) -> None:
    commands = [words for words in copied(GUIDE / "cluster.md") if "--cluster" in words]
    assert len(commands) == 3
    for words in commands:
        run([scheduler if "tcp:" in word else word for word in words], place, small_jars, jarlet)
