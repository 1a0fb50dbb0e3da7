"""Reductions that are killed and go on: nothing answered is asked again, the result is that of an undisturbed run."""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import select
import shutil
import sqlite3
import subprocess
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from core.archive.packer import Packer
from core.entries import CONTROL
from tests.support import histories
from tests.support.patience import patience

ROOT = Path(__file__).resolve().parents[2]
NEEDED = ("sample/number/Rational.class", "sample/tree/Parser.class", "sample/unit/Length.class")


@dataclass
class Reductions:
    """Processes that work on one session, and what their predicate noted."""

    folder: Path
    jar: Path
    options: tuple[str, ...] = ()
    body: str = " && ".join(f'grep -q {name} "$1"' for name in NEEDED)
    answered: set[str] = field(default_factory=set)
    seen: int = 0
    """Lines of the predicate's notes that were looked at."""

    def __post_init__(self) -> None:
        self.folder.mkdir(exist_ok=True)
        self.script = self.folder / "check.sh"
        self.script.write_text(f'#!/bin/sh\necho "$JARLET_WORK" >> {self.folder}/judged\n{self.body}\n')
        self.script.chmod(0o755)

    @property
    def session(self) -> Path:
        return self.folder / "s.jarlet"

    def start(self, *more: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "tests.system.resume_child", self.session, self.jar, self.script]
        command += [self.folder / "notes", self.folder / "tmp", *self.options, *more]
        return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def finished(self, process: subprocess.Popen[str]) -> str:
        """The last line that a process printed which came to its end: reason, items, probes."""
        out, err = process.communicate(timeout=patience(300))
        assert (process.returncode, err) == (0, "")
        return out.splitlines()[-1]

    def killed(self, process: subprocess.Popen[str]) -> None:
        process.kill()
        process.communicate(timeout=patience(300))

    def judged(self) -> list[str]:
        """Keys of the candidates that the predicate was run on, in order."""
        notes = dict(line.split() for line in self.lines("notes"))
        return [notes[folder] for folder in self.lines("judged")]

    def lines(self, name: str) -> list[str]:
        path = self.folder / name
        return path.read_text().splitlines() if path.exists() else []

    def examine(self, relieved: bool = False) -> None:
        """To be called when no process runs: what it did, and what is on disk; ``relieved``: of the jars only the best,
        as a full disk leaves it."""
        judged = self.judged()
        again = self.answered & set(judged[self.seen :])
        assert not again, "answered probes were run again"
        self.seen = len(judged)
        journal = self.session / "journal.sqlite"
        if (self.session / "settings.json").exists():
            connection = sqlite3.connect(f"{journal.as_uri()}?mode=ro", uri=True)
            self.answered = {key.hex() for (key,) in connection.execute("SELECT key FROM probes")}
            connection.close()
            steps = histories.steps(self.session)
            assert self.answered <= set(judged)
            # the last step may be on disk and in the journal, and not yet the best jar
            smallest = sorted(steps, key=lambda step: step.bytes)[: 1 if relieved else 2]
            jars = [step.jar.read_bytes() for step in smallest if step.jar]
            assert len(jars) == len(smallest)
            if len(steps) > 1 or (self.session / "best.jar").exists():
                assert (self.session / "best.jar").read_bytes() in jars
                assert set(NEEDED[:2]) <= dict(histories.entries(self.session)).keys()

    def forget(self) -> None:
        """Begins anew."""
        for name in ("s.jarlet", "tmp"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
        for name in ("notes", "judged"):
            (self.folder / name).unlink(missing_ok=True)
        self.answered, self.seen = set(), 0


@pytest.fixture
def reductions(tmp_path: Path, sample_jar: Path) -> Callable[..., Reductions]:
    def make(name: str, *options: str, **more: str) -> Reductions:
        return Reductions(tmp_path / name, sample_jar, options, **more)

    return make


def left_over(folder: Path) -> list[Path]:
    """What is in a folder for temporary files, but for what a kill in the moment of the start may leave: a work folder
    that is not locked yet, which goes when it is an hour old, and the empty file by which Python tries the folder."""
    return [
        path
        for path in folder.iterdir()
        if not path.name.startswith(".jarlet-new-") and not (path.is_file() and not path.stat().st_size)
    ]


def kill_and_resume(whole: Reductions, cut: Reductions, kills: int, seed: int) -> None:
    """Kills ``kills`` processes at random moments, each time going on with the next one."""
    undisturbed = whole.finished(whole.start())
    asked = whole.judged()
    assert undisturbed.startswith("done")
    assert len(asked) == len(set(asked)) > 10
    best = (whole.session / "best.jar").read_bytes()
    dice = random.Random(seed)
    wide = "--workers=2" in cut.options  # some are asked ahead, and then not needed
    killed = runs = probes = 0
    while killed < kills or not runs:
        process = cut.start()
        if killed < kills:
            assert process.stdout is not None
            if dice.random() < 0.7:
                select.select([process.stdout], [], [])  # reading a line may take the next one along
                time.sleep(dice.random() * 0.4)
            else:
                time.sleep(dice.random() * 1.0)
            if process.poll() is None:
                cut.killed(process)
                killed += 1
                cut.examine()
                continue
        reason, items, count = cut.finished(process).split()
        cut.examine()
        assert [reason, items] == undisturbed.split()[:2]
        assert (cut.session / "best.jar").read_bytes() == best
        assert cut.answered == set(asked) or (wide and cut.answered > set(asked))
        assert not left_over(cut.folder / "tmp")
        probes += int(count)
        runs += 1
        cut.forget()
    print(f"{killed} kills, {runs} runs of {len(asked)} probes came to their end, {probes} probes in their last parts")


@pytest.mark.guarded
def test_killed_at_two_moments(reductions: Callable[..., Reductions]) -> None:
    kill_and_resume(reductions("whole"), reductions("cut"), 2, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize(("algorithm", "workers"), [("ddmin", 1), ("binary", 1), ("ddmin", 2)])
def test_killed_at_a_hundred_moments(reductions: Callable[..., Reductions], algorithm: str, workers: int) -> None:
    name = f"--algorithm={algorithm}"
    kill_and_resume(reductions("whole", name), reductions("cut", name, f"--workers={workers}"), 100, seed=2)


@pytest.mark.slow
def test_another_algorithm_uses_what_the_first_found_out(reductions: Callable[..., Reductions]) -> None:
    cut = reductions("cut")
    cut.finished(cut.start())
    cut.examine()
    before = len(cut.judged())
    last = cut.finished(cut.start("--algorithm=closure"))
    cut.examine()  # nothing answered was asked
    assert int(last.split()[2]) == len(cut.judged()) - before
    again = cut.finished(cut.start("--algorithm=closure"))
    assert again.split()[2] == "0"
    searches = [json.loads(step.search)["algorithm"] for step in histories.steps(cut.session)]
    assert set(searches) == {"ddmin", "closure"}


@pytest.mark.slow
def test_an_edited_predicate_is_asked_again(reductions: Callable[..., Reductions]) -> None:
    cut = reductions("cut")
    cut.finished(cut.start())
    cut.script.write_text(cut.script.read_text().replace(NEEDED[2], NEEDED[1]))
    process = cut.start()
    out, err = process.communicate(timeout=patience(300))
    assert process.returncode == 0
    assert re.search(r"predicate has changed \(file \S*check\.sh\)", err)
    assert int(out.split()[-1]) > 20
    assert NEEDED[2] not in dict(histories.entries(cut.session))


@pytest.mark.slow
def test_no_room_for_the_journal(reductions: Callable[..., Reductions]) -> None:
    whole, cut = reductions("whole"), reductions("cut")
    undisturbed = whole.finished(whole.start())
    process = cut.start("--file-limit=150000")
    out, err = process.communicate(timeout=patience(300))
    assert (process.returncode, out) == (2, "started\n")
    assert "Traceback" not in err
    assert "journal.sqlite: the journal cannot be used" in err
    assert "best result so far is in" in err
    cut.examine(relieved=True)
    assert len(cut.answered) > 3
    assert cut.finished(cut.start()).split()[:2] == undisturbed.split()[:2]
    cut.examine()
    assert cut.answered == set(whole.judged())


@pytest.mark.guarded
def test_a_predicate_that_hangs_does_not_outlive_the_next_start(
    reductions: Callable[..., Reductions], processes: Callable[[str], list[int]]
) -> None:
    marker = f"400.{os.getpid()}3"
    cut = reductions("cut", body=f'[ -e "$0".on ] || exec sleep {marker}')
    process = cut.start()
    deadline = time.monotonic() + patience()
    while not processes(marker) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert processes(marker)
    cut.killed(process)
    assert processes(marker)  # nobody was there to end it
    Path(f"{cut.script}.on").touch()
    cut.finished(cut.start())
    assert processes(marker) == []


@dataclass
class CommandLine:
    """``jarlet reduce`` on the sample, as a user runs it: whole command line, a session, and a predicate that notes the
    digest of each candidate on disk before it answers."""

    folder: Path
    options: tuple[str, ...]

    def __post_init__(self) -> None:
        for name in ("tmp", "home"):
            (self.folder / name).mkdir(parents=True)
        self.script = self.folder / "check.py"
        self.script.write_text(
            f"#!{sys.executable} -IS\n"
            "import hashlib, os, sys, zipfile\n"
            "data, caller = open(sys.argv[1], 'rb').read(), os.getppid()\n"
            f"log = os.open({str(self.log)!r}, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)\n"
            "def note(what):\n"
            "    os.write(log, f'{hashlib.sha256(data).hexdigest()} {caller} {what}\\n'.encode())\n"
            "    os.fsync(log)\n"
            "note('begins')\n"
            # backwards: classes that a script names are tried first, and there would be little to kill
            f"backwards = {sorted(name[::-1] for name in NEEDED)!r}\n"
            "answer = set(backwards) <= {name[::-1] for name in zipfile.ZipFile(sys.argv[1]).namelist()}\n"
            "note('ends')\n"
            "sys.exit(not answer)\n"
        )
        self.script.chmod(0o755)

    @property
    def log(self) -> Path:
        return self.folder / "log"

    @property
    def session(self) -> Path:
        return self.folder / "s.jarlet"

    def start(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "app", "reduce", "-q", "-o", str(self.folder / "out.jar")]
        if (self.session / "settings.json").exists():
            command += ["--resume", str(self.session)]
        else:
            shutil.rmtree(self.session, ignore_errors=True)
            command += ["--sample", "--predicate", f"{self.script} {{jar}}", "--session", str(self.session)]
            command += self.options
        places = {"TMPDIR": "tmp", "XDG_CACHE_HOME": "home", "XDG_STATE_HOME": "home", "XDG_CONFIG_HOME": "home"}
        environment = os.environ | {name: str(self.folder / place) for name, place in places.items()}
        return subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True)

    def asked(self) -> list[str]:
        return [digest for digest, _, what in self._lines() if what == "begins"]

    def answered(self, pid: int, lanes: int, check: Counter[str]) -> set[str]:
        """What the process has had answers about: not what it cancelled, not the last ones, which it may not have heard
        of before it was killed, and not what an earlier process had begun and came to write its lines only now. With
        two lanes, answers beside the runs of the ``check`` are kept only once it has passed."""
        own = [digest for digest, caller, what in self._lines() if what == "ends" and caller == str(pid)]
        runs = [place for place, digest in enumerate(own) if digest in check]
        if lanes > 1 and not check <= Counter(own[place] for place in runs):
            return set()
        return set(own[runs[-1] + 1 if lanes > 1 else 0 :][:-lanes])

    def _lines(self) -> list[list[str]]:
        return [line.split() for line in self.log.read_text().splitlines()] if self.log.exists() else []

    def readable(self) -> None:
        """Whatever the moment of the kill, the best so far can be read, and shows the failure."""
        for jar in (self.session / "best.jar", self.folder / "out.jar"):
            if jar.exists():
                with zipfile.ZipFile(jar) as archive:
                    assert archive.testzip() is None
                    assert set(NEEDED) <= set(archive.namelist())

    def result(self) -> tuple[bytes, bytes, dict[str, int], str]:
        report = json.loads((self.session / "report.json").read_bytes())
        kept = (self.session / "best.jar").read_bytes(), (self.folder / "out.jar").read_bytes()
        return *kept, report["output"], report["reason"]

    def forget(self) -> None:
        for path in (self.log, self.folder / "out.jar"):
            path.unlink(missing_ok=True)
        shutil.rmtree(self.session, ignore_errors=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [("--algorithm", "ddmin", "--jobs", "1"), ("--jobs", "1"), ("--jobs", "2")],
    ids=["ddmin", "default", "two jobs"],
)
def test_the_command_line_killed_at_a_hundred_moments(
    tmp_path: Path, sample_jar: Path, options: tuple[str, ...]
) -> None:
    """A probe may be asked again only if it was under way at the kill; the runs of the check and those that confirm the
    result are no probes of the search, and come again in each part."""
    whole, cut = (CommandLine(tmp_path / name, options) for name in ("whole", "cut"))
    process = whole.start()
    assert (process.communicate(timeout=patience(600))[1], process.returncode) == ("", 0)
    undisturbed = whole.result()
    counts = Counter(whole.asked())
    full = whole.asked()[0]
    # the check runs a jar without entries, and one with an empty interface
    nothing = {hashlib.sha256(b"".join(Packer().pack(entries))).hexdigest() for entries in ([], CONTROL)}
    confirmed = {digest for digest, count in counts.items() if count > 1} | {full} | nothing
    check = Counter({digest: counts[digest] for digest in {full} | nothing & counts.keys()})
    search = set(counts) - {full}
    assert len(search) > 10
    lanes = int(options[-1])
    wide = lanes > 1  # some are asked ahead, and then not needed
    dice = random.Random(3)
    killed = ended = 0
    while killed < 100 or not ended:
        cut.forget()
        answered: set[str] = set()
        while True:
            before = len(cut.asked())
            process = cut.start()
            if killed < 100:
                begun = dice.random() < 0.8  # mostly while it asks, sometimes while it starts
                while begun and process.poll() is None and len(cut.asked()) == before:
                    time.sleep(0.005)
                deadline = time.monotonic() + dice.random() * (1 if begun else 3)
                while time.monotonic() < deadline and process.poll() is None:
                    time.sleep(0.005)
            over = killed >= 100 or process.poll() is not None
            if not over:
                process.kill()
                killed += 1
            _, err = process.communicate(timeout=patience(600))
            part = cut.asked()[before:]
            cut.readable()
            again = [digest for digest in part if digest in answered and digest not in confirmed]
            assert not again, "answered probes were run again"
            if over:
                assert (process.returncode, err) == (0, "")
                assert not left_over(cut.folder / "tmp")
                break
            answered |= cut.answered(process.pid, lanes, check)
        assert cut.result() == undisturbed
        asked = set(cut.asked()) - {full}
        assert asked == search or wide
        ended += 1
    print(f"{killed} kills, {ended} runs of {len(search)} probes came to their end")
