"""``jarlet hunt --predicate`` on a folder of crash inputs, as fuzzers leave them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.predicate import presets

Jarlet = Callable[..., Any]

FUZZER = """
import java.io.*;
import java.nio.file.*;
import java.util.*;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.util.*;

public class Fuzzer {
    public static void main(String[] words) throws Exception {
        byte[] whole = Files.readAllBytes(Path.of(words[0]));
        Random dice = new Random(7);
        Map<String, Integer> seen = new HashMap<>();
        for (int round = 0; round < 60; round++) {
            byte[] data = whole.clone();
            for (int left = 1 + dice.nextInt(3); left > 0; left--)
                data[dice.nextInt(data.length)] = (byte) dice.nextInt(256);
            PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
            try {
                new ClassReader(data).accept(new TraceClassVisitor(null, new Textifier(), nowhere), 0);
            } catch (RuntimeException crash) {
                String kind = crash.getClass().getName() + " at " + crash.getStackTrace()[0].getMethodName();
                if (seen.size() == 3 && !seen.containsKey(kind) || seen.merge(kind, 1, Integer::sum) > 2) continue;
                Files.write(Path.of(words[1], "crash-" + round), data);
                System.out.println(kind);
            }
        }
    }
}
"""
"""Changes bytes of a class file until ASM breaks on it: at most three kinds of crashes, each at most twice."""


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


HANGS = """
import java.nio.file.*;
import java.util.zip.*;

public class Reads {
    public static void main(String[] words) throws Exception {
        try (ZipFile jar = new ZipFile(words[0])) {
            for (ZipEntry entry : java.util.Collections.list(jar.entries())) {
                String text = new String(jar.getInputStream(entry).readAllBytes(), "ISO-8859-1");
                if (text.contains("spins")) spin();
                if (text.contains("fills")) fill(new java.util.ArrayList<>());
            }
        }
    }

    static void spin() { while (true) turn(); }
    static int turn() { int n = 0; for (int i = 0; i < 100000; i++) n = n * 31 + i; return n; }
    static void fill(java.util.List<long[]> all) { while (true) all.add(new long[1 << 16]); }
}
"""


@pytest.mark.slow
def test_crash_inputs_that_hang_or_fill_the_heap_are_kinds_of_bugs(
    jarlet: Jarlet, compile_java: Callable[..., Path], tmp_path: Path
) -> None:
    tool = compile_java({"Reads.java": HANGS})
    body = 'class {} {{ String s = "{}"; int of(int n) {{ return n + {}; }} }}'
    words = ["spins", "fills", "spins", "fine"]
    made = compile_java({f"C{at}.java": body.format(f"C{at}", word, at) for at, word in enumerate(words)})
    (tmp_path / "crashes").mkdir()
    for at in range(len(words)):
        shutil.copy(made / f"C{at}.class", tmp_path / "crashes" / f"crash-{at}")
    command = f"java -Xmx32m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp {tool} Reads {{jar}}"
    done = jarlet("hunt", "crashes", "--predicate", command, "-o", "out", "--limit", 0)
    assert done.returncode == 1, done.stderr
    bugs = json.loads((tmp_path / "out" / "hunt.json").read_text())["bugs"]
    found = {bug["kind"].partition(" at Reads.")[0]: len(bug["seen"]) for bug in bugs}
    assert found == {
        "hang": 2,
        "java.lang.OutOfMemoryError: Java heap space": 1,
    }


@pytest.mark.slow
def test_crashes_of_asm_are_as_many_bugs_as_it_has_kinds_of_them(
    jarlet: Jarlet, compile_java: Callable[..., Path], sample_jar: Path, tmp_path: Path
) -> None:
    lacking = presets.find("asm").fetch()
    if lacking:
        pytest.skip(lacking)
    tool = os.pathsep.join(str(path) for each in presets.find("asm").tools for path in each.find() or ())
    (tmp_path / "crashes").mkdir()
    with zipfile.ZipFile(sample_jar) as whole:
        (tmp_path / "seed").write_bytes(whole.read("sample/number/Rational.class"))
    classes = compile_java({"Fuzzer.java": FUZZER}, "-cp", tool)
    words = [
        "java",
        "-XX:-OmitStackTraceInFastThrow",
        "-cp",
        f"{classes}:{tool}",
        "Fuzzer",
        tmp_path / "seed",
        tmp_path / "crashes",
    ]
    kinds = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
    (tmp_path / "read.sh").write_text(
        "#!/bin/sh\nunzip -qo $1 -d in\nfind in -name '*.class' > list\nwhile read -r file; do\n"
        f"java -XX:TieredStopAtLevel=1 -Xshare:auto -cp {tool} org.objectweb.asm.util.Textifier $file >/dev/null\n"
        'test $? = 0 || broken=1\ndone < list\ntest -z "$broken"\n'
    )
    (tmp_path / "read.sh").chmod(0o755)
    done = jarlet("hunt", "crashes", "--predicate", "./read.sh {jar}", "-o", "out", "--limit", 0)
    assert done.returncode == 1, done.stderr
    bugs = json.loads((tmp_path / "out" / "hunt.json").read_text())["bugs"]
    assert len(kinds) > len(bugs) == 3
    assert sorted((kind, len(bug["seen"])) for bug in bugs for kind in {short(bug["kind"])}) == sorted(
        (kind, kinds.count(kind)) for kind in set(kinds)
    )


def short(kind: str) -> str:
    """Return the exception and the method of a kind, as the fuzzer prints them."""
    return re.sub(r"^([\w.]+).* at (?:\w+\.)*([\w<>]+)(?: < .*)?$", r"\1 at \2", kind)
