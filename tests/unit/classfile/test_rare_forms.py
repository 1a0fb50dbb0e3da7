"""The rarest class files of many: those with attributes, constants, flags or versions that few of them have."""

from __future__ import annotations

from core.classfile.rare_forms import rarest


def test_a_module_and_a_damaged_file_are_rare_among_plain_classes(compile_java) -> None:
    sources = {
        f"p/C{number}.java": f"package p; class C{number} {{ int f() {{ return {number}; }} }}" for number in range(46)
    }
    folder = compile_java({"module-info.java": "module m { exports p; }", **sources})
    files = {path.stem: path.read_bytes() for path in sorted(folder.rglob("*.class"))}
    assert rarest(files | {"damaged": b"\xca\xfe\xba\xbe\0\0\0\x34\0\x09"}) == ["damaged", "module-info", "C0"]
    assert rarest({"only": files["C1"]}) == []
