"""Edits of bodies: small programs that are run, and random edits of many classes judged by the JVM's verifier."""

from __future__ import annotations

import random
import struct
import subprocess
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from core.bytecode.code_facts import CodeReader
from core.classfile.class_file import ClassFile, parse
from core.classfile.format_error import ClassFormatError
from core.rewrite.bodies import Edit, EditKind, Editor, apply, edits
from tests.bench.bodies import WAYS, share
from tests.support.java import CompileJava
from tests.support.rewriting import RUNNER, is_compact, javap, judged

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
    static int skip() { int n = 4; if (twice(n) == 8) { n = 7; count = 2; } return n; }
    static int skipLoop() { int n = 4; int m = twice(n); while (m > 0) { n++; m--; } return n; }
    static long skipTry() { long n = 4; try { n = twice(6); boom(); } catch (RuntimeException e) { n++; } return n; }
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

K = EditKind
CASES: list[tuple[str, list[tuple[EditKind, str]], str]] = [
    ("cut", [], "throws IllegalStateException"),
    ("cut", [(K.CUT, "#2")], "null"),
    ("cutLong", [(K.CUT, "#0")], "0"),
    ("cutDouble", [(K.CUT, "#0")], "0.0"),
    ("cutDeep", [(K.CUT, "#2")], "null"),
    ("cutDeep", [(K.CUT, "#3"), (K.CUT, "#1"), (K.CALL, "twice")], "null"),
    ("cut", [(K.CALL, "boom")], "a"),
    ("call", [(K.CALL, "twice")], "1"),
    ("callLong", [(K.CALL, "wide")], "5"),
    ("callInterface", [(K.CALL, "add")], "0"),
    ("callInterface", [(K.CALL, "add"), (K.NEW, "")], "throws NullPointerException"),
    ("callDynamic", [(K.CALL, "dynamic")], "null"),
    ("callLoop", [(K.CALL, "twice")], "0"),
    ("make", [(K.NEW, "java.lang.Object")], "null"),
    ("makeAcross", [(K.NEW, "String")], "null"),
    ("makeAcross", [(K.NEW, "String"), (K.FALL, "")], "null"),
    ("makeArgument", [], "false"),
    ("makeArgument", [(K.NEW, "StringBuilder"), (K.CALL, "append")], "true"),
    ("makeArgument", [(K.NEW, "StringBuilder"), (K.NEW, "String"), (K.CALL, "append")], "true"),
    ("arrayOfNull", [(K.CALL, "ints")], "5"),
    ("elementOfNull", [(K.CALL, "grid")], "ok"),
    ("store", [(K.STORE, "field")], "7"),
    ("storeWide", [], "18"),
    ("storeWide", [(K.STORE, "wide")], "17"),
    ("storeStatic", [(K.STORE, "count")], "3"),
    ("storeElement", [(K.STORE, "#1")], "0"),
    ("storeLong", [(K.STORE, "#0")], "0"),
    ("read", [(K.READ, "field")], "1"),
    ("readWide", [(K.READ, "wide"), (K.NEW, "Prog")], "1"),
    ("jump", [(K.FALL, "")], "1"),
    ("jump", [(K.JUMP, "")], "2"),
    ("jump", [(K.FALL, ""), (K.JUMP, "")], "1"),
    ("compare", [], "1"),
    ("compare", [(K.JUMP, "")], "2"),
    ("table", [], "20"),
    ("table", [(K.ARM, "no case 2")], "0"),
    ("table", [(K.ARM, "no case 1"), (K.ARM, "no case 3")], "20"),
    ("table", [(K.ARM, "")], "0"),
    ("lookup", [(K.ARM, "no case 100")], "0"),
    ("lookup", [(K.ARM, "#0")], "20"),
    ("lookup", [(K.ARM, "")], "0"),
    ("word", [], "2"),
    ("word", [(K.CALL, "equals")], "0"),
    ("handler", [], "5"),
    ("handler", [(K.HANDLER, "")], "throws IllegalStateException"),
    ("handler", [(K.CALL, "boom")], "4"),
    ("handlers", [(K.HANDLER, "IllegalStateException")], "6"),
    ("handlers", [(K.HANDLER, "")], "throws IllegalStateException"),
    ("locked", [(K.HANDLER, "")], "in"),
    ("locked", [(K.JUMP, "")], "throws IllegalStateException"),
    ("superCall", [], "x"),
    ("superCall", [(K.NEW, "")], "throws NullPointerException"),
    ("chained", [(K.STORE, "count")], "12"),
    ("chained", [(K.STORE, "field")], "16"),
    ("bump", [(K.STORE, "field")], "14"),
    ("value", [], "124"),
    ("value", [(K.VALUE, "lmul")], "4"),
    ("value", [(K.VALUE, "lmul"), (K.VALUE, "i2l")], "4"),
    ("value", [(K.VALUE, "lshl")], "0"),
    ("value", [(K.VALUE, "ldc2_w")], "4"),
    ("valueNull", [(K.VALUE, "#0")], "none"),
    ("valueNull", [(K.VALUE, "checkcast")], "none"),
    ("variable", [], "7"),
    ("variable", [(K.VARIABLE, "variable 0")], "0"),
    ("variables", [], "16"),
    ("variables", [(K.VARIABLE, "variable 1")], "4"),
    ("variables", [(K.VARIABLE, "#1")], "11"),
    ("variables", [(K.SLOTS, ""), (K.VARIABLE, "#1")], "11"),
    ("given", [], "31"),
    ("given", [(K.PASS, "wide")], "26"),
    ("given", [(K.PARAMETER, "wide")], "29"),
    ("given", [(K.PARAMETER, "wide"), (K.PASS, "wide")], "26"),
    ("given", [(K.PARAMETER, "wide"), (K.CALL, "wide")], "20"),
    ("given", [(K.PASS, "append")], "30"),
    ("given", [(K.PASS, "#0"), (K.PASS, "#2")], "21"),
    ("given", [(K.ASK, "")], "28"),
    ("given", [(K.CALL, "twice"), (K.ASK, "")], "8"),
    ("table", [(K.CASE, "case 3")], "30"),
    ("table", [(K.CASE, "default")], "0"),
    ("table", [(K.CASE, "case 3"), (K.CASE, "case 1")], "10"),
    ("lookup", [(K.CASE, "case 1")], "10"),
    ("lockedTwice", [], "2"),
    ("lockedTwice", [(K.MONITOR, "")], "2"),
    ("skip", [], "7"),
    ("skip", [(K.SKIP, "from offset 0")], "0"),
    ("skipLoop", [], "12"),
    ("skipLoop", [(K.SKIP, "#1")], "4"),
    ("skipTry", [], "13"),
    ("skipTry", [(K.SKIP, "#1")], "4"),
]


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


@pytest.fixture(scope="module")
def program(compile_java: CompileJava) -> Path:
    return compile_java(PROGRAM, "-g")


@pytest.fixture(scope="module")
def prog(program: Path) -> Editor:
    return Editor(parse((program / "p/Prog.class").read_bytes()))


@pytest.fixture(scope="module")
def runner(compile_java: CompileJava) -> Path:
    return compile_java(RUNNER)


def test_every_kind_does_what_it_says(program: Path, prog: Editor, tmp_path: Path) -> None:
    cf = parse((program / "p/Prog.class").read_bytes())
    arguments = []
    for number, (name, wishes, _) in enumerate(CASES):
        data = prog.write(picked(prog, method_number(cf, name), wishes))
        assert (data == cf.source) is not bool(wishes)
        written(tmp_path / str(number), "p/Prog", data)
        arguments.append(f"{tmp_path / str(number)} {name}")
    command = ["java", "-Xverify:all", "-XX:TieredStopAtLevel=1", "-cp", str(program), "p.Calls", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    results = done.stdout.splitlines()
    expected = [(name, wishes, result) for name, wishes, result in CASES]
    assert [(*case[:2], result) for case, result in zip(CASES, results, strict=True)] == expected
    assert {kind for _, wishes, _ in CASES for kind, _ in wishes} == set(EditKind)


def code_of(data: bytes, name: str) -> tuple[int, int, bytes]:
    """max_stack, max_locals and bytes of the code of a method."""
    cf = parse(data)
    code = list(cf.methods)[method_number(cf, name)].code
    return code.max_stack, code.max_locals, code.code


def test_what_computed_useless_values_goes(program: Path, prog: Editor) -> None:
    cf = parse((program / "p/Prog.class").read_bytes())

    def code(name: str, *wishes: tuple[EditKind, str]) -> tuple[int, int, bytes]:
        return code_of(prog.write(picked(prog, method_number(cf, name), wishes)), name)

    assert code("cutLong", (K.CUT, "#0")) == (2, 0, b"\x09\xad")
    assert code("callLong", (K.CALL, "wide"))[2] == b"\x09" + code("callLong")[2][-5:]
    # aconst_null, no dup, no argument, no checkcast; the field of nothing is 0.
    assert code("readWide", (K.READ, ""), (K.NEW, ""))[2] == b"\x09\x0a\x61\xad"
    # Without the comparison both ways are the same: no jump is left.
    assert code("jump", (K.FALL, ""), (K.READ, "yes"))[2] == b"\x04\xac"
    assert code("table", (K.ARM, ""), (K.CALL, "twice"))[2] == b"\x03\xac"
    assert code("lookup", (K.ARM, ""), (K.CALL, "twice"))[2] == b"\x03\xac"
    assert code("storeElement", (K.STORE, ""))[2].hex() == "05bc0a4b2a042eac"
    # No variable, and no iinc, is left of the loop; slots 1 to 3 become one of two.
    assert code("variables", (K.VARIABLE, ""))[2] == b"\x03\xac"
    assert code("variables", (K.VARIABLE, "variable 0"), (K.VARIABLE, "#1"), (K.SLOTS, ""))[1] == 2
    # What was called for the condition goes with it.
    assert code("given")[2].count(b"\xb8") == 4
    assert code("given", (K.ASK, ""))[2].count(b"\xb8") == 3
    # Both values that a dup2 copies are dropped with it.
    assert b"\x5c" not in code("bumpElement", (K.VALUE, "iadd"), (K.STORE, "#1"))[2]
    # The call that stays is made before what lay below its result is dropped.
    assert code("callInterface", (K.CUT, "#0"))[2] == b"\x01\xb0"


def test_constants_and_bootstrap_methods_go(program: Path, prog: Editor) -> None:
    data = prog.write(range(len(prog.edits)))
    assert is_compact(data)
    assert b"boom" in data  # the method's own name
    assert b"IllegalStateException" not in data
    assert b"BootstrapMethods" not in data
    cf = parse((program / "p/Prog.class").read_bytes())
    some = prog.write(picked(prog, method_number(cf, "callDynamic"), [(K.CALL, "")]))
    assert is_compact(some)
    assert b"LambdaMetafactory" not in some
    assert b"StringConcatFactory" in some


def test_a_constructor_is_not_cut_before_its_super_call(program: Path, prog: Editor) -> None:
    cf = parse((program / "p/Prog.class").read_bytes())
    for number, method in enumerate(cf.methods):
        if method.name_text == "<init>":
            code = method.code.code
            call = code.index(b"\xb7") + 3
            cuts = [edit.offset for edit in prog.edits if edit.method == number and edit.kind is K.CUT]
            assert cuts
            assert min(cuts) == call
            assert not [e for e in prog.edits if e.method == number and e.kind is K.CALL and e.offset < call]


def test_order_and_api(program: Path, prog: Editor) -> None:
    cf = parse((program / "p/Prog.class").read_bytes())
    all_edits = edits(cf)
    assert all_edits == prog.edits
    ranks = list(EditKind)
    keys = [(edit.method, edit.offset, ranks.index(edit.kind), edit.index) for edit in all_edits]
    assert keys == sorted(set(keys))
    assert all(edit.saved >= 0 and edit.description for edit in all_edits)
    assert apply(cf, 0, all_edits) == apply(cf, [], all_edits) == cf.source
    source = random.Random(3)
    for _ in range(5):
        chosen = source.sample(range(len(all_edits)), 40)
        mask = sum(1 << number for number in chosen)
        data = prog.write(chosen)
        assert data == apply(cf, chosen, all_edits) == apply(cf, mask, all_edits) == prog.write(sorted(chosen))
        assert data == apply(cf, range(40), [all_edits[number] for number in chosen])


def test_savings_are_estimated_well(program: Path, prog: Editor) -> None:
    """Of single edits, against what the code really loses; constants that go are not counted."""
    cf = parse((program / "p/Prog.class").read_bytes())
    names = [method.name_text for method in cf.methods]
    wrong = 0
    for number, edit in enumerate(prog.edits):
        if names.count(names[edit.method]) > 1:
            continue
        before, after = (code_of(data, names[edit.method])[2] for data in (cf.source or b"", prog.write([number])))
        wrong += abs(len(before) - len(after) - edit.saved) > 4
    assert wrong < len(prog.edits) / 8


def test_what_each_edit_does_alone_is_known(program: Path, prog: Editor) -> None:
    """Bytes of the class, its constants included; of bootstrap methods the rows are not counted."""
    cf = parse((program / "p/Prog.class").read_bytes())
    size = len(cf.source or b"")
    wrong = [edit for n, edit in enumerate(prog.edits) if prog.saved(n) != size - len(prog.write([n]))]
    assert len(wrong) < len(prog.edits) / 20


def test_tables_follow_the_code(compile_java: CompileJava, tmp_path: Path) -> None:
    source = """
import java.lang.annotation.*;
class Tables {
    @Target(ElementType.TYPE_USE) @interface Use { }
    static void other() { }
    static Object method(Object given) {
        other();
        @Use String first = (@Use String) given;
        other();
        try { other(); } catch (@Use RuntimeException e) { other(); }
        @Use Object second = new @Use Object();
        return first + second;
    }
}
"""
    folder = compile_java({"Tables.java": source}, "-g")
    cf = parse((folder / "Tables.class").read_bytes())
    editor = Editor(cf)
    method = method_number(cf, "method")

    wishes: list[list[tuple[EditKind, str]]] = [
        [], [(K.CALL, "other")], [(K.HANDLER, "")], [(K.NEW, "")], [(K.CUT, "#2")],
    ]  # fmt: skip
    files = [
        written(tmp_path / str(number), "Tables", editor.write(picked(editor, method, wish)))
        for number, wish in enumerate(wishes)
    ]
    texts = [text[text.index("method(java.lang.Object);") :] for text in javap(files).split("Classfile ")[1:]]
    everything, earlier, without, made, cut = [text[: text.index("\n}")] for text in texts]

    for target in ("CAST, offset=4", "EXCEPTION_PARAMETER", "NEW, offset=", "LOCAL_VARIABLE", "line 7:"):
        assert target in everything
    assert [name in everything for name in ("first", "second", " e ")] == [True] * 3
    # Without the first call everything is three bytes earlier.
    assert "CAST, offset=1, type_index=0" in earlier
    assert "line 7:" not in earlier
    assert "EXCEPTION_PARAMETER" not in earlier  # nothing is left in the range that could throw
    assert "EXCEPTION_PARAMETER" not in without
    assert " e " not in without
    assert "second" in without
    assert "NEW, offset" not in made
    assert "second" in made
    assert "second" not in cut
    assert "line 12:" not in cut
    assert "StackMapTable" in everything
    assert "StackMapTable" not in cut


def test_a_method_that_would_get_too_long_stays(compile_java: CompileJava) -> None:
    calls = "f(n(), n(), n(), n(), n(), n(), n(), n());\n" * 2426
    source = f"""class Long {{
        static int n() {{ return 1; }}
        static void f(int a, int b, int c, int d, int e, int f, int g, int h) {{ }}
        static void method() {{ {calls} }}
        static void same() {{ {calls[:430]} }}
    }}"""
    folder = compile_java({"Long.java": source}, "-g:none")
    cf = parse((folder / "Long.class").read_bytes())
    editor = Editor(cf)
    size = len(code_of(cf.source or b"", "method")[2])
    assert size == 65503
    assert editor.write(picked(editor, method_number(cf, "method"), [(K.CALL, "Long.f")])) == cf.source
    longer = editor.write(picked(editor, method_number(cf, "same"), [(K.CALL, "Long.f")]))
    assert len(code_of(longer, "same")[2]) == len(code_of(cf.source or b"", "same")[2]) + 10
    shorter = editor.write(picked(editor, method_number(cf, "method"), [(K.CALL, "")]))
    assert code_of(shorter, "method") == (0, 0, b"\xb1")


def test_subroutines_are_left_alone() -> None:
    """jsr 4; return; astore_0; ret 0, in a method of a class that is put together here."""
    code = b"\xa8\x00\x04\xb1\x4b\xa9\x00"
    attribute = struct.pack(">HHI", 1, 1, len(code)) + code + b"\0\0\0\0"
    texts = [b"A", b"java/lang/Object", b"m", b"()V", b"Code"]
    pool = b"".join(b"\x01" + len(text).to_bytes(2, "big") + text for text in texts) + b"\x07\0\x01\x07\0\x02"
    data = b"".join((
        struct.pack(">IHHH", 0xCAFEBABE, 0, 48, 8), pool, struct.pack(">HHHHHH", 0x20, 6, 7, 0, 0, 1),
        struct.pack(">HHHHHI", 8, 3, 4, 1, 5, len(attribute)), attribute, b"\0\0",
    ))  # fmt: skip
    assert edits(parse(data)) == ()


def classes_of(folder: Path) -> list[bytes]:
    return [file.read_bytes() for file in sorted(folder.rglob("*.class"))]


def in_jar(path: Path) -> list[bytes]:
    with zipfile.ZipFile(path) as archive:
        return [archive.read(name) for name in sorted(archive.namelist()) if name.endswith(".class")]


def with_edits(
    folder: Path, classes: list[bytes], seed: int, change: Callable[[bytes], bytes] = lambda data: data
) -> tuple[list[Path], int]:
    """A folder for each way to choose, and how many classes are to be loaded."""
    folders, count = [], 0
    editors = [(parse(data), Editor(parse(data))) for data in map(change, classes)]
    for turn, (_, choose) in enumerate(WAYS):
        source = random.Random(f"{seed} {turn}")
        folders.append(folder / str(turn))
        for number, (cf, editor) in enumerate(editors):
            data = editor.write(choose(editor.edits, source)) if editor.edits else cf.source or b""
            if number % len(WAYS) == turn:
                assert data == cf.source or is_compact(data)
                # Frames and stack as our own interpreter sees them.
                assert len(list(CodeReader(parse(data)).all())) == len(cf.methods)
            written(folders[-1], cf.name, data)
            count += cf.superclass is not None
    return folders, count


def test_any_edits_verify(program: Path, zoo: Path, sample_jar: Path, runner: Path, tmp_path: Path) -> None:
    classes = classes_of(program) + [data for data in classes_of(zoo) if parse(data).superclass] + in_jar(sample_jar)
    folders, count = with_edits(tmp_path, classes, 1)
    wrong, loaded, _ = judged(runner, "load", folders)
    assert wrong == []
    assert loaded == count


def test_any_edits_verify_the_old_way(compile_java: CompileJava, runner: Path, tmp_path: Path) -> None:
    """Class files of version 49, for which the verifier infers types: frames are not looked at."""
    options = ("--release", "8", "-Xlint:-options", "-g")
    old = {name: text.replace('switch ("w" + twice(1)) { case "w1" -> 1; case "w2" -> 2; default -> 0; }', "1")
           for name, text in PROGRAM.items()}  # fmt: skip
    old = {
        "p/Prog.java": old["p/Prog.java"].replace('() -> "a"', "new Supplier<String>() "
                                                  '{ public String get() { return "a"; } }')
    }  # fmt: skip
    folder = compile_java(old, *options)
    classes = [data[:6] + b"\0\x31" + data[8:] for data in classes_of(folder)]
    assert not any(b"BootstrapMethods" in data for data in classes)
    folders, count = with_edits(tmp_path, classes, 2)
    assert not any(b"StackMapTable" in file.read_bytes() for file in (tmp_path / str(len(WAYS) - 1)).rglob("*.class"))
    wrong, loaded, _ = judged(runner, "load", folders)
    assert wrong == []
    assert loaded == count


CODEC = Path("/usr/share/java/commons-codec.jar")


@pytest.mark.slow
@pytest.mark.skipif(not CODEC.exists(), reason="needs Debian's libcommons-codec-java")
def test_edits_of_a_real_jar_verify(runner: Path, tmp_path: Path) -> None:
    folders, count = with_edits(tmp_path, in_jar(CODEC), 4)
    wrong, loaded, _ = judged(runner, "load", folders)
    assert wrong == []
    assert loaded == count


def test_damaged_code_is_left_alone(program: Path) -> None:
    """A class with a wrong byte in its code is parsed, edited or refused, but never anything else."""
    data = (program / "p/Prog.class").read_bytes()
    code = code_of(data, "handlers")[2]
    at = data.index(code)
    source = random.Random(5)
    edited = refused = 0
    for _ in range(60):
        wrong = bytearray(data)
        wrong[at + source.randrange(len(code))] = source.randrange(256)
        try:
            editor = Editor(parse(bytes(wrong)))
        except ClassFormatError:
            refused += 1
            continue
        parse(editor.write(share(0.5)(editor.edits, source)))
        edited += 1
    assert edited > 10
    assert edited + refused == 60


def test_an_edit_is_a_plain_value(prog: Editor) -> None:
    first = prog.edits[0]
    assert first == Edit(first.method, first.kind, first.offset, first.index, first.description, first.saved)
    assert hash(first) == hash(Editor(parse(prog.write([]))).edits[0])
