"""The table of a check's runs: which are made, in which order, and what they find, with real commands."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from core.check.beside import RestOfCheck
from core.check.check import check
from core.check.check_state import CheckState
from core.check.objections import Doubt, NotInteresting
from core.check.runs import BEFORE_SEARCH, BESIDE_SEARCH, CHECK_ALONE, perform
from core.evidence.failure import failure_report, mentions
from core.evidence.mentions import ClassNames
from core.predicate.output.left_files import HEARD, SILENT, SWITCHED_OFF
from core.protocol.settings import Settings
from tests.support.patience import patience

ORDERS = {
    "check alone": (CHECK_ALONE, "first, listened, again, as given, compared, here, repeated, empty"),
    "before a search": (BEFORE_SEARCH, "ahead, first, listened, as given, here, repeated"),
    "beside a search": (BESIDE_SEARCH, "nothing, two at once, compared, cold, again"),
}
LOG = "echo run >>{log}; "


def runs(tmp_path: Path) -> int:
    return len((tmp_path / "log").read_text().splitlines())


@pytest.mark.parametrize("name", ORDERS)
def test_the_runs_are_made_in_this_order(name):
    order, names = ORDERS[name]
    assert ", ".join(run.name for run in order) == names


def test_each_run_says_what_it_proves_and_has_a_name_of_its_own():
    table = {run for order, _ in ORDERS.values() for run in order}
    assert len({run.name for run in table}) == len(table)
    assert all(run.proves for run in table)


@pytest.mark.parametrize(
    ("body", "wishes", "made"),
    [
        ("", {}, 1),
        ("", {"runs": 3}, 3),
        ("", {"runs": 2, "compare": True}, 3),
        ("", {"runs": 2, "compare": True, "empty": True}, 4),
        ("exit 1", {"runs": 3, "compare": True, "empty": True}, 3),  # as given, and in the current folder
        ("test $(wc -l <{log}) != 1", {}, 3),  # as given, and once more
    ],
)
def test_only_what_may_tell_something_is_run(state, tmp_path, body, wishes, made):
    checked = check(state(LOG + body, **wishes), CHECK_ALONE)
    assert runs(tmp_path) == checked.probes == made


def test_a_cancelled_check_makes_its_first_run_alone(state, tmp_path):
    one = state(f"{LOG} true", runs=3, compare=True, empty=True)
    one.context.cancel.set()
    assert perform(CHECK_ALONE, one) is None
    assert len(one.outcomes) == 1


@pytest.mark.parametrize(
    ("answers", "of_the_file"),
    [("no yes no yes no yes", True), ("no yes yes yes", False), ("no yes no no", False), ("no yes no yes yes", False)],
)
def test_only_answers_that_stay_with_their_file_are_answers_about_the_file(state, answers, of_the_file):
    counted = f"set - {answers}; shift $(($(wc -l <{{log}}) - 1)); [ $1 = yes ]"
    message = check(state(LOG + counted), CHECK_ALONE).message
    assert ("look at the file itself" in message) is of_the_file
    assert ("The predicate is not stable: one run" in message) is not of_the_file
    assert ("both verdicts on the same bytes" in message and "--rare" in message) is not of_the_file


def test_an_input_that_fails_at_times_as_given_is_not_told_to_fail_by_its_writing(state):
    counted = "set - yes no yes; shift $(($(wc -l <{log}) - 1)); [ ${1:-yes} = yes ]"
    checked = check(state(LOG + counted, compare=True), CHECK_ALONE)
    assert not checked.stable
    assert "The predicate is not stable" in checked.message
    assert "may come from the writing" not in checked.message


def test_a_library_that_no_run_sees_is_told_where_an_empty_jar_is_as_good(state, tmp_path, monkeypatch):
    (tmp_path / "lib.jar").touch()
    monkeypatch.chdir(tmp_path)
    settings = Settings(predicate="test -e {jar}:lib.jar:gone.jar", preserve=frozenset({"exit", "out"}))
    message = check(state("", settings, empty=True), CHECK_ALONE).message
    assert "interesting too, so the result may be empty. The command runs in a folder of its own" in message
    assert "it cannot see lib.jar of the current folder: write {file:lib.jar}" in message
    assert "Warning: the program ends with exit code 1 on the full input, and that is what is kept." in message


@pytest.mark.parametrize(
    ("body", "more", "told"),
    [
        ("true", {}, True),
        ("echo it works", {}, False),
        ("echo it works >&2", {}, True),
        ("echo it works >&2", {"preserve": frozenset({"exit", "err"})}, False),
        ("exit 3", {}, False),
        ("true", {"preserve": frozenset({"exit"})}, False),
        ("echo it works >&2", {"match": "works"}, False),
    ],
)
def test_a_program_whose_compared_output_is_empty_is_warned_of(state, body, more, told):
    settings = Settings(**{"predicate": f"sh -c '{body}'", "preserve": frozenset({"exit", "out"}), **more})
    message = check(state("", settings), CHECK_ALONE).message
    assert "is interesting (" in message
    assert ("Warning: the program prints nothing that is compared" in message) == told


@pytest.mark.parametrize(
    ("body", "preserve", "told"),
    [
        ("echo a; echo b >&2", "exit,out", "It writes standard error, which nothing compares: --preserve exit,out,err"),
        (
            "echo a; echo b >made.txt",
            "exit,out",
            "It writes made.txt, which nothing compares: --preserve exit,out,files",
        ),
        ("echo a; echo b >made.txt", "exit,out,files", ""),
        ("echo a", "exit,out", ""),
        (
            "exit 3",
            "exit",
            "exit code 3 on the full input, and that is what is kept. Nothing else of it is sure to stay",
        ),
        ("echo java.awt.HeadlessException >&2", "exit,err", "Warning: the program seems to lack a display here"),
        (
            "echo a; echo UnknownHostException: x >&2; exit 1",
            "exit,out",
            "lack the network here, and that is what is kept",
        ),
        ("echo stty: Inappropriate ioctl for device", "exit,out", "the program seems to lack a terminal here"),
        (
            "echo because the return value of java.lang.System.console\\(\\) is null",
            "exit,out",
            "the program seems to lack a terminal here",
        ),
        ("echo a; echo b >{other}", "exit,out", "writes {other}, outside its folder: nothing compares it"),
    ],
)
def test_what_a_program_prints_writes_or_lacks_is_told(state, tmp_path, monkeypatch, body, preserve, told) -> None:
    monkeypatch.setattr("core.predicate.predicate._STAMP", 0.0)
    body, told = (text.replace("{other}", str(tmp_path / "other.txt")) for text in (body, told))
    settings = Settings(predicate=f"sh -c '{body}'", preserve=frozenset(preserve.split(",")))
    message = check(state("", settings), CHECK_ALONE).message
    assert told in message
    assert told or "compares" not in message


def test_what_a_program_that_fails_lacks_is_told(state):
    message = check(state("echo java.awt.HeadlessException >&2; exit 1\n"), CHECK_ALONE).message
    assert "not interesting" in message
    assert "The program seems to lack a display here: 'java.awt.HeadlessException'." in message


def test_a_command_that_does_not_end_is_told_how_that_is_the_failure(state):
    settings = Settings(predicate="sh -c 'sleep 60'", timeout=0.1)
    message = check(state("", settings), CHECK_ALONE).message
    assert message.startswith("The predicate does not end on the full input: killed after")
    assert "If it is slow, set a longer --timeout." in message
    assert "No Java process of it tells where it is stuck. Is that the failure? --hangs reduces for it." in message


def test_a_program_that_ends_well_is_told_how_to_keep_it_running(state):
    settings = Settings(preset="run", options={"main": "a.A"})
    message = check(state("", settings), CHECK_ALONE).message
    assert "not interesting" in message
    assert "--preserve exit,out" in message


ERROR = "sources/a/A.java:3: error: incompatible types: String cannot be converted to int"

COMMENT = "package a;\\nclass A {\\n  void m() {\\n    // $VF: Couldn\\047t be decompiled\\n  }\\n}\\n"


@pytest.mark.parametrize(
    ("body", "note"),
    [
        ("exit 0\n", "let it print the tool's messages"),
        (f"echo '{ERROR}' >&2\n", "1 error of javac in its output"),
        (f"echo '{ERROR}'\n", "With --failures-as javac Jarlet compares them itself"),
        (f"echo '{ERROR}' > javac.log\n", "If it printed these, then with --failures-as javac Jarlet"),
        ("true || java -Xmx1g -jar tool.jar\n", "'jarlet host' in its place keeps the tool in memory"),
        (f"mkdir out; echo '{ERROR}' > out/javac.log\n", "1 error of javac in out/javac.log"),
        (f"mkdir out; printf '{COMMENT}' > out/A.java\n", "of a decompiler that failed (a.A.m) in out/A.java"),
    ],
)
def test_the_check_says_what_evidence_the_command_gives(state, body, note):
    one = state(body)
    assert perform(CHECK_ALONE, one) is None
    assert sum(note in each for each in one.notes) == 1


@pytest.mark.parametrize("body", [f"echo '{ERROR}' > javac.log\n", f"printf '{COMMENT}' > A.java\n"])
def test_what_a_command_leaves_in_a_file_is_evidence(state, tmp_path, body):
    one = state(body)
    perform(CHECK_ALONE, one)
    report = failure_report(one.aim, one.outcome, one.predicate.reference, None, tmp_path / "work")
    assert mentions(ClassNames(one.model), report)[0].name == "a/A"


@pytest.mark.parametrize(
    ("called", "member"),
    [
        ("! javac A.java", "m"),
        pytest.param('! javac "$PWD/A.java"', "m", marks=pytest.mark.guarded),
        # with a path of processors javac does not find Jarlet's plug-in
        pytest.param("! javac --processor-path . A.java", "", marks=pytest.mark.guarded),
        pytest.param('! sh "$(dirname "$0")/inner.sh"', "m", marks=pytest.mark.guarded),
    ],
)
def test_errors_that_a_command_keeps_to_itself_are_evidence(state, tmp_path, called, member):
    inner = tmp_path / "inner.sh"
    inner.write_text("#!/bin/sh\njavac A.java\n")
    body = """
        cd "$(mktemp -d)" && printf 'package a;\\nclass A {\\n  void m() {\\n    int x = "s";\\n  }\\n}\\n' > A.java
        CALLED > /dev/null 2>&1 && rm A.java
    """
    one = state(body.replace("CALLED", called))
    assert perform(CHECK_ALONE, one) is None
    assert (HEARD in one.notes, SILENT in one.notes) == (True, False)
    report = failure_report(one.aim, one.outcome, one.predicate.reference, None, tmp_path / "work")
    found = mentions(ClassNames(one.model), report)[0]
    assert (found.name, found.member) == ("a/A", member)


def test_a_javac_that_says_nothing_is_heard_in_vain(state, tmp_path):
    one = state(LOG + "javac -version > /dev/null")
    perform(CHECK_ALONE, one)
    assert (HEARD in one.notes, SILENT in one.notes, runs(tmp_path)) == (False, True, 2)


@pytest.mark.parametrize("where", ["> javac.log", "", "; exit 3"])
@pytest.mark.parametrize("path", ["sources/a/A.java", '"$JARLET_WORK"/sources/a/A.java'])
def test_the_place_of_an_error_in_a_source_that_a_command_leaves_is_evidence(state, tmp_path, monkeypatch, path, where):
    monkeypatch.chdir(tmp_path)  # a command that fails is tried in the current folder, too
    source = "package a;\\nclass A {\\n    int m() {\\n        return x;\\n    }\\n}\\n"
    error = f"{path}:4: error: cannot find symbol"
    one = state(f"mkdir -p sources/a; printf '{source}' > sources/a/A.java; echo {error} {where}\n")
    perform(CHECK_ALONE, one)
    one.close()
    report = failure_report(one.aim, one.outcome, one.predicate.reference, None, tmp_path / "work")
    found = mentions(ClassNames(one.model), report)
    assert (found[0].name, found[0].member) == ("a/A", "m")


def test_failures_that_are_not_to_be_recognised_are_no_evidence(state, tmp_path):
    settings = Settings(predicate=f"{tmp_path / 'predicate.sh'} {{jar}}", failures_as="none")
    one = state(f"echo '{ERROR}'; echo '{ERROR}' > javac.log\n", settings)
    perform(CHECK_ALONE, one)
    assert SWITCHED_OFF in one.notes
    report = failure_report(one.aim, one.outcome, one.predicate.reference, None, tmp_path / "work")
    assert not mentions(ClassNames(one.model), report)


@pytest.mark.parametrize("pattern", ["lost: .*", None])
def test_a_command_whose_failures_the_users_expression_names_is_not_called_silent(state, tmp_path, pattern):
    settings = Settings(predicate=f"{tmp_path / 'predicate.sh'} {{jar}}", failures_as=pattern)
    one = state("echo lost: a.A\n", settings)
    perform(CHECK_ALONE, one)
    assert (SILENT in one.notes) is (pattern is None)


def test_without_evidence_nothing_is_said_of_what_a_command_tells(state, tmp_path):
    script = tmp_path / "predicate.sh"
    one = state("exit 0\n", Settings(predicate=f"{script} {{jar}}", evidence=False))
    perform(CHECK_ALONE, one)
    assert SILENT not in one.notes


@pytest.mark.parametrize(
    ("body", "match", "advised"),
    [
        ("echo fine", None, False),
        ("echo com.sun.tools.javac.api", None, False),
        ("echo fine", "fine", True),
        ("echo fine; exit 3", None, True),
    ],
)
def test_a_program_that_must_still_run_is_asked_for_no_messages_of_a_failing_tool(
    state, tmp_path, body, match, advised
):
    script = tmp_path / "predicate.sh"
    one = state(body, Settings(predicate=f"{script} {{jar}}", preserve=frozenset({"exit", "out"}), match=match))
    perform(CHECK_ALONE, one)
    assert (one.interesting, SILENT in one.notes) == (True, advised)


def test_the_folder_of_a_run_that_failed_stays_where_its_command_says(state):
    one = state("echo seen; exit 3")
    checked = check(one, BEFORE_SEARCH)
    one.close()
    again = subprocess.run(checked.command, shell=True, capture_output=True, text=True, check=False)
    assert (again.returncode, again.stdout) == (3, "seen\n")


def rest_of(one: CheckState, *, parallel: bool, certain: bool) -> RestOfCheck:
    check(one, BEFORE_SEARCH)
    rest = RestOfCheck(one, parallel=parallel, certain=certain)
    rest.finish()
    return rest


def test_a_good_rest_vouches_once(state, tmp_path):
    rest = rest_of(state(f"{LOG} true", runs=2), parallel=False, certain=False)
    assert (rest.over, rest.vouched, rest.objection) == (True, True, None)
    rest.between()
    rest.finish()
    assert runs(tmp_path) == 1 + rest.spent.probes == 2


@pytest.mark.parametrize(("parallel", "certain"), [(False, False), (True, True)])
def test_an_answer_that_changes_is_an_objection(state, parallel, certain):
    rest = rest_of(state(f"{LOG} test $(wc -l <{{log}}) = 1", runs=2), parallel=parallel, certain=certain)
    assert isinstance(rest.objection, NotInteresting)
    assert "not stable" in rest.objection.message


@pytest.mark.parametrize(
    ("later", "seconds", "said"),
    [
        ("sleep 100000", 1.5, "was killed after"),
        pytest.param("while :; do :; done", 1.5, "was killed after", marks=pytest.mark.guarded),
        ("python3 -c 'import time; held = b\"1\" * 300_000_000; time.sleep(100000)'", None, "MB of memory"),
    ],
)
def test_a_run_that_a_limit_ends_is_no_answer_that_changes(state, later, seconds, said):
    one = state(f"{LOG} test $(wc -l <{{log}}) = 1 || {later}", runs=2)
    limits = replace(one.predicate.limits, memory=200 << 20)
    one.predicate = replace(one.predicate.limited(seconds or patience()), limits=limits)
    checked = check(one, CHECK_ALONE)
    assert "not stable" not in checked.message
    assert said in checked.message


@pytest.mark.parametrize("bears", [True, False])
def test_a_doubt_is_settled_by_runs_alone(state, bears):
    later = "test $(wc -l <{log}) = 1" if not bears else "test $(wc -l <{log}) = 1 || test $(wc -l <{log}) -gt 3"
    rest = rest_of(state(LOG + later, runs=2), parallel=True, certain=False)
    doubt = rest.objection
    assert isinstance(doubt, Doubt)
    settled = rest.settle()
    assert rest.objection is None
    if bears:
        assert settled == doubt
    else:
        assert isinstance(settled, NotInteresting)
        said, _, repeat = settled.message.partition("\nThe folder of that run stays")
        assert "The predicate is not stable" in said
        assert "To repeat it by hand: cd " in repeat
    assert rest.serial is bears


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("printf 'java.lang.StackOverflowError\\n\\tat tool.A.b(A.java:1)\\n'", "nothing of that names a class"),
        (
            "printf '[ERROR] a.A: java.lang.StackOverflowError\\n\\tat tool.A.b(A.java:1)\\n'",
            "begin where that points, at a.A",
        ),
        ("echo cannot read a/A.class", "tells of an error: auto and gbr begin where that points, at a.A"),
        ("echo cannot read a/A.class > tool.log", "tells of an error: auto and gbr begin where that points, at a.A"),
        ("cat > B.java <<END\nimport a.A;\nEND", "tells of no place in the input: auto and gbr begin at a.A, which"),
        ("echo reading a/A.class", SILENT),
    ],
)
def test_what_a_command_tells_of_the_input_is_said(state, tmp_path, body, said):
    one = state(f"{body}\n", Settings(predicate=f"{tmp_path / 'predicate.sh'} {{jar}}"))
    perform(CHECK_ALONE, one)
    assert [note for note in one.notes if said in note], one.notes
