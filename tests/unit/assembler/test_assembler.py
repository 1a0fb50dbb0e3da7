"""Class files as jasm and jcod; asmtools read what is written here, in a slow test."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from core.assembler.jasm import ORDER, is_module, jasm, lost, without_lost
from core.assembler.jcod import jcod
from core.classfile.class_file import parse
from core.classfile.format_error import ClassFormatError
from core.classfile.pool import UTF8
from core.predicate.releases.maven import fetch
from tests.support.debian import needs_debian
from tests.support.java import CompileJava
from tests.support.rebuilt_class import put, rebuilt

SOURCE = """import java.util.*;
import java.util.function.*;
public class T<X extends Comparable<X>> implements Supplier<String> {
    private static final long L = -5L; static final String S = "a\\"b\\n\\u1234\\u0000"; static final int I = 7;
    float nan = Float.NaN; double inf = Double.NEGATIVE_INFINITY; long least = Long.MIN_VALUE; float small = 1.5e-40f;
    int most = Integer.MIN_VALUE; List<String> names;
    record R(int a, List<String> b) { }
    sealed interface Q permits Q1 { }
    static final class Q1 implements Q { }
    @interface An { int v() default 3; Class<?> c() default int[].class; }
    public String get() { return "x"; }
    synchronized int sw(int i, String s, @An X p) throws Exception, Error {
        switch (i) { case 1: return 2; case 2: return 3; case 7: i++; break; default: i += 1000; }
        switch (i) { case 1000: return 5; case -99: return 4; }
        try { i = s.length(); } catch (RuntimeException e) { i = 9; } finally { i += 3; }
        int[][] a = new int[3][4];
        Object o = new String[2][];
        a[0][1] = (byte) i;
        boolean[] flags = new boolean[2];
        Runnable r = () -> System.out.println(s + i(1));
        Function<String, Integer> f = String::length;
        for (String z : List.of(s)) { i += z.length(); }
        long l = i;
        l = l << 3;
        if (l > 4 && !(o instanceof Integer)) l--;
        synchronized (this) { i++; }
        Supplier<T> n = T::new;
        Object made = i > 3 ? new ArrayList(new ArrayList(i > 4 ? 1 : 2)) : null;
        ((List) null).add(T.class == made ? flags : int[].class);
        return (int) l;
    }
    static int i(int x) { return x; }
    native void nat();
    abstract static class Ab { abstract void z(String... s); }
}
sealed interface U extends Runnable, java.io.Serializable permits U.V, U.W {
    record V() implements U { public void run() { } }
    final class W implements U { public void run() { } }
}
"""
ASMTOOLS = "org.openjdk.asmtools:asmtools-core:7.0.b10-ea"


@pytest.fixture
def classes(compile_java: CompileJava) -> dict[str, bytes]:
    folder = compile_java({"T.java": SOURCE}, "-g", "-parameters")
    return {path.stem: path.read_bytes() for path in sorted(folder.glob("*.class"))}


def unnumbered(data: bytes) -> str:
    """The text of a class without the places of handles in the constant pool."""
    return re.sub(r"#\d+", "#", jasm(data))


def test_a_class_is_text_that_a_person_can_read(classes: dict[str, bytes]) -> None:
    text = jasm(classes["T"])
    for line in (
        "public super class T",
        "\timplements java/util/function/Supplier",
        f"\tversion {classes['T'][7]}:0",
        '\tprivate static final Field "L":"J" = long -5l;',
        '\tstatic final Field "S":"Ljava/lang/String;" = String "a\\"b\\n\\u1234\\u0000";',
        '\tField "names":"Ljava/util/List;":"Ljava/util/List<Ljava/lang/String;>;";',
        '\tnative Method "nat":"()V";',
        '\t\tmultianewarray class "[[I", 2;',
        "\t\tcatch t0 java/lang/RuntimeException;",
        "\tNestMembers T$Ab, T$An, T$Q1, T$Q, T$R;",
    ):
        assert line in text.splitlines(), line


def test_what_jasm_cannot_say_is_told_and_left_out(classes: dict[str, bytes]) -> None:
    missing = [
        "LocalVariableTable",
        "LocalVariableTypeTable",
        "MethodParameters",
        "RuntimeInvisibleParameterAnnotations",
    ]
    assert lost(classes["T"]) == [*missing, "Signature"]
    bare = without_lost(classes["T"])
    assert lost(bare) == []
    assert unnumbered(bare) == unnumbered(classes["T"])
    assert [method.name_text for method in parse(bare).methods] == [m.name_text for m in parse(classes["T"]).methods]


def test_an_interface_implements_and_permits_before_its_nest(classes: dict[str, bytes]) -> None:
    """asmtools take what an interface extends for its superclass, and members of a nest for permitted subclasses."""
    lines = jasm(classes["U"]).splitlines()
    assert "\timplements java/lang/Runnable, java/io/Serializable" in lines
    assert lines.index("\tPermittedSubclasses U$V, U$W;") < lines.index("\tNestMembers U$W, U$V;")


def test_handlers_get_the_order_that_asmtools_give_them(classes: dict[str, bytes]) -> None:
    file = parse(classes["T"])
    method = next(method for method in file.methods if method.name_text == "sw")
    code = method.code
    assert code is not None
    assert len({handler for _, _, handler, _ in code.handlers}) > 1
    put(method, code._replace(handlers=code.handlers[::-1]))
    turned = rebuilt(file)
    assert ORDER in lost(turned)
    assert lost(without_lost(turned)) == []


def test_a_branch_to_no_instruction_has_no_text(classes: dict[str, bytes]) -> None:
    file = parse(classes["T"])
    method = next(method for method in file.methods if method.name_text == "i")
    code = method.code
    assert code is not None
    put(method, code._replace(code=b"\xa7\x00\x02"))  # goto, into itself
    with pytest.raises(ClassFormatError, match="a branch leads to offset 2, where no instruction begins"):
        jasm(rebuilt(file))


def test_a_constant_that_is_no_value_has_no_text(classes: dict[str, bytes]) -> None:
    file = parse(classes["T"])
    method = next(method for method in file.methods if method.name_text == "i")
    code = method.code
    assert code is not None
    text = next(index for index in range(1, 256) if file.constants.raw(index)[0] == UTF8)
    put(method, code._replace(code=bytes((0x12, text, 0x57, 0xB1))))  # ldc of a text, pop, return
    with pytest.raises(ClassFormatError, match="a number in it stands for nothing"):
        jasm(rebuilt(file))


def test_a_module_is_jcod(compile_java: CompileJava) -> None:
    data = (compile_java({"module-info.java": "module m { requires java.xml; }"}) / "module-info.class").read_bytes()
    assert is_module(data)
    assert lost(data) == []
    assert without_lost(data) == data
    assert jcod(data).startswith('file "module-info.class" {')


def test_jcod_has_every_byte_of_an_attribute(classes: dict[str, bytes]) -> None:
    text = jcod(classes["T$Q1"])
    version = classes["T$Q1"][7]
    assert text.startswith(f"class T$Q1 {{\n  0xCAFEBABE;\n  0; // minor version\n  {version}; // version\n")
    assert text.count("Attr(#") == len(classes["T$Q1"].split(b"Code")) - 1 + len(
        parse(classes["T$Q1"]).attributes.rows()
    )


@needs_debian
@pytest.mark.slow
def test_asmtools_make_the_same_classes(classes: dict[str, bytes], tmp_path: Path) -> None:
    fetch((ASMTOOLS,), tmp_path / "tools")
    tools = next((tmp_path / "tools").glob("*.jar"))
    for program, write, wanted in (("jasm", jasm, without_lost), ("jcoder", jcod, bytes)):
        for name, data in classes.items():
            source, made = tmp_path / f"{name}.{program}", tmp_path / program
            source.write_text(write(data))
            made.mkdir(exist_ok=True)
            words = ["java", "-cp", str(tools), "org.openjdk.asmtools.Main", program, "-d", str(made), str(source)]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            assert (made / f"{name}.class").is_file(), done.stdout + done.stderr
            assembled = (made / f"{name}.class").read_bytes()
            if program == "jcoder":
                assert assembled == data
            else:
                assert unnumbered(wanted(assembled)) == unnumbered(data)
