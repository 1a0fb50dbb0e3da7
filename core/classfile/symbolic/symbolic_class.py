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
from core.classfile.format_error import ClassFormatError, reading
from core.classfile.pool import (
    CLASS,
    DOUBLE,
    DYNAMIC,
    FIELD_REF,
    INTERFACE_METHOD_REF,
    INVOKE_DYNAMIC,
    LONG,
    METHOD_HANDLE,
    METHOD_REF,
    NAME_AND_TYPE,
    UTF8,
    Constant,
    write_constant,
)
from core.classfile.symbolic.attribute_pieces import READERS
from core.classfile.symbolic.decoding import Decoder, PieceOwner, Place
from core.classfile.symbolic.fact_kinds import FactKind
from core.classfile.symbolic.pieces import Key, Narrow, Piece, Table
from core.classfile.tables import bootstraps

MOST_NARROW = 255
"""Largest index of a constant that ``ldc`` can push."""
_REMEMBERED = 512
"""Number of classes that are remembered with their bytes: kinds of edits read and write them one after another."""
_MANY = 1 << 16
"""Number of constants that are remembered with those that they need."""
_MAGIC = b"\xca\xfe\xba\xbe"
_MEMBERS = (FIELD_REF, METHOD_REF, INTERFACE_METHOD_REF)
_WIDE, _DYNAMIC = (LONG, DOUBLE), (DYNAMIC, INVOKE_DYNAMIC)
CODE, _BOOTSTRAPS = "Code", "BootstrapMethods"


Reference = tuple[str, str, str]
"""Class, name and descriptor of a member."""


class Symbol(NamedTuple):
    """A constant with all that it names. ``content`` by tag: a text (UTF8, class, string and the like); owner, name and
    descriptor (fields and methods); name and descriptor; kind and symbol of a handle; bootstrap, name and descriptor,
    where a bootstrap is a handle and its arguments; the bytes of a number.
    """

    tag: int
    content: tuple[object, ...]

    @property
    def text(self) -> str:
        """The text, or that of what the constant names: a class, a string, a package."""
        return str(self.content[0])

    @property
    def row(self) -> tuple[Symbol, ...]:
        """The row of BootstrapMethods that the constant names."""
        return self.content[0] if self.tag in _DYNAMIC else ()  # type: ignore[return-value]  # a handle, its arguments

    @property
    def all(self) -> Iterator[Symbol]:
        """The constant, and those that it names as a handle or through its bootstrap."""
        yield self
        for part in self.content:
            for each in part if isinstance(part, tuple) and not isinstance(part, Symbol) else (part,):
                if isinstance(each, Symbol):
                    yield from each.all

    @property
    def members(self) -> Iterator[Reference]:
        """The members that the constant refers to, also through handles and bootstraps."""
        return (each.content for each in self.all if each.tag in _MEMBERS)  # type: ignore[misc]  # three texts


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

        def members(found: Iterable[MemberTree]) -> tuple[MemberTree, ...]:
            return tuple([each._replace(attributes=left(each.attributes)) for each in found])

        fields, methods = members(self.fields), members(self.methods)
        changed = self._replace(fields=fields, methods=methods, attributes=left(self.attributes))
        return self if changed == self else changed

    def written(self) -> bytes:
        """Return the class file. Raises :class:`ClassFormatError` for too many constants."""
        return _written(self)


@lru_cache(_REMEMBERED)
def read(data: bytes) -> SymbolicClass:
    """Return the class in a class file, without unknown attributes. Raises :class:`ClassFormatError`."""
    with reading("an attribute"):
        return _TreeReader(parse(data)).tree()


def text(content: str) -> Symbol:
    """Return the symbol of a text."""
    return Symbol(UTF8, (content,))


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
        attributes = tuple(each for each in found if each.name != _BOOTSTRAPS)
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
        if tag in _MEMBERS:
            return Symbol(tag, (constants.class_name(constant[1]), *self._symbol(constant[2]).content))
        if tag in _DYNAMIC:
            return Symbol(tag, (self._bootstrap(constant[1]), *self._symbol(constant[2]).content))
        return Symbol(tag, (constants.text(constant[1]),))

    def _bootstrap(self, row: int) -> tuple[Symbol, ...]:
        found = self._bootstraps[row]
        return self._symbol(found.handle), *map(self._symbol, found.arguments)


class SymbolPool(dict[Key, bytes]):
    """The constant pool of a class that is written: symbols and the two bytes of their indexes, for an ``ldc`` one.

    Symbols get indexes in the order of their first use, the ``narrow`` ones before all others. Raises
    :class:`ClassFormatError` for too many constants.
    """

    def __init__(self, narrow: Iterable[Symbol] = ()) -> None:
        self.places: list[Constant | None] = [None]
        """The constants as in a parsed pool, but with numbers as bytes."""
        self.symbols: list[Symbol | None] = [None]
        """The symbol at each place."""
        self.rows: dict[tuple[Symbol, ...], int] = {}
        """The rows of BootstrapMethods that constants name."""
        places = [(self._take(symbol), symbol) for symbol in narrow]
        if len(self.places) > MOST_NARROW + 1:
            raise ClassFormatError("too many constants are pushed by short instructions")
        for place, symbol in places:
            self.places[place] = self._constant(symbol)

    def __missing__(self, key: Key) -> bytes:
        if isinstance(key, Narrow):
            return self[key.symbol][1:]
        assert isinstance(key, Symbol)
        place = self._take(key)
        self.places[place] = self._constant(key)
        return self[key]

    def take(self, symbols: Iterable[Symbol]) -> None:
        """Give constants an index each."""
        for symbol in symbols:
            self[symbol]

    def text(self, content: object) -> bytes:
        """Return the index of a text."""
        return self[Symbol(UTF8, (content,))]

    def class_(self, name: object) -> bytes:
        """Return the index of a class."""
        return self[Symbol(CLASS, (name,))]

    def attribute(self, attribute: AttributeTree) -> bytes:
        """Return an attribute with name and length."""
        content = self.content(attribute)
        return self.text(attribute.name) + len(content).to_bytes(4, "big") + content

    def content(self, attribute: AttributeTree) -> bytes:
        """Return the content of an attribute."""
        content = attribute.content.numbered(self)
        return content + self.table(attribute.inside) if attribute.name == CODE else content

    def table(self, attributes: Sequence[AttributeTree]) -> bytes:
        """Return attributes with their count."""
        return len(attributes).to_bytes(2, "big") + b"".join(map(self.attribute, attributes))

    def written(self) -> bytes:
        """Return the bytes of the pool."""
        return len(self.places).to_bytes(2, "big") + b"".join(map(_constant_bytes, filter(None, self.places)))

    def class_content(self, tree: SymbolicClass) -> bytes:
        """Return all of a class file that follows its pool."""
        head = struct.pack(">H", tree.access) + self.class_(tree.name)
        head += self.class_(tree.superclass) if tree.superclass else b"\0\0"
        head += len(tree.interfaces).to_bytes(2, "big") + b"".join(map(self.class_, tree.interfaces))
        members = self._members(tree.fields) + self._members(tree.methods)
        attributes = [self.attribute(each) for each in tree.attributes]
        if self.rows:
            attributes.append(self.bootstraps())
        return b"".join([head, members, len(attributes).to_bytes(2, "big"), *attributes])

    def bootstraps(self) -> bytes:
        """Return the attribute with the rows that constants name."""
        rows: list[bytes] = []
        while len(rows) < len(self.rows):  # an argument may be a dynamic constant with a row of its own
            handle, *arguments = list(self.rows)[len(rows)]
            row = self[handle] + len(arguments).to_bytes(2, "big")
            rows.append(row + b"".join(map(self.__getitem__, arguments)))
        content = len(rows).to_bytes(2, "big") + b"".join(rows)
        return self.text(_BOOTSTRAPS) + len(content).to_bytes(4, "big") + content

    def size(self, symbol: Symbol) -> int:
        """Return the bytes of a constant."""
        constant = self.places[self._index(self[symbol])]
        assert constant is not None
        return len(_constant_bytes(constant))

    def _members(self, members: Sequence[MemberTree]) -> bytes:
        parts = [len(members).to_bytes(2, "big")]
        for member in members:
            parts += (member.access.to_bytes(2, "big"), self.text(member.name), self.text(member.descriptor))
            parts.append(self.table(member.attributes))
        return b"".join(parts)

    def _take(self, symbol: Symbol) -> int:
        place, wide = len(self.places), 2 if symbol.tag in _WIDE else 1
        if place + wide > 0xFFFF:
            raise ClassFormatError("the constant pool has no room for another constant")
        self[symbol] = place.to_bytes(2, "big")
        self.places += (None,) * wide
        self.symbols += (symbol, None)[:wide]
        return place

    def _constant(self, symbol: Symbol) -> Constant:
        tag, content = symbol
        if tag < CLASS:
            return tag, content[0]
        if tag == METHOD_HANDLE:
            return tag, content[0], self._index(self[content[1]])
        if tag == NAME_AND_TYPE:
            return tag, self._index(self.text(content[0])), self._index(self.text(content[1]))
        named = Symbol(NAME_AND_TYPE, content[1:])
        if tag in _MEMBERS:
            return tag, self._index(self.class_(content[0])), self._index(self[named])
        if tag in _DYNAMIC:
            return tag, self.rows.setdefault(symbol.row, len(self.rows)), self._index(self[named])
        return tag, self._index(self.text(content[0]))

    def _index(self, data: bytes) -> int:
        return data[0] << 8 | data[1]


def _constant_bytes(constant: Constant) -> bytes:
    tag, content = constant[:2]
    return content if UTF8 < tag < CLASS else write_constant(constant)  # a number is its bytes


@lru_cache(_MANY)
def needed(symbol: Symbol) -> frozenset[Symbol]:
    """Return a constant with those that it needs in a pool, without those of rows of BootstrapMethods."""
    pool = SymbolPool()
    pool.take((symbol,))
    return frozenset(pool)  # type: ignore[arg-type]  # what is taken is a symbol


@lru_cache(_REMEMBERED)
def _written(tree: SymbolicClass) -> bytes:
    pool = SymbolPool(tree.narrow)
    content = pool.class_content(tree)
    return b"".join([_MAGIC, struct.pack(">HH", tree.minor, tree.major), pool.written(), content])
