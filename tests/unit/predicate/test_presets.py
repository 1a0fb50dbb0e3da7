"""Presets: the files, what they lack, the commands they make; hosts that misbehave."""

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from core.entries import RewrittenEntries
from core.errors import InputError, PredicateError, UsageError
from core.library.jdk import find_jdk
from core.predicate import presets
from core.predicate.condition import Condition
from core.predicate.failures import FailureNaming, Statement, Wanted
from core.predicate.tool_chain import WANTED, StepsPredicate, ToolStep
from core.predicate.tools import Tool, version_of
from core.predicate.verdict import Verdict
from core.renaming import Renaming
from tests.support.files import jar_of
from tests.support.maven_repository import publish

OWN = """
name = "own"
title = "Mine"
about = "Greps."
[[settings]]
name = "what"
title = "what to look for"
required = true
[[settings]]
name = "more"
title = "files"
kind = "files"
[[settings]]
name = "flags"
title = "flags of grep"
kind = "words"
default = ["-a", "-h"]
[[steps]]
run = ["grep", "{flags*}", "-e", "{what}", ["-f", "{more}"], "list.txt", "--", "{jar}"]
[failures]
pattern = "FAIL .*"
wanted = "at least"
"""

SHORT = """
name = "own"
title = "Mine"
about = "Greps."
[settings]
what = { title = "what to look for", required = true }
more = { title = "files", kind = "files" }
flags = { title = "flags of grep", kind = "words", default = ["-a", "-h"] }
[[steps]]
run = ["grep", "{flags*}", "-e", "{what}", ["-f", "{more}"], "list.txt", "--", "{jar}"]
[failures]
pattern = "FAIL .*"
wanted = "at least"
"""
"""The same with a line a setting."""


@pytest.fixture
def own():
    folder = presets.user_folder()
    folder.mkdir(parents=True)
    (folder / "own.toml").write_text(OWN)
    return folder / "own.toml"


def test_all_of_ours_can_be_read_and_have_a_sentence_each():
    found = presets.load_all()
    assert set(found) >= {"cfr", "procyon", "vineflower", "fernflower", "verify", "run", "test", "jdeps", "command"}
    for name, preset in found.items():
        assert preset.file is not None
        assert preset.file.stem == name
        assert preset.about.endswith((".", "interesting."))
        lacking = preset.missing()
        assert lacking is None or lacking.endswith(".")


def test_the_users_own_presets_stand_beside_them(own, tmp_path):
    (tmp_path / "words").write_text("x\n")
    preset = presets.find("own")
    predicate = preset.predicate({"what": "FAIL", "flags": "-a 'b c'", "more": str(tmp_path / "words")})
    assert isinstance(predicate, StepsPredicate)
    assert predicate.steps[0].words == (
        "grep", "-a", "b c", "-e", "FAIL", "-f", str(tmp_path / "words"), "list.txt", "--", "candidate.jar",
    )  # fmt: skip
    plain = preset.predicate({"what": ["FAIL"]}, wanted=Wanted(Statement.CHOSEN, ("FAIL 1",)))
    assert isinstance(plain, StepsPredicate)
    assert plain.steps[0].words == ("grep", "-a", "-h", "-e", "FAIL", "list.txt", "--", "candidate.jar")
    assert "'FAIL 1'" in plain.describe()


def test_a_setting_names_a_file_of_the_user_as_a_command_does(own, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words").write_text("x\n")
    predicate = presets.find("own").predicate({"what": "FAIL", "flags": "-f {file:words}"})
    assert isinstance(predicate, StepsPredicate)
    assert predicate.steps[0].words[:3] == ("grep", "-f", str(tmp_path / "words"))
    with pytest.raises(PredicateError, match="there is no file"):
        presets.find("own").predicate({"what": "FAIL", "flags": "-f {file:none}"})


def test_words_within_a_list_stand_once_for_each_part(own):
    own.write_text(OWN.replace('["-f", "{more}"]', '["-f", "{more*}"]').replace('"{flags*}"', '["-x", "{flags*}"]'))
    predicate = presets.find("own").predicate({"what": "FAIL", "flags": "a b"})
    assert isinstance(predicate, StepsPredicate)
    assert predicate.steps[0].words == ("grep", "-x", "a", "-x", "b", "-e", "FAIL", "list.txt", "--", "candidate.jar")


def test_steps_find_what_a_candidate_must_show_in_its_own_names(tmp_path):
    entries, wanted = [("a.txt", b"")], Wanted(Statement.AT_LEAST)
    condition = Condition(reading=FailureNaming(pattern="^FAIL .*"), wanted=wanted)
    step = ToolStep(("echo", "FAIL p.A"))
    found, _ = StepsPredicate("Fails", (step,), condition=condition).calibrated(entries, tmp_path / "full")
    renamed = RewrittenEntries(entries, Renaming({"p/A": "q/B"}))
    found.probe(renamed, tmp_path / "small")
    found = replace(found, condition=replace(condition, wanted=Wanted()))
    found.probe(renamed, tmp_path / "by-kind")
    texts = {path.parent.name: path.read_text() for path in tmp_path.glob(f"*/{WANTED}")}
    assert texts == {"small": "FAIL q.B\n"}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "needs a setting: what"),
        ({"what": "x", "color": "y"}, "has no setting color; it has: what, more, flags"),
        ({"what": "x", "more": "/no/such/file"}, "does not exist: /no/such/file"),
        ({"what": "x", "flags": "'"}, "cannot be read"),
    ],
)
def test_settings_that_cannot_be_used_are_sentences(own, values, message):
    with pytest.raises(UsageError, match=message):
        presets.find("own").predicate(values)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name =", "cannot be read"),
        (OWN.replace('title = "Mine"', ""), "has no 'title'"),
        (OWN.replace("{what}", "{when}"), "nothing is called {when}"),
        (OWN.replace('"at least"', '"some"'), "write kinds, "),
        (OWN.replace('"FAIL .*"', '"("'), "cannot be used"),
        (f'validity = "all"\n{OWN}', "validity must be one of jvm, "),
        ('name = "x"\ntitle = "x"\nabout = "x"\n', "it has no steps"),
        (f'colour = "red"\n{OWN}', "Unknown field: colour"),
        (OWN.replace("required = true", "required = 1"), "settings.required must be true or false"),
        ('name = "x"\ntitle = "x"\nabout = "x"\nsteps = 3\n', "not understood"),
    ],
)
def test_bad_files_are_named(own, text, message):
    own.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        presets.load_all()
    assert str(own) in str(caught.value)


def test_an_unknown_preset_is_a_sentence():
    with pytest.raises(UsageError, match=r"no preset 'cfx': choose among .*, cfr, "):
        presets.find("cfx")


def test_an_old_tool_where_a_published_one_is_better_is_told(own, monkeypatch, tmp_path):
    tool = '[[tools]]\nname = "gadget"\ntitle = "Gadget"\n'
    published = (
        tool + 'jars = [["gadget-base-[0-9]*.jar"]]\nmaven = ["g:gadget-base:2"]\nnote = "The old one is slow."\n'
    )
    packaged = tool + 'jars = [["gadget-[0-9]*.jar"]]\n'
    own.write_text(OWN.replace("[[steps]]", published + packaged + "[[steps]]").replace('"--"', '"{gadget}"'))
    monkeypatch.setattr("core.predicate.tools._FOLDERS", (str(tmp_path),))
    preset = presets.find("own")
    assert preset.newer() is None, "none is there: that is told by missing()"
    (tmp_path / "gadget-1.5.jar").touch()
    told = preset.newer()
    assert told is not None
    assert told.startswith("Gadget 1.5 is what is installed")
    assert "--fetch" in told
    assert told.endswith("The old one is slow.")
    assert preset.missing() is None
    (tmp_path / "gadget-base-2.jar").touch()
    assert preset.newer() is None


def test_a_missing_tool_says_how_to_get_it(own, monkeypatch, tmp_path):
    tools = '[[tools]]\nname = "gadget"\ntitle = "Gadget"\njars = [["gadget-[0-9]*.jar"]]\ndebian = "gadget"\n'
    own.write_text(OWN.replace("[[steps]]", tools + "[[steps]]").replace('"--"', '"{gadget}"'))
    preset = presets.find("own")
    message = "Gadget is not installed: install Debian's package (sudo apt-get install gadget), or point to its jar"
    assert (preset.missing() or "").startswith(message)
    assert preset.fetch() == preset.missing()
    with pytest.raises(PredicateError, match="Gadget is not installed"):
        preset.predicate({"what": "x"})
    jar = tmp_path / "gadget-1.2.3.jar"
    jar.write_bytes(b"")
    monkeypatch.setenv("JARLET_GADGET", str(jar))
    assert preset.missing() is None
    assert preset.versions()["Gadget"] == "1.2.3"
    predicate = preset.predicate({"what": "x"})
    assert isinstance(predicate, StepsPredicate)
    assert str(jar) in predicate.steps[0].words


@pytest.mark.parametrize(("levels", "found"), [("-1.9 -9 -9.0", "9"), ("-8|-9|-250 -250.0", "9"), ("-g", "0")])
def test_a_compiler_gets_the_highest_level_that_its_help_lists(own, monkeypatch, tmp_path, compile_java, levels, found):
    lines = "".join(f'System.out.println("    {line}  use it, or -source 10"); ' for line in levels.split("|"))
    program = f"public class Gadget {{ public static void main(String[] words) {{ {lines} }} }}"
    jar_of(compile_java({"Gadget.java": program}), tmp_path / "gadget-1.jar")
    monkeypatch.setenv("JARLET_GADGET", str(tmp_path / "gadget-1.jar"))
    tools = '[[tools]]\nname = "gadget"\ntitle = "Gadget"\njars = [["x"]]\nrun = ["-cp", "{gadget}", "Gadget"]\n'
    own.write_text(OWN.replace("[[steps]]", tools + "[[steps]]").replace('"--"', '"-source={gadget.level}"'))
    preset, jdk = presets.find("own"), find_jdk()
    level = int(found) or jdk.feature
    predicate = preset.predicate({"what": "x"})
    assert isinstance(predicate, StepsPredicate)
    assert f"-source={level}" in predicate.steps[0].words
    assert preset.low_level(jdk, level) is None
    said = preset.low_level(jdk, level + 1)
    assert said is not None
    assert said.startswith(f"Gadget 1 knows Java up to {level}, and the input has class files of Java {level + 1}:")


def test_a_published_tool_is_preferred_to_an_installed_one_that_is_listed_after_it(own, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder, repository = tmp_path / "installed", tmp_path / "repository"
    folder.mkdir()
    monkeypatch.setattr("core.predicate.tools._FOLDERS", (str(folder),))
    (folder / "gadget.jar").write_bytes(b"")
    publish(repository, "g:gadget:2.0", b"")
    monkeypatch.setenv("JARLET_MAVEN", repository.as_uri())
    row = '[[tools]]\nname = "gadget"\ntitle = "Gadget"\njars = [["{}"]]\nmaven = [{}]\n'
    tools = row.format("gadget-[0-9]*.jar", '"g:gadget:2.0"') + row.format("gadget.jar", "")
    own.write_text(OWN.replace("[[steps]]", tools + "[[steps]]").replace('"--"', '"{gadget}"'))
    preset = presets.find("own")
    assert preset.versions()["Gadget"] == "unknown"
    assert preset.fetch() is None
    assert preset.versions()["Gadget"] == "2.0"
    shutil.rmtree(repository)
    assert preset.fetch() is None, "nothing is fetched again"


def test_only_steps_that_read_the_candidate_run_in_resident_processes(own):
    lines = 'runs = false\n[[steps]]\nrun = ["{java}", "Reader"]\n[[steps]]\nrun = ["true"]\nlists = "sources"\n'
    own.write_text(f'name = "own"\ntitle = "Mine"\nabout = "Reads."\n{lines}')
    both = presets.find("roundtrip", {"decompiler": "own"}).predicate({"main": "a.B", "decompiler": "own"})
    assert isinstance(both, StepsPredicate)
    assert both.hosts is not None
    assert [step.archive is not None for step in both.steps] == [False, True, True, True, False, False]
    alone = presets.find("jvms").predicate({"main": "a.B"})
    assert isinstance(alone, StepsPredicate)
    assert alone.hosts is None


def test_the_newest_of_several_jars_is_taken(tmp_path, monkeypatch):
    folder = tmp_path / "tools"
    folder.mkdir()
    monkeypatch.setattr("core.predicate.tools._FOLDERS", (str(folder),))
    for version in ("1.9", "1.10", "1.2"):
        (folder / f"gadget-{version}.jar").write_bytes(b"")
    tool = Tool("gadget", "Gadget", (("gadget.jar", "gadget-[0-9]*.jar"),))
    found = tool.find({})
    assert found == (folder / "gadget-1.10.jar",)
    assert version_of(found[0]) == "1.10"
    (folder / "gadget.jar").write_bytes(b"")
    assert tool.find({}) == (folder / "gadget.jar",)


def test_steps_share_a_time_limit_and_failures_are_read_where_said(tmp_path, own):
    condition = presets.find("own").predicate({"what": "x"}).condition
    steps = (
        ToolStep(("echo", "FAIL hidden"), reads=False),
        ToolStep(("sh", "-c", "echo FAIL crash; exit 1"), reads=False),
        ToolStep(("sh", "-c", "echo FAIL one; echo FAIL two >&2; exit 3"), makes=("made",)),
        ToolStep(("cat", "made.list"), lists="made"),
    )
    predicate, outcome = StepsPredicate("three", steps, condition=condition).calibrated(
        [("a.txt", b"")], tmp_path / "first"
    )
    assert (outcome.failures, outcome.exit) == (("FAIL crash", "FAIL one", "FAIL two"), 0)
    line = predicate.shell_line(tmp_path / "first")
    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["FAIL hidden", "FAIL crash", "FAIL one"]
    slow = StepsPredicate(
        "slow", (ToolStep(("sleep", "0.3")), ToolStep(("sleep", "100000"))), condition=condition, timeout=0.8
    )
    assert slow.probe([("a.txt", b"")], tmp_path / "second").verdict is Verdict.TIMED_OUT


def test_a_class_without_a_source_is_a_failure_of_that_name(tmp_path):
    condition = Condition(reading=FailureNaming(("javac",)), wanted=Wanted(Statement.ANY))
    write = "mkdir -p sources/a; echo B >sources/a/B.java"
    steps = (ToolStep(("sh", "-c", write), reads=False), ToolStep(("true",), lists="sources"))
    names = [
        "a/B",
        "a/C",
        "D",
        "a/B$1",
        "a/E$F",
        "module-info",
        "a/package-info",
        "META-INF/x/G",
        "WEB-INF/x/H",
        "i",
        "I",
    ]
    entries = [*((f"{name}.class", b"") for name in names), ("I.txt", b"")]
    outcome = StepsPredicate("silent", steps, condition=condition).probe(entries, tmp_path / "work")
    assert outcome.failures == ("no source for D", "no source for a.C")
    nothing = (ToolStep(("true",)), steps[1])
    outcome = StepsPredicate("dumb", nothing, condition=condition).probe([("a/B.class", b"")], tmp_path / "other")
    assert (outcome.verdict, outcome.failures) == (Verdict.INTERESTING, ("no source for a.B",))


def test_the_shell_preset_gives_the_candidate_and_names_failures_by_a_pattern(tmp_path):
    values = {"command": 'cat "$2/a.txt"; test -f "$1" && test -f "$JARLET_CLASSES/a.txt"', "pattern": "E[0-9]+"}
    predicate, outcome = presets.find("command").predicate(values).calibrated([("a.txt", b"E2 E1\n")], tmp_path / "w")
    assert (outcome.verdict, outcome.failures) == (Verdict.INTERESTING, ("E1", "E2")), outcome
    assert predicate.versions()["java"]


def test_verification_names_the_class_and_the_reason(tmp_path, compile_java):
    sources = {"a/Base.java": "package a; public class Base {}", "a/Sub.java": "package a; class Sub extends Base {}"}
    classes = compile_java(sources)
    entries = [(f"a/{name}.class", (classes / "a" / f"{name}.class").read_bytes()) for name in ("Base", "Sub")]
    predicate = presets.find("verify").predicate()
    _, outcome = predicate.calibrated(entries, tmp_path / "good")
    assert outcome.failures == ()
    _, outcome = predicate.calibrated(entries[1:], tmp_path / "bad")
    assert outcome.failures == ("a.Sub: java.lang.NoClassDefFoundError: a/Base",)


def test_a_heading_of_proguard_above_a_stack_trace_is_no_failure_of_its_own():
    trace = "Unexpected error\njava.lang.RuntimeException: no\n\tat proguard.ProGuard.execute(ProGuard.java:269)\n"
    evaluation = "Unexpected error while evaluating instruction:\n  Class = [a/B]\n"
    names = presets.find("proguard").reading.names(trace + evaluation)
    assert names == (
        "Unexpected error while evaluating instruction:",
        "java.lang.RuntimeException: no at proguard.ProGuard.execute",
    )


@pytest.mark.parametrize(("version", "newest"), [("8.5.35", 23), ("99.0.1", 0)])
def test_the_newest_jdk_is_known_of_the_published_version_alone(tmp_path, monkeypatch, version, newest):
    jar = tmp_path / f"r8-{version}.jar"
    jar.touch()
    monkeypatch.setenv("JARLET_D8", str(jar))
    assert presets.find("d8").newest_jdk == newest


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("-cp", "nowhere", "a.B"),
            "Could not find or load main class a.B: java.lang.ClassNotFoundException: a.B. Are",
        ),
        (("-jar", "nowhere.jar"), "Unable to access jarfile nowhere.jar. Are"),
    ],
)
def test_a_tool_that_does_not_start_is_no_failure_of_the_input(tmp_path, words, said):
    condition = Condition(reading=FailureNaming(pattern="^Error.*"), wanted=Wanted())
    tool = StepsPredicate("Tool", (ToolStep(("java", *words)),), condition=condition)
    _, outcome = tool.calibrated([("a.txt", b"")], tmp_path / "runs the input")
    assert outcome.interesting
    with pytest.raises(PredicateError, match=f"Tool does not start, .*{re.escape(said)}"):
        replace(tool, sample=list).calibrated([("a.txt", b"")], tmp_path / "reads the input")


def test_a_line_a_setting_means_a_table_a_setting_and_a_tool_is_called_as_its_preset(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN)
    long = presets.load(path)
    path.write_text(SHORT)
    assert presets.load(path) == long
    path.write_text(
        SHORT.replace("[[steps]]", '[[tools]]\nmaven = ["g:a:1"]\n[[steps]]').replace('wanted = "at least"', "")
    )
    found = presets.load(path)
    assert [(tool.name, tool.title) for tool in found.tools] == [("own", "Mine")]
    assert found.wanted == Wanted.parse("kinds")


def test_the_class_that_forbidden_apis_cannot_check_is_a_failure() -> None:
    said = (
        "ERROR: Check for forbidden API calls failed while scanning class 'p.A': java.lang.X: q.B\n"
        "ERROR: Check for forbidden API calls failed, see log.\n"
    )
    (failure,) = presets.find("forbiddenapis").reading.names(said)
    assert "'p.A'" in failure
