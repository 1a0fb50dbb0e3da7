"""Programs that behave in two ways: as compiled and as compiled from decompiled source, in two virtual machines, before
and after a tool; and failing tests, by name."""

import json
import re
import subprocess
import zipfile
from pathlib import Path

import pytest

from core.library.jdks import installed_jdks
from core.predicate import presets
from tests.support.files import jar_of

PROGRAM = {
    "p/Main.java": """package p;
public class Main {
    public static void main(String[] words) {
        if (words.length > 0 && !System.getProperty("java.vm.info").startsWith(words[0])) return;
        System.out.writeBytes(new byte[] {(byte) 0xc2, (byte) 0xa0});
        System.out.println(new Sum().of(3) + new Text().of(3) + new Other().of(1));
    }
}
""",
    "p/Sum.java": "package p; class Sum { int of(int n) { return n + 1; } }",
    "p/Text.java": 'package p; class Text { String of(int n) { return "number" + n; } }',
    "p/Other.java": 'package p; class Other { String of(int n) { return "o" + n; } void more() { of(2); } }',
}
"""A program that says more in a virtual machine with the named property."""


@pytest.fixture
def jar(compile_java, tmp_path):
    return jar_of(compile_java(PROGRAM), tmp_path / "program.jar")


@pytest.fixture
def own_preset(tmp_path, monkeypatch):
    """``own_preset(name, text)``: writes a preset of the user's."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = tmp_path / "config/jarlet/presets"
    folder.mkdir(parents=True)
    return lambda name, text: (folder / f"{name}.toml").write_text(f'name = "{name}"\ntitle = "{name}"\n{text}')


def reduced(jarlet, jar, *words):
    """Return the classes that are left, and the names of the failures."""
    done = jarlet("reduce", jar, *words, "--no-rewrite", "-o", "out.jar", "--report", "out.json", "--jobs", 1)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile("out.jar") as small:
        classes = {name.removesuffix(".class") for name in small.namelist() if name.endswith(".class")}
    return classes, json.loads(Path("out.json").read_text())["final"]["failures"]


def fetched(preset):
    """Return the jars of a preset's tool, which are fetched where they are missing."""
    lacking = presets.find(preset).fetch()
    if lacking:
        pytest.skip(lacking)
    return next(jars for tool in presets.find(preset).tools if (jars := tool.find()))


@pytest.fixture
def liar(own_preset, tmp_path):
    """``liar(program)``: writes the sources that a preset has of its own, and returns words that name this preset."""

    def write(program):
        for name, text in program.items():
            file = tmp_path / "lies" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        own_preset(
            "liar",
            f"""about = "Has sources of its own."
runs = false
[[steps]]
run = ["sh", "-c", "unzip -Z1 {{jar}} >> {tmp_path}/seen; echo >> {tmp_path}/seen; cp -r {tmp_path}/lies sources"]
[[steps]]
run = ["true"]
lists = "sources"
[failures]
read = ["javac"]
""",
        )
        return ("--preset", "roundtrip", "--set", "decompiler=liar", "--set", "main=p.Main")

    return write


@pytest.mark.guarded
def test_source_that_computes_something_else_is_found_by_halves(jacoco, jarlet, jar, liar, tmp_path):
    changed = {name: text.replace("number", "nomber").replace("n + 1;", "n + ;") for name, text in PROGRAM.items()}
    words = liar(changed)
    classes, failures = reduced(jarlet, jar, *words, "--granularity", "class")
    assert failures == ["compiled from its source, p.Text: another standard output"]
    assert classes >= {"p/Main", "p/Text"}
    evidence = {each["kind"]: each for each in json.loads(Path("out.json").read_text())["evidence"]}
    assert evidence["run"]["methods"] == 7, "what ran beside the source to blame is known"
    first, *others = (run.split() for run in (tmp_path / "seen").read_text().split("\n\n") if run)
    assert {"p/Main.class", "p/Sum.class", "p/Text.class"} <= set(first)
    assert others[-1] == ["p/Text.class"], "the decompiler gets what is to blame"
    (tmp_path / "lies/p/Text.java").write_text(PROGRAM["p/Text.java"])
    done = jarlet("check", jar, *words)
    assert "The program does the same with all 3 sources that compile." in done.stdout + done.stderr
    assert "ends well" not in done.stdout + done.stderr
    (tmp_path / "seen").unlink()
    done = jarlet("check", jar, *words[:-1], "main=p.Nothing")
    assert not (tmp_path / "seen").exists(), "a program that fails says nothing of its sources"
    assert (
        "ends with exit code 1, which must be 0. It says:\nError: Could not find or load" in done.stdout + done.stderr
    )


@pytest.mark.slow
def test_a_source_that_never_ends_is_found_by_halves(jarlet, jar, liar):
    words = liar({**PROGRAM, "p/Text.java": PROGRAM["p/Text.java"].replace("return", "while (n < 9) ; return")})
    done = jarlet("check", jar, *words, "--runs", 1)
    assert "compiled from its source, p.Text: exit code none in place of 0" in done.stdout


@pytest.mark.guarded
def test_sources_that_lie_only_together_are_all_blamed(jarlet, compile_java, liar, tmp_path):
    lies = 'new Sum().of(3) == 5 && new Text().of(3).equals("nomber3")'
    main = f"public static void main(String[] words) {{ if ({lies}) {{ System.out.print(1); System.exit(3); }} }}"
    program = {**PROGRAM, "p/Main.java": f"package p; public class Main {{ {main} }}"}
    jar = jar_of(compile_java(program), tmp_path / "either.jar")
    changed = {name: text.replace('"number"', '"nomber"').replace("n + 1;", "n + 2;") for name, text in program.items()}
    said = jarlet("check", jar, *liar(changed)).stdout
    assert "compiled from its source, p.Sum, p.Text: exit code 3 in place of 0" in said
    assert "first:  (nothing)\n    second: 1" in said


def test_a_preset_that_makes_no_source_is_no_decompiler(jarlet, jar):
    done = jarlet("check", jar, "--preset", "roundtrip", "--set", "decompiler=jvms", "--set", "main=p.Main")
    assert done.returncode == 2
    assert "The preset jvms makes no source: roundtrip needs one that decompiles." in done.stderr


@pytest.mark.guarded
def test_two_virtual_machines_of_the_user_are_compared(jarlet, jar):
    own = ("--set", "main=p.Main", "--set", "arguments=interpreted", "--set", "second={java} -Xmixed")
    done = jarlet("check", jar, "--preset", "jvms", *own)
    assert done.returncode == 0, done.stderr
    assert re.search(r"another standard output\n    first:  \\u00a04number3o1\n    second: \(nothing\)", done.stdout)


@pytest.mark.guarded
def test_a_program_is_compared_with_itself_after_a_tool(jarlet, jar, compile_java, tmp_path):
    tool = compile_java(
        {
            "Tool.java": """
import java.nio.file.*;
public class Tool {
    public static void main(String[] words) throws Exception {
        if (words[2].equals("fails")) System.exit(3);
        try (var in = new java.util.zip.ZipFile(words[0]);
             var out = new java.util.zip.ZipOutputStream(Files.newOutputStream(Path.of(words[1])))) {
            for (var entry : java.util.Collections.list(in.entries())) {
                out.putNextEntry(new java.util.zip.ZipEntry(entry.getName()));
                byte[] bytes = in.getInputStream(entry).readAllBytes();
                String text = new String(bytes, "ISO-8859-1").replace(words[3], words[4]);
                out.write(text.getBytes("ISO-8859-1"));
            }
        }
    }
}
"""
        }
    )
    shrinker = jar_of(tool, tmp_path / "tool.jar")
    words = ("--preset", "transformed", "--set", f"tool={shrinker}", "--set", "main=Tool", "--set", "program=p.Main")
    classes, failures = reduced(
        jarlet, jar, *words, "--set", "change={jar} {out}.jar well number nomber", "--granularity", "class"
    )
    assert failures == ["another standard output"]
    assert classes >= {"p/Main", "p/Text"}
    seen = json.loads(Path("out.json").read_text())["final"]["stderr"].splitlines()
    assert [line.split()[0] for line in seen] == ["first:", "second:"]
    assert seen[1].partition(" ")[2] == seen[0].partition(" ")[2].strip().replace("number", "nomber")
    done = jarlet("check", jar, *words, "--set", "change={jar} {out}.jar fails")
    assert done.returncode == 1, "a tool that fails says nothing of what it would have made"
    done = jarlet("check", jar, *words[:-2], "--set", "change={jar} {out}.jar well more mora")
    assert re.search(r"first: .* p[.]Other[.]more\(\).*\n    second: .* p[.]Other[.]mora\(\)", done.stdout), done.stdout


@pytest.mark.slow
def test_a_second_virtual_machine_that_gets_little_of_the_processor_is_not_ended(jarlet, compile_java, tmp_path):
    source = (
        "package p; public class Main { public static void main(String[] w) throws Exception {"
        ' if (System.getProperty("java.vm.info").startsWith("compiled")) for (int n = 0; n < 70; n++) {'
        " Thread.sleep(160); for (long end = System.nanoTime() + 40_000_000L; System.nanoTime() < end;) ; }"
        ' System.out.println("done"); } }'
    )
    slow = jar_of(compile_java({"p/Main.java": source}), tmp_path / "slow.jar")
    done = jarlet("check", slow, "--preset", "jvms", "--set", "main=p.Main")
    assert done.returncode == 1
    assert "exit code none" not in done.stdout + done.stderr


@pytest.mark.slow
def test_two_jdks_write_a_number_in_two_ways(jarlet, compile_java, tmp_path):
    """JDK 19 mended Double.toString (JDK-4511638): before, 2e23 was written 1.9999999999999998E23."""
    homes = {jdk.feature: jdk.home for jdk in installed_jdks()}
    old, new = [each for each in homes if each < 19], [each for each in homes if each >= 19]
    if not old or not new:
        pytest.skip("there is no JDK before 19, or none since")
    first, second = (homes[feature] / "bin/java" for feature in (old[0], new[0]))
    sources = {**PROGRAM, "p/Sum.java": "package p; class Sum { double of(int n) { return n * 1e23 - 1e23; } }"}
    jar = jar_of(compile_java(sources), tmp_path / "numbers.jar")
    vms = ("--set", f"first={first}", "--set", f"second={second}")
    words = ("--preset", "jvms", "--set", "main=p.Main", *vms, "--granularity", "class")
    classes, failures = reduced(jarlet, jar, *words)
    assert failures == ["another standard output"]
    assert "p/Sum" in classes


@pytest.mark.slow
def test_a_runtime_image_without_the_words_of_other_languages_says_something_else(jarlet, compile_java, tmp_path):
    """An image of java.base alone lacks jdk.localedata, and nothing complains."""
    day = "DayOfWeek.of(2).getDisplayName(java.time.format.TextStyle.FULL, java.util.Locale.GERMANY)"
    text = f"package p; class Text {{ String of(int n) {{ return java.time.{day}; }} }}"
    jar = jar_of(compile_java({**PROGRAM, "p/Text.java": text}), tmp_path / "days.jar")
    link = "between={jdk}/bin/jlink --add-modules java.base --output image"
    vms = ("--set", "first={java}", "--set", link, "--set", "second=image/bin/java")
    classes, failures = reduced(jarlet, jar, "--preset", "jvms", "--set", "main=p.Main", *vms, "--granularity", "class")
    assert failures == ["another standard output"]
    assert classes >= {"p/Main", "p/Text"}


@pytest.mark.slow
def test_proguard_breaks_a_program_that_names_its_classes(jarlet, compile_java, tmp_path):
    jars = fetched("proguard")
    sources = {
        **PROGRAM,
        "p/Other.java": """package p;
class Other {
    String of(int n) {
        String name = new StringBuilder("neddiH.p").reverse().toString();  // ProGuard reads the names of constants
        try { return Class.forName(name).getDeclaredConstructor().newInstance().toString(); }
        catch (ReflectiveOperationException e) { return "none"; }
    }
}
""",
        "p/Hidden.java": 'package p; class Hidden { Hidden() {} public String toString() { return "hidden"; } }',
    }
    jar = jar_of(compile_java(sources), tmp_path / "reflects.jar")
    rules = "-dontnote -keep 'class p.Main { public static void main(java.lang.String[]); }'"
    change = f"-injars {{jar}} -outjars {{out}}.jar -libraryjars {{jdk}}/jmods/java.base.jmod(!**.jar) {rules}"
    tool = ("--set", f"tool={':'.join(map(str, jars))}", "--set", "main=proguard.ProGuard")
    program = ("--set", f"change={change}", "--set", "program=p.Main", "--granularity", "class")
    classes, failures = reduced(jarlet, jar, "--preset", "transformed", *tool, *program)
    assert failures == ["another standard output"]
    assert classes >= {"p/Main", "p/Other", "p/Hidden"}


TESTS = {
    "p/SumTest.java": """package p;
import org.junit.jupiter.api.*;
class SumTest {
    @Test void adds() { Assertions.assertEquals(5, new Sum().of(3)); }
    @Test void starts() { Assertions.assertEquals(1, new Sum().of(0)); }
}
""",
    "p/TextTest.java": """package p;
import org.junit.jupiter.api.*;
class TextTest { @Test void tells() { Assertions.assertEquals("number1", new Text().of(1)); } }
""",
}


@pytest.fixture
def launcher():
    """JUnit's console launcher."""
    (jar,) = fetched("junit")
    return jar


@pytest.mark.slow
def test_a_failing_test_is_a_failure_by_its_name(jarlet, compile_java, tmp_path, launcher):
    classes = compile_java({**PROGRAM, **TESTS}, "-cp", str(launcher))
    jar = jar_of(classes, tmp_path / "tests.jar")
    left, failures = reduced(jarlet, jar, "--preset", "junit", "--classpath", launcher, "--granularity", "class")
    assert failures == ["p.SumTest.adds: org.opentest4j.AssertionFailedError: expected: <#> but was: <#>"]
    assert left == {"p/Sum", "p/SumTest"}


@pytest.mark.slow
def test_a_failing_test_that_only_an_xml_report_tells_is_seen_by_the_script(jarlet, compile_java, tmp_path, launcher):
    jar = jar_of(compile_java({**PROGRAM, **TESTS}, "-cp", str(launcher)), tmp_path / "tests.jar")
    options = "--scan-class-path --details none --reports-dir ."
    command = f"sh -c 'java -jar {launcher} execute --class-path {{jar}} {options} >/dev/null 2>&1'"
    words = ["--failures-as", "tests", "--granularity", "class", "--bug-folder", "bug", "--source-time", 0]
    done = jarlet("reduce", jar, "--predicate", command, *words, "-o", "out.jar", "--jobs", 1)
    assert done.returncode == 0, done.stderr
    assert "Verified: run in an empty folder, the script shows what is wanted." in done.stdout
    (tmp_path / "bug/small.jar").write_bytes((tmp_path / "out.jar").read_bytes())
    done = subprocess.run(["sh", "bug/reproduce.sh"], capture_output=True, text=True, check=False)
    assert "Seen: 'p.SumTest.adds" in done.stderr
