"""A class file as a tree with constants at the places of their use, not in a pool.

So a class can be changed, or take members of another class, without any thought of pool indexes. :func:`read` makes the
tree, :meth:`SymbolicClass.written` the class file. Trees never change: an edit makes a new one.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from core.classfile.class_file import ClassFile, Field, Method, parse
from core.classfile.format_error import reading
from core.classfile.pool import (
    CLASS,
    DYNAMICS,
    MEMBERS,
    METHOD_HANDLE,
    NAME_AND_TYPE,
    UTF8,
    Constant,
    write_constant,
)
from core.classfile.symbolic.attribute_pieces import READERS
from core.classfile.symbolic.decoding import Decoder, PieceOwner, Place
from core.classfile.symbolic.fact_kinds import FactKind
from core.classfile.symbolic.pieces import Key, Narrow, Piece, Table
from core.classfile.symbolic.symbol_pool import BOOTSTRAPS, Symbol, SymbolPool, text
from core.classfile.tables import bootstraps

_REMEMBERED = 512
"""Number of classes that are remembered with their bytes: kinds of edits read and write them one after another."""
CODE = "Code"
_MAGIC = b"\xca\xfe\xba\xbe"


class AttributeTree(NamedTuple):
    """An attribute. The holes of ``content`` are symbols; ``inside`` are the attributes of code, which follow it."""

    name: str
    content: Piece
    inside: tuple[AttributeTree, ...] = ()

    @property
    def symbols(self) -> Iterator[Symbol]:
        """The constants of the content, and of the attributes inside."""
        for key in self.content.keys:
            yield key.symbol if isinstance(key, Narrow) else key  # type: ignore[misc]  # no key is anything else
        for attribute in self.inside:
            yield from attribute.symbols

    @property
    def narrow(self) -> Iterator[Symbol]:
        """The constants of each ``ldc``."""
        return (key.symbol for key in self.content.keys if isinstance(key, Narrow))

    @property
    def size(self) -> int:
        """The bytes of the attribute, with name and length."""
        inside = 2 + sum(attribute.size for attribute in self.inside) if self.name == CODE else 0
        return 6 + len(self.content) + inside

    def content_with(self, pool: SymbolPool) -> bytes:
        """Return the content as bytes, with indexes of a pool."""
        content = self.content.numbered(pool)
        return content + written_table(self.inside, pool) if self.name == CODE else content

    @property
    def text(self) -> str:
        """The text of its first constant."""
        return next(self.symbols).text

    def mapped(self, change: Callable[[str, Symbol], Symbol]) -> AttributeTree:
        """Return the attribute with other symbols. ``change`` gets the attribute's name and a symbol."""
        keys: list[Key] = [
            Narrow(change(self.name, key.symbol)) if isinstance(key, Narrow) else change(self.name, key)  # type: ignore[arg-type]
            for key in self.content.keys
        ]
        inside = tuple([attribute.mapped(change) for attribute in self.inside])
        return AttributeTree(self.name, Piece(self.content.data, self.content.offsets, keys), inside)


class MemberTree(NamedTuple):
    """A field or method."""

    access: int
    name: str
    descriptor: str
    attributes: tuple[AttributeTree, ...]

    @property
    def key(self) -> tuple[str, str]:
        """Name and descriptor."""
        return self.name, self.descriptor

    @property
    def signature(self) -> str:
        """The generic signature; empty for none."""
        found = self.attribute("Signature")
        return "" if found is None else found.text

    def attribute(self, name: str) -> AttributeTree | None:
        """Return the attribute of a name; None if there is none."""
        return next((each for each in self.attributes if each.name == name), None)

    def mapped(self, change: Callable[[str, Symbol], Symbol]) -> MemberTree:
        """Return the member with other symbols: see :meth:`AttributeTree.mapped`."""
        return self._replace(attributes=tuple([each.mapped(change) for each in self.attributes]))

    def with_attribute(self, name: str, *new: AttributeTree) -> MemberTree:
        """Return the member with other attributes in the place of that of a name, or without this one."""
        parts = [new if each.name == name else (each,) for each in self.attributes]
        return self._replace(attributes=tuple([each for part in parts for each in part]))


class SymbolicClass(NamedTuple):
    """A class. ``attributes`` lack BootstrapMethods: its rows stand in the symbols that use them."""

    minor: int
    major: int
    access: int
    name: str
    superclass: str | None
    interfaces: tuple[str, ...]
    fields: tuple[MemberTree, ...]
    methods: tuple[MemberTree, ...]
    attributes: tuple[AttributeTree, ...]

    def attribute(self, name: str) -> AttributeTree | None:
        """Return the attribute of the class of a name; None if there is none."""
        return next((each for each in self.attributes if each.name == name), None)

    @property
    def signature(self) -> str:
        """The generic signature; empty for none."""
        found = self.attribute("Signature")
        return "" if found is None else found.text

    def with_methods(self, change: Callable[[MemberTree], MemberTree]) -> SymbolicClass:
        """Return the class after a change of each of its methods; itself if none changes."""
        methods = tuple(map(change, self.methods))
        return self if methods == self.methods else self._replace(methods=methods)

    def with_members(self, change: Callable[[MemberTree], MemberTree]) -> SymbolicClass:
        """Return the class after a change of each of its fields and methods."""
        return self._replace(fields=tuple(map(change, self.fields)), methods=tuple(map(change, self.methods)))

    @property
    def symbols(self) -> Iterator[Symbol]:
        """All constants that attributes use, again and again."""
        owners: Sequence[SymbolicClass | MemberTree] = (self, *self.fields, *self.methods)
        for owner in owners:
            for attribute in owner.attributes:
                yield from attribute.symbols

    @property
    def narrow(self) -> dict[Symbol, None]:
        """The constants of ``ldc`` in the order of their first use; a class can have 255 of them."""
        codes = [attribute for method in self.methods for attribute in method.attributes if attribute.name == CODE]
        return dict.fromkeys(symbol for code in codes for symbol in code.narrow)

    def without(self, drop: Callable[[AttributeTree], bool]) -> SymbolicClass:
        """Return the class without the attributes that ``drop`` accepts, wherever they stand; itself if none goes."""

        def left(attributes: Iterable[AttributeTree]) -> tuple[AttributeTree, ...]:
            return tuple([each._replace(inside=left(each.inside)) for each in attributes if not drop(each)])

        changed = self.with_members(lambda member: member._replace(attributes=left(member.attributes)))
        changed = changed._replace(attributes=left(self.attributes))
        return self if changed == self else changed

    def written(self) -> bytes:
        """Return the class file. Raises :class:`ClassFormatError` for too many constants."""
        return _written(self)


@lru_cache(_REMEMBERED)
def read(data: bytes) -> SymbolicClass:
    """Return the class in a class file, without unknown attributes. Raises :class:`ClassFormatError`."""
    with reading("an attribute"):
        return _TreeReader(parse(data)).tree()


def signature_of(content: str) -> AttributeTree:
    """Return the attribute with a generic signature."""
    return AttributeTree("Signature", Piece(b"\0\0", (0,), (text(content),)))


class _TreeReader:
    def __init__(self, cf: ClassFile) -> None:
        self._cf = cf
        self._pool = cf.constants.tuples()
        self._bootstraps = bootstraps(cf)
        self._decoder = Decoder(cf, (), READERS)
        self._known: dict[int, Symbol] = {}

    def tree(self) -> SymbolicClass:
        cf = self._cf
        fields = [self._member(Place.FIELD, number, field) for number, field in enumerate(cf.fields)]
        methods = [self._member(Place.METHOD, number, method) for number, method in enumerate(cf.methods)]
        found = self._attributes(self._decoder.table(cf.attributes.indexed_rows(), PieceOwner(Place.CLASS, -1, -1)))
        attributes = tuple(each for each in found if each.name != BOOTSTRAPS)
        version = cf.version
        return SymbolicClass(
            version.minor, version.major, cf.access, cf.name, cf.superclass, cf.interface_names,
            tuple(fields), tuple(methods), attributes,
        )  # fmt: skip

    def _member(self, place: Place, number: int, member: Field | Method) -> MemberTree:
        table = self._decoder.table(member.attributes.indexed_rows(), PieceOwner(place, number, -2))
        return MemberTree(member.access, member.name_text, member.descriptor_text, self._attributes(table))

    def _attributes(self, table: Table) -> tuple[AttributeTree, ...]:
        found = []
        for node in table.children:
            if (FactKind.UNTOUCHED,) in node.facts:
                continue  # nobody can tell indexes from numbers in it
            index = node.name.keys[0]  # type: ignore[attr-defined]  # the rows of the table are attributes
            name = self._cf.constants.text(index)
            nodes = list(node.children)  # type: ignore[attr-defined]
            inside: tuple[AttributeTree, ...] = ()
            if name == CODE:
                inside = self._attributes(nodes.pop())
            content = Piece.join([each.whole for each in nodes])
            found.append(AttributeTree(name, self._symbolic(content), inside))
        return tuple(found)

    def _symbolic(self, piece: Piece) -> Piece:
        """Return a piece whose holes are symbols. Numbers of rows become bytes, because rows stay where they are."""
        data, offsets, keys = bytearray(piece.data), [], []
        for offset, key in zip(piece.offsets, piece.keys, strict=True):
            if isinstance(key, tuple):
                _, _, row = key
                data[offset : offset + 2] = row.to_bytes(2, "big")
                continue
            assert isinstance(key, int)
            offsets.append(offset)
            keys.append(self._symbol(key) if key >= 0 else Narrow(self._symbol(~key)))
        return Piece(bytes(data), offsets, keys)

    def _symbol(self, index: int) -> Symbol:
        found = self._known.get(index)
        if found is None:
            constant = self._pool[index]
            assert constant is not None  # the decoder has checked
            found = self._known[index] = self._made(constant)
        return found

    def _made(self, constant: Constant) -> Symbol:
        tag = constant[0]
        constants = self._cf.constants
        if tag == UTF8:
            return Symbol(tag, (constant[1],))
        if tag < CLASS:
            return Symbol(tag, (write_constant(constant),))
        if tag == METHOD_HANDLE:
            return Symbol(tag, (constant[1], self._symbol(constant[2])))
        if tag == NAME_AND_TYPE:
            return Symbol(tag, (constants.text(constant[1]), constants.text(constant[2])))
        if tag in MEMBERS:
            return Symbol(tag, (constants.class_name(constant[1]), *self._symbol(constant[2]).content))
        if tag in DYNAMICS:
            return Symbol(tag, (self._bootstrap(constant[1]), *self._symbol(constant[2]).content))
        return Symbol(tag, (constants.text(constant[1]),))

    def _bootstrap(self, row: int) -> tuple[Symbol, ...]:
        found = self._bootstraps[row]
        return self._symbol(found.handle), *map(self._symbol, found.arguments)


def written_table(attributes: Sequence[AttributeTree], pool: SymbolPool) -> bytes:
    """Return attributes with their count, each with name and length."""
    parts = [len(attributes).to_bytes(2, "big")]
    for each in attributes:
        content = each.content_with(pool)
        parts += (pool.text(each.name), len(content).to_bytes(4, "big"), content)
    return b"".join(parts)


def class_content(tree: SymbolicClass, pool: SymbolPool) -> bytes:
    """Return all of a class file that follows its pool."""
    head = struct.pack(">H", tree.access) + pool.class_(tree.name)
    head += pool.class_(tree.superclass) if tree.superclass else b"\0\0"
    head += len(tree.interfaces).to_bytes(2, "big") + b"".join(map(pool.class_, tree.interfaces))
    members = _members(tree.fields, pool) + _members(tree.methods, pool)
    table = written_table(tree.attributes, pool)
    rows = pool.bootstraps()
    count = len(tree.attributes) + bool(rows)
    return b"".join([head, members, count.to_bytes(2, "big"), table[2:], rows])


def _members(members: Sequence[MemberTree], pool: SymbolPool) -> bytes:
    parts = [len(members).to_bytes(2, "big")]
    for member in members:
        parts += (member.access.to_bytes(2, "big"), pool.text(member.name), pool.text(member.descriptor))
        parts.append(written_table(member.attributes, pool))
    return b"".join(parts)


@lru_cache(_REMEMBERED)
def _written(tree: SymbolicClass) -> bytes:
    pool = SymbolPool(tree.narrow)
    content = class_content(tree, pool)
    return b"".join([_MAGIC, struct.pack(">HH", tree.minor, tree.major), pool.written(), content])
