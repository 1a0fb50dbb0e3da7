"""A program whose bodies are edited, and ways to choose and to look at edits."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from core.classfile.class_file import ClassFile, parse
from core.code.edit import EditKind
from core.edits.bodies.editor import Editor

PROGRAM = {
    "p/Prog.java": """
package p;

import java.util.*;
import java.util.function.*;

public class Prog {
    static int count = 3;
    static boolean yes = true;
    int field = 7;
    long wide = 8;
    String name;

    Prog() { this("x"); count += 100; }
    Prog(String name) { super(); this.name = name; }

    static int twice(int n) { return 2 * n; }
    static long wide(long a, int b, double c) { return a + b + (long) c; }
    static void boom() { throw new IllegalStateException("boom"); }

    static Object cut() { StringBuilder b = new StringBuilder(); b.append("a"); boom(); return b.toString(); }
    static long cutLong() { long x = 5; boom(); return x; }
    static double cutDouble() { boom(); return 1; }
    static Object cutDeep() { return twice(twice(1) + twice(2)) + "" + twice(4); }
    static Object cutArgument() { return new Prog("" + twice(2)); }
    static int call() { return twice(21) + 1; }
    static long callLong() { return wide(3L, 2, 4.0) + 5; }
    static Object callInterface() { List<String> l = new ArrayList<>(); l.add("a"); return l.size(); }
    static Object callDynamic() { Supplier<String> s = () -> "a"; return s; }
    static Object callLoop() { int n = 0; for (int i = twice(3); i > 0; i--) n++; return n; }
    static Object make() { Object o = new Object(); return "" + o; }
    static Object makeAcross() { return "" + new String(yes ? "x" : "y"); }
    static Object makeArgument() { return new StringBuilder(new String("a")).append("b") == null; }
    static Object arrayOfNull() { int[] a = ints(); return yes ? 5 : a[a.length - 1]; }
    static int[] ints() { return new int[] {1}; }
    static int[][] grid() { return new int[][] {{1}}; }
    static Object elementOfNull() { if (!yes) return grid()[0][0] + grid().length; return "ok"; }
    static int store() { Prog p = new Prog("n"); p.field = 1; return p.field; }
    static long storeWide() { Prog p = new Prog("n"); return (p.wide = 9) + p.wide; }
    static int storeStatic() { count = 1; return count; }
    static int storeElement() { int[] a = {1, 2}; return a[1]; }
    static Object storeLong() { long[] a = {1L, 2L}; return a[0]; }
    static int read() { return new Prog("n").field + 1; }
    static long readWide() { return new Prog("n").wide + 1; }
    static int jump() { if (yes) return 1; return 2; }
    static int compare() { int n = twice(1); if (n == 2) return 1; return 2; }
    static int table() {
        switch (twice(1)) { case 1: return 10; case 2: return 20; case 3: return 30; default: return 0; }
    }
    static int lookup() { switch (twice(50)) { case 1: return 10; case 100: return 20; default: return 0; } }
    static Object word() { return switch ("w" + twice(1)) { case "w1" -> 1; case "w2" -> 2; default -> 0; }; }
    static int handler() { try { boom(); return 4; } catch (IllegalStateException e) { return 5; } }
    static int handlers() {
        try { boom(); return 4; }
        catch (IllegalStateException e) { return 5; }
        catch (RuntimeException e) { return 6; }
        finally { count = 1; }
    }
    static Object locked() { synchronized (Prog.class) { if (yes) return "in"; boom(); } return "out"; }
    static Object superCall() { return new Prog().name; }
    static Object chained() { Prog p = new Prog("n"); p.field = count = 9; return p.field + count; }
    static long value() { int n = twice(3); return (n * 5L + 1) << 2; }
    static Object valueNull() { Object o = "text"; String s = (String) o; return s == null ? "none" : s; }
    static int variable() { int n = 4; for (int i = 0; i < 3; i++) n += i; return n; }
    static int variables() { int n = 4; { long a = 5; n += a; } { double b = 7; n += b; } return n; }
    static int lockedTwice() { synchronized (Prog.class) { count = 5; } return Thread.holdsLock(Prog.class) ? 1 : 2; }
    static long counted() { long n = 4; try { n = twice(6); boom(); } catch (RuntimeException e) { n++; } return n; }
    static long given(int n, long w, String s) {
        long sum = wide(twice(n), 2, 3.0) + twice(7);
        if (twice(n) > 4) sum += s.length();
        StringBuilder b = new StringBuilder("ab");
        return sum + b.append("c").length();
    }
    static Object given() { return given(3, 9L, "xyz"); }
    static int bumpElement() { int[] a = {1}; a[0] += 2; return a.length; }
    static int bump() { Prog p = new Prog("n"); int old = p.field++; return old + p.field; }
}
""",
    "p/Calls.java": """
package p;

import java.io.*;
import java.net.*;
import java.nio.file.*;

/** Each argument is a folder and the name of a method of p.Prog with nothing between but a blank. */
public class Calls {
    public static void main(String[] args) throws Exception {
        for (String arg : args) {
            String[] parts = arg.split(" ");
            URLClassLoader loader = new URLClassLoader(
                    new URL[] {Path.of(parts[0]).toUri().toURL()}, ClassLoader.getPlatformClassLoader());
            String result;
            try {
                var method = Class.forName("p.Prog", true, loader).getDeclaredMethod(parts[1]);
                method.setAccessible(true);
                result = String.valueOf(method.invoke(null));
            } catch (java.lang.reflect.InvocationTargetException e) {
                result = "throws " + e.getCause().getClass().getSimpleName();
            } catch (Throwable e) {
                result = e.toString().replace('\\n', ' ');
            }
            System.out.println(result);
        }
    }
}
""",
}


def method_number(cf: ClassFile, name: str) -> int:
    return [method.name_text for method in cf.methods].index(name)


def picked(editor: Editor, method: int, wishes: Iterable[tuple[EditKind, str]]) -> list[int]:
    """Edits of a method: all of a kind that say a text, or the one with a number, written ``#1``."""
    found: list[int] = []
    for kind, text in wishes:
        numbers = [n for n, edit in enumerate(editor.edits) if edit.method == method and edit.kind is kind]
        if text.startswith("#"):
            numbers = [numbers[int(text[1:])]]
        else:
            numbers = [n for n in numbers if text in editor.edits[n].description]
        assert numbers, (kind, text)
        found += numbers
    return found


def written(folder: Path, name: str, data: bytes) -> Path:
    file = folder / f"{name}.class"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return file


def code_of(data: bytes, name: str) -> tuple[int, int, bytes]:
    """max_stack, max_locals and bytes of the code of a method."""
    cf = parse(data)
    code = list(cf.methods)[method_number(cf, name)].code
    return code.max_stack, code.max_locals, code.code
