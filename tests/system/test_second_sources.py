"""The counter of errors in decompiled source blames the decompiler for what it writes of classes from javac, too."""

from contextlib import closing

import pytest

from core.archive.jar import write_jar
from tests.bench.resident import Resident
from tests.bench.second_sources import Sample
from tests.bench.sources import QUIET, Row, compile_errors, judge, own_problems, sources_of

DECOMPILER = """
import java.nio.file.*;
import java.util.*;
import java.util.zip.*;

public class Decompiler {
    public static void main(String[] words) throws Exception {
        Path out = Files.createDirectories(Path.of(words[2]));
        try (ZipFile jar = new ZipFile(words[1])) {
            for (ZipEntry entry : Collections.list(jar.entries())) {
                String name = entry.getName().replace(".class", "");
                String data = new String(jar.getInputStream(entry).readAllBytes(), "ISO-8859-1");
                boolean wrong = words[0].equals("wrong") && (name.equals("Own") || data.contains("no compiler"));
                String field = wrong ? "int number = \\"text\\";" : "";
                Files.writeString(out.resolve(name + ".java"), "class " + name + " { " + field + " }");
            }
        }
    }
}
"""
CLASSES = {"Own.java": "class Own { }", "Odd.java": 'class Odd { String made = "by no compiler"; }'}


@pytest.mark.guarded
def test_an_error_that_a_decompiler_makes_of_classes_from_javac_too_is_its_own(compile_java, tmp_path):
    """The decompiler of the test writes wrong source of the class ``Own`` always, and of another one where the class
    has a text that the second decompiler leaves out."""
    tool = compile_java({"Decompiler.java": DECOMPILER})
    folder = compile_java(CLASSES)
    entries = [(f"{name}.class", (folder / f"{name}.class").read_bytes()) for name in ("Odd", "Own")]
    write_jar(tmp_path / "part.jar", entries, durable=False)
    command = ["Decompiler", "wrong", "{jar}", "{out}"]
    with closing(Resident(QUIET, str(tool), tmp_path)) as tools:
        sources_of(tools, command, tmp_path / "part.jar", tmp_path / "src")
        found = compile_errors(tools, tmp_path / "src", [], entries)
        second = {"second": ["Decompiler", "right", "{jar}", "{out}"]}
        sample, files = Sample(tmp_path / "part.jar", entries, []), {problem.file for problem in found}
        own = own_problems(tools, command, second, sample, files)
    blames = judge(Row("part.jar", "full"), found, found, own)
    assert [(blame, problem.file) for blame, problem in blames] == [("model", "Odd.java"), ("tool", "Own.java")]
