"""Every name of a class goes through a :class:`NameMap`, by the kind of named thing; the result is the class with other
names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from core.classfile import pool
from core.classfile.descriptors import class_names, element_class, renamed
from core.classfile.format_error import ClassFormatError
from core.classfile.signatures import renamed_signature
from core.classfile.symbolic.contents import RoleOfText, TextRole, holes, text_of, text_roles
from core.classfile.symbolic.pieces import Narrow, Piece
from core.classfile.symbolic.symbol_pool import Symbol
from core.classfile.symbolic.symbolic_class import AttributeTree, MemberTree, SymbolicClass, read
from core.entries import Entries, RewrittenEntries, renaming_of

PACKAGE, MODULE, CLASS, MEMBER, VARIABLE, TYPE_VARIABLE, STRING, RESOURCE = (
    "package", "module", "class", "member", "variable", "type variable", "string", "resource",
)  # fmt: skip
"""Kinds of names, in the order in which names are looked for. Members are fields, methods, elements of annotations and
constants; parameters are variables."""

_OF_CONSTANTS = {pool.STRING: STRING, pool.PACKAGE: PACKAGE, pool.MODULE: MODULE}
"""Kinds of the names that constants are, by tag."""
_MEMBERS = 3
"""Length of the content of a reference to a member."""
_DEBUG = "SourceDebugExtension"


class NameMap:
    """The new names, by kind. Each name stays but for those that a subclass changes."""

    def ours(self, class_: str) -> bool:
        """Return True if the members of a class may get other names: it is no class of a library."""
        return False

    def class_(self, name: str) -> str:
        """Return the new internal name of a class."""
        return name

    def new_name(self, kind: str, name: str) -> str:
        """Return the new name of something of another kind than a class; of a package the internal name."""
        return name

    def simple(self, name: str, class_: str) -> str:
        """Return the new simple name of a nested class, by its old simple and internal names."""
        return name

    def file(self, name: str, class_: str) -> str:
        """Return the new name of the source file of a class."""
        return name

    def annotation_string(self, text: str) -> str:
        """Return the new text of a string in an annotation."""
        return self.new_name(STRING, text)

    @cached_property
    def _known(self) -> dict[Symbol, Symbol]:
        """The constants with the new names so far."""
        return {}

    @cached_property
    def _signatures(self) -> dict[str, str]:
        """The descriptors and signatures with the new names so far."""
        return {}

    def anew(self, tree: SymbolicClass) -> SymbolicClass:
        """Return a class with the new names. A renamed class loses the places in another language's source file, for
        these name files only.
        """
        name = self.class_(tree.name)
        attributes = [each for each in tree.attributes if name == tree.name or each.name != _DEBUG]
        return tree.with_members(lambda member: self._member(member, tree.name))._replace(
            name=name,
            superclass=self.class_(tree.superclass) if tree.superclass else None,
            interfaces=tuple(map(self.class_, tree.interfaces)),
            attributes=tuple([self.attribute(each, tree.name) for each in attributes]),
        )

    def _member(self, member: MemberTree, owner: str) -> MemberTree:
        return member._replace(
            name=self.new_name(MEMBER, member.name),
            descriptor=self.signature(member.descriptor),
            attributes=tuple([self.attribute(each, owner) for each in member.attributes]),
        )

    def attribute(self, attribute: AttributeTree, class_: str) -> AttributeTree:
        """Return an attribute in a class with the new names."""
        content = attribute.content
        roles = text_roles(attribute)
        places = holes(attribute)
        keys: list[object] = []
        for at, key in places.items():
            symbol = key.symbol if isinstance(key, Narrow) else key
            assert isinstance(symbol, Symbol)
            if symbol.tag == pool.UTF8:
                new = self._text(symbol, roles.get(at), places, class_)
            elif attribute.name == "EnclosingMethod" and symbol.tag == pool.NAME_AND_TYPE:
                new = self._enclosing(symbol, places[0])
            else:
                new = self.symbol(symbol)
            keys.append(Narrow(new) if isinstance(key, Narrow) else new)
        inside = tuple([self.attribute(each, class_) for each in attribute.inside])
        return AttributeTree(attribute.name, Piece(content.data, content.offsets, keys), inside)

    def symbol(self, symbol: Symbol) -> Symbol:
        """Return a constant, other than a text, with the new names."""
        found = self._known.get(symbol)
        if found is None:
            found = self._known[symbol] = self._made(symbol)
        return found

    def signature(self, text: str) -> str:
        """Return a descriptor or signature with the new names; one that is wrong as it is."""
        found = self._signatures.get(text)
        if found is None:
            try:
                found = renamed_signature(text, self.class_, partial(self.new_name, TYPE_VARIABLE))
            except ClassFormatError:
                found = text
            self._signatures[text] = found
        return found

    def _text(self, symbol: Symbol, told: RoleOfText | None, places: Mapping[int, object], class_: str) -> Symbol:
        text = symbol.text
        match told:
            case None:
                return symbol
            case RoleOfText(TextRole.MEMBER, owner):
                kind = "" if owner < 0 else text_of(places[owner])
                new = text if kind and not self.ours(kind[1:-1]) else self.new_name(MEMBER, text)
            case RoleOfText(TextRole.SIMPLE, owner):
                new = self.simple(text, text_of(places[owner]))
            case RoleOfText(TextRole.TYPE):
                new = self.signature(text)
            case RoleOfText(TextRole.FILE):
                new = self.file(text, class_)
            case RoleOfText(TextRole.STRING):
                new = self.annotation_string(text)
            case _:
                new = self.new_name(VARIABLE, text)
        return Symbol(pool.UTF8, (new,))

    def _enclosing(self, symbol: Symbol, owner: object) -> Symbol:
        name, descriptor = map(str, symbol.content)
        new = self.new_name(MEMBER, name) if self.ours(text_of(owner)) else name
        return Symbol(pool.NAME_AND_TYPE, (new, self.signature(descriptor)))

    def _made(self, symbol: Symbol) -> Symbol:
        tag, content = symbol
        if tag == pool.CLASS:
            return Symbol(tag, (self._class(str(content[0])),))
        if tag == pool.METHOD_TYPE:
            return Symbol(tag, (self.signature(str(content[0])),))
        if tag in _OF_CONSTANTS:
            return Symbol(tag, (self.new_name(_OF_CONSTANTS[tag], str(content[0])),))
        if tag == pool.METHOD_HANDLE:
            assert isinstance(content[1], Symbol)
            return Symbol(tag, (content[0], self.symbol(content[1])))
        if len(content) != _MEMBERS:
            return symbol
        owner, name, descriptor = content[0], str(content[1]), str(content[2])
        if isinstance(owner, str):
            new = self.new_name(MEMBER, name) if self.ours(owner) else name
            return Symbol(tag, (self._class(owner), new, self.signature(descriptor)))
        assert isinstance(owner, tuple)
        # a lambda's method is that of its interface
        made = _made_by(descriptor, of_method=tag == pool.INVOKE_DYNAMIC)
        new = self.new_name(MEMBER, name) if made and self.ours(made) else name
        return Symbol(tag, (tuple(map(self.symbol, owner)), new, self.signature(descriptor)))

    def _class(self, name: str) -> str:
        if not name.startswith("["):
            return self.class_(name)
        old = element_class(name)
        return name if old is None else renamed(name, {old: self.class_(old)})


def _made_by(descriptor: str, *, of_method: bool) -> str:
    """Return the class of the value of a dynamic constant or call; empty if it is no class."""
    try:
        found = class_names(descriptor.rpartition(")")[2] if of_method else descriptor)
    except ClassFormatError:
        return ""
    return found[0] if found and not descriptor.rpartition(")")[2].startswith("[") else ""


_IN_DESCRIPTOR = re.compile(r"(?<=L)[^;<>:\[.()]+(?=[;<])")


@dataclass(frozen=True)
class Replacement(NameMap):
    """The classes that are replaced, each with the class in its place; internal names. No class in the place of another
    one is replaced itself.
    """

    names: Mapping[str, str]

    def class_(self, name: str) -> str:
        return self.names.get(name, name)

    def annotation_string(self, text: str) -> str:
        """Return a string with the new classes if it is a type, as those are that Kotlin writes."""
        if ";" not in text or not text.lstrip("[").startswith("L"):
            return text
        try:
            return renamed_signature(text, self.class_, str)
        except ClassFormatError:
            return text

    def descriptor(self, descriptor: str) -> str:
        """Return a descriptor of a field or method with the new classes."""
        return renamed(descriptor, self.names)

    def tree(self, tree: SymbolicClass) -> SymbolicClass:
        """Return a class with the new classes, under its own name."""
        changed = self.anew(tree._replace(name=self.class_(tree.name)))
        interfaces = dict.fromkeys(name for name in changed.interfaces if name != tree.name)
        return changed._replace(name=tree.name, interfaces=tuple(interfaces))


class _Renamed(Replacement):
    """Other names of classes. A string equal to a class name is changed too, for reflection."""

    def new_name(self, kind: str, name: str) -> str:
        if kind != STRING:
            return name
        if name in self.names:
            return self.names[name]
        dotted = name.replace(".", "/")
        if dotted in self.names:
            return self.names[dotted].replace("/", ".")
        return _IN_DESCRIPTOR.sub(lambda match: self.class_(match[0]), name)

    annotation_string = NameMap.annotation_string


def with_class_names(entries: Entries, names: Mapping[str, str]) -> RewrittenEntries:
    """Return the entries with other classes' names; ``names`` has the new internal name of each."""
    classes = _Renamed(names)
    found = []
    for name, data in entries:
        if name.endswith(".class"):
            tree = classes.anew(read(data))
            found.append((f"{tree.name}.class", tree.written()))
        else:
            found.append((name, data))
    return RewrittenEntries(found, renaming_of(entries).then(names))
