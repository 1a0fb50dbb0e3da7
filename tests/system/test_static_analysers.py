"""The presets of static analysers, each on a class that it really reports."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from core.predicate.presets import find

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = {
    "p/Main.java": """
        package p;
        public class Main {
          static int length(String s) { return s == null ? s.length() : 1; }
          public static void main(String[] a) { System.out.println(length(a[0])); }
        }""",
    "p/Alone.java": "package p; class Alone { String s = String.valueOf(new Other().x); }",
    "p/Other.java": "package p; class Other { int x = 3; }",
}


@pytest.mark.skipif(find("spotbugs").missing() is not None, reason="SpotBugs is not installed")
def test_spotbugs(compile_java, tmp_path):
    classes = compile_java(PROGRAM)
    jar, output, report = (tmp_path / name for name in ("program.jar", "small.jar", "report.json"))
    with zipfile.ZipFile(jar, "w") as archive:
        for path in sorted(classes.rglob("*.class")):
            archive.write(path, path.relative_to(classes).as_posix())
    chosen = "chosen NP_ALWAYS_NULL NP: Null pointer dereference of ? in p.Main.length(String)"
    quick = ("--algorithm", "binary", "--granularity", "class", "--no-evidence", "-q")
    done = subprocess.run(
        [sys.executable, "-m", "app", "reduce", jar, "--preset", "spotbugs", "--failures", chosen, *quick,
         "-o", output, "--report", report],
        cwd=ROOT, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(output) as archive:
        assert [name for name in archive.namelist() if name.endswith(".class")] == ["p/Main.class"]
    assert json.loads(report.read_text())["validity"]["taken"] == "linked"
