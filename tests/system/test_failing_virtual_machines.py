"""The presets for virtual machines that fail, each on a program that really makes them fail."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support.files import jar_of
from tests.support.patience import patience

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = {
    "p/Main.java": """
        package p;
        public class Main {
          public static void main(String[] a) throws Exception {
            if (a.length > 0) { System.out.println(new Helper().mode()); return; }
            var f = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
            f.setAccessible(true);
            ((sun.misc.Unsafe) f.get(null)).putInt(0L, new Helper().number());
          }
        }""",
    "p/Helper.java": """
        package p;
        class Helper {
          int number() { return 7; }
          String mode() { return System.getProperty("java.vm.info"); }
        }""",
    "p/Alone.java": "package p; class Alone { String s = String.valueOf(new Other().x); }",
    "p/Other.java": "package p; class Other { int x = 3; }",
}
"""Writes to address 0 without arguments; with one it prints what the interpreter and the compiler say differently."""


@pytest.fixture
def program(compile_java, tmp_path):
    classes = compile_java(PROGRAM, "-nowarn")
    return jar_of(classes, tmp_path / "program.jar")


def reduced(jar, *options):
    output = jar.with_name("small.jar")
    quick = ("--algorithm", "binary", "--granularity", "class", "--no-evidence")
    done = subprocess.run(
        [sys.executable, "-m", "app", "reduce", jar, *options, *quick, "-o", output],
        cwd=ROOT, capture_output=True, text=True, timeout=patience(600), check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(output) as archive:
        return {name for name in archive.namelist() if name.endswith(".class")}


def test_a_crash_of_the_virtual_machine(program):
    assert reduced(program, "--preset", "crash", "--set", "main=p.Main") == {"p/Main.class", "p/Helper.class"}


def test_interpreter_and_compiler_disagree(program):
    options = ("--preset", "jvms", "--set", "main=p.Main", "--set", "arguments=mode")
    assert reduced(program, *options) == {"p/Main.class", "p/Helper.class"}


def test_a_sound_program_is_not_interesting(program):
    options = ("--preset", "crash", "--set", "main=p.Main", "--set", "arguments=x")
    done = subprocess.run(
        [sys.executable, "-m", "app", "check", program, *options],
        cwd=ROOT, capture_output=True, text=True, timeout=patience(600), check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "no failure was found" in done.stdout
