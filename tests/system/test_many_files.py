"""A command that leaves very many files of any kind in its folder: all go, memory is held, evidence is found."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

FILL = {
    "100,000 files": "for i in range(100000): os.close(os.open(f'f{i}', os.O_CREAT | os.O_WRONLY))",
    "10,000 folders inside one another": "for i in range(10000): os.mkdir('d'); os.chdir('d')",
    "10,000 folders": "for i in range(10000): os.mkdir(f'd{i}')",
    "10,000 names of 255 bytes, no UTF-8": (
        "for i in range(10000): os.close(os.open(b'%06d' % i + b'\\xff' * 249, os.O_CREAT | os.O_WRONLY))"
    ),
    "10,000 files without permission": "for i in range(10000): os.close(os.open(f'f{i}', os.O_CREAT | os.O_WRONLY, 0))",
    "10,000 links in a circle": "for i in range(10000): os.symlink(f'l{(i + 1) % 10000}', f'l{i}')",
    "10,000 pipes that look like sources": "for i in range(10000): os.mkfifo(f'p{i}.java')",
    "10,000 sockets": "for i in range(10000): s = socket.socket(socket.AF_UNIX); s.bind(f's{i}'); s.close()",
}
TRACE = 'Exception in thread "main" java.lang.IllegalStateException: x\\n\\tat sample.Main.main(Main.java:3)\\n'

MOST_KIBIBYTES = 200_000
"""More than Jarlet takes with an empty folder, by half: it held 75 to 95 MB with each of these."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", FILL)
def test_what_a_command_leaves_goes_whatever_it_is(
    kind: str,
    program: Callable[..., subprocess.Popen[str]],
    script: Callable[[str], Path],
    sample_jar: Path,
    temporary: Path,
    tmp_path: Path,
) -> None:
    fill = tmp_path / "fill.py"
    fill.write_text(f"import os, socket\nopen('!.log', 'w').write('''{TRACE}''')\n{FILL[kind]}\n")
    # the input as given is run in the current folder, which is the user's
    check = script(f'[ "$PWD" != "$JARLET_WORK" ] || exec {sys.executable} -IS {fill}')
    child = program("check", sample_jar, "--predicate", f"{check} {{jar}}", "--runs", "1")
    out, err = child.stdout, child.stderr
    assert out is not None
    assert err is not None
    said = out.read() + err.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    for pipe in (out, err):
        pipe.close()
    print(kind, used.ru_maxrss // 1000, "MB", round(used.ru_utime, 1), round(used.ru_stime, 1))
    assert child.returncode == 0, said
    assert "1 stack trace in !.log" in said
    assert "cannot be removed" not in said
    assert used.ru_maxrss < MOST_KIBIBYTES
    assert list(temporary.iterdir()) == []
