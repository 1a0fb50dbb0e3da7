"""Edits of bodies: small programs that are run, and random edits of many classes judged by the JVM's verifier."""

from __future__ import annotations

import random
import struct
import subprocess
from pathlib import Path

import pytest

from core.classfile.class_file import parse
from core.classfile.tables import code_attributes
from core.code.edit import Edit, EditKind
from core.edits.bodies.editor import Editor
from tests.support.body_program import code_of, method_number, picked, written
from tests.support.rewriting import is_compact

K = EditKind
CASES: list[tuple[str, list[tuple[EditKind, str]], str]] = [
    ("cut", [], "throws IllegalStateException"),
    ("cut", [(K.CUT, "#2")], "null"),
    ("cutLong", [(K.CUT, "#0")], "0"),
    ("cutDouble", [(K.CUT, "#0")], "0.0"),
    ("cutDeep", [(K.CUT, "#2")], "null"),
    ("cutDeep", [(K.CUT, "#3"), (K.CUT, "#1"), (K.CALL, "twice")], "null"),
    ("cutArgument", [(K.CUT, "Prog.twice")], "null"),
    ("makeAcross", [(K.CUT, "#1")], "null"),
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
    ("callInterface", [(K.NAME, "")], "1"),
]


@pytest.fixture(scope="module")
def prog(program: Path) -> Editor:
    return Editor((program / "p/Prog.class").read_bytes())


def test_every_kind_does_what_it_says(program: Path, prog: Editor, tmp_path: Path) -> None:
    cf = parse((program / "p/Prog.class").read_bytes())
    arguments = []
    for number, (name, wishes, _) in enumerate(CASES):
        data = prog.write(picked(prog, method_number(cf, name), wishes))
        assert (data == cf.data) is not bool(wishes)
        written(tmp_path / str(number), "p/Prog", data)
        arguments.append(f"{tmp_path / str(number)} {name}")
    command = ["java", "-Xverify:all", "-XX:TieredStopAtLevel=1", "-cp", str(program), "p.Calls", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    results = done.stdout.splitlines()
    expected = [(name, wishes, result) for name, wishes, result in CASES]
    assert [(*case[:2], result) for case, result in zip(CASES, results, strict=True)] == expected
    assert {kind for _, wishes, _ in CASES for kind, _ in wishes} == set(EditKind)


def test_what_computed_useless_values_goes(program: Path, prog: Editor) -> None:
    cf = parse((program / "p/Prog.class").read_bytes())

    def code(name: str, *wishes: tuple[EditKind, str]) -> tuple[int, int, bytes]:
        return code_of(prog.write(picked(prog, method_number(cf, name), wishes)), name)

    assert code("cutLong", (K.CUT, "#0")) == (2, 0, b"\x09\xad")
    # ldc2_w has another index than it had.
    assert code("callLong", (K.CALL, "wide"))[2].hex()[:4] + code("callLong")[2].hex()[-4:] == "091461ad"
    assert len(code("callLong", (K.CALL, "wide"))[2]) == 6
    # aconst_null, no dup, no argument, no checkcast; the field of nothing is 0.
    assert code("readWide", (K.READ, ""), (K.NEW, ""))[2] == b"\x09\x0a\x61\xad"
    # Without the comparison both ways are the same: no jump is left.
    assert code("jump", (K.FALL, ""), (K.READ, "yes"))[2] == b"\x04\xac"
    assert code("table", (K.ARM, ""), (K.CALL, "twice"))[2] == b"\x03\xac"
    assert code("lookup", (K.ARM, ""), (K.CALL, "twice"))[2] == b"\x03\xac"
    assert code("storeElement", (K.STORE, ""))[2].hex() == "05bc0a4b2a042eac"
    # No variable, and no iinc, is left of the loop.
    assert code("variables", (K.VARIABLE, ""))[2] == b"\x03\xac"
    # What was called for the condition goes with it.
    assert code("given")[2].count(b"\xb8") == 4
    assert code("given", (K.ASK, ""))[2].count(b"\xb8") == 3
    # Both values that a dup2 copies are dropped with it.
    assert b"\x5c" not in code("bumpElement", (K.VALUE, "iadd"), (K.STORE, "#1"))[2]
    # The call that stays is made before what lay below its result is dropped.
    assert code("callInterface", (K.CUT, "#0"))[2] == b"\x01\xb0"


def test_no_object_is_left_whose_constructor_is_not_called(program: Path, prog: Editor) -> None:
    cf = parse((program / "p/Prog.class").read_bytes())
    new, special = b"\xbb", b"\xb7"
    for name in ("cutArgument", "makeAcross"):
        method = method_number(cf, name)
        assert new in code_of(cf.data, name)[2]
        cuts = [at for at, edit in enumerate(prog.edits) if edit.method == method and edit.kind in (K.CUT, K.FALL)]
        for chosen in ([], *([cut] for cut in cuts), cuts):
            code = code_of(prog.write(chosen), name)[2]
            assert (new in code) is (special in code), (name, chosen)
    code = code_of(prog.write(picked(prog, method_number(cf, "cutArgument"), [(K.CUT, "Prog.twice")])), "cutArgument")[
        2
    ]
    assert (code[:1], code[1:2], code[4:]) == (b"\x05", b"\xb8", b"\x01\xb0")


def test_a_variable_without_its_name_loses_its_generic_type_too(program: Path, prog: Editor) -> None:
    cf = parse((program / "p/Prog.class").read_bytes())

    def named(method: str, *wishes: tuple[EditKind, str]) -> dict[str, list[tuple[str, str]]]:
        """Names and types of variables by attribute."""
        after = parse(prog.write(picked(prog, method_number(cf, method), wishes)))
        code = list(after.methods)[method_number(after, method)].attributes.raw("Code")
        inside, found = dict(code_attributes(after, code)), {}
        for table in ("LocalVariableTable", "LocalVariableTypeTable"):
            rows = struct.iter_unpack(">HHHHH", inside.get(table, b"\0\0")[2:])
            text = after.constants.text
            found[table] = [(text(name), text(type_)) for _, _, name, type_, _ in rows]
        return found

    generic = {
        "LocalVariableTable": [("l", "Ljava/util/List;")],
        "LocalVariableTypeTable": [("l", "Ljava/util/List<Ljava/lang/String;>;")],
    }
    assert named("callInterface") == generic
    assert named("callInterface", (K.NAME, "variable 0")) == {"LocalVariableTable": [], "LocalVariableTypeTable": []}
    assert [name for name, _ in named("counted")["LocalVariableTable"]] == ["e", "n"]
    assert [name for name, _ in named("counted", (K.NAME, "variable 2"))["LocalVariableTable"]] == ["n"]
    assert [name for name, _ in named("counted", (K.NAME, "variable 0"))["LocalVariableTable"]] == ["e"]


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
    all_edits = Editor(cf.data).edits
    assert all_edits == prog.edits
    ranks = list(EditKind)
    keys = [(edit.method, edit.offset, ranks.index(edit.kind), edit.index) for edit in all_edits]
    assert keys == sorted(set(keys))
    assert all(edit.saved >= 0 and edit.description for edit in all_edits)
    assert prog.write([]) == cf.data
    source = random.Random(3)
    for _ in range(5):
        chosen = source.sample(range(len(all_edits)), 40)
        data = prog.write(chosen)
        assert data == prog.write(sorted(chosen))
        assert data == Editor(cf.data).write(chosen)


@pytest.mark.guarded
def test_savings_are_estimated_well(program: Path, prog: Editor) -> None:
    """Of single edits, against what the code really loses; constants that go are not counted."""
    cf = parse((program / "p/Prog.class").read_bytes())
    names = [method.name_text for method in cf.methods]
    wrong = 0
    for number, edit in enumerate(prog.edits):
        if names.count(names[edit.method]) > 1:
            continue
        before, after = (code_of(data, names[edit.method])[2] for data in (cf.data or b"", prog.write([number])))
        wrong += abs(len(before) - len(after) - edit.saved) > 4
    assert wrong < len(prog.edits) / 8


def test_what_each_edit_does_alone_is_known(program: Path, prog: Editor) -> None:
    """Bytes of the class, its constants included; of bootstrap methods the rows are not counted."""
    cf = parse((program / "p/Prog.class").read_bytes())
    size = len(cf.data or b"")
    wrong = [edit for n, edit in enumerate(prog.edits) if prog.saved(n) != size - len(prog.write([n]))]
    assert len(wrong) < len(prog.edits) / 20


def test_an_edit_is_a_plain_value(prog: Editor) -> None:
    first = prog.edits[0]
    assert first == Edit(first.method, first.kind, first.offset, first.index, first.description, first.saved)
    assert hash(first) == hash(Editor(prog.write([])).edits[0])
