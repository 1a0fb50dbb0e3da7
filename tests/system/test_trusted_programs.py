"""Programs that must still run: inputs that were never run get the program's own answer, or end it loudly."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from core.predicate.releases.coordinate import Coordinate
from core.predicate.releases.downloads import FetchError
from core.predicate.releases.maven import jars_of
from core.protocol import events
from core.protocol.wording import program_text
from tests.support.evidence import reduce_with_evidence
from tests.support.files import jar_of

SOURCES = {
    "app/Main.java": """package app;
public class Main {
    interface Shape { default String name() { return "shape"; } }
    static class Square implements Shape { public String name() { return "a square of some kind"; } }
    static class Other implements Shape { public String name() { return "another shape, and a longer text"; } }

    static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException bad) {
            StringBuilder digits = new StringBuilder();
            for (char each : text.toCharArray())
                if (Character.isDigit(each))
                    digits.append(each);
            return digits.length() == 0 ? -1 : Integer.parseInt(digits.toString());
        }
    }

    static String pages(int lines) {
        StringBuilder out = new StringBuilder();
        for (int line = 0; line < lines; line++) {
            out.append("line ").append(line).append(' ');
            if (line == 5) {
                out.append("-- a header of the next page, ").append(line).append(" lines down, ");
                out.append("with a footer").append(" and a rule ").append(line % 7).append(" of ").append(lines);
                out.append("; ").append(line + lines).append(" in all, and so on").append(line * lines);
            }
        }
        return out.toString();
    }

    static String plugin(String name) {
        try {
            return Class.forName("app.plugins." + name).getConstructor().newInstance().toString();
        } catch (Throwable none) {
            return "no plugin";
        }
    }

    static String greeting(String language) {
        java.net.URL found = Main.class.getResource("greeting_" + language + ".txt");
        return found == null ? "hi" : "a greeting";
    }

    static Shape shape(int number) { return number % 2 == 0 ? new Square() : new Other(); }

    static String safely(int number) {
        try {
            return shape(number).name();
        } catch (Throwable swallowed) {
            return "nothing to see";
        }
    }

    interface Maker {
        String make();
        default String twice() {
            StringBuilder out = new StringBuilder(make());
            out.append(" and again ").append(make()).append(' ').append(out.length());
            return out.toString();
        }
    }

    static String made(int number) {
        if (number != 7)
            return "";
        Maker maker = () -> "made " + number;
        return maker.twice();
    }

    public static void main(String[] words) {
        int number = number(words[0]);
        System.out.println(pages(number) + safely(number) + made(number));
        System.out.println(plugin(words[1]) + greeting(words[2]));
        System.out.println("Success");
    }
}
""",
    "app/plugins/One.java": 'package app.plugins; public class One { public String toString() { return "one"; } }',
    "app/plugins/Two.java": 'package app.plugins; public class Two { public String toString() { return "two, too"; } }',
    "app/Spare.java": 'package app; class Spare { static String spare() { return "spare" + new Spare(); } }',
}

CHECKS = """package app;
public class Checks {
    static int failed;
    static void check(boolean right) { if (!right) failed++; }
    STEPS
    public static void main(String[] words) {
        check(step19(1) == 191);
        System.out.println(failed == 0 ? "Success" : "Failure");
    }
}
""".replace(
    "STEPS",
    "".join(f"static int step{n}(int x) {{ return {f'step{n - 1}(x)' if n else 'x'} + {n}; }}" for n in range(20)),
)

SHOWN = "4 One en"
UNSEEN = {
    "branch": "8 One en",
    "method": "5 One en",
    "handler": "x6 One en",
    "lambda": "7 One en",
    "class": "4 Two en",
    "resource": "4 One de",
}


def run(jar: Path, words: str) -> tuple[int, str, str]:
    done = subprocess.run(
        ["java", "-XX:TieredStopAtLevel=1", "-cp", str(jar), "app.Main", *words.split()],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def jar(compile_java: Callable[..., Path], tmp_path: Path) -> Path:
    path, classes = tmp_path / "app.jar", compile_java(SOURCES)
    with zipfile.ZipFile(path, "w") as made:
        for file in sorted(classes.rglob("*.class")):
            made.write(file, file.relative_to(classes).as_posix())
        for language in ("en", "de"):
            made.writestr(f"app/greeting_{language}.txt", "hello")
    return path


def reduced(jar: Path, work: Path, level: str, words: str = SHOWN, **more: object) -> tuple[Path, list[events.Event]]:
    command = f"java -XX:TieredStopAtLevel=1 -cp {{jar}} app.Main {words}"
    more |= {"preserve": frozenset({"exit", "out"}), "trust": level, "max_probes": 20}
    _, session, told = reduce_with_evidence(work, command, path=jar, **more)
    out = work / "small.jar"
    with zipfile.ZipFile(out, "w") as made:
        for name, data in session.entries:
            made.writestr(name, data)
    return out, told


@pytest.mark.guarded
@pytest.mark.parametrize(
    ("level", "large"), [("as-run", 2), ("careful", 1_000), ("careful", 2), ("whole-classes", 1_000)]
)
def test_an_unseen_input_is_right_or_loud(
    jacoco, jar: Path, tmp_path: Path, monkeypatch, level: str, large: int
) -> None:
    monkeypatch.setattr("core.reduction.elements.LARGE_INPUT", large)
    small, _ = reduced(jar, tmp_path / "work", level)
    assert small.stat().st_size < jar.stat().st_size
    assert run(small, SHOWN)[:2] == run(jar, SHOWN)[:2]
    loud = set()
    for what, words in UNSEEN.items():
        code, out, err = run(small, words)
        if (code, out) != run(jar, words)[:2]:
            assert code == 70, what
            assert "taken away by Jarlet" in err, what
            assert "at app.Main" in err, what
            loud.add(what)
    assert loud == ({"branch", "method", "handler", "lambda"} if level == "as-run" else set())


@pytest.mark.guarded
def test_an_input_that_fails_on_the_full_program_is_named_and_the_others_keep_their_code(
    jacoco, jar: Path, tmp_path: Path
) -> None:
    (tmp_path / "inputs.txt").write_text(f"{SHOWN}\n4 One\n")
    small, told = reduced(jar, tmp_path / "work", "careful", "", trials=str(tmp_path / "inputs.txt"), held_out=0)
    (message,) = {event.message for event in told if isinstance(event, events.Checked)}
    assert "exit code 1 on the full input for the inputs '4 One', and that is what is kept." in message
    assert small.stat().st_size < jar.stat().st_size
    for words in (SHOWN, *UNSEEN.values()):
        assert run(small, words)[:2] == run(jar, words)[:2]


@pytest.mark.guarded
@pytest.mark.parametrize("searches", [0, 1])
def test_past_the_time_limit_a_result_that_unseen_inputs_pass_takes_one_probe(
    jacoco, jar: Path, tmp_path: Path, monkeypatch, searches: int
) -> None:
    """The time limit comes before the first search, or before the second one, which sees the failing inputs."""
    left = [1_000.0] * searches
    monkeypatch.setattr(
        "core.service.searching.accounts.Accounts.left",
        lambda self, limit, after: left.pop() if after and left else -1.0,
    )
    (tmp_path / "inputs.txt").write_text("\n".join((SHOWN, *UNSEEN.values())))
    more = {"trials": str(tmp_path / "inputs.txt"), "held_out": 80, "time_limit": 1_000}
    small, told = reduced(jar, tmp_path / "work", "as-run", "", **more)
    (report,) = [event.report for event in told if isinstance(event, events.Finished)]
    assert report["reason"] == "time"
    assert any(each["kept"] for each in report["unseen"]["failed"]) is bool(searches)
    assert (small.stat().st_size < jar.stat().st_size) is bool(searches)
    assert not any("Nothing is sure" in event.message for event in told if isinstance(event, events.Warned))
    for words in (SHOWN, *UNSEEN.values()):
        assert run(small, words)[:2] == run(jar, words)[:2]


@pytest.mark.guarded
@pytest.mark.parametrize("level", ["output", "careful"])
def test_a_result_that_only_prints_what_is_compared_is_told(
    jacoco, compile_java: Callable[..., Path], tmp_path: Path, level: str
) -> None:
    jar = jar_of(compile_java({"app/Checks.java": CHECKS}), tmp_path / "checks.jar")
    command = "java -XX:TieredStopAtLevel=1 -cp {jar} app.Checks"
    _, _, told = reduce_with_evidence(
        tmp_path / "work", command, path=jar, preserve=frozenset({"exit", "out"}), trust=level
    )
    warned = ["do not ship it" in event.message for event in told if isinstance(event, events.Warned) and event.doubt]
    (report,) = [event.report for event in told if isinstance(event, events.Finished)]
    assert report["methods"]["input"] == 22
    assert report["methods"]["hollow"] is (level == "output")
    assert warned == [True] * (level == "output")
    assert ("do not ship it" in program_text(report)) is (level == "output")


WRITES = """package app;
import java.nio.file.*;
public class Writes {
    public static void main(String[] words) throws Exception {
        try (java.io.FileWriter out = new java.io.FileWriter(words[0] + "/one.txt")) { out.write("1"); }
        Files.writeString(Path.of(words[0], "two.txt"), "2");
        Files.writeString(Path.of("inside.txt"), "3");
        Files.delete(Files.writeString(Path.of(words[0], "gone.txt"), "4"));
        System.out.println("written");
    }
}
"""


@pytest.mark.guarded
def test_files_that_the_program_itself_writes_outside_its_folder_are_told(
    jacoco, compile_java: Callable[..., Path], tmp_path: Path
) -> None:
    jar, home = jar_of(compile_java({"app/Writes.java": WRITES}), tmp_path / "writes.jar"), tmp_path / "home"
    home.mkdir()
    (tmp_path / "home.txt").write_text(str(home))
    command = f"{shutil.which('java')} -cp {{jar}} app.Writes $(cat {tmp_path / 'home.txt'})"
    _, _, told = reduce_with_evidence(
        tmp_path / "work", f'sh -c "{command}"', path=jar, preserve=frozenset({"exit", "out"}), max_probes=2
    )
    (warned,) = {event.message for event in told if isinstance(event, events.Warned) and "outside" in event.message}
    assert f"itself writes {home / 'one.txt'}, {home / 'two.txt'}, outside its folder" in warned


@pytest.fixture
def rules(jacoco, jarlet, jar: Path, compile_java: Callable[..., Path], tmp_path: Path) -> Path:
    """The folder of rules from a reduction of the program beside a library that it does not use."""
    gone = compile_java({"spare/Gone.java": "package spare; class Gone { }"})
    classes = compile_java({"spare/Spare.java": "package spare; class Spare extends Gone { }"}, "-cp", str(gone))
    spare = jar_of(classes, tmp_path / "spare.jar")
    with zipfile.ZipFile(spare, "a") as made:
        made.writestr("META-INF/maven/org.example/spare/pom.properties", "version=1\n")
    command = f"java -XX:TieredStopAtLevel=1 -cp {{classpath}} app.Main {SHOWN}"
    folder, wanted = tmp_path / "rules", ("--preserve", "exit,out", "--max-probes", 3, "-o", tmp_path / "out")
    done = jarlet("reduce", jar, spare, "--predicate", command, *wanted, "--export-rules", folder)
    assert "keep.pro" in done.stdout, done.stdout + done.stderr
    return folder


@pytest.mark.guarded
def test_rules_for_other_tools_have_their_reasons(rules: Path) -> None:
    keep = (rules / "keep.pro").read_text().splitlines()
    kept = dict(zip(keep[2::2], keep[1::2], strict=True))
    (main,) = (rule for rule in kept if rule.startswith("-keep class app.Main {"))
    assert "void main(java.lang.String[]);" in main
    assert kept[main] == "# loaded by the run"
    assert any(rule.startswith("-keep class app.plugins.Two {") for rule in kept)
    assert "app.Spare" not in str(kept)
    assert kept["-dontwarn spare.Gone"] == "# the full input lacks it too"
    metadata = json.loads((rules / "reachability-metadata.json").read_text())
    found = {each["type"]: each for each in metadata["reflection"]}
    assert {"name": "<init>", "parameterTypes": []} in found["app.plugins.Two"]["methods"]
    assert found["app.plugins.Two"]["reason"] == "named in app.Main"
    assert {"glob": "app/greeting_de.txt"} in metadata["resources"]
    assert (rules / "modules.txt").read_text().startswith("java.base  # ")
    excluded = (rules / "exclusions.gradle").read_text()
    assert excluded == "exclude group: 'org.example', module: 'spare' // spare.jar: nothing of it is left\n"


def shrunk(tool: str, rules: list[str], jar: Path, out: Path) -> Path:
    """Return the jar as ProGuard or R8 make it smaller by some rules."""
    try:
        path = os.pathsep.join(map(str, jars_of(Coordinate.parse(tool), {}, fetch=True).values()))
    except FetchError as error:
        pytest.skip(str(error))
    rules = [*rules, "-dontobfuscate"]
    if "proguard" in tool:
        library = "<java.home>/jmods/java.base.jmod(!**.jar;!module-info.class)"
        words = ["proguard.ProGuard", *rules, "-injars", str(jar), "-outjars", str(out), "-libraryjars", library]
    else:
        (written := out.with_suffix(".pro")).write_text("\n".join(rules))
        home = Path(os.path.realpath(shutil.which("java") or "")).parents[1]
        words = ["com.android.tools.r8.R8", "--classfile", "--lib", str(home), "--pg-conf", str(written)]
        words += ["--output", str(out), str(jar)]
    subprocess.run(["java", "-cp", path, *words], check=True, capture_output=True)
    return out


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["com.guardsquare:proguard-base:7.7.0", "com.android.tools:r8:8.5.35"])
def test_a_shrinker_with_the_rules_keeps_what_reflection_finds(rules, jar: Path, tmp_path: Path, tool: str) -> None:
    main = "-keep class app.Main { void main(java.lang.String[]); }"
    unruled = shrunk(tool, [main], jar, tmp_path / "unruled.jar")
    ruled = shrunk(tool, [f"-include {rules / 'keep.pro'}"], jar, tmp_path / "ruled.jar")
    assert ruled.stat().st_size < jar.stat().st_size
    assert run(unruled, SHOWN)[:2] != run(jar, SHOWN)[:2]
    for words in (SHOWN, *UNSEEN.values()):
        assert run(ruled, words)[:2] == run(jar, words)[:2]


@pytest.mark.slow
def test_the_result_runs_on_a_jdk_of_the_modules(rules: Path, jar: Path, tmp_path: Path) -> None:
    modules = ",".join(line.split()[0] for line in (rules / "modules.txt").read_text().splitlines())
    image = tmp_path / "image"
    subprocess.run(["jlink", "--add-modules", modules, "--output", str(image)], check=True, capture_output=True)
    small = [str(image / "bin/java"), "-cp", str(jar), "app.Main", *SHOWN.split()]
    done = subprocess.run(small, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == run(jar, SHOWN)[:2]
