"""A download takes a while: the command line says that one goes on before the download ends."""

import os
import shutil

import pytest

from tests.support.own_tools import only_tools, tool, versioned_tool


@pytest.fixture
def unreachable(tmp_path, monkeypatch):
    """No Maven, no repository, and no tool that was fetched before."""
    java = shutil.which("java")
    assert java is not None
    monkeypatch.setenv("PATH", os.path.dirname(os.path.realpath(java)))
    monkeypatch.setenv("JARLET_MAVEN", "http://127.0.0.1:9")  # nobody listens there
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_a_download_is_told_before_its_end(jarlet, sample_jar, unreachable):
    done = jarlet("check", sample_jar, "--preset", "kotlin-metadata", "--fetch")
    first, last = done.stderr.splitlines()
    assert (done.returncode, first) == (2, "Downloading what the preset kotlin-metadata needs.")
    assert last.startswith("jarlet: Kotlin's metadata reader could not be fetched: http://127.0.0.1:9/"), last


def test_a_quiet_reduction_does_not_tell_of_its_download(jarlet, sample_jar, unreachable):
    done = jarlet("reduce", sample_jar, "--preset", "kotlin-metadata", "--fetch", "-q")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


def test_a_tool_that_cannot_be_fetched_does_not_stop_the_others(jarlet, sample_jar, unreachable, monkeypatch):
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:/usr/bin:/bin")
    only_tools(monkeypatch, {"faulty": versioned_tool(), "mine": tool("mine", "echo; unzip -l $JARLET_JAR")})
    why = "Faulty could not be fetched: http://127.0.0.1:9/"
    done = jarlet("tools", sample_jar, "--fetch")
    assert done.stdout.startswith("Mine: no failure ("), done
    assert f"Faulty, a tool: {why}" in done.stderr
    done = jarlet("hunt", sample_jar, "--tools", "faulty,mine", "--fetch")
    assert (done.returncode, "0 bugs, 0 known" in done.stdout) == (2, True), done
    assert done.stderr.splitlines()[-1].startswith(f"jarlet: {why}")
    assert done.stderr.endswith(" The hunt was without it.\n")
