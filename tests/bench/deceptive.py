"""Rows of decompilercmp's data set: a decompiler's sources that compile, and then fail the tests of their project.

    python -m tests.bench.deceptive [CLASS...] --limit SECONDS

Rows of Harrand et al. (SCAM 2019, ``notebooks/data/dataset.csv`` of ASSERT-KTH/decompilercmp, and ``funfacts`` there)
whose project is on Maven Central, in a release near their commit. Each is reduced by the preset ``roundtrip``, which
runs the tests of the class, an input too, or a program where the project publishes none. The table has what the full
input shows, if that blames the class of the row, and what is left.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

from tests.bench.debloat import REDUCE, paths


class Row(NamedTuple):
    """A class of a project, the decompiler whose source of it lies, and what shows that: a JUnit 4 test beside the
    class, or the statements of a program."""

    jar: str
    tests: str
    decompiler: str
    lies: str
    shows: str


_CODEC = "commons-codec:commons-codec:1.11", "commons-codec:commons-codec:1.11:jar:tests"
_IMAGING = "org.apache.commons:commons-imaging:1.0-alpha1", ""
_LANG = "org.apache.commons:commons-lang3:3.8", "org.apache.commons:commons-lang3:3.8:jar:tests"
_NEEDED = ("junit:junit:4.12", "org.easymock:easymock:3.6", "commons-io:commons-io:2.6")
"""Libraries of the tests."""
_TOOLS = {
    "cfr": ["cfr=org.benf:cfr:0.141"],
    "procyon": ["procyon=org.bitbucket.mstrobel:procyon-compilertools:0.5.34"],
    "fernflower": [],
}
"""Settings for the versions of the data set; Fernflower's is the one of the preset."""

_BITS = """byte[] bytes = new byte[300];
for (int at = 0; at < bytes.length; at++) bytes[at] = (byte) (at % 50 < 20 ? at : at / 70);
System.out.println(java.util.Arrays.toString(new org.apache.commons.imaging.common.PackBits().compress(bytes)));"""
ROWS = (
    Row(*_CODEC, "cfr", "org.apache.commons.codec.binary.Hex", "HexTest"),
    Row(*_IMAGING, "procyon", "org.apache.commons.imaging.common.PackBits", _BITS),
    Row(*_LANG, "procyon", "org.apache.commons.lang3.Conversion", "ConversionTest"),
    Row(*_LANG, "procyon", "org.apache.commons.lang3.time.FastDatePrinter", "FastDatePrinterTest"),
    Row(*_LANG, "cfr", "org.apache.commons.lang3.LocaleUtils", "LocaleUtilsTest"),
    Row(*_LANG, "fernflower", "org.apache.commons.lang3.math.NumberUtils", "NumberUtilsTest"),
)


def main() -> None:
    """Print a line for each row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("classes", nargs="*", metavar="CLASS", help="simple names of the rows' classes")
    parser.add_argument("--limit", type=int, default=300, metavar="SECONDS")
    parser.add_argument("--folder", type=Path, default=Path("out/deceptive"))
    options = parser.parse_args()
    print("| source | seen on the full input | left | classes | probes, seconds |\n|---|---|---|---|---|")
    for row in ROWS:
        if not options.classes or row.lies.rpartition(".")[2] in options.classes:
            print(reduced(row, options.folder.resolve() / row.lies, options.limit), flush=True)


def reduced(row: Row, folder: Path, limit: int) -> str:
    """Reduce a row's jar for the lie, and return the line of the table."""
    folder.mkdir(parents=True, exist_ok=True)
    package, _, name = row.lies.rpartition(".")
    needed = paths(list(_NEEDED))
    main, arguments = "org.junit.runner.JUnitCore", f"{package}.{row.shows}"
    if ";" in row.shows:
        source = f"class Shows {{ public static void main(String[] words) throws Exception {{ {row.shows} }} }}"
        (folder / "Shows.java").write_text(source, encoding="utf-8")
        words = [
            "javac",
            "-cp",
            os.pathsep.join(paths([row.jar])),
            "-d",
            str(folder / "shows"),
            str(folder / "Shows.java"),
        ]
        subprocess.run(words, check=True)
        main, arguments, needed = "Shows", "", [str(folder / "shows")]
    out, report = folder / ("small" if row.tests else "small.jar"), folder / "report.json"
    report.unlink(missing_ok=True)
    asked = {"decompiler": row.decompiler, "main": main, "arguments": arguments}
    settings = [*(f"{setting}={value}" for setting, value in asked.items()), *_TOOLS[row.decompiler]]
    command = [
        *REDUCE,
        row.jar,
        *filter(None, (row.tests,)),
        "--fetch",
        "--preset",
        "roundtrip",
        "--classpath",
        os.pathsep.join(needed),
    ]
    command += [word for setting in settings for word in ("--set", setting)]
    command += ["-o", str(out), "--report", str(report), "--time-limit", str(limit), "--jobs", "1"]
    begin = time.monotonic()
    with (folder / "log.txt").open("w") as log:
        subprocess.run(command, stdout=log, stderr=log, check=False)
    title = f"{name}, {row.decompiler}"
    if not report.exists():
        return f"| {title} | nothing, or no verdict: see {folder / 'log.txt'} | | | |"
    told = json.loads(report.read_text(encoding="utf-8"))
    seen = "; ".join(told["failures"]).replace("compiled from its source, ", "").replace(f"{row.lies}: ", "it: ")
    left, probes = told["output"], told["probes"]["total"]
    cut = " (limit)" if time.monotonic() - begin > limit - 5 else ""
    seconds = f"{probes}, {time.monotonic() - begin:.0f}{cut}"
    return f"| {title} | {seen} | {left['bytes']:,} B | {left['classes']} | {seconds} |"


if __name__ == "__main__":
    main()
