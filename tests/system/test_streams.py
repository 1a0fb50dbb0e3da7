"""Streams that break, errors inside, and texts of others: no result is lost, no answer false, no traceback printed."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
import zipfile
from pathlib import Path

import pytest

from core.archive.jar import read_jar, write_jar
from core.service.workspace import Workspace
from tests.support.patience import patience
from tests.support.rows import rows

ROOT = Path(__file__).resolve().parents[2]
KEEPS_MAIN = "grep -aq sample/Main.class {jar}"
FULL = Path("/dev/full").is_char_device()
"""Not every container has the device; a stream that is open for reading only fails in each write as well."""
BAD, REASON = (">/dev/full", "No space left on device") if FULL else ("1</dev/null", "Bad file descriptor")
REDUCE = ("reduce", "IN", "--predicate", KEEPS_MAIN, "--algorithm", "binary", "-o", "out.jar")


@pytest.fixture
def environment(tmp_path):
    found = {**os.environ, "PYTHONPATH": str(ROOT)}
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        found.pop(name, None)
    return found


@pytest.fixture
def shell(tmp_path, environment, sample_jar):
    """``shell("> /dev/full", "reduce", ...)``: the command in a shell with that behind it; the finished process."""

    def run(behind, *arguments, **more):
        words = [os.fsencode(sample_jar if word == "IN" else word) for word in arguments]
        script = b'"$0" -m app "$@" ' + os.fsencode(behind)
        return subprocess.run(
            ["bash", "-c", script, sys.executable, *words],
            cwd=tmp_path, env=environment | more, capture_output=True, check=False, timeout=patience(),
        )  # fmt: skip

    return run


def silent(done):
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    assert b"Exception ignored" not in done.stderr, done.stderr.decode()
    return done


CLOSED = (">&- 2>&-", "> >(head -n 1 >/dev/null)", ">&-", "2>&-")


@pytest.mark.parametrize(
    "streams",
    [
        BAD,
        *(pytest.param(one, marks=pytest.mark.slow) for one in (*CLOSED, BAD.replace("1<", "2<").replace(">/", "2>/"))),
    ],
)
@pytest.mark.parametrize("more", [("--json",), pytest.param((), marks=pytest.mark.slow)])
def test_a_reduction_ends_whatever_becomes_of_its_streams(shell, jarlet, tmp_path, streams, more):
    done = silent(shell(streams, *REDUCE, *more, "--report", "r.json", "--session", "s"))
    assert done.returncode == 0, done.stderr
    kept = set(zipfile.ZipFile(tmp_path / "out.jar").namelist())
    assert "sample/Main.class" in kept
    assert len(kept) < 20
    assert json.loads((tmp_path / "r.json").read_text())["reason"] == "done"
    # nothing that was printed went into a file that took the place of a closed stream
    if "&-" in streams:
        again = jarlet("reduce", "--resume", "s.jarlet", "-o", "again.jar")
        assert again.returncode == 0, again.stderr
        assert "(0 of the search" in again.stdout
    if streams == BAD:
        assert f"standard output cannot be written to ({REASON})" in done.stderr.decode()


@pytest.mark.guarded
def test_an_input_that_is_not_interesting_is_so_for_a_reader_who_left(shell):
    check = ("check", "IN", "--predicate", "false", "--runs", "1")
    assert shell("> >(true)", *check).returncode == 1
    assert shell("> >(true)", "reduce", "IN", "--predicate", "false", "--json").returncode == 1


PRINTS = [
    ("--help",),
    *(
        pytest.param(words, marks=pytest.mark.slow)
        for words in (
            ("rules",),
            ("graph", "IN"),
            ("inspect", "IN"),
            ("inspect", "IN", "--json"),
            ("presets",),
            ("why", "IN", "sample.Main"),
            ("around", "IN", "sample.Main"),
            ("reduce", "--help"),
        )
    ),
]


@pytest.mark.parametrize("command", PRINTS, ids=lambda words: words[0])
def test_what_is_only_printed_is_not_lost_in_silence(shell, command):
    reader = silent(shell("> >(head -c 1 >/dev/null)", *command))
    assert (reader.returncode, b"jarlet: " in reader.stderr) == (0, False)
    for streams, reason in ((BAD, REASON), (">&-", "it is closed")):
        done = silent(shell(streams, *command))
        assert done.returncode == 2
        *others, last = (line for line in done.stderr.decode().splitlines() if not line.startswith("Still running"))
        assert last.startswith(f"jarlet: standard output cannot be written to ({reason})")
        assert not others or command == ("presets",)  # these say what is not installed


@pytest.mark.guarded
def test_what_goes_to_a_file_does_not_need_the_stream(shell, tmp_path):
    assert silent(shell(">&-", "graph", "IN", "-o", "graph.json")).returncode == 0
    assert json.loads((tmp_path / "graph.json").read_text())["classes"]
    assert silent(shell(BAD, "sample", "IN", "-o", "samples", "--count", "1")).returncode == 0
    assert len(list((tmp_path / "samples").iterdir())) == 1


@pytest.fixture
def broken(tmp_path):
    """The environment of a Jarlet in which opening an input fails as only a fault of ours can."""
    folder = tmp_path / "broken"
    folder.mkdir()
    code = """
        from core.service.workspace import Workspace
        def open(self, *_):
            raise TypeError("a fault \\x1b[2J of ours")
        Workspace.open = open
    """
    (folder / "sitecustomize.py").write_text(textwrap.dedent(code))
    return {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}


def test_an_error_inside_has_its_own_exit_code_and_a_log(jarlet, sample_jar, monkeypatch):
    def fails(*_, **__):
        raise TypeError("a fault \x1b[2J of ours")

    monkeypatch.setattr(Workspace, "open", fails)
    words = [sample_jar if word == "IN" else word for word in REDUCE]
    for command in (words, ("check", sample_jar, "--predicate", "true")):
        done = jarlet(*command)
        assert done.returncode == 70
        log = Path(os.environ["XDG_STATE_HOME"]) / "jarlet/crashes.log"
        assert done.stderr == (
            "jarlet: Something went wrong inside Jarlet: TypeError: a fault \\x1b[2J of ours. "
            f"The details are in {log}; please report them.\n"
        )
        assert "Traceback" in log.read_text()
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/nowhere")
    nowhere = jarlet(*words)
    assert nowhere.returncode == 70
    assert "no log could be written" in nowhere.stderr


@pytest.mark.slow
def test_a_batch_tells_what_crashed_from_what_is_not_interesting(jarlet, broken, tmp_path, sample_jar, monkeypatch):
    file = tmp_path / "jobs.toml"
    file.write_text(f"[[job]]\ninput = {str(sample_jar)!r}\npredicate = 'false'\noutput = 'a.jar'\n")
    done = jarlet("batch", "jobs.toml")
    assert (done.returncode, "not interesting" in done.stdout) == (1, True)
    monkeypatch.setenv("PYTHONPATH", broken["PYTHONPATH"])  # each job is a process
    done = jarlet("batch", "jobs.toml")
    assert done.returncode == 70
    row = json.loads((tmp_path / "jobs-results.json").read_text())["jobs"][0]
    assert (row["state"], row["exit"]) == ("crashed", 70)
    assert "crashes.log" in row["message"]
    assert "\x1b" not in done.stdout


def test_an_engine_that_fails_in_one_command_says_so_and_lives_on(broken, environment, sample_jar, tmp_path):
    lines = [
        {"command": "open", "paths": [str(sample_jar)]},
        {"command": "list_algorithms"},
    ]
    engine = subprocess.Popen(
        [sys.executable, "-m", "core.command_loop"], env=environment | broken, cwd=tmp_path,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert engine.stdin is not None
    assert engine.stdout is not None
    engine.stdin.write("".join(f"{json.dumps(line)}\n" for line in lines))
    engine.stdin.flush()
    told = [json.loads(engine.stdout.readline()) for _ in ("versions", *lines)]
    engine.stdin.write('{"command": "quit"}\n')
    engine.stdin.close()
    engine.stdout.close()
    assert engine.wait(timeout=patience()) == 0
    failed = next(event for event in told if event["event"] == "failed")
    assert failed["message"].startswith("Something went wrong inside Jarlet: TypeError")
    assert "crashes.log" in failed["message"]
    assert any(event["event"] == "algorithms" for event in told)


@pytest.mark.parametrize("delay", [0.3, *(pytest.param(each, marks=pytest.mark.guarded) for each in (0.15, 0.6))])
@pytest.mark.parametrize(
    "command", [("inspect", "IN"), ("reduce", "IN", "--predicate", "sh -c 'sleep 9'")], ids=lambda c: c[0]
)
def test_an_early_interrupt_is_no_traceback(environment, tmp_path, sample_jar, command, delay):
    words = [str(sample_jar) if word == "IN" else word for word in command]
    process = subprocess.Popen(
        [sys.executable, "-m", "app", *words], cwd=tmp_path, env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=patience(300))
    assert "Traceback" not in err or "app/__main__.py" not in err, err
    # the signal itself ends it before Python has begun (a shell says 130 of that too), and Python before our first line
    assert process.returncode in (130, 0, -signal.SIGINT) or (process.returncode == 1 and "KeyboardInterrupt" in err)


@pytest.mark.parametrize(("place", "code"), [("an import", 130), ("a call", 1)])
def test_an_interrupt_ends_an_import_at_once_where_python_may_drop_it(environment, tmp_path, place, code):
    (tmp_path / "interrupted.py").write_text("import signal\nsignal.raise_signal(signal.SIGINT)\n")
    what = "import interrupted" if place == "an import" else "signal.raise_signal(signal.SIGINT)"
    words = f"import signal, sys; from app.cli import _interrupt; sys.path.insert(0, {str(tmp_path)!r})\n"
    words += f"signal.signal(signal.SIGINT, _interrupt)\ntry: {what}\nexcept KeyboardInterrupt: sys.exit(1)"
    assert subprocess.run([sys.executable, "-c", words], env=environment, check=False).returncode == code


def test_a_signal_that_python_drops_in_an_import_ends_a_command_behind_it(environment, tmp_path):
    (tmp_path / "dropped.py").write_text(
        "import signal, weakref\nclass Held: pass\nheld = Held()\n"
        "ref = weakref.ref(held, lambda _: signal.raise_signal(signal.SIGTERM))\ndel held\n"
    )
    words = f"""import sys, time
from app.commands.parsing import ending_gently
sys.path.insert(0, {str(tmp_path)!r})
def stop(): raise KeyboardInterrupt
try:
    with ending_gently(stop):
        import dropped
        time.sleep(5)
except KeyboardInterrupt: sys.exit(7)
"""
    done = subprocess.run([sys.executable, "-c", words], env=environment, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (7, b"")


def limits():
    for option in ("--timeout", "--time-limit"):
        for value in ("0", "nan", "inf", "-1", "1e300"):
            yield option, value
    for option in ("--memory", "--jobs", "--max-probes"):
        for value in ("0", "-3", "1" + "0" * 20):
            yield option, value
    yield "--jobs", "1000000000"


def test_limits_without_a_sense_are_refused_everywhere(shell, tmp_path, sample_jar):
    from app import cli

    jobs = tmp_path / "jobs.toml"
    for option, value in limits():
        words = ["reduce", str(sample_jar), "--predicate", "true", "-o", str(tmp_path / "o.jar"), f"{option}={value}"]
        assert cli.main(words) == 2, (option, value)
        name = option[2:].replace("-", "_")
        jobs.write_text(f"[[job]]\ninput = {str(sample_jar)!r}\npredicate = 'true'\n{name} = {value}\n")
        assert cli.main(["batch", str(jobs)]) == 2, (option, value)
    for words in (["check", str(sample_jar), "--predicate", "true", "--runs", "0"], ["batch", "x", "--parallel", "0"]):
        assert cli.main(words) == 2
    assert cli.main(["reduce", str(sample_jar), "--predicate", "true", "--match", ""]) == 2
    assert not (tmp_path / "o.jar").exists()
    assert not list(tmp_path.glob("*-results.json"))


@rows(
    ("row", "word"),
    [
        ("input = 5", "input"),
        ("input = [5]", "input"),
        ("input = {a = 1}", "input"),
        ("input = 'a.jar'\nname = 5", "name"),
        ("input = 'a.jar'\noutput = ['x']", "output"),
        ("input = 'a.jar'\noutput = '/'", "output"),
        ("input = 'a.jar'\nreport = 1.5", "report"),
        ("input = 'a.jar'\nclasspath = [5]", "classpath"),
        ("input = 'a.jar'\nclasspath = 'a.jar'", "classpath"),
        ("input = 'a.jar'\ntimeout = 1979-05-27", "timeout"),
        ("input = 'a.jar'\njobs = true", "jobs"),
        ("input = 'a.jar'\npreset = []", "preset"),
        ("input = 'a.jar'\nmatch = 5", "match"),
        ("input = 'a.jar'\njobs = " + "9" * 5000, "TOML"),
    ],
)
def test_a_batch_row_of_wrong_types_is_a_sentence(tmp_path, capsys, row, word):
    from app import cli

    file = tmp_path / "jobs.toml"
    file.write_text(f"[[job]]\npredicate = 'true'\n{row}\n")
    assert cli.main(["batch", str(file)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert word in said
    assert "inside Jarlet" not in said


@pytest.fixture
def strange(tmp_path, sample_jar):
    """A folder of classes with a class whose name holds a lone surrogate and an escape sequence."""
    entries = list(read_jar([sample_jar]).contents)
    old, new = b"\x00\x0bsample/Main", b"\x00\x0bs\x1b[31m\xed\xa0\xbdn\n"
    assert len(old) == len(new)
    entries.append(("odd/Odd.class", dict(entries)["sample/Main.class"].replace(old, new)))
    path = tmp_path / "strange.jar"
    write_jar(path, entries)
    return path


def test_names_that_are_no_text_are_shown_escaped(shell, jarlet, strange):
    shown = silent(shell("", "inspect", strange, "--granularity", "member"))
    assert shown.returncode == 0, shown.stderr
    assert b"\x1b" not in shown.stdout + shown.stderr
    shown.stdout.decode()
    for words in (("inspect", strange), ("around", strange, "odd/Odd"), ("why", strange, "odd/Odd"), ("graph", strange),
                  ("graph", strange, "--format", "dot")):  # fmt: skip
        done = jarlet(*words)
        assert done.returncode in (0, 2), done.stderr
        assert "inside Jarlet" not in done.stderr
        assert "\x1b" not in done.stdout + done.stderr
        (done.stdout + done.stderr).encode()


@pytest.mark.slow
def test_a_predicate_that_is_not_utf_8_and_prints_controls_is_reported(shell, jarlet, tmp_path, sample_jar):
    name = os.fsdecode(b"br\xe9aks.sh")
    script = tmp_path / name
    script.write_text(
        "#!/bin/sh\nprintf '\\033[2J\\302\\233\\342\\200\\256 \\355\\240\\275'\ngrep -aq sample/Main.class $1\n"
    )
    script.chmod(0o755)
    odd = tmp_path / os.fsdecode(b"in\xff.jar")
    odd.write_bytes(sample_jar.read_bytes())
    words = (
        "reduce",
        odd,
        "--predicate",
        f"./{name} {{jar}}",
        "--algorithm",
        "binary",
        "--granularity",
        "class",
        "-o",
        "o.jar",
        "--session",
        "s",
    )
    assert silent(shell("", *words, "--report", "r.json")).returncode == 0
    for report in ("r.md", "r.html"):
        assert jarlet(*words[:-1], report, "--report", report).returncode == 0
    for report in ("r.json", "r.md", "r.html"):
        text = (tmp_path / report).read_text(encoding="utf-8")
        for raw in ("\x1b", "\x9b", "\u202e"):
            assert raw not in text
        assert "udce9aks.sh" in text
    for words in (("check", odd, "--predicate", f"./{name}", "--match", "nothing"), ("inspect", odd)):
        done = silent(shell("", *words))
        assert b"inside Jarlet" not in done.stderr
        assert b"\x1b" not in done.stdout + done.stderr
        (done.stdout + done.stderr).decode()


def test_sentences_name_what_is_missing(jarlet, tmp_path, sample_jar):
    script = tmp_path / "old.sh"
    for line, words in (
        ("#!/usr/bin/nonexistent -x", "not its interpreter /usr/bin/nonexistent"),
        ("#!/bin/sh\r", "ends as on Windows"),
        ("true", "no first line like '#!/bin/sh'"),
    ):
        script.write_bytes(line.encode() + b"\n")
        script.chmod(0o755)
        done = jarlet("check", sample_jar, "--predicate", "./old.sh")
        assert done.returncode == 2
        assert words in done.stderr
    data = bytearray(sample_jar.read_bytes())
    end = data.rindex(b"PK\x05\x06")
    data[end + 12 : end + 16] = (len(data) * 2).to_bytes(4, "little")  # size of the directory
    (tmp_path / "bad.jar").write_bytes(data)
    done = jarlet("inspect", "bad.jar")
    assert done.returncode == 2
    assert "Invalid argument" not in done.stderr
    assert "damaged" in done.stderr
    done = jarlet("inspect", "/" + "long/" * 8000 + "x.jar")
    assert done.returncode == 2
    assert len(done.stderr) < 1000
