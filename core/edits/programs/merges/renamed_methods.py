"""Methods with a new name, for a class that is to take methods of the same name."""

from __future__ import annotations

from collections.abc import Mapping

from core.classfile.pool import INTERFACE_METHOD_REF, METHOD_REF, STRING
from core.classfile.symbolic.symbolic_class import MemberTree, Reference, Symbol, SymbolicClass
from core.edits.programs.class_relations import ClassRelations
from core.edits.programs.program import WholeProgram

_METHODS = (METHOD_REF, INTERFACE_METHOD_REF)


class FreshMethodNames:
    """The names of the methods of one program."""

    def __init__(self, program: WholeProgram, relations: ClassRelations) -> None:
        self._program = program
        self._relations = relations
        symbols = {symbol for tree in program.classes for symbol in tree.symbols}
        self._strings = {str(symbol.content[0]) for symbol in symbols if symbol.tag == STRING}
        above = {name for tree in program.classes for name in relations.supertypes(tree.name)}
        declaring = {tree.name for tree in program.classes} | above
        self._taken = {method for name in declaring for method, _ in relations.declared(name)}

    def may_change(self, method: MemberTree, tree: SymbolicClass) -> bool:
        """Return True for a method that no other class knows by its name: it overrides nothing, no class inherits it,
        and no string is its name.
        """
        if method.name.startswith("<") or method.name in self._strings:
            return False
        if tree.name in self._program.fixed or self._relations.below(tree.name):
            return False
        return all(
            self._relations.find(name) is not None
            and all(each != method.name for each, _ in self._relations.declared(name))
            for name in self._relations.supertypes(tree.name)
        )

    def fresh(self, name: str) -> str:
        """Return a name like another one that no method of a class or of a supertype has."""
        number = 2
        while f"{name}{number}" in self._taken:
            number += 1
        return f"{name}{number}"

    def take(self, tree: SymbolicClass) -> None:
        """Note the names of the methods of a changed class."""
        self._taken |= {method.name for method in tree.methods}


def with_names(program: WholeProgram, names: Mapping[Reference, str]) -> WholeProgram:
    """Return the program with other names for some methods of classes that no class extends."""
    if not names:
        return program

    def symbol(old: Symbol) -> Symbol:
        if old.tag in _METHODS:
            new = names.get(old.content)  # type: ignore[arg-type]  # owner, name, descriptor
            return Symbol(old.tag, (old.content[0], new, old.content[2])) if new else old
        return Symbol(old.tag, tuple(map(part, old.content)))

    def part(old: object) -> object:
        if isinstance(old, Symbol):
            return symbol(old)
        return tuple(map(part, old)) if isinstance(old, tuple) else old

    def changed(tree: SymbolicClass) -> SymbolicClass:
        def told(member: MemberTree) -> MemberTree:
            attributes = tuple([each.mapped(lambda _, old: symbol(old)) for each in member.attributes])
            return member._replace(name=names.get((tree.name, *member.key), member.name), attributes=attributes)

        return tree._replace(fields=tuple(map(told, tree.fields)), methods=tuple(map(told, tree.methods)))

    return program.mapped(changed)
