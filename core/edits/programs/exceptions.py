"""Exceptions: clauses of ``throws``, which the virtual machine never reads (JVMS 4.7.5), and the caught types."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from core.classfile.class_file import parse
from core.classfile.format_error import ClassFormatError
from core.classfile.pool import CLASS
from core.classfile.symbolic.contents import handlers, opcodes, with_handlers, with_rows
from core.classfile.symbolic.pieces import Piece
from core.classfile.symbolic.symbol_pool import Symbol
from core.classfile.symbolic.symbolic_class import AttributeTree, MemberTree, SymbolicClass
from core.code.types.code_facts import CodeReader
from core.code.types.stack_types import THROWABLE
from core.edits.programs.class_relations import ClassRelations
from core.edits.programs.program import ProgramEdit, WholeProgram, item_of, kind, shown
from core.protocol.java_names import item_title

THROWN = "Exceptions"
_CODE, _ATHROW = "Code", 0xBF
_UNCHECKED = frozenset(("java/lang/RuntimeException", "java/lang/Error"))
"""Superclasses of exceptions that no method needs to declare."""

_CAUGHT_ANYWAY = frozenset(("java/lang/Exception", "java/lang/Throwable"))
"""Classes that source may catch without a thrown checked exception."""


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return one edit for each exception: all methods that declare it change, because one may override another."""
    if any(tree.attribute("Module") for tree in program.classes):
        return ()
    relations = ClassRelations(program)
    declaring: dict[str, dict[str, None]] = {}
    for tree in program.classes:
        for method in tree.methods:
            for name in _thrown(method):
                declaring.setdefault(name, {})[tree.name] = None
    return [
        ProgramEdit(f"no method declares that it throws {shown(name)}", tuple(classes), name)
        for name, classes in declaring.items()
        if _is_unchecked(name, relations) or not _is_needed(name, program, relations)
    ]


@kind("throws", _find)
def THROWS(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Drop some exceptions from the clauses of all methods."""
    gone = {edit.what for edit in edits}

    def told(method: MemberTree) -> MemberTree:
        clause = method.attribute(THROWN)
        if clause is None or gone.isdisjoint(_thrown(method)):
            return method
        left = [Piece(b"\0\0", (0,), (symbol,)) for symbol in clause.symbols if symbol.content[0] not in gone]
        return method.with_attribute(THROWN, *([with_rows(clause, left)] if left else []))

    return program.mapped(lambda tree: tree.with_methods(told))


def _thrown(method: MemberTree) -> list[str]:
    """Return the exceptions that a method declares."""
    clause = method.attribute(THROWN)
    return [] if clause is None else [symbol.text for symbol in clause.symbols]


def _is_unchecked(name: str, relations: ClassRelations) -> bool:
    return name in _UNCHECKED or not _UNCHECKED.isdisjoint(relations.supertypes(name))


def _is_needed(name: str, program: WholeProgram, relations: ClassRelations) -> bool:
    """Return True if code catches an exception, or a method declares it and may throw one that no other declared
    class covers. The type of a thrown value is not asked.
    """
    for tree in program.classes:
        for method in tree.methods:
            code = method.attribute(_CODE)
            if code is None:
                continue
            if any(row is not None and _may_catch(row.text, name, relations) for _, row in handlers(code)):
                return True
            own = set(_thrown(method))
            if name in own and (_ATHROW in opcodes(code) or _may_throw(code, name, own - {name}, program, relations)):
                return True
    return False


def _may_catch(caught: str, name: str, relations: ClassRelations) -> bool:
    """Return True if a handler is an error in source without anything that throws an exception, or one above or below
    (JLS 11.2.3).
    """
    if caught in _CAUGHT_ANYWAY:
        return False
    return name == caught or name in relations.supertypes(caught) or caught in relations.supertypes(name)


def _may_throw(
    code: AttributeTree, name: str, others: set[str], program: WholeProgram, relations: ClassRelations
) -> bool:
    """Return True if a called method may throw a checked exception for which the method declares ``name`` alone."""
    for each in _thrown_by_calls(code, name, program, relations):
        known = relations.find(each) is not None
        types = {each, *relations.supertypes(each)}
        if (not known or name in types) and types.isdisjoint(others) and not _is_unchecked(each, relations):
            return True
    return False


def _thrown_by_calls(code: AttributeTree, gone: str, program: WholeProgram, relations: ClassRelations) -> Iterator[str]:
    """Yield the exceptions that the called methods declare, but not ``gone`` of the program's own. An empty name stands
    for an unknown method.
    """
    for symbol in set(code.symbols):
        for owner, name, descriptor in symbol.members:
            if not descriptor.startswith("("):
                continue
            place = relations.declaring(owner, name, descriptor)
            tree, known = program.by_name.get(place), program.library(place)
            if tree is not None:
                declared = [method for method in tree.methods if method.key == (name, descriptor)]
                yield from (each for method in declared for each in _thrown(method) if each != gone)
            elif known is not None:
                yield from known.thrown.get((name, descriptor), ())
            else:
                yield ""


_FRAMES = "StackMapTable"
_SERIALIZABLE = "java/io/Serializable"


def _find_caught(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return one edit for each caught class, if Throwable suffices for every use of the exception."""
    relations = ClassRelations(program)
    found: list[ProgramEdit] = []
    for tree in program.classes:
        if THROWABLE in relations.supertypes(tree.name):
            continue  # it may use protected members of what it catches
        for number, method in enumerate(tree.methods):
            for name in sorted(set(_caught(method)) - {THROWABLE}):
                raised = _raised(name, relations)
                if _suffices(tree, number, raised):
                    title = item_of((tree.name, *method.key))
                    says = f"{item_title(title)} catches Throwable in place of {shown(name)}"
                    found.append(ProgramEdit(says, (title, f"{title}!code"), (tree.name, method.key, raised)))
    return found


@kind("catches", _find_caught)
def CATCHES(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Let some methods catch Throwable. Of rows of the exception table that become equal, only one stays."""
    raised: dict[tuple[str, tuple[str, str]], frozenset[str]] = {}
    for name, key, names in (edit.what for edit in edits):
        raised[name, key] = raised.get((name, key), frozenset()) | names

    def changed(tree: SymbolicClass) -> SymbolicClass:
        return tree.with_methods(lambda each: _raising(each, raised.get((tree.name, each.key), ())))

    return program.mapped(changed)


def _caught(method: MemberTree) -> Iterator[str]:
    """Yield the classes that a method catches; none if annotations describe its handlers."""
    code = method.attribute(_CODE)
    if code is None or any("TypeAnnotations" in each.name for each in code.inside):
        return
    for _, key in handlers(code):
        if key is not None:
            yield key.text


def _raised(name: str, relations: ClassRelations) -> frozenset[str]:
    """Return a class with its superclasses up to Throwable: the possible types of a caught exception in a frame."""
    above = [each for each in relations.supertypes(name) if THROWABLE in relations.supertypes(each)]
    return frozenset((name, *above))


def _suffices(tree: SymbolicClass, number: int, raised: Collection[str]) -> bool:
    """Return True if a method that catches Throwable is still verified."""
    methods = list(tree.methods)
    methods[number] = _raising(methods[number], raised)
    try:
        cf = parse(tree._replace(methods=tuple(methods)).written())
        facts = CodeReader(cf).facts(list(cf.methods)[number])
    except ClassFormatError:
        return False
    return all(below != THROWABLE or above == _SERIALIZABLE for below, above, _ in facts.subtypes)


def _raising(method: MemberTree, raised: Collection[str]) -> MemberTree:
    """Return a method that catches Throwable in place of some classes, in its frames too."""

    def told(_: str, symbol: Symbol) -> Symbol:
        return Symbol(CLASS, (THROWABLE,)) if symbol.tag == CLASS and symbol.content[0] in raised else symbol

    def changed(code: AttributeTree) -> AttributeTree:
        rows = dict.fromkeys((row, None if key is None else told("", key)) for row, key in handlers(code))
        inside = [each.mapped(told) if each.name == _FRAMES else each for each in code.inside]
        return with_handlers(code, list(rows))._replace(inside=tuple(inside))

    code = method.attribute(_CODE)
    return method if code is None or not raised else method.with_attribute(_CODE, changed(code))
