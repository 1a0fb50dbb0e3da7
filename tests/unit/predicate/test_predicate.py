"""The command predicate: template, condition, and what happens to commands that misbehave."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from core.archive.named_inputs import find
from core.errors import PredicateError, UsageError
from core.predicate.command import PredicateCommand, resident_text
from core.predicate.condition import Condition
from core.predicate.limits import ProbeLimits
from core.predicate.output.written_files import written_files
from core.predicate.places import CandidatePlaces
from core.predicate.predicate import CommandPredicate, Predicate, discard
from core.predicate.verdict import Verdict
from tests.support.files import script
from tests.support.patience import patience
from tests.support.rows import rows

ENTRIES = [("a/A.class", b"\xca\xfe\xba\xbe"), ("notes.txt", b"hello")]


def probe(tmp_path, text, condition=None, timeout=20.0, **more):
    command = PredicateCommand.parse(text, tmp_path)
    predicate = CommandPredicate(command, condition=condition or Condition(), timeout=timeout)
    return predicate.probe(ENTRIES, tmp_path / "work", **more)


def test_the_places_of_the_candidate_are_given_by_placeholder_and_environment(tmp_path):
    path = script(
        tmp_path,
        'test "$1" = "$JARLET_JAR" && test "$2" = "$JARLET_CLASSES" && test "$PWD" = "$JARLET_WORK" '
        '&& test "$(cat "$2/notes.txt")" = hello && test -f "$2/a/A.class" && test "$3" = "x{y}" '
        '&& grep -ao a/A.class "$1"',
    )
    outcome = probe(tmp_path, f"{path} {{jar}} {{classes}} x{{y}}")
    assert outcome.verdict is Verdict.INTERESTING, outcome
    assert "a/A.class" in outcome.stdout


def test_a_command_without_placeholder_gets_the_jar_last(tmp_path):
    assert PredicateCommand.parse("true").argv(tmp_path) == ["true", str(tmp_path / "candidate.jar")]
    assert PredicateCommand.parse("true {}").argv(tmp_path) == ["true", str(tmp_path / "candidate.jar")]
    path = script(tmp_path, 'test $# = 0 && test -f "$JARLET_JAR"')
    assert probe(tmp_path, str(path)).interesting


@rows(("given", "name"), [("foo-1.2.jar", "inputs/foo-1.2.jar"), ("a b.war", "candidate.jar")])
def test_one_jar_keeps_its_file_name_where_each_tool_reads_it_as_one_word(tmp_path, given, name):
    places = CandidatePlaces(find([tmp_path / given]))
    command = PredicateCommand.parse("echo {jar}", tmp_path, places)
    outcome = CommandPredicate(command, condition=Condition()).probe(ENTRIES, tmp_path / "work")
    assert outcome.stdout == f"{{work}}/{name}\n"
    assert written_files(tmp_path / "work", "").lines == {}, "the candidate is no file of the program"


def test_a_script_that_uses_the_folder_by_its_variable_gets_it(tmp_path):
    path = script(tmp_path, 'test -f "$JARLET_CLASSES/notes.txt"')
    assert probe(tmp_path, f"sh {path}").interesting


def test_the_lines_of_the_wanted_pattern_are_kept_of_a_long_output(tmp_path):
    path = script(tmp_path, "seq 9000; echo 'at x.Wanted: boom'; echo 'at x.Wanted: boom'; seq 9000")
    outcome = probe(tmp_path, f"sh {path}", Condition(match="b[o]+m"))
    assert outcome.interesting
    assert len(outcome.stdout) < 5000
    assert outcome.stdout.count("at x.Wanted: boom\n") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "true {Jar}",
            r"no placeholder {Jar}; the placeholders are {jar}, {classpath}, {inputs}, {dir}, .* Did you mean {jar}",
        ),
        ("true x/{jars}", "Did you mean {jar}"),
        ("sh -c 'test -d {class} | cat'", "Did you mean {classes}"),
        ("true {File:x}", "Did you mean {file:PATH}"),
        ("true {file}", "Did you mean {file:PATH}"),
        ("true --input={candidate}", "no placeholder {candidate}; .*PATH}. Braces"),
    ],
)
def test_a_placeholder_that_there_is_not_is_a_sentence(text, message):
    with pytest.raises(PredicateError, match=message):
        PredicateCommand.parse(text)


@pytest.mark.parametrize(
    "text",
    ["sh -c 'echo ${jars} ${JAVA_HOME}'", "sh -c 'awk {print} x'", "true {1,2} a{b} {}", "true {jar} {word} a={word}"],
)
def test_braces_of_other_programs_stay(text):
    assert "".join(PredicateCommand.parse(text).words[1:]).count("{") >= 1


@pytest.mark.parametrize(
    ("text", "operators"),
    [
        ("true {jar} | grep x > out 2>&1", ("|", ">")),
        ("true {jar}; true && true || false <in", (";", "&&", "||", "<")),
        ("sh -c 'true | cat; true > x' sh {jar}", ()),
        ('true "a|b" a\\;b {file:/dev/null}', ()),
        ("true '\\' | cat", ("|",)),
    ],
)
def test_operators_of_a_shell_that_nothing_reads_are_noticed(text, operators):
    assert PredicateCommand.parse(text).operators == operators


def test_users_files_are_made_absolute(tmp_path):
    (tmp_path / "words.txt").write_text("one\n")
    outcome = probe(tmp_path, "sh -c 'cat $1' sh {file:words.txt}")
    assert outcome.interesting
    assert outcome.stdout == "one\n"
    with pytest.raises(PredicateError, match=r"there is no file .*nothing\.txt"):
        PredicateCommand.parse("cat {file:nothing.txt}", tmp_path)


def test_files_of_the_current_folder_are_noticed(tmp_path):
    script(tmp_path, "true", "predicate.sh")
    assert PredicateCommand.parse("sh predicate.sh {jar}", tmp_path).relative == ("predicate.sh",)
    assert PredicateCommand.parse("./predicate.sh {jar}", tmp_path).words[0] == str(tmp_path / "predicate.sh")


def test_a_word_may_be_longer_than_a_file_name(tmp_path):
    script = f"test -s {'/'.join('x' * 20)} || : {'x' * 5000}; true"
    assert probe(tmp_path, f"sh -c '{script}'").interesting


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("no-such-program-here {jar}", "no program 'no-such-program-here' on the PATH"),
        ("./missing.sh {jar}", r"there is no file .*missing\.sh"),
        ("./plain.txt {jar}", "is not executable"),
        ("plain.txt {jar}", r"Did you mean \./plain\.txt"),
        ("echo 'open", "cannot be read: No closing quotation"),
    ],
)
def test_commands_that_cannot_run_are_told_apart(tmp_path, text, message):
    (tmp_path / "plain.txt").write_text("no program")
    with pytest.raises(PredicateError, match=message):
        PredicateCommand.parse(text, tmp_path)


def test_a_program_that_cannot_be_started_is_a_sentence(tmp_path):
    path = tmp_path / "odd"
    path.write_text("#!/no/such/interpreter\n")
    path.chmod(0o755)
    with pytest.raises(PredicateError, match="cannot be started"):
        probe(tmp_path, str(path))


@rows(
    ("condition", "body", "verdict"),
    [
        (Condition(), "exit 0", Verdict.INTERESTING),
        (Condition(), "exit 3", Verdict.NOT_INTERESTING),
        (Condition(), "exit 125", Verdict.UNRESOLVED),
        (Condition(expect_exit=125), "exit 125", Verdict.INTERESTING),
        (Condition(expect_exit=3), "exit 3", Verdict.INTERESTING),
        (Condition(match="^boom$"), "echo boom >&2; exit 9", Verdict.INTERESTING),
        (Condition(match="^boom$"), "echo bang", Verdict.NOT_INTERESTING),
        (
            Condition(match="^no boom$"),
            r"printf '\033[1;31mno\033[0m \033[38;5;9mboom\033[0m\033[K\r\n'",
            Verdict.INTERESTING,
        ),
        (Condition(match="boom", no_match="other"), "echo boom; echo other", Verdict.NOT_INTERESTING),
        (Condition(match="boom", expect_exit=1), "echo boom", Verdict.NOT_INTERESTING),
        (Condition(no_match="other"), "exit 1", Verdict.NOT_INTERESTING),
        (Condition(), "kill -SEGV $$", Verdict.NOT_INTERESTING),
        (Condition(expect_exit=-11), "kill -SEGV $$", Verdict.INTERESTING),
        (Condition(expect_exit=139), "kill -SEGV $$", Verdict.INTERESTING),
        (Condition(expect_exit=-11), "exit 139", Verdict.INTERESTING),
        (Condition(expect_exit=134), "kill -SEGV $$", Verdict.NOT_INTERESTING),
    ],
)
def test_conditions(tmp_path, condition, body, verdict):
    assert probe(tmp_path, str(script(tmp_path, body)), condition).verdict is verdict


def test_what_is_preserved_is_compared_with_the_first_run(tmp_path):
    path = script(tmp_path, 'echo "in $JARLET_WORK"; cat "$JARLET_CLASSES/notes.txt" >&2; exit 4')
    for preserve, change, verdict in [
        ({"exit", "out"}, b"other", Verdict.INTERESTING),
        ({"exit", "out", "err"}, b"other", Verdict.NOT_INTERESTING),
        ({"err"}, b"hello", Verdict.INTERESTING),
    ]:
        first = CommandPredicate(PredicateCommand.parse(str(path)), condition=Condition(frozenset(preserve)))
        work = tmp_path / f"first-{len(preserve)}-{change.decode()}"
        predicate, outcome = first.calibrated(ENTRIES, work)
        assert outcome.interesting
        entries = [ENTRIES[0], ("notes.txt", change)]
        assert predicate.probe(entries, work.with_suffix(".second")).verdict is verdict


def test_bad_conditions_are_sentences():
    with pytest.raises(UsageError, match="not a regular expression"):
        Condition(match="(")
    with pytest.raises(UsageError, match="Cannot preserve color"):
        Condition(frozenset({"color"}))


def test_a_command_that_hangs_and_forks_is_killed_with_all_its_children(tmp_path, processes):
    marker = f"sleep 7{os.getpid()}"
    path = script(tmp_path, f"{marker} & {marker} & (setsid {marker} &) ; {marker}")
    outcome = probe(tmp_path, str(path), timeout=0.5)
    assert outcome.verdict is Verdict.TIMED_OUT
    assert processes(marker) == []


def test_children_that_outlive_a_command_are_killed_and_not_waited_for(tmp_path, processes):
    marker = f"sleep 8{os.getpid()}"
    path = script(tmp_path, f"{marker} & (setsid nohup {marker} >/dev/null 2>&1 &); echo done")
    outcome = probe(tmp_path, str(path))
    assert outcome.interesting
    assert outcome.stdout == "done\n"
    assert processes(marker) == []


def test_cancel_ends_a_run_at_once(tmp_path):
    cancel = threading.Event()
    threading.Timer(0.2, cancel.set).start()
    outcome = probe(tmp_path, "sh -c 'sleep 100000'", cancel=cancel)
    assert outcome.verdict is Verdict.UNRESOLVED


def test_a_flood_of_output_is_bounded_and_still_compared(tmp_path):
    flood = f"{sys.executable} -c \"import sys; sys.stdout.write('x' * 20_000_000)\""
    predicate, outcome = CommandPredicate(
        PredicateCommand.parse(flood), condition=Condition(frozenset({"out"}))
    ).calibrated(ENTRIES, tmp_path / "first")
    assert outcome.interesting
    assert len(outcome.stdout) < 5000
    assert predicate.probe(ENTRIES, tmp_path / "second").interesting


def test_a_command_that_deletes_its_folder_gets_a_verdict(tmp_path):
    assert probe(tmp_path, str(script(tmp_path, 'rm -rf "$JARLET_WORK"'))).interesting


def test_the_line_to_repeat_a_probe_works(tmp_path):
    path = script(tmp_path, 'test -f "$JARLET_JAR" && test -f "$1" && exit 7')
    command = PredicateCommand.parse(f"{path} {{jar}}", tmp_path)
    work = tmp_path / "work dir"
    outcome = CommandPredicate(command, condition=Condition(), timeout=20.0).probe(ENTRIES, work)
    assert outcome.exit == 7
    line = command.shell_line(work)
    assert subprocess.run(line, shell=True, check=False).returncode == 7


def test_signals_are_told(tmp_path):
    outcome = probe(tmp_path, str(script(tmp_path, "kill -KILL $$")))
    assert outcome.exit == -signal.SIGKILL
    assert "signal 9" in outcome.detail


def soon_gone(processes, text):
    """Whether the processes end; one that was killed may take a moment to give its memory back."""
    deadline = time.monotonic() + patience()
    while processes(text) and time.monotonic() < deadline:
        time.sleep(0.02)
    return processes(text) == []


def limited(tmp_path, body, **limits):
    command = PredicateCommand.parse(str(script(tmp_path, body)), tmp_path)
    predicate = CommandPredicate(command, condition=Condition(), timeout=20.0, limits=ProbeLimits(**limits))
    outcome = predicate.probe(ENTRIES, tmp_path / "work")
    return outcome


def test_a_command_that_prints_too_much_is_killed(tmp_path):
    outcome = limited(tmp_path, "yes", output=20 << 20)
    assert outcome.verdict is Verdict.UNRESOLVED
    assert "printed more than 20 MB" in outcome.detail
    assert len(outcome.stdout) < 5000


def test_a_command_that_writes_too_much_is_stopped(tmp_path):
    outcome = limited(tmp_path, "head -c 1000000000 /dev/zero >large", written=8 << 20)  # one large file
    assert not outcome.interesting
    assert (tmp_path / "work" / "large").stat().st_size < 800_000_000  # at once, or at the first look
    discard(tmp_path / "work")
    many = "while :; do n=$((n + 1)); head -c 1000000 /dev/zero >small.$n; done"
    outcome = limited(tmp_path, many, written=8 << 20)
    assert outcome.verdict is Verdict.UNRESOLVED
    assert "wrote more than 8 MB" in outcome.detail


def test_a_command_that_takes_too_much_memory_is_killed_with_what_left_its_session(tmp_path, processes):
    text = "x = b'x' * 200_000_000; import time; time.sleep(60)"
    outcome = limited(tmp_path, f'setsid {sys.executable} -c "{text}" & sleep 60', memory=100 << 20)
    assert outcome.verdict is Verdict.UNRESOLVED
    assert "more than 100 MB of memory" in outcome.detail
    assert soon_gone(processes, "200_000_000")


def test_a_command_that_starts_too_many_processes_is_killed(tmp_path, processes):
    marker = f"sleep 9{os.getpid()}"
    outcome = limited(tmp_path, f"for i in 1 2 3 4 5 6 7 8 9 10 11 12; do {marker} & done; wait", processes=10)
    assert outcome.verdict is Verdict.UNRESOLVED
    assert "more than 10 processes" in outcome.detail
    assert soon_gone(processes, marker)


def test_a_command_that_changes_its_answer_is_not_taken_for_stable(tmp_path):
    counter = tmp_path / "counter"
    path = script(tmp_path, f"echo x >>{counter}; test $(($(wc -l <{counter}) % 2)) = 1")
    predicate = CommandPredicate(PredicateCommand.parse(str(path)), condition=Condition(), timeout=20.0)
    verdicts = [predicate.probe(ENTRIES, tmp_path / f"work-{number}").verdict for number in range(4)]
    assert verdicts == [Verdict.INTERESTING, Verdict.NOT_INTERESTING] * 2


def test_a_command_predicate_is_a_predicate(tmp_path):
    def use(predicate: Predicate) -> str:
        outcome = predicate.limited(5.0).confirm(ENTRIES, tmp_path / "work")
        assert outcome.interesting
        predicate.close()
        return predicate.describe()

    assert use(CommandPredicate(PredicateCommand.parse("true"), condition=Condition())) == "true: exit code 0"


@rows(
    ("wording", "told"),
    [
        ("java -Xmx1g -jar tool.jar {jar}", True),
        ('java -jar "$HOME/cfr.jar" "$1"', True),
        ("java -jar {jar} 2.0.1", False),
        ("java -ea -jar {} A.java", False),
        ('java -jar "$JARLET_JAR"', False),
        ("java -jar $1", False),
        ("java -jar ${1}", False),
        ("java -cp {jar} a.Main", False),
        ("jarlet host tool.jar {jar} || java -jar tool.jar {jar}", False),
        ('"$JARLET" host tool.jar {jar} || java -jar tool.jar {jar}', False),
    ],
)
def test_a_resident_process_is_offered_for_tools_and_not_for_the_candidate_itself(wording, told):
    assert bool(resident_text(wording)) is told
