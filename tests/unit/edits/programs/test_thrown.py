"""Exceptions that methods need not declare, as a compiler says."""

from __future__ import annotations

import pytest

from core.classfile.symbolic.symbolic_class import read
from core.edits.programs.kinds import KINDS
from core.edits.programs.program import WholeProgram
from tests.support.whole_programs import whole_program

THROWS = KINDS["throws"]


@pytest.fixture
def program(compile_java):
    def of(source: str) -> WholeProgram:
        folder = compile_java({"Main.java": source})
        return whole_program(folder)

    return of


def found(program: WholeProgram) -> list[str]:
    return [edit.what for edit in THROWS.find(program)]


@pytest.mark.parametrize(
    ("body", "stays"),
    [
        ("void f() throws Own { throw new Own(); }", "Own"),
        ("void f() throws Exception { g(); } void g() throws Own { throw new Own(); }", "java/lang/Exception"),
        ('void f() throws Exception { new java.io.FileReader("a"); }', "java/lang/Exception"),
        ('void f() throws Exception, Own { new java.io.FileReader("a"); }', "java/lang/Exception"),
        ("void f() throws Own { } void g() { try { f(); } catch (Own e) { } }", "Own"),
        ("void f() throws Below { } void g() { try { f(); } catch (Own e) { } }", "Below"),
        ("void f() throws Own { } void g() { try { throw new Below(); } catch (Below e) { } }", "Own"),
    ],
)
def test_an_exception_that_code_throws_or_catches_stays_declared(body, stays, program):
    assert stays not in found(
        program(f"class Own extends Exception {{ }} class Below extends Own {{ }} class Main {{ {body} }}")
    )


@pytest.mark.parametrize(
    ("body", "gone"),
    [
        ("void f() throws Own { }", ["Own"]),
        ("void f() throws Own { g(); } void g() throws Own { }", ["Own"]),
        ("void f() throws ThreadDeath { throw new ThreadDeath(); }", ["java/lang/ThreadDeath"]),
        ("abstract void f() throws java.io.IOException, Own;", ["java/io/IOException", "Own"]),
        ("void f() throws Own { new Own(); }", ["Own"]),  # makes one, and throws none
        ("void f() throws Own { try { } catch (Exception e) { } }", ["Own"]),
        ("void f() throws Own { getClass().getDeclaredConstructors(); }", ["Own"]),  # declares an unchecked exception
    ],
)
def test_an_exception_that_nothing_throws_is_no_longer_declared(body, gone, program):
    before = program(f"class Own extends Exception {{ }} abstract class Main {{ {body} }}")
    assert found(before) == gone
    after = THROWS.make(before, THROWS.find(before))
    assert all(method.attribute("Exceptions") is None for tree in after.classes for method in tree.methods)


def test_one_of_two_exceptions_goes(program):
    source = (
        "class Own extends Exception { } abstract class Main { abstract void f() throws Own, java.io.IOException; }"
    )
    before = program(source)
    after = THROWS.make(before, [edit for edit in THROWS.find(before) if edit.what == "Own"])
    written = read(after.by_name["Main"].written())
    clause = written.methods[1].attribute("Exceptions")
    assert [symbol.content[0] for symbol in clause.symbols] == ["java/io/IOException"]
