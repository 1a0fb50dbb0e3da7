"""A program half of which misses a library, and a command whose failures say so."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from tests.support.files import jar_of

LIBRARY = {"org/lib/Gauge.java": "package org.lib; public class Gauge {}"}
INPUT = {
    "own/Meter.java": "package own; class Meter extends org.lib.Gauge {}",
    "own/Below.java": "package own; class Below extends Meter {}",
    "own/Low.java": "package own; class Low extends High {}",
    "own/High.java": "package own; class High {}",
}
FINAL = {"own/High.java": "package own; final class High {}"}

OF_LIBRARY = "Meter.java: package org.lib does not exist"
MAY_FOLLOW = "Below.java: recursive constructor invocation"
BUG = "Low.java: cannot inherit from final High"


def half_program(compile_java: Callable[..., Path], folder: Path) -> Path:
    """Return a new jar, ``half.jar``, with two classes that miss ``lib.jar``, which lies beside it, and one that the
    virtual machine refuses in any case."""
    classes = folder / "classes"
    shutil.copytree(compile_java({**LIBRARY, **INPUT}) / "own", classes / "own")
    shutil.copy(compile_java(FINAL) / "own" / "High.class", classes / "own" / "High.class")
    jar_of(compile_java(LIBRARY), folder / "lib.jar")
    return jar_of(classes, folder / "half.jar")


def compiler(folder: Path) -> str:
    """Return a command that complains, as javac does, of the classes that a candidate has: :data:`OF_LIBRARY`,
    :data:`MAY_FOLLOW` and :data:`BUG`."""
    lines = []
    for failure in (OF_LIBRARY, MAY_FOLLOW, BUG):
        file, message = failure.split(": ", 1)
        name = file.removesuffix(".java")
        lines.append(f'[ ! -e "$1/own/{name}.class" ] || echo "{file}:1: error: {message}"\n')
    script = folder / "compiler.sh"
    script.write_text("#!/bin/sh\n" + "".join(lines), encoding="utf-8")
    return f"sh {script} {{classes}}"
