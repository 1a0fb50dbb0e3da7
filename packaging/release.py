#!/usr/bin/env python3
"""Checks that a release is ready: ``make release``. A line for each thing that is wrong; exit code 1 if there is any.

Versions (pyproject, program, metainfo, Debian), the date, the changelog, the benchmarks' figures with their commands,
the metainfo by ``appstreamcli`` where it is installed, pictures, and that nothing is uncommitted.
"""

from __future__ import annotations

import datetime
import re
import shutil
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
METAINFO = "packaging/jarlet.metainfo.xml"


def read(root: Path, name: str) -> str:
    """A file of the source tree."""
    return (root / name).read_text(encoding="utf-8")


def versions(root: Path) -> dict[str, str]:
    """The version that each file says; empty where it says none."""
    release = ElementTree.fromstring(read(root, METAINFO)).find("releases/release")
    spoken = re.search(r'^VERSION = "(.+)"', read(root, "core/version.py"), re.MULTILINE)
    debian = re.match(r"jarlet \(([^)-]+)-\d+\)", read(root, "packaging/debian/changelog"))
    changes = re.search(r"^## (\d\S*)", read(root, "CHANGELOG.md"), re.MULTILINE)
    return {
        "pyproject.toml": str(tomllib.loads(read(root, "pyproject.toml"))["project"]["version"]),
        "core/version.py": spoken[1] if spoken else "",
        METAINFO: release.get("version", "") if release is not None else "",
        "packaging/debian/changelog": debian[1] if debian else "",
        "CHANGELOG.md": changes[1] if changes else "",
    }


def wrong_versions(root: Path) -> Iterator[str]:
    """Files that say another version than ``pyproject.toml``."""
    found = versions(root)
    wanted = found["pyproject.toml"]
    for name, version in found.items():
        if version != wanted:
            yield f"{name}: the version is {version or 'missing'}, that of pyproject.toml is {wanted}."


def wrong_changelog(root: Path) -> Iterator[str]:
    """A changelog that is still open."""
    first = re.search(r"^## (.+)$", read(root, "CHANGELOG.md"), re.MULTILINE)
    if first is None:
        yield "CHANGELOG.md: there is no heading '## VERSION (DATE)'."
    elif not re.fullmatch(r"\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)", first[1]):
        yield f"CHANGELOG.md: the first heading is {first[1]!r}; for a release it is 'VERSION (YYYY-MM-DD)'."


def wrong_dates(root: Path) -> Iterator[str]:
    """Dates of the release that do not agree, or lie ahead."""
    release = ElementTree.fromstring(read(root, METAINFO)).find("releases/release")
    date = release.get("date", "") if release is not None else ""
    told = re.search(r"^## \S+ \((\d{4}-\d\d-\d\d)\)", read(root, "CHANGELOG.md"), re.MULTILINE)
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        yield f"{METAINFO}: the newest release has no date."
    elif told and told[1] != date:
        yield f"{METAINFO}: the release is of {date}, CHANGELOG.md says {told[1]}."
    elif datetime.date.fromisoformat(date) > datetime.date.today():
        yield f"{METAINFO}: the release's date, {date}, lies ahead."


def wrong_figures(root: Path) -> Iterator[str]:
    """A row of the benchmarks' table without a figure, a command or a date."""
    name = "tests/bench/README.md"
    lines = read(root, name).splitlines()
    start = next((number for number, line in enumerate(lines) if re.match(r"\|.*command.*\|", line)), None)
    if start is None:
        yield f"{name}: there is no table of figures with their commands."
        return
    head = [cell.strip() for cell in lines[start].strip().strip("|").split("|")]
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        empty = [title for title, cell in zip(head, cells, strict=False) if title and not cell]
        if empty or len(cells) < len(head):
            yield f"{name}: the row {cells[0]!r} lacks {', '.join(empty) or 'a cell'}."


def wrong_metainfo(root: Path) -> Iterator[str]:
    """Yield the complaints of ``appstreamcli`` and ``desktop-file-validate``, where they are installed."""
    for tool, arguments in (
        ("appstreamcli", ["validate", "--no-net", METAINFO]),
        ("desktop-file-validate", ["packaging/jarlet.desktop"]),
    ):
        if shutil.which(tool) is None:
            print(f"release: {tool} is not installed, so this was not checked", file=sys.stderr)
            continue
        done = subprocess.run([tool, *arguments], cwd=root, capture_output=True, text=True, check=False)
        if done.returncode:
            yield f"{tool}: {done.stdout.strip()} {done.stderr.strip()}".strip()


def wrong_pictures(root: Path) -> Iterator[str]:
    """Pictures of the documents that are not there."""
    for name in re.findall(r"\]\((\S+\.png)\)", read(root, "README.md")):
        if not (root / name).is_file():
            yield f"README.md: there is no picture {name}."


def uncommitted(root: Path) -> Iterator[str]:
    """Changes that no commit has."""
    done = subprocess.run(["git", "status", "--porcelain"], cwd=root, capture_output=True, text=True, check=False)
    if done.stdout.strip():
        yield f"git: {len(done.stdout.splitlines())} files are not committed."


CHECKS: tuple[Callable[[Path], Iterator[str]], ...] = (
    wrong_versions, wrong_changelog, wrong_dates, wrong_figures, wrong_metainfo, wrong_pictures, uncommitted,
)  # fmt: skip


def main(root: Path = ROOT) -> int:
    """Prints what is wrong; the exit code."""
    problems = [problem for check in CHECKS for problem in check(root)]
    for problem in problems:
        print(problem)
    if not problems:
        print(f"ready: {versions(root)['pyproject.toml']}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
