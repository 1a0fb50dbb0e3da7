"""A class file as a tree in which constants stand at the places where they are used, not in a pool.

So a class can be changed, or take members of another class, without any thought of pool indexes. :func:`read` makes the
tree, :meth:`SymbolicClass.written` the class file. Trees never change: an edit makes a new one.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from core.classfile.class_file import ClassFile, Field, Method
from core.classfile.format_error import ClassFormatError
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
from core.classfile.tables import bootstraps
from core.rewrite.attribute_pieces import READERS
from core.rewrite.decoding import Decoder, FactKind, PieceOwner, Place
from core.rewrite.pieces import Key, Piece, Table

MOST_NARROW = 255
"""Largest index of a constant that ``ldc`` can push."""
_MAGIC = b"\xca\xfe\xba\xbe"
_MEMBERS = (FIELD_REF, METHOD_REF, INTERFACE_METHOD_REF)
_WIDE = (LONG, DOUBLE)
_CODE, _BOOTSTRAPS = "Code", "BootstrapMethods"


class Symbol(NamedTuple):
    """A constant with all that it names. ``content`` by tag: a text (UTF8, class, string and the like); owner, name and
    descriptor (fields and methods); name and descriptor; kind and symbol of a handle; bootstrap, name and descriptor,
    where a bootstrap is a handle and its arguments; the bytes of a number.
    """

    tag: int
    content: tuple[object, ...]


class Narrow(NamedTuple):
    """The symbol of an ``ldc``, whose index has a single byte."""

    symbol: Symbol


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

    def attribute(self, name: str) -> AttributeTree | None:
        """Return the attribute of a name; None if there is none."""
        return next((each for each in self.attributes if each.name == name), None)


class SymbolicClass(NamedTuple):
    """A class. ``attributes`` are without BootstrapMethods, whose rows stand in the symbols that use them."""

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
    def symbols(self) -> Iterator[Symbol]:
        """All constants that attributes use, again and again."""
        owners: Sequence[SymbolicClass | MemberTree] = (self, *self.fields, *self.methods)
        for owner in owners:
            for attribute in owner.attributes:
                yield from attribute.symbols

    @property
    def narrow(self) -> dict[Symbol, None]:
        """The constants of ``ldc`` in the order of their first use; a class can have 255 of them."""
        codes = [attribute for method in self.methods for attribute in method.attributes if attribute.name == _CODE]
        keys = [key for code in codes for key in code.content.keys]
        return dict.fromkeys(key.symbol for key in keys if isinstance(key, Narrow))

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
        """Return the class file. Raises :class:`ClassFormatError` where there are too many constants."""
        return _TreeWriter().written(self)


def read(cf: ClassFile) -> SymbolicClass:
    """Return a class as a tree, without attributes that nobody knows. Raises :class:`ClassFormatError`."""
    try:
        return _TreeReader(cf).tree()
    except (struct.error, IndexError) as error:
        raise ClassFormatError("an attribute is cut off") from error


def text(content: str) -> Symbol:
    """Return the symbol of a text."""
    return Symbol(UTF8, (content,))


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
            if name == _CODE:
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
        if tag in (DYNAMIC, INVOKE_DYNAMIC):
            return Symbol(tag, (self._bootstrap(constant[1]), *self._symbol(constant[2]).content))
        return Symbol(tag, (constants.text(constant[1]),))

    def _bootstrap(self, row: int) -> tuple[Symbol, ...]:
        found = self._bootstraps[row]
        return self._symbol(found.handle), *map(self._symbol, found.arguments)


class _TreeWriter:
    """The pool of one class while it is written. Constants get numbers in the order of their first use, those of
    ``ldc`` before all others.
    """

    def __init__(self) -> None:
        self._numbers: dict[object, bytes] = {}
        self._constants: list[bytes] = []
        self._next = 1
        self._rows: dict[tuple[Symbol, ...], int] = {}

    def written(self, tree: SymbolicClass) -> bytes:
        self._reserve(tree.narrow)
        head = struct.pack(">H", tree.access) + self._class(tree.name)
        head += self._class(tree.superclass) if tree.superclass else b"\0\0"
        head += len(tree.interfaces).to_bytes(2, "big") + b"".join(map(self._class, tree.interfaces))
        body = self._members(tree.fields) + self._members(tree.methods)
        attributes = [self._attribute(each) for each in tree.attributes]
        if self._rows:
            attributes.append(self._bootstrap_methods())
        body += len(attributes).to_bytes(2, "big") + b"".join(attributes)
        if self._next > 0xFFFF:
            raise ClassFormatError("the constant pool has no room for another constant")
        version = struct.pack(">HHH", tree.minor, tree.major, self._next)
        return b"".join([_MAGIC, version, *self._constants, head, body])

    def _reserve(self, narrow: Iterable[Symbol]) -> None:
        """Give the constants of ``ldc`` the first numbers, before the constants that they name have any."""
        places = [(self._place(symbol), symbol) for symbol in narrow]
        if self._next > MOST_NARROW + 1:
            raise ClassFormatError("too many constants are pushed by short instructions")
        for place, symbol in places:
            self._constants[place] = self._bytes(symbol)

    def _place(self, symbol: Symbol) -> int:
        self._numbers[symbol] = self._next.to_bytes(2, "big")
        self._next += 2 if symbol.tag in _WIDE else 1
        self._constants.append(b"")
        return len(self._constants) - 1

    def _members(self, members: Sequence[MemberTree]) -> bytes:
        parts = [len(members).to_bytes(2, "big")]
        for member in members:
            parts += (member.access.to_bytes(2, "big"), self._text(member.name), self._text(member.descriptor))
            parts.append(len(member.attributes).to_bytes(2, "big"))
            parts += [self._attribute(each) for each in member.attributes]
        return b"".join(parts)

    def _attribute(self, attribute: AttributeTree) -> bytes:
        data = bytearray(attribute.content.data)
        for at, key in zip(attribute.content.offsets, attribute.content.keys, strict=True):
            if isinstance(key, Narrow):
                data[at] = self._number(key.symbol)[1]
            else:
                data[at : at + 2] = self._number(key)  # type: ignore[arg-type]  # what is no narrow key is a symbol
        content = bytes(data)
        if attribute.name == _CODE:
            inside = [self._attribute(each) for each in attribute.inside]
            content += len(inside).to_bytes(2, "big") + b"".join(inside)
        return self._text(attribute.name) + len(content).to_bytes(4, "big") + content

    def _bootstrap_methods(self) -> bytes:
        rows: list[bytes] = []
        while len(rows) < len(self._rows):  # an argument may be a dynamic constant with a row of its own
            handle, *arguments = list(self._rows)[len(rows)]
            row = self._number(handle) + len(arguments).to_bytes(2, "big")
            rows.append(row + b"".join(map(self._number, arguments)))
        content = len(rows).to_bytes(2, "big") + b"".join(rows)
        return self._text(_BOOTSTRAPS) + len(content).to_bytes(4, "big") + content

    def _class(self, name: str) -> bytes:
        return self._number(Symbol(CLASS, (name,)))

    def _text(self, content: str) -> bytes:
        return self._number(text(content))

    def _number(self, symbol: Symbol) -> bytes:
        found = self._numbers.get(symbol)
        if found is None:
            place = self._place(symbol)
            self._constants[place] = self._bytes(symbol)
            found = self._numbers[symbol]
        return found

    def _bytes(self, symbol: Symbol) -> bytes:
        tag, content = symbol
        head = bytes([tag])
        if tag == UTF8:
            return write_constant((UTF8, content[0]))
        if tag < CLASS:
            return content[0]  # type: ignore[return-value]  # a number is kept as its bytes
        if tag == METHOD_HANDLE:
            return head + bytes([content[0]]) + self._number(content[1])  # type: ignore[list-item, arg-type]
        if tag == NAME_AND_TYPE:
            return head + self._text(content[0]) + self._text(content[1])  # type: ignore[arg-type]
        named = Symbol(NAME_AND_TYPE, content[1:])
        if tag in _MEMBERS:
            return head + self._class(content[0]) + self._number(named)  # type: ignore[arg-type]
        if tag in (DYNAMIC, INVOKE_DYNAMIC):
            row = self._rows.setdefault(content[0], len(self._rows))  # type: ignore[arg-type]
            return head + row.to_bytes(2, "big") + self._number(named)
        return head + self._text(content[0])  # type: ignore[arg-type]
