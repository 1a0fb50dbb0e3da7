"""Handlers that catch Throwable in place of one of its subclasses: the subclass need not be named any more."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from core.classfile.class_file import parse
from core.classfile.format_error import ClassFormatError
from core.classfile.pool import CLASS
from core.classfile.symbolic.contents import handlers, with_handlers
from core.classfile.symbolic.symbolic_class import AttributeTree, MemberTree, Symbol, SymbolicClass
from core.code.types.code_facts import CodeReader
from core.code.types.stack_types import THROWABLE
from core.edits.programs.class_relations import ClassRelations
from core.edits.programs.program import ProgramEdit, WholeProgram, item_of, kind, shown
from core.protocol.java_names import item_title

_CODE, _FRAMES = "Code", "StackMapTable"
_SERIALIZABLE = "java/io/Serializable"


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
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


@kind("catches", _find)
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
