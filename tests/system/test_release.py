"""What ``make release`` finds, each on a copy of the files that has just this fault."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pytest

from tests.support.rows import rows

ROOT = Path(__file__).resolve().parents[2]
FILES = (
    "pyproject.toml", "core/version.py", "packaging/jarlet.metainfo.xml", "packaging/jarlet.desktop",
    "packaging/debian/changelog", "CHANGELOG.md", "README.md", "tests/bench/README.md",
)  # fmt: skip

_spec = importlib.util.spec_from_file_location("release", ROOT / "packaging" / "release.py")
assert _spec is not None
assert _spec.loader is not None
release = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(release)


@pytest.fixture
def tree(tmp_path):
    """A source tree's files that are ready for a release."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    version = release.versions(tmp_path)["pyproject.toml"]
    edit(tmp_path, "CHANGELOG.md", "# Changes\n", f"# Changes\n\n## {version} (2026-11-21)\n\n* All.\n")
    edit(tmp_path, "packaging/jarlet.metainfo.xml", 'date="', 'date="2026-11-21" was="')
    (tmp_path / "tests/bench/README.md").write_text(
        "| what | figure | command | date |\n|---|---|---|---|\n| a | 1 | `b` | c |\n"
    )
    return tmp_path


def edit(tree, name, old, new):
    path = tree / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def problems(tree, *checks):
    return [problem for check in checks for problem in check(tree)]


def test_a_tree_that_is_ready(tree):
    found = problems(tree, release.wrong_versions, release.wrong_changelog, release.wrong_dates, release.wrong_figures)
    assert found == []


@rows(
    ("name", "old", "new", "check", "says"),
    [
        ("core/version.py", 'VERSION = "', 'VERSION = "9', "wrong_versions", "core/version.py: the version is 9"),
        ("packaging/debian/changelog", "jarlet (", "jarlet (7.", "wrong_versions", "packaging/debian/changelog"),
        ("packaging/jarlet.metainfo.xml", 'version="0', 'version="3.0', "wrong_versions", "the version is 3.0"),
        ("CHANGELOG.md", "# Changes\n", "# Changes\n\n## Unreleased\n", "wrong_changelog", "'Unreleased'"),
        ("CHANGELOG.md", "(2026-11-21)", "(2026-11-20)", "wrong_dates", "CHANGELOG.md says 2026-11-20"),
        ("packaging/jarlet.metainfo.xml", "2026-11-21", "soon", "wrong_dates", "has no date"),
        ("tests/bench/README.md", "`b`", "", "wrong_figures", "the row 'a' lacks command"),
        ("tests/bench/README.md", "command", "words", "wrong_figures", "no table of figures"),
        ("README.md", "reducing.png", "nothing.png", "wrong_pictures", "nothing.png"),
    ],
)  # fmt: skip
def test_each_fault_is_named(tree, name, old, new, check, says):
    edit(tree, name, old, new)
    found = problems(tree, getattr(release, check))
    assert any(says in problem for problem in found), found


@pytest.mark.skipif(shutil.which("appstreamcli") is None, reason="appstreamcli is not installed")
def test_the_metainfo_is_valid_and_a_broken_one_is_not(tree):
    assert problems(ROOT, release.wrong_metainfo) == []
    edit(tree, "packaging/jarlet.metainfo.xml", "<summary>", "<summary>Has an end. ")
    edit(tree, "packaging/jarlet.metainfo.xml", "<metadata_license>MIT", "<metadata_license>none")
    assert problems(tree, release.wrong_metainfo)
