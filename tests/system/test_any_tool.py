"""Tools that only a coordinate or a jar names, and compilers with sources of the user's or a file of our own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import zipfile
from pathlib import Path
from threading import Event as Flag

import pytest

from core.archive.jar import read_jar
from core.errors import UsageError
from core.evidence.clues import Mention
from core.evidence.failure import FailureReport, begun_with
from core.evidence.mentions import ClassNames
from core.evidence.running import watch
from core.library.jdk import find_jdk
from core.model import class_model
from core.predicate import presets
from core.predicate.jvm.helper_programs import compiled
from core.predicate.preset import ToolRuns
from core.predicate.releases.maven import VARIABLE
from core.predicate.tools import JACOCO, main_class
from core.protocol.settings import Settings
from core.service.aims import aim_of
from tests.support.files import jar_of
from tests.support.java import CompileJava, jdk_tool
from tests.support.maven_repository import publish

TOOL = """package t;
import java.nio.file.*;
import java.util.zip.*;
public class Tool {
    public static void main(String[] words) throws Exception {
        try (ZipFile jar = new ZipFile(words[0])) {
            if (jar.getEntry("p/Bad.class") == null) return;
        }
        if (words.length > 1 && words[1].equals("quiet")) System.exit(7);
        throw new u.Unreadable("p.Bad");
    }
}
"""
_MAINS = ("Main", "Two", "Go")
NEEDED = "package u; public class Unreadable extends Exception { public Unreadable(String name) { super(name); } }"
PROGRAM = {
    "p/Bad.java": "package p; public class Bad<T extends Comparable<T>, U> { public static class In { } class Of { } }",
    "p/Good.java": "package p; public class Good { private static class Own { } }",
    "p/Own.java": "package p; class Own { }",
}
POM = """<project><groupId>g</groupId><artifactId>{artifact}</artifactId><version>1</version>
<dependencies>{needs}</dependencies></project>"""
NEEDS = "<dependency><groupId>g</groupId><artifactId>needed</artifactId><version>1</version></dependency>"


@pytest.fixture(scope="module")
def program(compile_java: CompileJava, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return jar_of(compile_java(PROGRAM), tmp_path_factory.mktemp("program") / "program.jar")


@pytest.fixture(scope="module")
def tool(compile_java: CompileJava, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the tool, whose manifest names its main class, and the jar that it needs."""
    folder = tmp_path_factory.mktemp("repository")
    classes = compile_java({"t/Tool.java": TOOL, "u/Unreadable.java": NEEDED})
    for artifact, needs in (("tool", NEEDS), ("needed", "")):
        jar = folder / f"{artifact}.jar"
        with zipfile.ZipFile(jar, "w") as archive:
            archive.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nMain-Class: t.Tool\n\n")
            name = "t/Tool.class" if artifact == "tool" else "u/Unreadable.class"
            archive.write(classes / name, name)
        publish(folder, f"g:{artifact}:1", jar.read_bytes())
        place = folder / "g" / artifact / "1"
        (place / f"{artifact}-1.pom").write_text(POM.format(artifact=artifact, needs=needs))
        for end in ("", ".sha1"):
            shutil.copy(place / f"{artifact}-1.jar{end}", place / f"{artifact}-1-all.jar{end}")
    return folder


@pytest.mark.guarded
def test_a_coordinate_is_fetched_with_all_that_it_needs_and_run(jarlet, program, tool, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv(VARIABLE, tool.as_uri())
    missing = jarlet("check", program, "--tool", "g:tool:1", "--", "{jar}")
    assert missing.returncode == 2
    assert "tool is not installed: let Jarlet fetch it (--fetch" in missing.stderr
    done = jarlet(
        "reduce", program, "--tool", "g:tool:1", "--fetch", "--algorithm", "binary", "--granularity", "class",
        "--no-evidence", "-o", "small.jar", "--report", "r.json", "-q", "--", "{jar}",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["final"]["failures"] == ["u.Unreadable: p.Bad at t.Tool.main"]
    assert report["tools"]["tool"] == "1"
    with zipfile.ZipFile(tmp_path / "small.jar") as small:
        assert {"p/Bad.class", "p/Good.class", "p/Own.class"}.intersection(small.namelist()) == {"p/Bad.class"}
    classified = jarlet("check", program, "--tool", "g:tool:1:all", "--fetch", "--runs", "1", "--", "{jar}")
    assert "u.Unreadable: p.Bad at t.Tool.main" in classified.stdout


def test_an_exit_code_is_a_failure_where_nothing_else_is_named(jarlet, program, tool) -> None:
    jars = os.pathsep.join(str(tool / f"{name}.jar") for name in ("tool", "needed"))
    quiet = jarlet("check", program, "--tool", jars, "--runs", "1", "--", "{jar}", "quiet")
    assert quiet.returncode == 0, quiet.stderr
    assert "1 failure of 1 kind:\n  exit code 7" in quiet.stdout
    wrong = jarlet("check", program, "--tool", jars, "--runs", "1", "--", "{jra}")
    assert wrong.returncode == 2
    assert "The setting arguments has no placeholder {jra}" in wrong.stderr
    assert "Did you mean jar?" in wrong.stderr
    well = jarlet("check", tool / "needed.jar", "--tool", jars, "--", "{jar}")
    assert "name it by the setting pattern: --set 'pattern=REGEX'" in well.stdout
    assert "The program ends well" not in well.stdout


def test_a_jar_whose_manifest_names_no_main_class_runs_the_only_one_or_that_called_main(compile_java, tmp_path) -> None:
    body = "{ public static void main(String[] words) { } }"
    sources = {f"t/{name}.java": f"package t; public class {name} {body} class Of{name} {{ }}" for name in _MAINS}

    def jar(*names: str) -> Path:
        return jar_of(compile_java({name: sources[name] for name in names}), tmp_path / f"{len(names)}.jar")

    assert main_class(jar("t/Two.java")) == "t.Two"
    assert main_class(jar("t/Two.java", "t/Go.java", "t/Main.java")) == "t.Main"
    with pytest.raises(UsageError, match=r"2\.jar names no main class .*: t\.Go, t\.Two\. Name one \(--set main=CLASS"):
        main_class(jar("t/Two.java", "t/Go.java"))


def test_a_tool_stands_alone_and_exists(jarlet, program) -> None:
    two = jarlet("check", program, "--tool", "g:tool:1", "--preset", "verify")
    assert (two.returncode, "by --tool, by --predicate or by --preset" in two.stderr) == (2, True)
    none = jarlet("check", program, "--tool", "no.jar")
    assert (none.returncode, "nor a version, nor a coordinate GROUP:ARTIFACT:VERSION." in none.stderr) == (2, True)


def test_any_tool_of_a_preset_can_be_another_version(tool) -> None:
    (found,) = presets.find("cfr", {"cfr": "org.benf:cfr:0.150"}).tools
    assert (found.maven, found.title) == (("org.benf:cfr:0.150",), "cfr")
    (found,) = presets.find("cfr", {"cfr": "0.150"}).tools
    assert found.maven == ("org.benf:cfr:0.150",)
    (found,) = presets.find("cfr", {"cfr": str(tool / "tool.jar")}).tools
    assert found.find() == (tool / "tool.jar",)
    for name, artifact in {"procyon": "org.bitbucket.mstrobel:procyon-compilertools", "proguard": _PROGUARD}.items():
        (found,) = presets.find(name, {name: "0.5.36"}).tools
        assert found.maven == (f"{artifact}:0.5.36",), "one of its alternatives has no coordinates"


_PROGUARD = "com.guardsquare:proguard-base"

USES = {
    "java": ["p.Bad", "p.Bad.In", "p.Good"],
    "groovy": ["p.Bad", "p.Bad.In", "p.Good"],
    "kt": ["`p`.`Bad`<*, *>", "`p`.`Bad`.`In`", "`p`.`Good`"],
    "scala": ["`p`.`Bad`[_, _]", "`p`.`Bad`.`In`", "`p`.`Good`"],
}


def test_our_own_source_names_every_public_class_in_each_language(program, tmp_path) -> None:
    programs = compiled(find_jdk())
    for language, names in USES.items():
        file = tmp_path / f"Uses.{language}"
        words = [jdk_tool("java"), "-XX:TieredStopAtLevel=1", "-cp", programs, "warm.Uses", program, file]
        subprocess.run(words, check=True)
        found = [line for line in file.read_text().splitlines() if "(" in line]
        assert len(found) == len(names)
        assert all(name in line for name, line in zip(names, found, strict=True)), found


def javac_on(jar: Path, work: Path, values: dict[str, str]) -> tuple[str, ...]:
    """The failures of the preset javac on a jar."""
    model = class_model.build(read_jar([str(jar)]))
    predicate = presets.find("javac").predicate(values, runs=ToolRuns(warm=False))
    return predicate.confirm(model.entries(model.full), work).failures


def test_a_compiler_reads_each_class_or_the_users_sources(program, tmp_path) -> None:
    with zipfile.ZipFile(program) as whole, zipfile.ZipFile(tmp_path / "bad.jar", "w") as bad:
        for name in whole.namelist():
            data = whole.read(name)
            bad.writestr(name, data[:-3] if name == "p/Good.class" else data)
    (told,) = javac_on(tmp_path / "bad.jar", tmp_path / "one", {})
    assert told.startswith("Uses.java: cannot access Good; bad class file: ")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "A.java").write_text("class A { p.Good.Missing x; }")
    (tmp_path / "src" / "note.txt").write_text("no source")
    (own,) = javac_on(program, tmp_path / "other", {"sources": str(tmp_path / "src")})
    assert own == "A.java: cannot find symbol; symbol: class Missing; location: class Good"
    with pytest.raises(UsageError, match=r"given a sources that does not exist: no\.java"):
        presets.find("javac").predicate({"sources": "no.java"})


AGENT = """package agent;
import java.lang.instrument.*;
import java.security.ProtectionDomain;
public class Agent implements ClassFileTransformer {
    public static void premain(String words, Instrumentation of) { of.addTransformer(new Agent()); }
    public byte[] transform(ClassLoader in, String name, Class<?> before, ProtectionDomain domain, byte[] data) {
        if (!"p/Answer".equals(name)) return null;
        byte[] made = data.clone();
        for (int at = 0; at + 2 < made.length; at++) {
            if (made[at] == 16 && made[at + 1] == 42 && made[at + 2] == (byte) 0xac) made[at + 2] = (byte) 0xb0;
        }
        return made;
    }
}
"""


def test_a_program_with_an_agent_keeps_what_the_agent_breaks(jarlet, compile_java, tmp_path) -> None:
    agent, classes = tmp_path / "agent.jar", compile_java({"agent/Agent.java": AGENT})
    with zipfile.ZipFile(agent, "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nPremain-Class: agent.Agent\n\n")
        archive.write(classes / "agent" / "Agent.class", "agent/Agent.class")
    text = {
        "p/Main.java": "package p; public class Main { public static void main(String[] a) { new Answer().get(); } }",
        "p/Answer.java": "package p; class Answer { int get() { return 42; } }",
    }
    jar = jar_of(compile_java(text), tmp_path / "answer.jar")
    done = jarlet(
        "check",
        jar,
        "--preset",
        "agent",
        "--set",
        f"agent={agent}{os.pathsep}{jar}",
        "--set",
        "main=p.Main",
        "--runs",
        "1",
    )
    assert done.returncode == 0, done.stderr
    assert "java.lang.VerifyError: Bad type on operand stack in p/Answer.get()I" in done.stdout


def test_of_a_program_with_an_agent_like_ours_the_loaded_classes_are_known(jacoco, compile_java, tmp_path) -> None:
    """Two agents of one version of JaCoCo cannot be in one virtual machine."""
    text = {
        "p/Main.java": "package p; public class Main { public static void main(String[] a) { new Answer().get(); } }",
        "p/Answer.java": "package p; class Answer { int get() { return 42; } }",
        "p/Unused.java": "package p; class Unused {}",
    }
    entries = read_jar([jar_of(compile_java(text), tmp_path / "answer.jar")]).contents
    options = {"agent": os.environ[JACOCO.variable].partition(":")[0], "main": "p.Main"}
    predicate = presets.find("agent").with_tools(options).predicate(options)
    ran = watch(predicate, entries, ["p/Main", "p/Answer", "p/Unused"], tmp_path / "watched", 60.0, Flag())
    assert ran.loaded == {"p/Main", "p/Answer"}
    assert "loaded classes alone are known" in ran.note
    named = aim_of(Settings(preset="agent", options=options)).named
    names = ClassNames(class_model.build(read_jar([tmp_path / "answer.jar"])))
    assert begun_with(names, FailureReport((), begin_with=named)) == (Mention("p/Main"),)


@pytest.mark.guarded
def test_a_bug_folder_has_the_source_that_was_made_and_one_command(jarlet, program, tmp_path) -> None:
    with zipfile.ZipFile(program) as whole, zipfile.ZipFile(tmp_path / "bad.jar", "w") as bad:
        for name in whole.namelist():
            data = whole.read(name)
            bad.writestr(name, data[:-3] if name == "p/Good.class" else data)
    done = jarlet(
        "reduce", "bad.jar", "--preset", "javac", "--algorithm", "binary", "--granularity", "class", "--no-evidence",
        "--source-time", "0", "-o", "small.jar", "--bug-folder", "bug", "-q",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "p.Good x" in (tmp_path / "bug" / "files" / "Uses.java").read_text()
    script = (tmp_path / "bug" / "reproduce.sh").read_text()
    assert "warm.Uses" not in script
    assert script.count("bin/javac") == 1
    shown = subprocess.run([tmp_path / "bug" / "reproduce.sh"], capture_output=True, text=True, check=False)
    assert shown.returncode == 0, shown.stderr
