"""Other names of classes: all that names a class is renamed, and the program runs under the new names."""

from __future__ import annotations

import subprocess
from pathlib import Path

from core.archive.jar import write_jar
from core.edits.names.name_map import with_class_names
from core.entries import renaming_of
from tests.support.java import CompileJava

SOURCE = """package a;
import java.util.*;
import java.util.function.*;
public class Main {
    static class Inner<T extends Other> { List<? super Other> all = new ArrayList<>(); Other[] many = new Other[1]; }
    interface Other { default String told() { return getClass().getName().replaceAll("/0x.*", ""); } }
    enum Kind implements Other { ONE }
    public static void main(String[] arguments) throws Exception {
        Supplier<Inner<Kind>> made = Inner::new;
        made.get().all.add(Kind.ONE);
        System.out.println(made.get().many.getClass().getComponentType().getName() + " " + Kind.ONE.told());
        System.out.println(Class.forName("a.Main").getName() + " " + Kind.class.getEnclosingClass().getName());
    }
}
"""


def test_a_program_runs_under_new_names(compile_java: CompileJava, tmp_path: Path) -> None:
    folder = compile_java({"a/Main.java": SOURCE}, "-g")
    entries = [(path.relative_to(folder).as_posix(), path.read_bytes()) for path in sorted(folder.rglob("*.class"))]
    classes = [name.removesuffix(".class") for name, _ in entries]
    names = {name: name.replace("a/Main", "pkg/TestMain") for name in classes}
    renamed = with_class_names(entries, names)
    assert renaming_of(renamed).classes == names
    assert not [name for name, data in renamed if b"a/Main" in data]
    write_jar(tmp_path / "new.jar", renamed)
    done = subprocess.run(
        ["java", "-Xverify:all", "-cp", tmp_path / "new.jar", "pkg.TestMain"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["pkg.TestMain$Other", "pkg.TestMain$Kind", "pkg.TestMain", "pkg.TestMain"]
