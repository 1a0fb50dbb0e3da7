"""A download takes a while: the command line says that one goes on before the download ends."""

import os
import shutil

import pytest


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
