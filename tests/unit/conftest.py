"""What many unit tests need: a Java compiler, classes to read, and the JDK's own view of them."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from core.library.jdk import QUICK_TOOL
from tests.support.java import CompileJava

_MANY = "\n".join(f"        int v{number} = seed + {number};" for number in range(300))
ZOO = {
    "zoo/Zoo.java": f"""
package zoo;

import java.lang.annotation.*;
import java.util.*;
import java.util.function.*;

@Mark(value = "caf\\u00e9", kind = Kind.TWO, types = {{Deep.class, int[].class}}, inner = {{@Note(Noted.class)}})
public class Zoo<T extends Comparable<T> & Runnable, U extends List<? super Bound[]>>
        extends Base<Outer<Cell>.Inner<Far>[]> implements Visitor<Map<String, ? extends Wild>> {{
    static final String TEXT = "\\0 \\u007f \\u0080 \\u07ff \\u0800 \\uffff \\ud83d\\ude00 \\ud800 end";
    static final float NAN = Float.NaN;
    static final double LARGE = 1e300;
    static final long LONG = 1L << 40;
    private U generic;

    public class Member {{ class Deeper {{ }} }}
    record Point(@Mark("x") int x, List<Cell> cells) {{ }}
    sealed interface Shape permits Circle, Square {{ }}
    record Circle(double r) implements Shape {{ }}
    static final class Square implements Shape {{ }}

    int loop(int seed) {{
{_MANY}
        for (int i = 10; i > 0; i--) v299 += v0;
        v299 += 1000; v298 -= 1000;
        return v299 + v298;
    }}

    int step(int a) {{ a--; a += 100; return a; }}

    int choose(int key, String word, Kind kind) throws Problem {{
        switch (key) {{ case 1: return 2; case 2: return 3; case 3: return 9; default: }}
        switch (key) {{ case -1000: return 2; case 1000000: return 3; default: }}
        int size = switch (kind) {{ case ONE -> 1; case TWO -> word.length(); }};
        Object[][] grid = new Local[size][3];
        return switch (word) {{ case "a" -> 1; case "b" -> grid.length; default -> 0; }};
    }}

    <X extends Thrown> void code(Object given, @Mark("p") List<@Use Wild> list) throws X {{
        Supplier<Made> supplier = Made::new;
        Function<Arg, Res> function = arg -> new Res();
        if (given instanceof Cast cast) System.out.println("" + cast + supplier.get() + function.apply(null));
        try {{ list.clear(); }} catch (Caught | IllegalStateException e) {{ throw e; }}
        List<Vanishing> local = new ArrayList<>();
        new Object() {{ Anon field; }}.hashCode();
        Visitor<Outer<Var>.Inner<Far>> visitor = null;
    }}
}}
enum Kind {{ ONE, TWO {{ public String toString() {{ return "zwei"; }} }} }}
@Retention(RetentionPolicy.RUNTIME) @interface Mark {{
    String value(); Kind kind() default Kind.ONE; Class<?>[] types() default {{Default.class}};
    Note[] inner() default {{}};
}}
@interface Note {{ Class<?> value(); }}
@Target(ElementType.TYPE_USE) @Retention(RetentionPolicy.RUNTIME) @interface Use {{ }}
class Base<T> {{ }}
interface Visitor<R> {{ }}
class Outer<T> {{ class Inner<S> {{ }} }}
class Deep {{ }} class Noted {{ }} class Bound {{ }} class Wild {{ }} class Cell {{ }} class Local {{ }}
class Made {{ }} class Arg {{ }} class Res {{ }} class Cast {{ }} class Vanishing {{ }}
class Anon {{ }} class Var {{ }} class Far {{ }}
class Default {{ }} class Problem extends Exception {{ }} class Thrown extends RuntimeException {{ }}
class Caught extends RuntimeException {{ }}
""",
    "zoo/package-info.java": '@Mark("package") package zoo;',
    "module-info.java": "module zoo { exports zoo; uses java.nio.file.spi.FileSystemProvider; requires java.desktop; }",
}


@pytest.fixture(scope="session")
def zoo(compile_java: CompileJava) -> Path:
    """A folder of some forty classes that between them have nearly every feature of class files."""
    return compile_java(ZOO, "-g", "-parameters")


@pytest.fixture(scope="session")
def jdeps() -> Callable[[Path], dict[str, set[str]]]:
    """``jdeps(jar or folder)``: class to classes, internal names, as the JDK's tool sees them."""
    return _jdeps


def _jdeps(path: Path) -> dict[str, set[str]]:
    """Class to classes, internal names, as the JDK's tool sees them."""
    command = ["jdeps", *QUICK_TOOL, "-verbose:class", "-filter:none", str(path)]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found: dict[str, set[str]] = {}
    source = ""
    for line in listing.splitlines():
        if match := re.match(r"^   (\S+) +(\S.*)?$", line):
            source = match[1].replace(".", "/") if match[1] != "->" else source
        if match := re.match(r"^ +(?:\S+ +)?-> (\S+)", line):
            found.setdefault(source, set()).add(match[1].replace(".", "/"))
    return found
