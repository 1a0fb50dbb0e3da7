"""What is known of a watched run: classes of jars inside, of a class path, and those whose record cannot be read."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.evidence import JAVA, ran_of
from tests.support.files import jar_of

KOTLIN = {
    "kotlin/Metadata.java": "package kotlin; public @interface Metadata { }",
    "demo/Inlined.java": """package demo;
@kotlin.Metadata public class Inlined {
    public static void main(String[] words) { System.out.println("ran"); }
    static void never() { }
}
""",
}


def test_a_class_with_a_record_that_cannot_be_analysed_counts_as_wholly_run(
    jacoco, compile_java: Callable[..., Path], tmp_path: Path
) -> None:
    folder = compile_java(KOTLIN)
    path = folder / "demo" / "Inlined.class"
    no_map = path.read_bytes().replace(b"\x01\0\x0aSourceFile", b"\x01\0\x14SourceDebugExtension")
    path.write_bytes(no_map)  # Kotlin's compiler writes maps that an older JaCoCo cannot read
    jar = jar_of(folder, tmp_path / "inlined.jar")
    ran, _ = ran_of(jar, command=f"{JAVA} -cp {{jar}} demo.Inlined")
    assert ran.covered == {"demo/Inlined"}
    assert not ran.missed
    assert ran.note == "Of 1 class JaCoCo's record cannot be read (first: demo.Inlined): all in there counts as run."


THROWING = {
    "demo/Main.java": """package demo;
public class Main {
    public static void main(String[] words) { try { throw new Odd(); } catch (Odd caught) { } }
}
class Odd extends RuntimeException {
    @Override public String getMessage() { return Told.TEXT.toString(); }
}
class Told { static final Object TEXT = new Object(); }
""",
}


def test_a_watched_run_runs_no_more_of_an_exception_than_the_program_does(
    jacoco, compile_java: Callable[..., Path], tmp_path: Path
) -> None:
    jar = jar_of(compile_java(THROWING), tmp_path / "throwing.jar")
    ran, _ = ran_of(jar, command=f"{JAVA} -cp {{jar}} demo.Main")
    assert ran.loaded == {"demo/Main", "demo/Odd"}
    assert ("demo/Odd", "getMessage", "()Ljava/lang/String;") in ran.missed


LAUNCHER = {
    "boot/Launcher.java": """package boot;
import java.io.*;
import java.net.*;
import java.util.*;
import java.util.zip.*;
public class Launcher extends ClassLoader {
    private final Map<String, byte[]> entries = new HashMap<>();
    public static void main(String[] words) throws Exception {
        Launcher loader = new Launcher();
        try (InputStream in = new FileInputStream(System.getProperty("java.class.path"))) {
            loader.read(in, "BOOT-INF/classes/");
        }
        Class<?> main = loader.loadClass("app.Main");
        main.getMethod("main", String[].class).invoke(null, (Object) words);
    }
    private void read(InputStream in, String folder) throws IOException {
        ZipInputStream jar = new ZipInputStream(in);
        for (ZipEntry each = jar.getNextEntry(); each != null; each = jar.getNextEntry()) {
            String name = each.getName();
            byte[] data = jar.readAllBytes();
            if (name.startsWith("BOOT-INF/lib/") && name.endsWith(".jar")) {
                read(new ByteArrayInputStream(data), "");
            } else if (name.startsWith(folder)) {
                entries.put(name.substring(folder.length()), data);
            }
        }
    }
    @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] data = entries.get(name.replace('.', '/') + ".class");
        if (data == null) throw new ClassNotFoundException(name);
        return defineClass(name, data, 0, data.length);
    }
    @Override protected URL findResource(String name) {
        byte[] data = entries.get(name);
        if (data == null) return null;
        try {
            return new URL("entry", "", -1, "/" + name, new URLStreamHandler() {
                @Override protected URLConnection openConnection(URL url) {
                    return new URLConnection(url) {
                        @Override public void connect() { }
                        @Override public InputStream getInputStream() { return new ByteArrayInputStream(data); }
                    };
                }
            });
        } catch (MalformedURLException impossible) {
            return null;
        }
    }
}
""",
}
INNER = {
    "lib/Words.java": """package lib;
public class Words {
    public static String said() throws Exception {
        return new String(Words.class.getResourceAsStream("words.txt").readAllBytes());
    }
    public static String never() { return "never"; }
}
class Spare { }
""",
}
OUTER = {
    "app/Main.java": """package app;
public class Main {
    public static void main(String[] words) throws Exception {
        System.out.println(lib.Words.said() + new String(Main.class.getResourceAsStream("/own.txt").readAllBytes()));
    }
    static void unused() { System.out.println("unused"); }
}
""",
}


@pytest.fixture(scope="module")
def boot(compile_java: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A jar whose launcher loads classes and resources out of jars inside by a class loader of its own."""
    folder = tmp_path_factory.mktemp("boot")
    lib, path = compile_java(INNER), folder / "boot.jar"
    with zipfile.ZipFile(jar_of(lib, folder / "lib.jar"), "a") as inner:
        inner.writestr("lib/words.txt", "hello ")
        inner.writestr("lib/large.txt", "never read")
    outer = compile_java(OUTER, "-cp", str(lib))
    with zipfile.ZipFile(jar_of(compile_java(LAUNCHER), path), "a") as jar:
        jar.writestr("BOOT-INF/classes/app/Main.class", (outer / "app" / "Main.class").read_bytes())
        jar.writestr("BOOT-INF/classes/own.txt", "world")
        jar.writestr("BOOT-INF/classes/other.txt", "never read")
        jar.writestr(zipfile.ZipInfo("BOOT-INF/lib/lib.jar"), (folder / "lib.jar").read_bytes())
    return path


@pytest.mark.guarded
def test_what_runs_and_is_read_of_jars_inside_is_known(jacoco, boot: Path) -> None:
    command = f"{JAVA} -cp {{jar}} boot.Launcher"
    ran, read = ran_of(boot, command=command, nested=True)
    assert {name for name in ran.covered if not name.startswith("boot/")} == {"app/Main", "lib/Words"}
    assert ran.missed >= {("lib/Words", "never", "()Ljava/lang/String;"), ("app/Main", "unused", "()V")}
    assert read == ["BOOT-INF/classes/own.txt", "BOOT-INF/lib/lib.jar!/lib/words.txt"]
    closed, _ = ran_of(boot, command=command)
    assert "lib/Words" not in closed.loaded | closed.covered, "the jar inside is no part of the input"


def test_what_runs_and_is_read_of_the_jars_of_a_class_path_is_known(
    jacoco, compile_java: Callable[..., Path], tmp_path: Path
) -> None:
    lib = compile_java(INNER)
    jars = [jar_of(compile_java(OUTER, "-cp", str(lib)), tmp_path / "app.jar"), jar_of(lib, tmp_path / "lib.jar")]
    for jar, texts in zip(jars, (("own.txt", "other.txt"), ("lib/words.txt", "lib/large.txt")), strict=True):
        with zipfile.ZipFile(jar, "a") as more:
            for text in texts:
                more.writestr(text, "text")
    ran, read = ran_of(*jars, command=f"{JAVA} -cp {{classpath}} app.Main")
    assert ran.covered == {"app/Main", "lib/Words"}
    assert ran.missed >= {("lib/Words", "never", "()Ljava/lang/String;"), ("app/Main", "unused", "()V")}
    assert read == ["app.jar!/own.txt", "lib.jar!/lib/words.txt"]
