"""A tool that hangs, fills its heap, recurses without an end or is slow on one class of its input is reduced to it."""

import json
import re
import subprocess
import zipfile

import pytest

from core.predicate import presets
from core.system.processes import process_table
from tests.support.files import jar_of

TOOL = """
import java.util.*;
import java.util.zip.*;

public class Tool {
    public static void main(String[] words) throws Exception {
        if (words.length == 1) fall(words[0]);
        try (ZipFile jar = new ZipFile(words[1])) {
            for (ZipEntry entry : Collections.list(jar.entries())) {
                byte[] data = jar.getInputStream(entry).readAllBytes();
                if (new String(data, "ISO-8859-1").contains("poison")) fall(words[0]);
            }
        }
    }

    static void fall(String how) throws Exception {
        switch (how) {
            case "loop": spin(); break;
            case "leak": leak(); break;
            case "deep": even(0); break;
            case "deadlock": Thread other = new Thread(() -> both("b", "a")); other.start(); both("a", "b"); break;
            case "sleeps": while (true) Thread.sleep(20);
            case "spins": while (true) Thread.onSpinWait();
            case "packs": while (true) pack(new byte[1 << 20]);
            case "child": start(); break;
            default: pairs();
        }
    }

    static void both(String one, String other) {
        synchronized (one) {
            try { Thread.sleep(300); } catch (InterruptedException end) { }
            synchronized (other) { System.out.println(one); }
        }
    }

    static void pack(byte[] zeros) {
        Deflater packer = new Deflater(9);
        packer.setInput(zeros);
        packer.finish();
        while (!packer.finished()) packer.deflate(new byte[64]);
        packer.end();
    }

    static void start() throws Exception {
        String java = System.getProperty("java.home") + "/bin/java";
        new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), "Tool", "spins").start().waitFor();
    }

    static void spin() { while (true) step(1); }
    static int step(int n) { for (int i = 0; i < 100000; i++) n = n * 31 + i; return n; }
    static void leak() { List<byte[]> all = new ArrayList<>(); while (true) all.add(new byte[1 << 16]); }
    static int even(int n) { return odd(n + 1) + 1; }
    static int odd(int n) { return even(n + 1) + 1; }
    static void pairs() { for (int i = 0; i < 300000; i++) for (int j = 0; j < i; j++) step(0); }
}
"""

HEAP = "java.lang.OutOfMemoryError: Java heap space, largest part at "

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not process_table.listed(), reason="no list of processes")]


@pytest.mark.parametrize(
    ("how", "options", "name"),
    [
        ("loop", ["--hangs"], "hang at Tool."),
        ("deadlock", ["--hangs"], "hang at Tool.both < Tool."),
        ("sleeps", ["--hangs"], "hang at java.lang.Thread.sleep < Tool.fall < Tool.main"),
        ("spins", ["--hangs"], "hang at Tool.fall < Tool.main"),
        ("packs", ["--hangs"], "hang at java.util.zip.Deflater.deflate < Tool.pack"),
        ("child", ["--hangs"], "hang at Tool.fall < Tool.main"),
        ("leak", ["--failures-as", "traces"], "java.lang.OutOfMemoryError: Java heap space at Tool.leak"),
        ("deep", ["--failures-as", "traces"], "java.lang.StackOverflowError at Tool.even < Tool.odd"),
        ("slow", ["--slower-than", "10"], "hang at Tool."),
    ],
)
def test_one_class_of_many_is_found(jarlet, compile_java, tmp_path, how, options, name):
    many = 300 if how == "loop" else 30
    sources = {
        f"p/C{number}.java": f'package p; class C{number} {{ String s = "x{number}"; }}' for number in range(many)
    }
    sources["p/C17.java"] = 'package p; class C17 { String s = "poison"; }'
    jar = jar_of(compile_java(sources), tmp_path / "many.jar")
    tool = compile_java({"Tool.java": TOOL})
    command = f"java -Xmx64m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp {tool} Tool {how} {{jar}}"
    done = jarlet("reduce", jar, "--predicate", command, *options, "-o", "out.jar", "--report", "r.json", "--jobs", 1)
    assert done.returncode == 0, done.stderr
    assert [each for each in zipfile.ZipFile("out.jar").namelist() if each.endswith(".class")] == ["p/C17.class"]
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["final"]["failures"][0].startswith(name)
    assert report["probes"]["run"] <= 40


def beside_small_classes(body: str) -> dict[str, str]:
    """Sources of a class with this body of a method, and of ten classes with a loop."""
    sources = {"p/Long.java": f"package p; class Long {{ int f(int x) {{ {body} }} }}"}
    for number in range(10):
        loop = f"int s = 0; for (int i = 0; i < x; i++) s += i * {number}; return s;"
        sources[f"p/C{number}.java"] = f"package p; class C{number} {{ int f(int x) {{ {loop} }} }}"
    return sources


@pytest.mark.usefixtures("decompilers")
@pytest.mark.parametrize(
    ("preset", "heap", "package"), [("cfr", 30, "org.benf.cfr."), ("vineflower", 30, "org.jetbrains.java.decompiler.")]
)
def test_a_decompiler_is_reduced_to_the_method_that_fills_its_heap(
    jarlet, compile_java, tmp_path, preset, heap, package
):
    lacking = presets.find(preset).fetch()
    if lacking:
        pytest.skip(lacking)
    steps = "\n".join(f"if (x > {number}) y += x * {number}; else z -= y;" for number in range(1900))
    jar = jar_of(compile_java(beside_small_classes(f"int y = 0, z = 0; {steps} return y + z;")), tmp_path / "many.jar")
    words = ["--preset", preset, "--set", f"heap={heap}"]
    lines = jarlet("check", jar, *words).stdout.splitlines()
    (failure,) = {line.strip() for line in lines if line.strip().startswith(HEAP + package)}
    words += ["--failures", f"chosen {failure}", "--granularity", "class"]
    done = jarlet("reduce", jar, *words, "-o", "out.jar", "--report", "r.json", "--jobs", 1)
    assert done.returncode == 0, done.stderr
    assert [each for each in zipfile.ZipFile("out.jar").namelist() if each.endswith(".class")] == ["p/Long.class"]
    assert failure in json.loads((tmp_path / "r.json").read_text())["final"]["failures"]


@pytest.mark.usefixtures("decompilers")
@pytest.mark.parametrize(
    ("preset", "text"),
    [
        ("cfr", "while (y < x + {n}) {{ if (y % ({n} + 2) == 1) {{ y += {n}; continue; }} if (y == x) break; y++; }}"),
        ("procyon", "try {{ y += x / ({n} + 1); }} catch (ArithmeticException e) {{ y -= {n}; }}"),
    ],
)
def test_a_decompiler_is_reduced_to_the_class_on_which_it_is_slow(jarlet, compile_java, tmp_path, preset, text):
    lacking = presets.find(preset).fetch()
    if lacking:
        pytest.skip(lacking)
    steps = "\n".join(text.format(n=number) for number in range(400))
    jar = jar_of(compile_java(beside_small_classes(f"int y = 0; {steps} return y;")), tmp_path / "many.jar")
    words = ["--preset", preset, "--slower-than", 2, "--granularity", "class"]
    done = jarlet("reduce", jar, *words, "-o", "out.jar", "--report", "r.json", "--jobs", 1)
    assert done.returncode == 0, done.stderr
    assert [each for each in zipfile.ZipFile("out.jar").namelist() if each.endswith(".class")] == ["p/Long.class"]
    assert json.loads((tmp_path / "r.json").read_text())["probes"]["run"] <= 12


def test_the_script_of_a_bug_folder_tells_a_hang_and_leaves_no_process(jarlet, compile_java, tmp_path, processes):
    jar = jar_of(compile_java({"p/C.java": 'package p; class C { String s = "poison"; }'}), tmp_path / "one.jar")
    tool = compile_java({"Tool.java": TOOL})
    command = f"java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp {tool} Tool loop {{jar}}"
    script = tmp_path / "check.sh"
    script.write_text(f"#!/bin/sh\n{command.replace('{jar}', '$JARLET_JAR')} | cat\n")
    words = ["--predicate", f"sh {script}", "--hangs", "--source-time", 0]
    done = jarlet("reduce", jar, *words, "-o", "out.jar", "--bug-folder", "bug")
    assert done.returncode == 0, done.stderr
    assert "Verified: run in an empty folder, the script shows what is wanted." in done.stdout
    well = jar_of(compile_java({"p/C.java": 'package p; class C { String s = "remedy"; }'}), tmp_path / "well.jar")
    for small, seen in ((tmp_path / "out.jar", True), (well, False)):
        (tmp_path / "bug/small.jar").write_bytes(small.read_bytes())
        ran = subprocess.run(["sh", "bug/reproduce.sh"], capture_output=True, text=True, check=False)
        assert ran.returncode == (not seen)
        assert ("Seen: no end within 30 s, hang at Tool." in ran.stderr) == seen
        assert not processes(str(tmp_path))


def test_the_end_tells_the_rate_of_a_failure(jarlet, compile_java, tmp_path):
    jar = jar_of(
        compile_java({f"p/{name}.java": f"package p; class {name} {{ }}" for name in "AB"}), tmp_path / "a.jar"
    )
    done = jarlet("reduce", jar, "--predicate", "grep -q p/A {jar}", "--rare", "--no-rewrite", "-o", "out.jar")
    assert re.search(r"^    shown by (\d+) of \1 runs, a rate of \d+% to 100%$", done.stdout, re.M), done.stdout
