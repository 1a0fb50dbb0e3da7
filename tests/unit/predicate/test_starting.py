"""What is said where a predicate's command cannot be started."""

import errno
from pathlib import Path

import pytest

from core.errors import PredicateError
from core.predicate.command import PredicateCommand
from core.predicate.condition import Condition
from core.predicate.predicate import CommandPredicate
from core.predicate.process import why_not_started

LOADER = b"/ld-linux"


def told(tmp_path, content, *arguments):
    """The error of a probe by a program with this content."""
    program = tmp_path / "program"
    program.write_bytes(content)
    program.chmod(0o755)
    words = " ".join([str(program), *arguments])
    with pytest.raises(PredicateError) as error:
        CommandPredicate(PredicateCommand.parse(words), condition=Condition()).probe(
            [("a/A.class", b"1")], tmp_path / "work"
        )
    return str(error.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"#!/no/such/interpreter -x\n", "not its interpreter /no/such/interpreter, which its first line names"),
        (b"#!/bin/sh\r\ntrue\r\n", "ends as on Windows, so the system looks for '/bin/sh\\r'"),
        (b"#!\ntrue\n", "names no interpreter"),
        (b"#!/tmp\ntrue\n", "its interpreter /tmp cannot be run"),
        (b"true\n", "no first line like '#!/bin/sh'"),
    ],
)
def test_the_first_line_of_a_script_is_read(tmp_path, content, words):
    assert words in told(tmp_path, content)


def test_a_program_of_another_system_is_told_from_one_that_is_not_there(tmp_path):
    program = Path("/bin/true").read_bytes()
    if LOADER not in program:
        pytest.skip("/bin/true names no loader")
    assert "built for another system" in told(tmp_path, program.replace(LOADER, b"/no-linux"))


def test_arguments_that_are_too_long_are_told(tmp_path):
    assert "Put them into a script" in told(tmp_path, b"\x7fELF", "x" * (1 << 18))


def test_a_folder_that_is_gone_is_told(tmp_path):
    gone = OSError(errno.ENOENT, "No such file or directory")
    assert "is not there any more" in why_not_started(["sh"], tmp_path / "gone", gone)
    assert "null byte" in why_not_started(["sh"], tmp_path, ValueError("embedded null byte"))


@pytest.mark.parametrize("number", [errno.EMFILE, errno.EAGAIN, errno.ENOMEM])
def test_what_the_system_does_not_give_is_no_fault_of_the_script(tmp_path, number):
    (tmp_path / "check.sh").write_text("#!/bin/sh\ntrue\n")
    said = why_not_started(["./check.sh"], tmp_path, OSError(number, "no more"))
    assert "no more" in said
    assert "ulimit -u" in said
    assert "interpreter" not in said
