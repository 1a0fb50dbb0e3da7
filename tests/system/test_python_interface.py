"""``import jarlet``: what its page promises, and what the page does not say."""

from __future__ import annotations

import contextlib
import functools
import re
import shutil
import subprocess
import sys
import threading
import time
import typing
import zipfile
from collections.abc import Iterable
from pathlib import Path

import networkx
import pytest

import jarlet
from core.protocol.settings import Settings, declarations
from tests.support.patience import patience
from tests.support.rows import rows

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "resources" / "help" / "python.md"
EXAMPLES = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
CLASSES = {"granularity": "class", "algorithm": "binary"}


def needs(*names):
    """A predicate that wants these classes; quick, since it starts nothing."""

    def interesting(candidate):
        return set(names) <= set(candidate.names)

    return interesting


@pytest.fixture
def jar(sample_jar):
    with jarlet.open(sample_jar) as opened:
        yield opened


@pytest.mark.guarded
@pytest.mark.parametrize("example", EXAMPLES, ids=[re.sub(r"\W+", " ", text)[-40:] for text in EXAMPLES])
def test_examples_of_the_page_run(example, sample_jar, tmp_path):
    shutil.copy(sample_jar, tmp_path / "sample.jar")
    script = tmp_path / "example.py"
    script.write_text(example)
    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, timeout=patience(300), check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_the_page_has_an_example_of_each_part():
    assert len(EXAMPLES) == 5


def test_options_are_those_of_the_settings():
    wanted = {name: typing.get_type_hints(Settings)[name] for name in declarations()}
    lists = {name: Iterable[str] for name, kind in wanted.items() if typing.get_origin(kind) in (tuple, frozenset)}
    of_the_call = {"predicate", "preset"}
    expected = {name: kind for name, kind in (wanted | lists).items() if name not in of_the_call}
    assert typing.get_type_hints(jarlet.ReductionOptions) == expected


def test_all_names_are_there():
    assert all(getattr(jarlet, name) is not None for name in jarlet.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = jarlet.nothing


def test_the_graph_is_a_view_that_stays(jar):
    assert set(jar.graph) == set(jar.classes)
    assert jar.graph.has_edge("sample.Main", "sample.SelfCheck")
    assert jar.graph.nodes["sample.number.DecimalScale"]["interfaces"] == ("sample.number.Scale",)
    with pytest.raises(networkx.NetworkXError, match="rozen"):
        jar.graph.remove_node("sample.Main")
    assert [name for part in jar.components for name in part].index("sample.Main") < len(jar.classes)
    assert "sample.Main" not in jar.closure("sample.number.Rational")
    with pytest.raises(jarlet.UsageError, match=r"There is no class 'a\.B'"):
        jar.closure("a.B")


def test_a_function_reduces_and_events_tell_of_it(jar, tmp_path):
    run = jar.reduce(needs("sample.number.Rational"), output=tmp_path / "best.jar", **CLASSES)
    seen = list(run)
    result = run.result()
    assert [type(event) for event in seen[-1:]] == [jarlet.events.Finished]
    assert sum(isinstance(event, jarlet.events.Probed) for event in seen) >= result.probes
    assert result.done
    assert result.confirmed
    assert set(result.classes) == set(jar.closure("sample.number.Rational"))
    assert result.report["final"]["wanted"].endswith("returns True")
    with zipfile.ZipFile(tmp_path / "best.jar") as best, zipfile.ZipFile(result.write(tmp_path / "out.jar")) as out:
        assert {name: best.read(name) for name in best.namelist()} == {name: out.read(name) for name in out.namelist()}
    assert "interesting" in result.write_report(tmp_path / "r.json").read_text()
    assert result.write_report(tmp_path / "r.md").read_text().startswith("# Failure on sample.jar, reduced")
    with pytest.raises(jarlet.UsageError, match="ends in one of"):
        result.write_report(tmp_path / "r.txt")


def test_the_input_is_never_written_to(jar, sample_jar):
    before = sample_jar.read_bytes()
    result = jar.reduce(needs("sample.Main"), max_probes=1, **CLASSES).result()
    with pytest.raises(jarlet.UsageError, match="never written to"):
        result.write(sample_jar)
    with pytest.raises(jarlet.UsageError, match="never written to"):
        jar.reduce(needs("sample.Main"), output=sample_jar, **CLASSES).result()
    assert sample_jar.read_bytes() == before


def test_what_a_function_raises_comes_out(jar):
    calls = []

    def breaks(candidate):
        calls.append(candidate)
        if len(calls) > 3:
            raise KeyError("mine")
        return bool(candidate.names)

    with pytest.raises(KeyError, match="mine"):
        jar.reduce(breaks, **CLASSES).result()
    assert jar.reduce(needs("sample.Main"), **CLASSES).result().done  # the input is as good as before


def test_a_function_that_cannot_tell_is_not_interesting(jar):
    answers = {True: True, False: None}
    result = jar.reduce(lambda candidate: answers["sample.Main" in candidate.names], **CLASSES).result()
    assert "sample.Main" in result.classes
    assert result.report["probes"]["verdicts"].get("unresolved", 0) > 0


def test_an_input_that_is_not_interesting_is_told(jar):
    check = jar.check(needs("no.Such"))
    assert not check
    assert "returned False" in check.message
    with pytest.raises(jarlet.NotInterestingError, match="returned False"):
        jar.reduce(needs("no.Such")).result()


def test_programs_of_a_function_end_with_its_time(jar, processes):
    def hangs(candidate):
        if len(candidate.names) == len(jar.classes):
            return True
        candidate.run(sys.executable, "-c", "import time; time.sleep(987.5)")
        return True

    result = jar.reduce(hangs, timeout=2, max_probes=1, **CLASSES).result()
    assert result.report["probes"]["verdicts"] == {"timed out": 1}
    assert not processes("sleep(987.5)")


def test_a_program_has_a_limit_of_its_own(jar):
    ends = []

    def breaks(candidate):
        ends.append(candidate.run(sys.executable, "-c", "import time; time.sleep(600)", timeout=0.2))
        return True

    jar.check(breaks, runs=1)
    assert ends[0].timed_out
    assert ends[0].exit == -9


def test_a_stop_keeps_the_best_so_far(jar):
    run = jar.reduce(needs("sample.Main"), granularity="class", algorithm="ddmin")
    for event in run:
        if isinstance(event, jarlet.events.Accepted):
            run.stop()
    assert run.result().reason == "stopped"
    assert len(run.result().classes) < len(jar.classes)


def test_the_end_of_the_block_ends_what_runs(sample_jar):
    under_way = threading.Event()

    def slow(candidate):
        under_way.set()
        time.sleep(0.05)
        return True

    with jarlet.open(sample_jar) as jar:
        run = jar.reduce(slow, granularity="class", algorithm="ddmin")
        threading.Thread(target=run.result, daemon=True).start()
        assert under_way.wait(patience())
        with pytest.raises(jarlet.UsageError, match="is being reduced"):
            jar.reduce(needs())
    assert not run.running


def test_a_session_is_resumed(sample_jar, tmp_path):
    calls = []

    def breaks(candidate):
        calls.append(candidate)
        return "sample.Main" in candidate.names

    with jarlet.open(sample_jar) as jar:
        first = jar.reduce(breaks, session=tmp_path / "s", **CLASSES).result()
        asked = len(calls)
        again = jar.reduce(breaks, session=tmp_path / "s", **CLASSES).result()
    assert again.entries == first.entries
    assert len(calls) - asked < asked


def test_bad_use_is_a_sentence(jar, tmp_path):
    for arguments, message in (
        ({"predicate": "no-such-program-here {jar}"}, "does not exist"),
        ({}, "Say what the failure is"),
        ({"predicate": needs(), "algorithm": "none"}, "There is no algorithm"),
        ({"predicate": needs(), "jobs": 0}, "jobs"),
        ({"predicate": needs(), "colour": "red"}, "Unknown settings: colour"),
    ):
        with pytest.raises(jarlet.JarletError, match=message):
            jar.reduce(**arguments).result()
    with pytest.raises(jarlet.InputError, match=r"nothing\.jar"):
        jarlet.open(tmp_path / "nothing.jar")
    with pytest.raises(jarlet.UsageError, match="Name an input"):
        jarlet.open([])


def test_the_interpreter_is_left_as_it_was(sample_jar):
    earlier = sys.getswitchinterval()
    sys.setswitchinterval(0.005)  # Python's own, whatever tests before this one left
    before = sys.getswitchinterval()
    with jarlet.open(sample_jar):
        assert sys.getswitchinterval() != before
    assert sys.getswitchinterval() == before
    sys.setswitchinterval(earlier)


@pytest.mark.parametrize("granularity", ["class", "member"])
def test_a_pattern_that_names_nothing_is_told_once_and_one_of_a_member_or_a_class_is_not(jar, granularity):
    member = "sample.Main.main(*"
    run = jar.reduce(
        needs("sample.Main"),
        keep=["nosuch.X", "sample.number.*", member],
        drop_first=["sample.Mai?"],
        granularity=granularity,
        algorithm="binary",
        max_probes=1,
    )
    told = [event.message for event in run if isinstance(event, jarlet.events.Warned) and "nosuch" in event.message]
    assert len(told) == 1
    assert (member in told[0]) == (granularity == "class")
    assert "sample.number" not in told[0]
    assert "Mai?" not in told[0]


async def _later(candidate):
    return True


def _generated(candidate):
    yield True


class _Later:
    async def __call__(self, candidate):
        return True


@rows("predicate", [_later, _generated, _Later(), functools.partial(_later), bool, 3, b"x", [3], {1: 2}])
def test_a_predicate_that_gives_no_answer_is_refused(jar, predicate):
    for call in (jar.reduce, jar.check):
        with pytest.raises(jarlet.UsageError, match="predicate: "):
            call(predicate)


WRONG = object()


@pytest.mark.parametrize("value", [WRONG, 1.5j, "q.A", [3], b"x"], ids=["object", "number", "text", "list", "bytes"])
def test_every_argument_of_another_type_is_refused_by_its_name(jar, sample_jar, value):
    own = set(typing.get_type_hints(jarlet.ReductionOptions))
    texts = {name for name in own if declarations()[name].kind in (str, str | None)}
    for name in sorted(own - {"options"} - (texts if isinstance(value, str) else set())):
        with pytest.raises(jarlet.UsageError) as raised:
            jar.reduce(needs(), **{name: value})
        assert name in str(raised.value) or isinstance(value, str)
    if value == "q.A":
        return
    for name in ("output", "session", "preset"):
        with pytest.raises(jarlet.UsageError, match=name):
            jar.reduce(needs(), **{name: value})
    with pytest.raises(jarlet.UsageError, match="runs"):
        jar.check(needs(), runs=value)
    with pytest.raises(jarlet.UsageError, match="name"):
        jar.closure(value)
    with pytest.raises(jarlet.UsageError, match="paths"):
        jarlet.open(value)
    for name in ("work", "nested"):
        with pytest.raises(jarlet.UsageError, match=name):
            jarlet.open(sample_jar, **{name: value})


def test_a_closed_input_takes_no_work_and_leaves_no_folder(sample_jar, tmp_path):
    jar = jarlet.open(sample_jar, work=tmp_path)
    prepared = jar.reduce(needs(), **CLASSES)
    jar.close()
    for call in (prepared.result, lambda: jar.reduce(needs()), lambda: jar.check(needs())):
        with pytest.raises(jarlet.UsageError, match="This input is closed: open it again"):
            call()
    assert list(tmp_path.iterdir()) == []


def test_close_during_a_run_ends_it_and_leaves_no_folder(sample_jar, tmp_path):
    begun = threading.Event()

    def waits(candidate):
        begun.set()
        candidate.run("sleep", "600")

    jar = jarlet.open(sample_jar, work=tmp_path)
    run = jar.reduce(waits, **CLASSES)
    waiting = threading.Thread(target=lambda: suppress_all(run.result))
    waiting.start()
    assert begun.wait(patience(60))
    jar.close()
    waiting.join(patience(60))
    assert not waiting.is_alive()
    assert list(tmp_path.iterdir()) == []


def test_close_within_the_loop_over_a_runs_events_leaves_no_folder(sample_jar, tmp_path):
    jar = jarlet.open(sample_jar, work=tmp_path)
    for _ in jar.reduce(needs("sample.Main"), **CLASSES):
        jar.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_close_by_the_predicate_itself_ends_the_run_with_the_best_so_far(sample_jar, tmp_path, jobs):
    jar = jarlet.open(sample_jar, work=tmp_path)
    calls = []

    def closes(candidate):
        calls.append(candidate)
        if len(calls) == 6:
            jar.close()
        return "sample.Main" in candidate.names

    run = jar.reduce(closes, jobs=jobs, **CLASSES)
    waiting = threading.Thread(target=lambda: suppress_all(run.result), daemon=True)
    waiting.start()
    waiting.join(patience(60))
    assert not waiting.is_alive()
    assert list(tmp_path.iterdir()) == []
    assert run.result().reason == "stopped"


def suppress_all(call):
    with contextlib.suppress(jarlet.JarletError):
        call()
