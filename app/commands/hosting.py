"""``jarlet host``: a program as by ``java -jar``, in a process that stays while a reduction goes on.

If no process can answer, the program is run by ``java -jar`` itself, in the place of this process. A script calls this
often, so the module imports little.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import stat
import sys
from typing import TYPE_CHECKING

from core.predicate.jvm.tool_calls import COLD, COMPILER, VARIABLE, received, send

if TYPE_CHECKING:
    import argparse

_BAD_USE = 2
_OF_CLASSES = ("-cp", "-classpath", "--class-path", "-p", "--module-path", "-m", "--module")


def host(options: argparse.Namespace) -> int:
    """Carry out ``jarlet host``."""
    return call(options.words)


def call(arguments: list[str]) -> int:
    """Run the program that the arguments ask for, and return its exit code."""
    wrong, (java, program, words) = _parted(arguments)
    if wrong:
        print(f"jarlet: {wrong}", file=sys.stderr)
        return _BAD_USE
    place = os.environ.get(VARIABLE, "")
    compiles = program == COMPILER
    launcher = shutil.which("javac" if compiles else "java")
    plain = ["javac", *words] if compiles else ["java", *java, "-jar", program, *words]
    if not place or launcher is None or _reads_input() or any(word.startswith("-J") for word in words if compiles):
        return _run_plain(plain)
    asked = {
        "java": os.path.join(os.path.dirname(os.path.realpath(launcher)), "java"),
        "options": java,
        "program": program if compiles else os.path.abspath(program),
        "words": words,
        "folder": os.getcwd(),
        "environment": dict(os.environ),
        "merged": _is_one_output(),
        "cold": place.endswith(COLD),
    }
    try:
        answer = _answered(place.removesuffix(COLD), json.dumps(asked).encode())
    except (OSError, ValueError, KeyError):
        answer = None
    if answer is None:
        return _run_plain(plain)
    code, out, err = answer
    _write(1, out)
    _write(2, err)
    return code


def _parted(words: list[str]) -> tuple[str, tuple[list[str], str, list[str]]]:
    """Return the mistake in the words, and the options of the virtual machine, the program and its arguments."""
    begin = next((at for at, word in enumerate(words) if not word.startswith("-")), len(words))
    options = [word for word in words[:begin] if word != "-jar"]
    program, wrong = "".join(words[begin : begin + 1]), ""
    of_classes = next((word for word in options if word.split("=")[0] in _OF_CLASSES), "")
    if of_classes:
        wrong = f"{of_classes} is not for jarlet host, which runs jars as java -jar does. Call java itself."
    elif not program:
        wrong = "jarlet host needs the jar of a tool: write jarlet host TOOL.jar ARGUMENT ..."
    elif options and program == COMPILER:
        wrong = f"Options of javac stand behind it: write jarlet host javac {' '.join(options)} ..."
    return wrong, (options, program, words[begin + 1 :])


def _reads_input() -> bool:
    """Return True if something may come on standard input: a resident process has none."""
    try:
        return not stat.S_ISCHR(os.fstat(0).st_mode)
    except OSError:
        return False


def _is_one_output() -> bool:
    """Return True if both outputs go to the same place."""
    try:
        return os.path.samestat(os.fstat(1), os.fstat(2))
    except OSError:
        return False


def _answered(place: str, asked: bytes) -> tuple[int, bytes, bytes] | None:
    """Return exit code and outputs from the reduction that listens at ``place``; None if it turns the call down."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(place)
        send(connection, asked)
        head = json.loads(received(connection))
        return None if "plain" in head else (int(head["exit"]), received(connection), received(connection))


def _write(number: int, data: bytes) -> None:
    while data:
        data = data[os.write(number, data) :]


def _run_plain(words: list[str]) -> int:
    """Become the program. Return an exit code if that is impossible."""
    try:
        os.execvp(words[0], words)
    except OSError as error:
        print(f"jarlet: {words[0]} cannot be run: {error.strerror or error}.", file=sys.stderr)
        return _BAD_USE
