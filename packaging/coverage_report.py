"""Prints what ``make coverage`` measured: the share of lines that the tests run, of each module and of all.

Modules below 80 % follow with the reason that ``coverage_reasons.toml`` gives. Reads ``build/coverage.json``. The exit
code is 1 where such a module has no reason; reasons that are not needed are named.
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REASONS = ROOT / "packaging" / "coverage_reasons.toml"
LEAST = 80.0
"""Percent of lines below which a module needs a reason."""


def main() -> int:
    """Prints the tables; the exit code."""
    report = json.loads((ROOT / "build" / "coverage.json").read_text(encoding="utf-8"))
    reasons = tomllib.loads(REASONS.read_text(encoding="utf-8"))
    shares = {name: found["summary"]["percent_covered"] for name, found in report["files"].items()}
    lines = {name: found["summary"]["num_statements"] for name, found in report["files"].items()}
    for name in sorted(shares):
        print(f"{shares[name]:5.1f} %  {lines[name]:5}  {name}")
    print(f"{report['totals']['percent_covered']:5.1f} %  {report['totals']['num_statements']:5}  all")
    low = sorted((name for name in shares if shares[name] < LEAST), key=shares.__getitem__)
    print(f"below {LEAST:g} %: {len(low)}")
    for name in low:
        print(f"{shares[name]:5.1f} %  {lines[name]:5}  {name}: {reasons.get(name, 'NO REASON IS GIVEN')}")
    unneeded = sorted(set(reasons) - set(low))
    for name in unneeded:
        print(f"{name}: not below {LEAST:g} %; its reason in {REASONS.name} can go")
    return 1 if set(low) - set(reasons) else 0


if __name__ == "__main__":
    sys.exit(main())
