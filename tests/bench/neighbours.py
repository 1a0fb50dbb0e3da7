"""The nearest inputs that do not fail, counted in the reports of results.

    .venv/bin/python -m tests.bench.neighbours REPORT.json ...

Prints a row for each report of ``jarlet reduce --report``: the bytes and items of the result, the changes of the result
alone after which its failure was gone, how many of them are one edit, and one of them. Each was a probe of the search.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.report.bug_report import ends_a_failure

_LONGEST = 70
"""Characters of a change in the table."""


@dataclass(frozen=True)
class Neighbours:
    """The neighbours of one result that do not fail."""

    case: str
    bytes: int
    items: int
    changes: tuple[str, ...]
    """Changes after which the failure, or one of several, was gone; the smallest first."""
    single: tuple[str, ...]
    """Those of the changes that take nothing else along."""


def neighbours(path: Path) -> Neighbours:
    """Return the neighbours that a report names."""
    report = json.loads(path.read_text(encoding="utf-8"))
    wanted = report["final"]["failures"]
    near = [each for each in report["nearest"] if ends_a_failure(each["failures"], wanted)]
    return Neighbours(
        path.stem,
        report["output"]["bytes"],
        sum(report["output"]["items"].values()),
        tuple(each["change"] for each in near),
        tuple(each["change"] for each in near if not each["along"]),
    )


def table(found: Sequence[Neighbours]) -> list[str]:
    """Return the rows, with a sentence at the end."""
    lines = ["| case | bytes | items | changes that end it | one edit | one of them |", "|---|---:|---:|---:|---:|---|"]
    for each in found:
        shown = next(iter(each.single or each.changes), "")
        cut = shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}..."
        counts = f"{each.bytes} | {each.items} | {len(each.changes)} | {len(each.single)}"
        lines.append(f"| {each.case} | {counts} | {cut} |")
    single = sum(bool(each.single) for each in found)
    return [*lines, "", f"{single} of {len(found)} have an input one edit apart that does not fail."]


def main() -> None:
    """Print the table of the reports that the command line names."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("reports", nargs="+", type=Path, metavar="REPORT.json")
    print("\n".join(table([neighbours(path) for path in options.parse_args().reports])))


if __name__ == "__main__":
    main()
