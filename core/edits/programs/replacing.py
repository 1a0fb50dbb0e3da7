"""Other classes in the place of some classes, wherever a class names them: in constants, descriptors, signatures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.classfile.descriptors import renamed
from core.classfile.format_error import ClassFormatError
from core.classfile.pool import CLASS, METHOD_TYPE, NAME_AND_TYPE, STRING, UTF8
from core.classfile.symbolic.symbolic_class import AttributeTree, MemberTree, Symbol, SymbolicClass
from core.edits.names.signature_names import renamed_signature
from core.edits.programs.class_relations import CONSTRUCTOR, parameters
from core.edits.programs.program import WholeProgram

_FREE = frozenset(("SourceFile", "InnerClasses", "MethodParameters"))
"""Attributes whose texts are names, never types."""


@dataclass(frozen=True)
class Replacement:
    """The classes that are replaced, each with the class in its place; internal names. No class in the place of another
    one is replaced itself.
    """

    names: Mapping[str, str]
    _known: dict[Symbol, Symbol] = field(default_factory=dict, compare=False, repr=False)

    def name(self, name: str) -> str:
        """Return the class in the place of a class."""
        return self.names.get(name, name)

    def descriptor(self, descriptor: str) -> str:
        """Return a descriptor of a field or method with the new classes."""
        return renamed(descriptor, self.names)

    def member(self, member: MemberTree) -> MemberTree:
        """Return a field or method with the new classes."""
        attributes = tuple(map(self.attribute, member.attributes))
        return member._replace(descriptor=self.descriptor(member.descriptor), attributes=attributes)

    def attribute(self, attribute: AttributeTree) -> AttributeTree:
        """Return an attribute with the new classes."""
        return attribute.mapped(self._changed)

    def tree(self, tree: SymbolicClass) -> SymbolicClass:
        """Return a class with the new classes, under its own name."""
        interfaces = dict.fromkeys(map(self.name, tree.interfaces))
        return tree._replace(
            superclass=self.name(tree.superclass) if tree.superclass else None,
            interfaces=tuple(name for name in interfaces if name != tree.name),
            fields=tuple(map(self.member, tree.fields)),
            methods=tuple(map(self.member, tree.methods)),
            attributes=tuple(map(self.attribute, tree.attributes)),
        )

    def _changed(self, attribute: str, symbol: Symbol) -> Symbol:
        if symbol.tag == UTF8:
            return self._text(attribute, symbol)
        found = self._known.get(symbol)
        if found is None:
            found = self._known[symbol] = self._symbol(symbol)
        return found

    def _text(self, attribute: str, symbol: Symbol) -> Symbol:
        text = symbol.content[0]
        assert isinstance(text, str)
        if ";" not in text or attribute in _FREE:
            return symbol
        if "Annotation" in attribute and not text.lstrip("[").startswith("L"):
            return symbol  # a string, not a type
        try:
            return Symbol(UTF8, (renamed_signature(text, self.name, str),))
        except ClassFormatError:
            return symbol

    def _symbol(self, symbol: Symbol) -> Symbol:
        tag, content = symbol
        if tag == CLASS:
            name = str(content[0])
            return Symbol(tag, (self.descriptor(name) if name.startswith("[") else self.name(name),))
        if tag == METHOD_TYPE:
            return Symbol(tag, (self.descriptor(str(content[0])),))
        if tag == STRING:
            return symbol
        if tag == NAME_AND_TYPE:
            return Symbol(tag, (content[0], self.descriptor(str(content[1]))))
        parts: list[object] = []
        for part in content:
            if isinstance(part, Symbol):
                parts.append(self._changed("", part))
            elif isinstance(part, tuple):
                parts.append(tuple([self._changed("", each) for each in part]))
            else:
                parts.append(part)
        if len(content) == 3:  # a member, or a dynamic constant, whose bootstrap is changed by now
            if isinstance(content[0], str):
                parts[0] = self._symbol(Symbol(CLASS, (content[0],))).content[0]
            parts[2] = self.descriptor(str(content[2]))
        return Symbol(tag, tuple(parts))


def tells_members_apart(program: WholeProgram, names: Mapping[str, str]) -> bool:
    """Return True if no two methods of one name get equal parameters, and no two methods of one class, or fields of a
    class and of those above it, equal descriptors.

    Constructors are compared by class.
    """
    replacement = Replacement(names)
    known: dict[tuple[str, ...], str] = {}
    for tree in program.classes:
        owner = replacement.name(tree.name)
        for method in tree.methods:
            name, old = parameters(method)
            source = (owner if name == CONSTRUCTOR else name, replacement.descriptor(old))
            machine = (owner, name, replacement.descriptor(method.descriptor))
            if (
                known.setdefault(source, old) != old
                or known.setdefault(machine, method.descriptor) != method.descriptor
            ):
                return False
    return all(_tells_fields_apart(tree, program, replacement) for tree in program.classes if tree.fields)


def _tells_fields_apart(tree: SymbolicClass, program: WholeProgram, replacement: Replacement) -> bool:
    known: dict[tuple[str, str], str] = {}
    above: SymbolicClass | None = tree
    seen = set()
    while above is not None and above.name not in seen:
        seen.add(above.name)
        for member in above.fields:
            key = member.name, replacement.descriptor(member.descriptor)
            if known.setdefault(key, member.descriptor) != member.descriptor:
                return False
        above = program.by_name.get(above.superclass or "")
    return True
