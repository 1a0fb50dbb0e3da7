"""``jarlet host``: a program as by ``java -jar``, in a process that stays while a reduction goes on.

Where no process can answer, the program is run by ``java -jar`` itself, in the place of this process.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import stat
import sys
from typing import NoReturn

from core.errors import UsageError
from core.predicate.jvm.tool_hosts import COLD, VARIABLE, received, send
from core.predicate.jvm.tool_process import COMPILER
from core.words import sentence

_ENVIRONMENT_OF_PATHS = ("-cp", "-classpath", "--class-path", "-p", "--module-path", "-m", "--module")


def add_host(command: argparse.ArgumentParser) -> None:
    """Add the arguments of ``jarlet host``."""
    command.usage = "jarlet host [OPTION ...] TOOL.jar [ARGUMENT ...]\n       jarlet host javac [ARGUMENT ...]"
    command.epilog = (
        "For the script of a predicate, in place of 'java [OPTION ...] -jar TOOL.jar [ARGUMENT ...]' or of 'javac':"
        " while a reduction goes on, the tool stays in memory. Elsewhere it is the same as these."
    )
    command.add_argument("words", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    command.set_defaults(run=_host)


def _host(options: argparse.Namespace) -> int:
    java, program, words = _parted(options.words)
    place = os.environ.get(VARIABLE, "")
    compiles = program == COMPILER
    launcher = shutil.which("javac" if compiles else "java")
    plain = ["javac", *words] if compiles else ["java", *java, "-jar", program, *words]
    if not place or launcher is None or _reads_input() or any(word.startswith("-J") for word in words if compiles):
        _run_plain(plain)
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
        _run_plain(plain)
    code, out, err = answer
    _write(1, out)
    _write(2, err)
    return code


def _parted(words: list[str]) -> tuple[list[str], str, list[str]]:
    """Return the options of the virtual machine, the program and its arguments. Raise UsageError."""
    begin = next((at for at, word in enumerate(words) if not word.startswith("-")), None)
    options = [word for word in words[:begin] if word != "-jar"]
    wrong = next((word for word in options if word.split("=")[0] in _ENVIRONMENT_OF_PATHS), None)
    if wrong is not None:
        raise UsageError(f"jarlet host runs jars, as java -jar does: {wrong} is not for it. Call java itself.")
    if begin is None:
        raise UsageError("jarlet host needs the jar of a tool: write jarlet host TOOL.jar ARGUMENT ...")
    if options and words[begin] == COMPILER:
        raise UsageError(f"Options of javac stand behind it: write jarlet host javac {' '.join(options)} ...")
    return options, words[begin], words[begin + 1 :]


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
    """Return exit code and outputs from the reduction that listens at ``place``; None where it turns the call down."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(place)
        send(connection, asked)
        head = json.loads(received(connection))
        return None if "plain" in head else (int(head["exit"]), received(connection), received(connection))


def _write(number: int, data: bytes) -> None:
    while data:
        data = data[os.write(number, data) :]


def _run_plain(words: list[str]) -> NoReturn:
    """Become the program."""
    sys.stdout.flush()
    try:
        os.execvp(words[0], words)
    except OSError as error:
        raise UsageError(sentence(f"{words[0]} cannot be run: {error.strerror or error}.")) from error
