"""Other failures that are kept, and the time limit over all parts of a session."""

import json
import subprocess
import zipfile
from pathlib import Path

import pytest

QUICK = ("--algorithm", "ddmin", "--granularity", "class")
RATIONAL, PARSER = "sample/number/Rational", "sample/tree/Parser"


def names(jar):
    with zipfile.ZipFile(jar) as archive:
        assert archive.testzip() is None
        return set(archive.namelist())


TWO_BUGS = f"""
grep -q {RATIONAL} "$1" && exit 0
trace='java.lang.IllegalStateException: deep 7\\n\\tat a.Parser.run(P.java:3)\\n'
grep -q {PARSER}.class "$1" && {{ printf "$trace"; exit 101; }}
grep -q sample/ "$1" && exit 101
exit 1
"""


def test_another_failure_is_not_interesting_but_kept_with_its_jar(jarlet, script, sample_jar, tmp_path):
    command = f"{script(TWO_BUGS)} {{jar}}"
    run = ("reduce", sample_jar, "--predicate", command, "--also-interesting", "101", *QUICK)
    done = jarlet(*run, "--session", "s", "-o", "out.jar", "--report", "r.json")
    assert done.returncode == 0, done.stderr
    assert names(tmp_path / "out.jar") == {f"{RATIONAL}.class"}
    report = json.loads((tmp_path / "r.json").read_text())
    others = {other["failure"]: other for other in report["others"]}
    assert set(others) == {"exit code 101", "exit code 101: java.lang.IllegalStateException: deep # at a.Parser.run"}
    assert others.keys() <= report["failures"].keys()
    for name, needed in zip(sorted(others), ("sample/", f"{PARSER}.class"), strict=True):
        jar = Path(others[name]["jar"])
        assert jar.parent == tmp_path / "s.jarlet" / "others"
        assert any(one.startswith(needed) for one in names(jar))
        assert f"{RATIONAL}.class" not in names(jar)
        assert sum(one.endswith(".class") for one in names(jar)) == others[name]["classes"]
        assert subprocess.run([tmp_path / "check.sh", jar], check=False, capture_output=True).returncode == 101
        assert f"{jar}: " in done.stdout
        assert f"another failure, {name}" in done.stdout
    assert json.loads((tmp_path / "s.jarlet" / "report.json").read_text())["others"] == report["others"]
    # going on with the session asks nothing and finds the same; nothing of it is without a session
    before = {path: path.read_bytes() for path in (tmp_path / "s.jarlet" / "others").iterdir()}
    again = jarlet("reduce", "--resume", "s.jarlet", "--report", "again.json", "-q")
    assert again.returncode == 0, again.stderr
    found = json.loads((tmp_path / "again.json").read_text())
    assert (found["probes"]["run"], found["others"]) == (0, report["others"])
    assert {path: path.read_bytes() for path in (tmp_path / "s.jarlet" / "others").iterdir()} == before
    done = jarlet(*run, "-o", "plain.jar", "-q", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    kept = {path.name: path.read_bytes() for path in tmp_path.glob("plain-*.jar")}
    assert kept == {f"plain-{path.name}": data for path, data in before.items()}


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("0", "counts as interesting"),
        ("125", "cannot tell"),
        ("256", "from 0 to 255"),
        ("x", "a whole number is needed, not 'x'"),
    ],
)
def test_exit_codes_that_cannot_be_for_another_failure(jarlet, sample_jar, code, message):
    done = jarlet("reduce", sample_jar, "--predicate", "true", "--also-interesting", code)
    assert done.returncode == 2
    assert message in done.stderr


def test_the_code_of_another_failure_on_the_full_input(jarlet, script, sample_jar):
    done = jarlet("check", sample_jar, "--predicate", str(script("exit 101")), "--also-interesting", "101")
    assert done.returncode == 1
    assert "exit code of --also-interesting" in done.stdout


# -- the time limit -----------------------------------------------------------------------

SLOW = f'sleep 0.05; grep -q {RATIONAL}.class "$1" && grep -q {PARSER}.class "$1"'
SEVENTH_HANGS = f'echo >>LOG; [ $(wc -l <LOG) != 7 ] || exec sleep 1000; grep -q {RATIONAL}.class "$1"'


def test_the_time_limit_is_over_all_parts_of_a_session_and_can_be_extended(jarlet, script, sample_jar, tmp_path):
    command = f"{script(SEVENTH_HANGS.replace('LOG', str(tmp_path / 'log')))} {{jar}}"
    begin = ("reduce", sample_jar, "--predicate", command, *QUICK, "--jobs", "1", "--timeout", "1000", "--session", "s")
    done = jarlet(*begin, "-o", "o.jar", "--time-limit", "4")
    assert done.returncode == 3, done.stderr
    assert (
        "The time for the search is over: the best so far is run once more, to confirm it (one probe, " in done.stderr
    )
    assert "More time: jarlet reduce --resume s.jarlet --time-limit SECONDS" in done.stderr.replace(f"{tmp_path}/", "")
    first = json.loads((tmp_path / "s.jarlet" / "report.json").read_text())
    assert first["seconds"]["total"] < 100
    assert first["certificate"]["final_checks"] == 1
    # used up: what is known is replayed and confirmed, nothing is asked
    runs = (tmp_path / "log").read_text().count("\n")
    done = jarlet("reduce", "--resume", "s.jarlet", "-o", "o.jar")
    assert done.returncode == 3
    assert (tmp_path / "log").read_text().count("\n") <= runs + 2, "one run of the check, one to confirm"
    assert "the time limit of 4 s is used up" in done.stderr
    assert "--time-limit SECONDS" in done.stderr
    second = json.loads((tmp_path / "s.jarlet" / "report.json").read_text())
    assert second["probes"]["run"] == 0
    assert second["output"] == first["output"]
    assert second["seconds"]["before"] >= 4
    # more of it, in two parts: the extension is remembered
    more = jarlet("reduce", "--resume", "s.jarlet", "-o", "o.jar", "--time-limit", "60", "--max-probes", "2")
    assert more.returncode == 3
    assert "60 s of the time limit of 6" in more.stderr
    done = jarlet("reduce", "--resume", "s.jarlet", "-o", "o.jar")
    assert "of the time limit of 6" in done.stderr
    assert done.returncode == 0, done.stderr
    assert names(tmp_path / "o.jar") == {f"{RATIONAL}.class"}
    assert "was finished before" in jarlet("reduce", "--resume", "s.jarlet", "-o", "o.jar").stderr


@pytest.mark.slow
def test_time_that_a_killed_part_took_counts(jarlet, program, script, sample_jar, tmp_path):
    command = f"{script(SLOW)} {{jar}}"
    run = ("reduce", sample_jar, "--predicate", command, *QUICK, "--session", "s", "-q", "--json", "--time-limit", "60")
    process = program(*run)
    first = last = 0.0
    vouched = False
    for line in process.stdout:
        event = json.loads(line)
        vouched = vouched or event["event"] == "vouched"  # until then nothing is kept
        if event["event"] == "probed":
            first, last = first or event["at"], event["at"]
            if vouched and last > first + 0.6:
                break
    process.kill()
    process.communicate()
    done = jarlet("reduce", "--resume", "s.jarlet", "--max-probes", "1", "--report", "r.json")
    assert done.returncode == 3, done.stderr
    used = json.loads((tmp_path / "r.json").read_text())["seconds"]["before"]
    assert last - first - 0.5 < used < last + 30
    assert " of the time limit of 60 s are left" in done.stderr


@pytest.mark.slow
def test_where_nothing_was_found_nothing_is_run_after_the_limit(jarlet, script, sample_jar, tmp_path):
    body = f'grep -q {RATIONAL}.class "$1" || exec sleep 300'
    done = jarlet(
        "reduce", sample_jar, "--predicate", f"{script(body)} {{jar}}", *QUICK,
        "--time-limit", "4", "--timeout", "200", "-o", "o.jar", "--json",
    )  # fmt: skip
    assert done.returncode == 3, done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    finished = events[-1]
    assert not [event for event in events if event["event"] == "accepted"]
    assert finished["report"]["certificate"]["final_checks"] == 0
    assert not [event for event in events if "run once more" in event.get("message", "")]
    assert finished["seconds"] < 100
