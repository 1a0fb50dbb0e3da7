"""The page of the bug by a decompiler that is a shell script: places of failures, and what stands beside the source."""

from __future__ import annotations

import base64
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.protocol import events
from core.protocol.questions.bug import ShowBug
from core.protocol.settings import Settings
from core.reduction.elements import content_bytes
from core.service.queries import bug_page
from core.service.queries.desk import Desk
from core.service.session_keeper import SessionKeeper
from core.service.workspace import Workspace
from tests.support.files import jar_of, script
from tests.support.java import CompileJava
from tests.support.own_tools import decompiler, only_tools

PROGRAM = {
    "p/Main.java": """package p;
class Main {
    int one(int of) {
        if (of > 1) throw new IllegalStateException("one");
        return of;
    }
    int two(int of) { return one(of); }
}
""",
    "p/Idle.java": "package p;\nclass Idle { }\n",
}
TRACE = """Exception in thread "main" java.lang.IllegalStateException: one
\tat p.Main.one(Main.java:4)
\tat p.Main.two(Main.java:7)
"""
CRASH = f"""cat >&2 <<END
{TRACE}END
exit 1"""


@pytest.fixture
def told() -> list[events.BugShown]:
    return []


@pytest.fixture
def opened(told: list[events.BugShown], monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Desk]]:
    """Open a jar at a desk that knows these decompilers alone."""
    made: list[Desk] = []

    def open_jar(jar: Path, tools: dict[str, str]) -> Desk:
        only_tools(monkeypatch, tools)
        workspace = Workspace(lambda event: told.append(event) if isinstance(event, events.BugShown) else None)
        made.append(Desk(workspace, SessionKeeper(workspace)))
        made[0].keeper.open([str(jar)])
        return made[0]

    yield open_jar
    for desk in made:
        desk.background.close()
        desk.workspace.close()


@pytest.fixture
def jar(compile_java: CompileJava, tmp_path: Path) -> Path:
    return jar_of(compile_java(PROGRAM, "-g"), tmp_path / "program.jar")


@pytest.fixture
def reader(tmp_path: Path) -> str:
    """The text of a preset that writes the original source of all classes, as a decompiler would."""
    for name, text in PROGRAM.items():
        (tmp_path / "source" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "source" / name).write_text(text)
    return decompiler("reader", f'["sh", "-c", "mkdir sources && cp -r $0/p sources", "{tmp_path}/source"]')


def crash(folder: Path) -> Settings:
    """A predicate that prints a stack trace, as a run of the program would."""
    return Settings(predicate=f"{script(folder, CRASH)} {{jar}}", expect_exit=1)


def test_a_stack_trace_leads_to_the_throw_and_the_source_of_maven_stands_beside(
    opened: Callable[..., Desk], jar: Path, reader: str, told: list[events.BugShown], tmp_path: Path
) -> None:
    with zipfile.ZipFile(jar.with_name("program-sources.jar"), "w") as archive:
        archive.writestr("p/Main.java", "// as it was written\n" + PROGRAM["p/Main.java"])
    desk = opened(jar, {"reader": reader})
    desk.answer(ShowBug(crash(tmp_path), request=1))
    assert [page.beside_made for page in told] == [False, True], "the source alone is told first"
    page = told[-1]
    original, same = ["original", "Original source (program-sources.jar)"], ["input", "The input, by the same tool"]
    assert page.choices == [original, same]
    (failure,) = page.failures
    file = page.files[failure.file]
    assert (file.name, file.left_lines[failure.row]) == ("p/Main.java", 4), "the throw"
    assert file.marked == [failure.row]
    assert "// as it was written" in file.right
    assert (page.problem, page.left_out, page.decompiled) == ("", 0, 0)


def test_a_failure_without_a_name_is_the_line_that_the_output_must_match(
    opened: Callable[..., Desk], jar: Path, reader: str, told: list[events.BugShown], tmp_path: Path
) -> None:
    command = script(tmp_path, "echo start; echo 'ERROR: cannot handle opcode 170 in p.Main'; exit 1")
    desk = opened(jar, {"reader": reader})
    desk.answer(ShowBug(Settings(predicate=f"{command} {{jar}}", match="opcode 1.0")))
    assert [one.name for one in told[-1].failures] == ["ERROR: cannot handle opcode 170 in p.Main"]


def test_of_a_failure_that_names_nothing_the_classes_that_are_left_are_told_and_no_source(
    opened: Callable[..., Desk], reader: str, told: list[events.BugShown], tmp_path: Path, compile_java: CompileJava
) -> None:
    many = compile_java({"p/Many.java": "package p;" + "".join(f"class C{number} {{ }}" for number in range(14))})
    desk = opened(jar_of(many, tmp_path / "many.jar"), {"reader": reader})
    command = script(tmp_path, "echo BUG one; exit 1")
    desk.answer(ShowBug(Settings(predicate=f"{command} {{jar}}", failures_as="BUG .*"), ("BUG one",)))
    (page,) = told
    assert [(one.name, one.file) for one in page.failures] == [("BUG one", -1)]
    assert not page.files
    assert page.problem.startswith("The output names no class of the 14 that are left:\np.C0\np.C1\n")


def test_the_input_and_a_neighbour_that_does_not_fail_stand_beside_when_they_are_chosen(
    opened: Callable[..., Desk], jar: Path, reader: str, told: list[events.BugShown], tmp_path: Path
) -> None:
    desk, settings = opened(jar, {"reader": reader}), crash(tmp_path)
    entries = list(desk.workspace.entries)
    near = {"base64": base64.b64encode(jar.read_bytes()).decode(), "change": "p/Idle", "along": []}
    desk.workspace.last_report = {
        "kept": [name for name, _ in entries if not name.endswith("/")],
        "output": {"bytes": content_bytes(entries)},
        "nearest": [near],
    }
    for beside in ("input", "nearest:0"):
        desk.answer(ShowBug(settings, beside=beside))
        assert told[-1].beside == beside
        assert "throw new IllegalStateException" in told[-1].files[0].right
    assert told[-1].beside_title.startswith("Does not fail: ")
    desk.workspace.last_report = {"kept": []}  # of another candidate
    desk.answer(ShowBug(settings, beside="nearest:0"))
    assert told[-1].beside == "input"


def test_of_a_large_jar_the_classes_are_shown_that_failures_name(
    opened: Callable[..., Desk], compile_java: CompileJava, reader: str, told: list[events.BugShown], tmp_path: Path
) -> None:
    count = bug_page.WHOLE + 10
    many = {f"q/C{number}.java": f"package q; class C{number} {{ }}" for number in range(count)}
    desk = opened(jar_of(compile_java(PROGRAM | many), tmp_path / "large.jar"), {"reader": reader})
    desk.answer(ShowBug(crash(tmp_path), failures=("C7.java: cannot find symbol",)))
    assert (told[-1].classes, told[-1].decompiled) == (count + 2, 2), (
        "that of the trace, and that of the check's failure"
    )
    desk.answer(ShowBug(Settings(predicate="true {jar}")))
    assert not told[-1].files, "nothing is known to fail: what is left is listed"
    assert not told[-1].failures, "exit code 0 is no failure"
    assert "q.C17\nand 80 more" in told[-1].problem


def test_a_page_without_source_says_why(opened: Callable[..., Desk], jar: Path, told: list[events.BugShown]) -> None:
    opened(jar, {}).answer(ShowBug(Settings(predicate="true {jar}")))
    assert told[0].classes == 2
    assert told[0].problem.startswith("No decompiler is installed")


def test_a_decompiler_that_fails_is_told(
    opened: Callable[..., Desk], jar: Path, told: list[events.BugShown], tmp_path: Path
) -> None:
    desk = opened(jar, {"reader": decompiler("reader", '["sh", "-c", "echo out of luck >&2; exit 3"]')})
    desk.answer(ShowBug(crash(tmp_path)))
    assert "out of luck" in told[-1].problem or "exit code 3" in told[-1].problem


@pytest.mark.parametrize(("failures", "lines"), [("same", [4, 5]), ("kinds", [4])])
def test_errors_that_may_follow_from_a_syntax_error_count_as_in_the_check(
    opened: Callable[..., Desk],
    jar: Path,
    reader: str,
    told: list[events.BugShown],
    tmp_path: Path,
    failures: str,
    lines: list[int],
) -> None:
    errors = tmp_path / "errors.txt"
    said = [(4, "<identifier> expected"), (5, "not a statement")]
    errors.write_text("".join(f"sources/p/Main.java:{line}: error: {words}\n    x\n    ^\n" for line, words in said))
    desk = opened(jar, {"reader": reader.replace('run = ["true"]', f'run = ["cat", "{errors}"]')})
    desk.answer(ShowBug(Settings(preset="reader", failures=failures)))
    page = told[-1]
    assert [page.files[one.file].left_lines[one.row] for one in page.failures] == lines
