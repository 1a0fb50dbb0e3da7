"""``jarlet hunt --predicate`` on a folder of crash inputs, as fuzzers leave them."""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Jarlet = Callable[..., Any]


@pytest.mark.guarded
def test_crash_inputs_of_a_fuzzer_are_told_by_their_failures_and_equal_ones_are_one_line(
    jarlet: Jarlet, sample_jar: Path, tmp_path: Path
) -> None:
    crashes = tmp_path / "crashes"
    crashes.mkdir()
    with zipfile.ZipFile(sample_jar) as whole:
        names = [name for name in whole.namelist() if name.startswith("sample/number/") and name.endswith(".class")]
        for number, name in enumerate(names[:4]):
            (crashes / f"crash-{number}").write_bytes(whole.read(name))
        (crashes / "Rational.class").write_bytes(whole.read("sample/number/Rational.class")[:-9])  # cut off
    shutil.copy(sample_jar, crashes / "crash-whole")
    (crashes / "log.txt").write_text("no input")
    (tmp_path / "tool.sh").write_text(
        "#!/bin/sh\nunzip -l $1 | grep -q Rational.class || { echo fine; exit 0; }\n"
        "echo 'Exception in thread \"main\" java.lang.IllegalStateException: it is broken'\n"
        "printf '\\tat t.Tool.read(Tool.java:7)\\n'\nexit 1\n"
    )
    (tmp_path / "tool.sh").chmod(0o755)
    done = jarlet("hunt", "crashes", "--predicate", "./tool.sh {jar}", "-o", "out")
    assert done.returncode == 1, done.stderr
    found = json.loads((tmp_path / "out" / "hunt.json").read_text())
    inputs = ["Rational.class", *(f"crash-{each}" for each in (0, 1, 2, 3, "whole"))]
    assert [jar["jar"] for jar in found["jars"]] == [f"crashes/{each}" for each in inputs]
    (bug,) = found["bugs"]
    assert (bug["kind"], bug["classes"]) == ("java.lang.IllegalStateException: it is broken at t.Tool.read", 1)
    assert [seen["jar"] for seen in bug["seen"]][-1] == "crashes/crash-whole"
    assert len(bug["seen"]) == 2 + sum(name.endswith("Rational.class") for name in names[:4])
    (crashes / "crash-1").write_bytes((crashes / "crash-0").read_bytes().replace(b"sample/number", b"sample\\number"))
    always = jarlet("hunt", "crashes", "--predicate", "sh -c 'echo no option >&2; exit 1'", "-o", "always")
    assert (
        "crash-0: it fails on an empty interface too, so the input is not the cause: exit code 1: no op"
        in always.stderr
    )
    assert re.search(r"crashes/crash-1: the class sample\\.* cannot stand in a jar: the name cont", always.stdout)
    refused = jarlet("hunt", "crashes", "--predicate", "./tool.sh {jar}", "--tools", "cfr")
    assert refused.returncode == 2
    assert "Name the tools by --tools or by --predicate, not by both." in refused.stderr
