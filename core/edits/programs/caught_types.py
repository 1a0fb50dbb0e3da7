"""Handlers that catch Throwable in place of one of its subclasses: the subclass need not be named any more."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from core.classfile.class_file import parse
from core.classfile.format_error import ClassFormatError
from core.classfile.pool import CLASS
from core.classfile.symbolic.pieces import Key, Piece
from core.classfile.symbolic.symbolic_class import AttributeTree, MemberTree, Symbol, SymbolicClass
from core.code.types.code_facts import CodeReader
from core.code.types.stack_types import THROWABLE
from core.edits.programs.class_relations import ClassRelations
from core.edits.programs.program import ProgramEdit, WholeProgram, kind, shown
from core.protocol.java_names import item_title

_CODE, _FRAMES = "Code", "StackMapTable"
_HEAD, _ROW, _CAUGHT = 8, 8, 6
"""Bytes of a Code attribute before its instructions; of a row of the exception table; of a row before the class that it
catches."""
_SERIALIZABLE = "java/io/Serializable"


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return one edit for each class that a method catches, if nobody asks more of the object than that it is a
    Throwable.
    """
    relations = ClassRelations(program)
    found: list[ProgramEdit] = []
    for tree in program.classes:
        if THROWABLE in relations.supertypes(tree.name):
            continue  # it may use protected members of what it catches
        for number, method in enumerate(tree.methods):
            for name in sorted(set(_caught(method)) - {THROWABLE}):
                raised = _raised(name, relations)
                if _suffices(tree, number, raised):
                    title = f"{tree.name}.{method.name}:{method.descriptor}"
                    says = f"{item_title(title)} catches Throwable in place of {shown(name)}"
                    found.append(ProgramEdit(says, (title, f"{title}!code"), (tree.name, method.key, raised)))
    return found


@kind("catches", _find)
def CATCHES(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Let some methods catch Throwable. Of rows of the exception table that become equal one stays."""
    raised: dict[tuple[str, tuple[str, str]], frozenset[str]] = {}
    for name, key, names in (edit.what for edit in edits):
        raised[name, key] = raised.get((name, key), frozenset()) | names

    def changed(tree: SymbolicClass) -> SymbolicClass:
        methods = tuple([_raising(each, raised.get((tree.name, each.key), ())) for each in tree.methods])
        return tree if methods == tree.methods else tree._replace(methods=methods)

    return program.mapped(changed)


def _caught(method: MemberTree) -> Iterator[str]:
    """Yield the classes that a method catches; none where annotations tell of its handlers."""
    code = method.attribute(_CODE)
    if code is None or any("TypeAnnotations" in each.name for each in code.inside):
        return
    for _, key in handlers(code):
        if key is not None:
            yield str(key.content[0])


def _raised(name: str, relations: ClassRelations) -> frozenset[str]:
    """Return a class with its superclasses up to Throwable: the types that a frame may have for what is caught."""
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
        return code._replace(content=_with_rows(code.content, list(rows)), inside=tuple(inside))

    if not raised:
        return method
    return method._replace(
        attributes=tuple([changed(each) if each.name == _CODE else each for each in method.attributes])
    )


def handlers(code: AttributeTree) -> Iterator[tuple[bytes, Symbol | None]]:
    """Yield the rows of the exception table of a Code attribute, each with what it catches; None for anything."""
    data, keys = code.content.data, dict(zip(code.content.offsets, code.content.keys, strict=True))
    for at in range(_table(data) + 2, len(data), _ROW):
        key = keys.get(at + _CAUGHT)
        assert key is None or isinstance(key, Symbol)
        yield data[at : at + _CAUGHT], key


def _with_rows(content: Piece, rows: Sequence[tuple[bytes, Symbol | None]]) -> Piece:
    """Return the content of a Code attribute with another exception table, which ends it."""
    table = _table(content.data)
    data = bytearray(content.data[:table]) + len(rows).to_bytes(2, "big")
    holes: list[tuple[int, Key]] = [
        (at, key) for at, key in zip(content.offsets, content.keys, strict=True) if at < table
    ]
    for row, key in rows:
        if key is not None:
            holes.append((len(data) + _CAUGHT, key))
        data += row + b"\0\0"
    return Piece(bytes(data), [at for at, _ in holes], [key for _, key in holes])


def _table(data: bytes) -> int:
    """Return the offset of the exception table in a Code attribute."""
    return _HEAD + int.from_bytes(data[4:_HEAD], "big")
