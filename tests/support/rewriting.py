"""What the tests of parts and of rewriting share: worlds, choices, and programs of the JDK as judges."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path

from core.classfile.class_file import ClassFile, parse
from core.classfile.symbolic.compaction import Numbering
from core.classfile.symbolic.fact_kinds import FactKind
from core.classfile.symbolic.part_kinds import Part, PartKind
from core.classfile.symbolic.pieces import Choice, Fact
from core.library.jdk import QUICK_TOOL
from core.parts.parts import parts
from core.parts.rewriter import Rewriter, World
from tests.support.patience import patience

PRINTS_SEVEN = {
    "Main.java": "public class Main { public static void main(String[] a) {"
    " System.out.println(new One<String>().f(new Two())); } }",
    "One.java": "public class One<T> { static class Inner { int x = 2; }"
    " int f(Two two) { return new Inner().x + two.g(); } }",
    "Two.java": "public class Two { int g() { return 5; } }",
}
"""Sources of a program that rewriting makes simpler."""

JARS = sorted(path for path in Path("/usr/share/java").glob("*.jar") if not path.is_symlink())
"""Debian's jars."""

BOOTSTRAP = (PartKind.BOOTSTRAP,)
"""Code that lives on must find its entry."""

RUNNER = {
    "Runner.java": """
import java.lang.reflect.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

/** Arguments: "load" (load and verify) or "run" (call everything with default values too), then class folders. */
public class Runner {
    public static void main(String[] args) throws Exception {
        int loaded = 0, called = 0;
        for (String folder : Arrays.asList(args).subList(1, args.length)) {
            Path root = Path.of(folder);
            URL[] path = {root.toUri().toURL()};
            ClassLoader loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader());
            List<Path> files;
            try (var walk = Files.walk(root)) {
                files = walk.filter(file -> file.toString().endsWith(".class")).sorted().toList();
            }
            for (Path file : files) {
                String name = root.relativize(file).toString().replace(".class", "").replace('/', '.');
                if (name.equals("module-info")) continue;
                try {
                    Class<?> type = Class.forName(name, args[0].equals("run"), loader);
                    type.getDeclaredMethods(); // links, and so verifies
                    loaded++;
                    if (args[0].equals("run")) called += run(type);
                } catch (NoClassDefFoundError | TypeNotPresentException missing) {
                    System.out.println("missing " + folder + " " + name + " " + missing.getMessage());
                } catch (Throwable wrong) {
                    System.out.println("wrong " + folder + " " + name + " " + wrong);
                }
            }
        }
        System.out.println("loaded " + loaded + " called " + called);
    }

    static int run(Class<?> type) throws Exception {
        int called = 0;
        Object made = null;
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (Modifier.isAbstract(type.getModifiers()) || (type.getModifiers() & 0x4000) != 0) continue;
            constructor.setAccessible(true);
            made = constructor.newInstance(defaults(constructor.getParameterTypes()));
            called++;
        }
        for (Method method : type.getDeclaredMethods()) {
            boolean isStatic = Modifier.isStatic(method.getModifiers());
            if (Modifier.isAbstract(method.getModifiers()) || !isStatic && made == null) continue;
            method.setAccessible(true);
            Object result = method.invoke(isStatic ? null : made, defaults(method.getParameterTypes()));
            Object expected = defaults(new Class<?>[] {method.getReturnType()})[0];
            if (!Objects.equals(result, expected)) throw new IllegalStateException(method + " returned " + result);
            called++;
        }
        return called;
    }

    static Object[] defaults(Class<?>[] types) {
        Object[] values = new Object[types.length];
        for (int i = 0; i < types.length; i++)
            if (types[i].isPrimitive() && types[i] != void.class)
                values[i] = Array.get(Array.newInstance(types[i], 1), 0);
        return values;
    }
}
"""
}


class Everything:
    """A world in which nothing is gone. ``constructors`` are descriptors by class."""

    def __init__(self, constructors: dict[str, str] | None = None) -> None:
        self.constructors = constructors or {}

    def holds(self, fact: Fact) -> bool:
        return True

    def super_constructor(self, class_name: str) -> str:
        return self.constructors.get(class_name, "()V")


class Without(Everything):
    """A world without some classes."""

    def __init__(self, *gone: str, constructors: dict[str, str] | None = None) -> None:
        super().__init__(constructors)
        self.gone = frozenset(gone)

    def holds(self, fact: Fact) -> bool:
        if isinstance(fact, tuple) and fact[0] in (FactKind.PERMITTED, FactKind.NEST):
            fact = fact[1]
        return fact not in self.gone


def everything(found: Sequence[Part]) -> int:
    """The mask of all parts."""
    return (1 << len(found)) - 1


def without(found: Sequence[Part], *names: str) -> int:
    """The mask of all parts but those called *names* and what belongs to them."""
    assert set(names) <= {part.name for part in found}
    return chosen(found, lambda part: part.name not in names)


def chosen(found: Sequence[Part], wanted: Callable[[Part], bool]) -> int:
    """The mask of the *wanted* parts, each only if its parent is in it."""
    kept = 0
    for number, part in enumerate(found):
        if (part.parent < 0 or kept >> part.parent & 1) and wanted(part):
            kept |= 1 << number
    return kept


def anyhow(found: Sequence[Part], source: random.Random, always: Collection[PartKind], share: float = 0.5) -> int:
    """A random mask of about *share* of the parts, with all of the kinds *always*."""
    return chosen(found, lambda part: part.kind in always or source.random() < share)


def rewritten(cf: ClassFile, *names: str, world: Everything | None = None, granularity: str = "full") -> ClassFile:
    """The class without the parts *names*, read again."""
    found = parts(cf, granularity)
    return parse(Rewriter(cf, found).write(without(found, *names), world or Everything()))


def named(cf: ClassFile, granularity: str = "full") -> list[str]:
    """The names of its parts."""
    return [part.name for part in parts(cf, granularity)]


def rewrite(cf: ClassFile, parts: Sequence[Part], kept: int, world: World) -> bytes:
    """The class without those of its parts whose bits are not set."""
    return Rewriter(cf, parts).write(kept, world)


def compacted(cf: ClassFile) -> bytes:
    """The class with no more gone than constants that nothing uses and attributes that are unknown."""
    rewriter = Rewriter(cf, ())
    numbering = Numbering(rewriter._constants)
    choice = Choice(rewriter._root.bits, {(FactKind.UNTOUCHED,)}, numbering, lambda: None, halts=False)
    return rewriter._written(choice, numbering)


def is_compact(data: bytes) -> bool:
    """Whether no constant is left over."""
    return compacted(parse(data)) == data


def constructors(classes: Iterable[ClassFile]) -> dict[str, str]:
    """For each class the descriptor of a constructor that a subclass may call, as public as there is one."""
    found: dict[str, tuple[int, str]] = {}
    for cf in classes:
        for method in cf.methods:
            if method.name_text == "<init>":
                rank = {0x1: 0, 0x4: 1, 0x0: 2, 0x2: 3}[method.access & 7]
                found[cf.name] = min(found.get(cf.name, (9, "")), (rank, method.descriptor_text))
    return {name: descriptor for name, (_, descriptor) in found.items()}


def javap(files: Sequence[Path]) -> str:
    """What ``javap -c -p -v`` says of class files, which it must accept."""
    command = ["javap", *QUICK_TOOL, "-c", "-p", "-v", *map(str, files)]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=patience(600))
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr
    wrong = re.findall(r"^(?:Error|Warning):.*", result.stdout + result.stderr, re.MULTILINE)
    assert not wrong, wrong[:5]
    return result.stdout


def judged(runner: Path, how: str, folders: Sequence[Path], heap: str = "512m") -> tuple[list[str], int, int]:
    """Classes that the JVM refuses, and how many classes loaded and members were called."""
    command = ["java", f"-Xmx{heap}", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", str(runner), "Runner", how]
    result = subprocess.run(
        [*command, *map(str, folders)], capture_output=True, text=True, check=False, timeout=patience(600)
    )
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    _, loaded, _, called = lines[-1].split()
    return [line for line in lines if line.startswith(("wrong ", "missing "))], int(loaded), int(called)


def written(folder: Path, results: dict[str, bytes]) -> list[Path]:
    files = []
    for name, data in results.items():
        file = folder / f"{name}.class"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        files.append(file)
    return files


def normalised(listing: str) -> str:
    """javap's text without what tells of the file, of the pool, and of indexes into it."""
    listing = re.sub(r"^(Classfile|  Last modified|  (SHA-256|MD5) checksum) .*\n", "", listing, flags=re.MULTILINE)
    listing = re.sub(r"^Constant pool:\n(?: +#.*\n)+", "", listing, flags=re.MULTILINE)
    # The columns of comments and of tables of numbers depend on the width of the indexes.
    return re.sub(r" {2,}", " ", re.sub(r"#\d+(?:, +\d)?", "#", listing))
