"""The script that repeats a probe: what it takes along, and how it finds the rest on another machine."""

import shutil
import subprocess
import sys

import pytest

from core.archive.jar import write_jar
from core.archive.named_inputs import find
from core.library.jdk import QUICK
from core.predicate import presets
from core.predicate.command import PredicateCommand
from core.predicate.condition import Condition
from core.predicate.places import ONE_JAR, CandidatePlaces
from core.predicate.predicate import CommandPredicate
from core.predicate.tool_chain import StepsPredicate, ToolStep
from core.protocol.settings import Settings
from core.report.needed_places import coordinate_of
from core.report.reproduction import SCRIPT, SMALL, reproduction
from core.report.sign import Sign, sign_of
from core.service.aims import aim_of
from tests.support.rows import rows

IT_FAILS = Sign("it\nfails", exit=None, texts=())
LARGE = "jar" + " " * (1 << 20)
"""Text of a file that is too large to be copied."""


@pytest.fixture
def handed_on(tmp_path):
    """The script of a command, with all that belongs beside it, in a folder of its own."""

    def write(command, sign=IT_FAILS, places=ONE_JAR, **variables):
        parsed = PredicateCommand.parse(command, tmp_path, places)
        predicate = CommandPredicate(parsed, condition=Condition()).observed(variables)
        made = reproduction(predicate, sign)
        folder = tmp_path / "handed on"
        folder.mkdir()
        write_jar(folder / SMALL, [("a/A.class", b"1")])
        (folder / SCRIPT).write_text(made.script)
        assert str(tmp_path) not in made.script
        for place, data, _ in made.copied.contents():
            (folder / place).parent.mkdir(exist_ok=True)
            (folder / place).write_bytes(data)
        return folder

    return write


def run(folder, *arguments, **variables):
    words = ["/bin/sh", folder / SCRIPT]
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/nowhere", **variables}
    words += arguments
    return subprocess.run(words, cwd="/", env=environment, capture_output=True, errors="replace", check=False)


def test_files_of_one_name_lie_beside_the_script_under_two(tmp_path, handed_on):
    for name, text in (("one", "first"), ("two", "second")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "rules $.txt").write_text(text)
    folder = handed_on(f"cat '{tmp_path}/one/rules $.txt' '{tmp_path}/two/rules $.txt' {{jar}}")
    for name in ("one", "two"):
        (tmp_path / name / "rules $.txt").unlink()
    assert run(folder).stdout.startswith("firstsecondPK")


def test_a_jar_has_its_own_file_name(tmp_path, handed_on):
    folder = handed_on(
        'sh -c \'echo "$1" && ls "$2"\' sh {jar} {classes}', places=CandidatePlaces(find([tmp_path / "foo-1.2.jar"]))
    )
    place, listed = run(folder).stdout.split()
    assert (place.rpartition("/")[2], listed) == ("foo-1.2.jar", "a")


def test_jars_folders_and_large_files_are_arguments_variables_or_beside_the_script(tmp_path, handed_on):
    places = [tmp_path / name for name in ("lib-1.2.jar", "more", "9.dump")]
    places[0].write_text(LARGE)
    places[1].mkdir()
    places[2].write_bytes(b"\0" * (2 << 20))
    folder = handed_on(f"sh -c 'echo \"$@\"' sh {places[0]} --path={places[1]} {places[2]} {{jar}}")
    assert "# Arguments, each a place: [LIB [MORE [_9]]]." in (folder / SCRIPT).read_text()
    done = run(folder, LIB=places[0], _9=places[2], MORE="/no/such/place")
    assert (done.returncode, done.stdout) == (2, "")
    begun = "reproduce.sh: get what is missing (Maven: --get), and put it beside this script or tell its place: "
    more = "the folder more (there is no /no/such/place; the variable MORE or argument 2)"
    assert done.stderr == f"{begun}{more}.\n"
    assert run(folder).stderr == (
        f"{begun}lib-1.2.jar (the variable LIB or argument 1); the folder more (the variable MORE or argument 2); "
        "9.dump (the variable _9 or argument 3).\n"
    ), "all at once, in one sentence"
    assert run(folder, *places).stdout.startswith(f"{places[0]} --path={places[1]} {places[2]} ")
    for place in places:
        place.rename(folder / place.name)
    assert run(folder).stdout.startswith(f"{folder / 'lib-1.2.jar'} --path={folder / 'more'} {folder / '9.dump'} ")


def test_a_tool_is_found_where_maven_or_jarlet_keeps_it_and_else_told_by_its_coordinate(tmp_path, handed_on):
    tool, other = tmp_path / "tool.jar", tmp_path / "other.jar"
    for jar in (tool, other):
        text = f"groupId=org.tools\nartifactId={jar.stem}\nversion=1.2\n"
        write_jar(jar, [(f"META-INF/maven/org.tools/{jar.stem}/pom.properties", text.encode())])
    folder = handed_on(f"sh -c 'echo $1; : $2' sh {tool} {other} {{jar}}")
    other.rename(folder / other.name)
    assert "tell its place: tool.jar (Maven: org.tools:tool:1.2) (the variable TOOL" in run(folder).stderr
    for place in (".cache/jarlet/maven", ".m2/repository"):
        kept = tmp_path / "home" / place / "org/tools/tool/1.2/tool-1.2.jar"
        kept.parent.mkdir(parents=True)
        tool = tool.rename(kept)
        assert run(folder, HOME=tmp_path / "home").stdout == f"{kept}\n"
    (folder / other.name).rename(tmp_path / other.name)
    kept.rename(tmp_path / "tool.jar")
    program = folder / "mvn"
    into = f"-Dmaven.repo.local={tmp_path}/home/.m2/repository"
    moved = 'for at in $(grep -o "<artifactId>[a-z]*</artifactId><version>1.2" "$3" | sed "s,<[^>]*>, ,g;s/1.2//"); do'
    moved += f" mkdir -p {kept.parents[2]}/$at/1.2; mv {tmp_path}/$at.jar {kept.parents[2]}/$at/1.2/$at-1.2.jar; done"
    program.write_text(
        f'#!/bin/sh\n[ "$4 $5" = "dependency:copy {into}" ] || exit\necho x >>{tmp_path}/runs\n{moved}\n'
    )
    program.chmod(0o755)
    got = {"HOME": tmp_path / "home", "PATH": f"{folder}:/usr/bin:/bin"}
    assert run(folder, **got).returncode == 2
    assert run(folder, "--get", **got).stdout == f"{kept}\n"
    assert (tmp_path / "runs").read_text() == "x\n", "one run of Maven gets both"


@rows(("name", "coordinate"), [("asm-3.3.1.jar", ""), ("asm-9.1.jar", "org.ow2.asm:asm:9.1")])
def test_a_preset_tells_the_group_of_its_artifact_where_the_first_number_is_the_same(tmp_path, name, coordinate):
    assert coordinate_of(tmp_path / name) == coordinate


def test_a_program_is_taken_from_the_folder_in_which_a_script_finds_jars(tmp_path, handed_on):
    (tmp_path / "lib").mkdir()
    for name in ("small.jar", "Main.class", "Used.class"):
        (tmp_path / "lib" / name).write_text(name)
    (tmp_path / "lib/large.txt").write_text(LARGE)
    script = tmp_path / "runs.sh"
    script.write_text(f"#!/bin/sh\nat={tmp_path}/lib\necho -cp $at:$at/small.jar Main; ls $at\n")
    assert run(handed_on(f"sh {script} {{jar}}")).stdout.split()[3:] == ["Main.class", "Used.class", "small.jar"]
    (tmp_path / "lib/large.txt").unlink()
    (tmp_path / "lib/more").mkdir()
    (tmp_path / "lib/more/Far.class").write_text("far")
    shutil.rmtree(tmp_path / "handed on")
    assert "more" in run(handed_on(f"sh {script} {{jar}}")).stdout.split(), "all of a small folder"


def test_a_jar_called_path_does_not_take_the_shells_variable(tmp_path, handed_on):
    (tmp_path / "path.jar").write_text("jar")
    assert run(handed_on(f"cat {tmp_path}/path.jar {{jar}}"), tmp_path / "path.jar").stdout.startswith("jarPK")


def test_all_jars_of_a_folder_are_one_variable_in_a_class_path(tmp_path, handed_on):
    (tmp_path / "lib").mkdir()
    folder = handed_on(f"sh -c 'echo \"$@\"' sh {tmp_path}/lib/*:{tmp_path}/lib/a.jar {{jar}}")
    assert run(folder, LIB=folder).stdout.startswith(f"{folder}/*:/tmp/"), "what is not there is a file of the run"


def test_a_variable_that_the_command_reads_is_set(tmp_path, handed_on):
    jars = [tmp_path / "core-1.jar", tmp_path / "util-1.jar"]
    for jar in jars:
        jar.write_text(LARGE)
    folder = handed_on("sh -c 'echo $JARLET_TOOL' sh {jar}", JARLET_TOOL=f"{jars[0]}:{jars[1]}")
    assert run(folder, CORE=folder, UTIL=jars[1]).stdout == f"{folder}:{jars[1]}\n"


def test_the_slashes_of_a_comment_are_no_path(handed_on):
    text = "// begins, /* lasts and /** tells"
    assert run(handed_on(f"""sh -c 'echo "{text}"' sh {{jar}}""")).stdout == f"{text}\n"


def test_two_jars_of_one_name_are_two_variables(tmp_path, handed_on):
    places = [tmp_path / name / "lib.jar" for name in ("one", "two")]
    for place in places:
        place.parent.mkdir()
        place.write_text(place.parent.name + " " * (1 << 20))
    folder = handed_on(f"cat {places[0]} {places[1]} {{jar}}")
    assert run(folder, LIB=places[0], LIB_2=places[1]).stdout.split()[:2] == ["one", "two"]
    here = str(places[0]).lstrip("/")  # the current folder is the root
    assert run(folder, places[0], here).stdout.split()[:2] == ["one", "one"]


def test_a_java_program_is_of_any_jdk(tmp_path, handed_on):
    home = tmp_path / "jdk"
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "java").symlink_to(sys.executable)
    folder = handed_on(f"{home}/bin/java -c 'print(1 + 1)' {{jar}} /dev/null")
    assert run(folder, JAVA_HOME=home).stdout == "2\n"


def test_what_lies_in_the_jdk_is_found_in_any_jdk(tmp_path, handed_on):
    for name in ("here", "there"):
        (tmp_path / name / "bin").mkdir(parents=True)
        (tmp_path / name / "jmods").write_text(name)
        (tmp_path / name / "bin" / "java").symlink_to("/bin/cat")
    folder = handed_on(f"{tmp_path}/here/bin/java {tmp_path}/here/jmods {{jar}}")
    assert run(folder, JAVA_HOME=tmp_path / "there").stdout.startswith("there")


def test_a_copied_script_names_no_place_of_this_machine_and_still_runs(tmp_path, handed_on):
    for name, text in (("tool.jar", "jar"), ("rules.txt", "rules")):
        (tmp_path / name).write_text(text)
    check = tmp_path / "check.sh"
    check.write_text(
        f"#!/bin/sh\n# don't run {tmp_path}/tool.jar by hand\n"
        f"T={tmp_path}/tool.jar\ncat $T \"{tmp_path}/rules.txt\"\nsh -c 'cat {tmp_path}/tool.jar; echo it'\n"
    )
    folder = handed_on(f"sh {check} {{jar}}")
    text = (folder / "files/check.sh").read_text()
    assert str(tmp_path) not in text
    assert "# don't run tool.jar by hand" in text
    check.unlink()
    assert run(folder, tmp_path / "tool.jar").stdout == "jarrulesjarit\n"


def test_what_stays_in_memory_while_jarlet_runs_is_run_by_java(tmp_path, handed_on):
    (tmp_path / "tool.jar").write_text(LARGE)
    check = tmp_path / "check"
    check.write_text(f"#!/bin/sh\n/opt/bin/jarlet host -Xmx9m {tmp_path}/tool.jar $1 && jarlet host javac A.java\n")
    folder = handed_on(f"sh -c 'jarlet host {tmp_path}/tool.jar $1; {check} $1' sh {{jar}}")
    assert "'java -jar '\"$TOOL\"" in (folder / SCRIPT).read_text()
    text = (folder / "files/check").read_text()
    assert text == "#!/bin/sh\njava -Xmx9m -jar @HERE@/files/tool.jar $1 && javac A.java\n"


def test_options_for_speed_may_be_left_out():
    predicate = presets.find("verify").predicate()
    whole, short = (
        reproduction(predicate, Sign("it fails", exit=None, texts=()), left_out).script for left_out in ((), QUICK)
    )
    assert all(option in whole and option not in short for option in QUICK)
    assert "-Duser.language=en" in short


def test_the_script_tells_what_the_sources_of_a_decompiler_tell(tmp_path):
    source = "class A { /* odd\\n  * x.Y\\n   *  at b.C.d(C.java:1)\\n }\\n"
    words = ("sh", "-c", f"mkdir -p sources/a; printf '{source}' >sources/a/A.java")
    steps = (ToolStep(words), ToolStep(("cat", "sources.list"), lists="sources"))
    predicate = StepsPredicate("a decompiler", steps, condition=Condition())
    made = reproduction(predicate, Sign("it fails", exit=None, texts=()))
    write_jar(tmp_path / SMALL, [(f"a/{name}.class", b"1") for name in ("A", "B", "B$C", "package-info")])
    (tmp_path / SCRIPT).write_text(made.script)
    said = run(tmp_path).stdout.splitlines()
    assert said == ["no source for a.B", " x.Y", "  at b.C.d(C.java:1)", "sources/a/A.java"]


def test_the_classes_are_unpacked_where_the_command_wants_them(handed_on):
    assert run(handed_on("sh -c 'cat {classes}/a/A.class; cat \"$JARLET_CLASSES/a/A.class\"'")).stdout == "11"


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("echo 'bad: 7 of 9' >&2; exit 3", 0, "exit code 3. Seen: bad: 7 of 9."),
        ("echo 'bad: 8 of 9' >&2; exit 3", 1, "exit code 3. Not seen: bad: 7 of 9."),
        ("echo 'bad: 7 of 9' >&2", 1, "exit code 0. Not seen: bad: 7 of 9."),
    ],
)
def test_its_last_line_and_its_exit_code_tell_whether_the_failure_was_seen(tmp_path, handed_on, command, code, said):
    (tmp_path / "check.sh").write_text(command)
    folder = handed_on(f"sh {tmp_path}/check.sh {{jar}}", Sign("bad: 7 of 9", 3, ("bad: 7",)))
    done = run(folder)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (code, f"reproduce.sh: {said}")


def test_a_command_that_prints_nothing_is_told_by_its_exit_code(tmp_path, handed_on):
    settings = Settings(predicate="x")
    final = {"exit": 0, "stdout": "", "stderr": "", "shown": [], "wanted": "exit code 0"}
    (tmp_path / "check.sh").write_text("grep -q PK $1")
    done = run(handed_on(f"sh {tmp_path}/check.sh {{jar}}", sign_of(aim_of(settings), final)))
    assert (done.stdout, done.stderr) == ("", "reproduce.sh: exit code 0. Seen: exit code 0.\n")


def test_a_script_looks_for_what_stands_in_the_output_of_the_failures_names():
    line = "x/A.java:10: error: illegal start of expression"
    final = {"exit": 1, "stdout": "", "stderr": line, "shown": ["A.java: illegal start of expression; at {"]}
    sign = sign_of(aim_of(Settings(preset="procyon")), final)
    assert sign == Sign("'A.java: illegal start of expression; at {'", None, (": illegal start of expression",))


def test_a_name_is_looked_for_as_a_table_in_the_output_spaces_it():
    final = {"exit": 0, "stdout": "   a.B      -> java.lang.Object\n   a.B      -> q.C   not found", "stderr": ""}
    sign = sign_of(aim_of(Settings(preset="jdeps")), {**final, "shown": ["a.B -> q.C"]})
    assert (sign.words, sign.texts) == ("'a.B -> q.C'", ("a.B      -> q.C",))


def test_an_output_that_shows_nothing_of_a_name_is_not_searched():
    final = {"exit": 1, "stdout": "{work}/A.class: broken", "stderr": "", "shown": ["A.class: something else"]}
    assert sign_of(aim_of(Settings(preset="verify")), final).texts == ()


def test_a_failing_test_that_only_an_xml_report_tells_is_looked_for_there(tmp_path, handed_on):
    settings = Settings(predicate="x", failures_as="tests")
    shown = ["a.b.SumTest.sums: java.lang.AssertionError: expected:<#> but was:<#>"]
    final = {"exit": 1, "stdout": "Running a.b.SumTest\n", "stderr": "", "shown": shown, "wanted": "w"}
    sign = sign_of(aim_of(settings), final)
    (tmp_path / "test.sh").write_text(
        'echo Running a.b.SumTest; mkdir -p reports; echo \'<testcase name="sums" classname="a.b.SumTest">\' '
        "${SAID-'<failure>java.lang.AssertionError: expected:&lt;3&gt; but was:&lt;4&gt;</failure>'} "
        "'</testcase>' >reports/TEST-a.b.SumTest.xml; exit 1"
    )
    folder = handed_on(f"sh {tmp_path}/test.sh {{jar}}", sign)
    assert [run(folder, **said).returncode for said in ({}, {"SAID": ""})] == [0, 1]


def test_a_text_that_names_a_path_is_looked_for_below_any_folder(tmp_path, handed_on):
    (tmp_path / "rules [1].txt").write_text("$PWD/candidate.jar in FOLDER/x.txt: broken")
    line = f"{{work}}/candidate.jar in {tmp_path}/x.txt: broken"
    final = {"exit": 1, "stdout": line, "stderr": "", "shown": [], "wanted": "w"}
    sign = sign_of(aim_of(Settings(predicate="x", match="^.*broken$")), final)
    assert (sign.exit, sign.texts) == (None, (line,))
    (tmp_path / "says.sh").write_text('echo "$PWD/candidate.jar in $FOLDER/x.txt: ${SAID:-broken}"')
    folder = handed_on(f"sh {tmp_path}/says.sh {{jar}}", sign)
    assert run(folder, FOLDER="/some/where else").returncode == 0
    assert run(folder, FOLDER="/some", SAID="fine").returncode == 1


def test_a_long_name_is_looked_for_by_its_longest_part_in_the_output():
    told = "A.java:13: error: cannot infer type arguments for Token<>\n  reason: cannot infer type-variable(s) T\n"
    name = "A.java: cannot infer type arguments for Token<>; reason: cannot infer type-variable(s) T"
    final = {"exit": 1, "stdout": "", "stderr": told, "shown": [name]}
    assert sign_of(aim_of(Settings(preset="procyon")), final).texts == (": cannot infer type arguments for Token<>",)


def test_what_a_program_prints_is_looked_for_where_it_must_stay():
    settings = Settings(predicate="x", preserve=frozenset({"exit", "out"}))
    final = {"exit": 0, "stdout": "2 0\n\n{work}/a\n", "stderr": "no", "shown": [], "wanted": "the same as before"}
    assert sign_of(aim_of(settings), final) == Sign("exit code 0, '2 0', '{work}/a'", 0, ("2 0", "{work}/a"))


def test_a_match_and_a_signal_are_told_as_a_shell_tells_them():
    settings = Settings(predicate="x", match="^# +SIG\\w+", expect_exit=-6)
    final = {"exit": -6, "stdout": "A fatal error\n#  SIGABRT (0x6)\n", "stderr": "", "shown": [], "wanted": "w"}
    assert sign_of(aim_of(settings), final) == Sign("exit code 134, '#  SIGABRT'", -6, ("#  SIGABRT",))
