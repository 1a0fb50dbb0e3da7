"""What a session that goes on takes from the command line, where it works, what it writes and what it says first."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import shutil
import zipfile
from pathlib import Path

import pytest

from app.cli import _parser, main
from app.commands.reduce import TAKEN, name_of
from core.batch.batch_file import load
from core.batch.job import run as run_job
from core.protocol import events
from core.service.session_keeper import SessionKeeper
from core.service.workspace import Workspace
from tests.support.rows import rows

SMALL = ("--algorithm", "ddmin", "--granularity", "class")
NEEDS_MAIN = '#!/bin/sh\nunzip -l "$1" | grep -q sample/Main.class\n'


def run(folder: Path, *arguments: object) -> tuple[int, str, str]:
    """The command line within this process, in ``folder``: exit code and what it printed."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main([str(word) for word in arguments])
        except SystemExit as error:
            code = int(error.code or 0)
    return code, out.getvalue(), err.getvalue()


def script(path: Path, text: str = NEEDS_MAIN) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture(scope="module")
def first_part(sample_jar: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a session that two probes ended."""
    home = tmp_path_factory.mktemp("resuming") / "home"
    script(home / "breaks.sh")
    (home / "out").mkdir()
    code, _, err = run(
        home, "reduce", sample_jar, "--predicate", "./breaks.sh {jar}", *SMALL, "--session", "s", "--max-probes", 2,
        "-o", "out/small.jar", "--report", "out/small.json",
    )  # fmt: skip
    assert code == 3, err
    return home.rename(home.with_name("pristine"))


@pytest.fixture
def begun(first_part: Path) -> Path:
    """The folder, at the place where it was made each time: ``s.jarlet``, and its results in ``out/``."""
    return copied(first_part)


def copied(first_part: Path) -> Path:
    """Return :func:`begun` as it was."""
    home = first_part.with_name("home")
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(first_part, home)
    return home


def names(jar: Path) -> list[str]:
    with zipfile.ZipFile(jar) as archive:
        return [name for name in archive.namelist() if name.endswith(".class")]


def test_a_wrong_command_leaves_the_name_of_its_session_free(sample_jar: Path, tmp_path: Path) -> None:
    words = ("reduce", sample_jar, *SMALL, "--session", "s", "--max-probes", 2, "--predicate")
    code, _, err = run(tmp_path, *words, "false")
    assert code == 1, err
    assert not (tmp_path / "s.jarlet").exists()
    (tmp_path / "s.jarlet").mkdir()
    code, _, err = run(tmp_path, *words, "false")
    assert code == 1, err
    assert list((tmp_path / "s.jarlet").iterdir()) == [], "an empty folder of the user's stays one"
    script(tmp_path / "breaks.sh")
    code, _, err = run(tmp_path, *words, "./breaks.sh {jar}")
    assert code == 3, err
    assert (tmp_path / "s.jarlet").is_dir()


@pytest.mark.parametrize("spelling", ["s", "s.jarlet"])
def test_a_session_is_found_by_either_spelling(begun: Path, spelling: str) -> None:
    code, _, err = run(begun, "reduce", "--resume", spelling, "--max-probes", 500)
    assert code == 0, err


def test_a_session_that_goes_on_writes_what_it_wrote_before(begun: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    script(elsewhere / "breaks.sh", "#!/bin/sh\ntouch was-run\nexit 1\n")
    half = (begun / "out" / "small.jar").read_bytes()
    code, _, err = run(elsewhere, "reduce", "--resume", begun / "s", "--max-probes", 500)
    assert code == 0, err
    assert names(begun / "out" / "small.jar") == ["sample/Main.class"]
    assert (begun / "out" / "small.jar").read_bytes() != half
    assert json.loads((begun / "out" / "small.json").read_text())["reason"] == "done"
    assert sorted(path.name for path in elsewhere.iterdir()) == ["breaks.sh"], (
        "nothing of this folder is run or written"
    )
    # what will be run, and what written, is told first
    told = err.splitlines()
    assert f"in {begun} this runs: ./breaks.sh {{jar}}" in told[0]
    assert str(begun / "out" / "small.jar") in told[1]
    assert "warning" not in err


@pytest.mark.guarded
def test_a_bug_folder_that_was_asked_for_is_written_by_the_part_that_ends_the_search_and_then_stays(
    tmp_path: Path, sample_jar: Path
) -> None:
    script(tmp_path / "breaks.sh")
    wish = ("--source-time", 0, "--session", "s", "--bug-folder", "bug", "--max-probes", 2, "-o", "o.jar")
    assert run(tmp_path, "reduce", sample_jar, "--predicate", "./breaks.sh {jar}", *SMALL, *wish)[0] == 3
    shutil.rmtree(tmp_path / "bug")
    code, _, err = run(tmp_path, "reduce", "--resume", "s", "--max-probes", 500)
    assert code == 0, err
    assert names(tmp_path / "bug" / "small.jar") == ["sample/Main.class"]
    assert f"and {tmp_path / 'bug'}" in err
    (tmp_path / "bug" / "notes").write_text("mine")
    code, _, err = run(tmp_path, "reduce", "--resume", "s")
    assert code == 0, err
    assert "bug: this bug folder is there already and stays: --bug-folder names another one" in err
    assert (tmp_path / "bug" / "notes").read_text() == "mine"


def test_other_files_may_be_named(begun: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    more = ("--max-probes", 500, "-o", "new.jar", "--report", "new.md")
    code, _, err = run(elsewhere, "reduce", "--resume", begun / "s.jarlet", *more)
    assert code == 0, err
    assert names(elsewhere / "new.jar") == ["sample/Main.class"]
    assert (elsewhere / "new.md").read_text().startswith("# Failure on")


def test_a_file_that_is_no_jar_is_not_written_over(begun: Path) -> None:
    (begun / "out" / "small.jar").write_text("my notes")
    code, _, err = run(begun, "reduce", "--resume", "s")
    assert code == 2
    assert "small.jar: this file is there already, and Jarlet did not write it" in err
    assert (begun / "out" / "small.jar").read_text() == "my notes"


def test_a_script_that_changed_is_told_before_it_runs_and_its_verdicts_are_not_used(begun: Path) -> None:
    script(begun / "breaks.sh", NEEDS_MAIN.replace("Main", "tree/Parser"))
    code, _, err = run(begun, "reduce", "--resume", "s", "--max-probes", 500)
    assert code == 0, err
    lines = err.splitlines()
    warning = next(number for number, line in enumerate(lines) if "breaks.sh has changed since this session" in line)
    check = next(number for number, line in enumerate(lines) if "interesting" in line)
    assert warning < check
    assert names(begun / "out" / "small.jar") == ["sample/tree/Parser.class"]


def test_a_script_without_an_ending_that_changed_is_noticed(tmp_path: Path, sample_jar: Path) -> None:
    path = tmp_path / "breaks"
    path.write_text(NEEDS_MAIN)
    common = ("--max-probes", 2, "--session", "s", *SMALL, "-o", "o.jar")
    assert run(tmp_path, "reduce", sample_jar, "--predicate", f"sh {path} {{jar}}", *common)[0] == 3
    path.write_text(NEEDS_MAIN.replace("Main", "tree/Parser"))
    code, _, err = run(tmp_path, "reduce", "--resume", "s", "--max-probes", 500)
    assert code == 0, err
    assert f"{path} has changed" in err
    assert names(tmp_path / "o.jar") == ["sample/tree/Parser.class"]


def test_the_folder_may_move_with_the_session_but_not_go(begun: Path, tmp_path: Path) -> None:
    moved = begun.rename(tmp_path / "moved")
    code, _, err = run(tmp_path, "reduce", "--resume", moved / "s", "--max-probes", 500)
    assert code == 0, err
    assert names(moved / "out" / "small.jar") == ["sample/Main.class"]
    assert f"in {moved} this runs" in err
    lonely = (moved / "s.jarlet").rename(tmp_path / "lonely.jarlet")
    moved.rename(tmp_path / "gone")
    values = json.loads((lonely / "settings.json").read_text())
    values["made"]["relative"] = "no/such"
    (lonely / "settings.json").write_text(json.dumps(values))
    code, _, err = run(tmp_path, "reduce", "--resume", lonely, "-o", "newer.jar")
    assert code == 2
    assert "the folder in which the session" in err
    assert "./breaks.sh begins there" in err


def actions() -> dict[str, argparse.Action]:
    return {action.dest: action for action in _parser("reduce")._actions if action.dest != "help"}


def words_of(action: argparse.Action) -> list[str]:
    """The option as it may be written, with a value that fits."""
    option = [name_of(action)] if action.option_strings else []
    if action.nargs == 0:
        return option
    value = next(iter(action.choices)) if action.choices else "1" if action.type in (int, float) else "x"
    return [*option, str(value)]


LACKING = {"cluster": "No Dask scheduler answers at x", "export_rules": "no rules are written"}
"""What a resumed run says for want of something else."""


@rows("dest", sorted(actions().keys() - {"resume"}))
def test_every_option_goes_with_resume_or_is_refused(first_part: Path, dest: str) -> None:
    begun = copied(first_part)
    action = actions()[dest]
    code, out, err = run(begun, "reduce", "--resume", "s", *words_of(action))
    if dest in LACKING:
        assert code == 2
        assert LACKING[dest] in err
    elif dest in TAKEN:
        assert "does not go with --resume" not in err
        assert code in (0, 3), err
    else:
        assert (code, out) == (2, "")
        assert f"{name_of(action)}: this does not go with --resume" in err
        assert not (begun / "out" / "small.json").read_text().startswith("#")


def test_what_is_taken_is_there() -> None:
    assert actions().keys() >= TAKEN


@rows(
    ("arguments", "words"),
    [
        (("--predicate", "true", "--preset", "procyon"), "by --predicate or by --preset"),
        (("--predicate", "true", "--set", "a=b"), "--set is for a preset"),
        (("--predicate", "true", "--cold"), "--cold is for a preset"),
        (("--preset", "procyon", "--match", "x"), "--match does not go with --preset"),
        (("--preset", "procyon", "--expect-exit", "0"), "--expect-exit does not go with --preset"),
        (("--preset", "procyon", "--failures-as", "javac"), "--failures-as does not go with --preset"),
        (("--predicate", "true", "--failures", "same"), "--failures needs names"),
        (("--tool", "a:b:1", "--match", "x"), "--match does not go with --tool"),
        (("--tool", "a:b:1", "--match", "x"), "give --set pattern=REGEX"),
    ],
)
@rows("command", ["reduce", "check"])
def test_options_that_contradict_are_refused(
    tmp_path: Path, sample_jar: Path, command: str, arguments: tuple[str, ...], words: str
) -> None:
    code, out, err = run(tmp_path, command, sample_jar, *arguments)
    assert (code, out) == (2, "")
    assert words in err


def test_control_characters_of_a_command_are_shown_as_such(begun: Path) -> None:
    path = begun / "s.jarlet" / "settings.json"
    path.write_text(path.read_text().replace("./breaks.sh {jar}", "./breaks.sh {jar} \\u001b[2K"))
    _, _, err = run(begun, "reduce", "--resume", "s")
    assert "\x1b[2K" not in err.splitlines()[0]
    assert "\\x1b[2K" in err.splitlines()[0]


@pytest.mark.guarded
def test_a_session_of_the_window_runs_in_its_folder_too(begun: Path, tmp_path: Path) -> None:
    told: list[events.Event] = []
    elsewhere = tmp_path / "elsewhere"
    script(elsewhere / "breaks.sh", "#!/bin/sh\nexit 1\n")
    with contextlib.chdir(elsewhere):
        session = Workspace(told.append)
        kept = SessionKeeper(session)
        try:
            place = kept.open_session(begun / "s")
            assert place == begun
            restored = next(event for event in told if isinstance(event, events.Restored))
            assert (restored.folder, restored.path) == (str(begun), str(begun / "s.jarlet"))
            settings = restored.settings
            with contextlib.chdir(place), kept.kept(settings) as folder:
                session.reduce(settings, None, folder)
            assert any(isinstance(event, events.Checked) and event.interesting for event in told)
            home = kept.open([str(begun / "out" / "small.jar")])
            assert home == elsewhere, "another jar: its command begins where the window was started"
        finally:
            session.close()


def test_a_batch_job_whose_script_changed_is_done_again(tmp_path: Path, sample_jar: Path) -> None:
    path = script(tmp_path / "breaks.sh")
    (tmp_path / "jobs.toml").write_text(
        f'algorithm = "ddmin"\ngranularity = "class"\n[[job]]\ninput = "{sample_jar}"\noutput = "o.jar"\n'
        f'predicate = "{path} {{jar}}"\n'
    )
    job = load(tmp_path / "jobs.toml").jobs[0]

    def done() -> tuple[int, bool, str]:
        session = Workspace(lambda event: None)
        try:
            found = run_job(job, session)
            return found.exit, found.before, found.message
        finally:
            session.close()

    with contextlib.chdir(tmp_path):
        assert done() == (0, False, "")
        assert done() == (0, True, "")
        script(path, NEEDS_MAIN.replace("Main", "tree/Parser"))
        code, before, message = done()
        assert (code, before) == (0, False)
        assert "breaks.sh has changed" in message
        assert names(tmp_path / "o.jar") == ["sample/tree/Parser.class"]
