"""Single type arguments, type parameters and bounds that go, where a signature as a whole is needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial

from core.classfile.format_error import ClassFormatError
from core.classfile.generics.signatures import type_parameters
from core.classfile.generics.spans import (
    Span,
    open_parameters,
    shorter_bounds,
    shorter_types,
    variables,
    with_spans,
)
from core.rewrite.around import enclosing_method, families
from core.rewrite.programs.class_relations import CONSTRUCTOR, ClassRelations
from core.rewrite.programs.class_tree import AttributeTree, MemberTree, Symbol, SymbolicClass, text
from core.rewrite.programs.program import ProgramEdit, WholeProgram, kind, shown

_SIGNATURE, _LOCALS = "Signature", "LocalVariableTypeTable"
_PRIVATE, _STATIC = 0x0002, 0x0008


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return one edit for each type that can become shorter, wherever a class has the same signature."""
    found: list[ProgramEdit] = []
    free = _Free(program)
    for trees in families(program.classes).values():
        if not all(map(_is_open, trees)):
            continue
        names = _VariablesInUse(trees)
        for tree in trees:
            spans: dict[str, dict[Span, None]] = {}
            with suppress(ClassFormatError):
                for signature, each in _spans(tree, free, names):
                    spans.setdefault(signature, {})[each] = None
            found += [
                ProgramEdit(_says(tree, signature, each), (tree.name,), (tree.name, signature, each))
                for signature, own in spans.items()
                for each in own
            ]
    return found


@kind("generics", "type arguments, type parameters and bounds go, one by one", _find)
def GENERICS(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Shorten some signatures. One that says no more than its descriptor goes."""
    spans: dict[str, dict[str, list[Span]]] = {}
    for edit in edits:
        name, signature, span = edit.what
        spans.setdefault(name, {}).setdefault(signature, []).append(span)
    free = _Free(program)

    def changed(tree: SymbolicClass) -> SymbolicClass:
        if tree.name not in spans:
            return tree
        change = partial(_shortened, spans[tree.name])
        return tree._replace(
            fields=tuple([_member(each, True, change) for each in tree.fields]),
            methods=tuple([_member(each, free.may_change(tree, each), change) for each in tree.methods]),
            attributes=tuple([each.mapped(change) if each.name == _SIGNATURE else each for each in tree.attributes]),
        )

    return program.mapped(changed)


class _Free:
    """The methods whose signatures are nobody else's concern: nothing overrides them, and they override nothing."""

    def __init__(self, program: WholeProgram) -> None:
        self._relations, self._program = ClassRelations(program), program
        self._names = Counter(method.name for tree in program.classes for method in tree.methods)

    def may_change(self, tree: SymbolicClass, method: MemberTree) -> bool:
        """Return True for a method whose signature can change alone."""
        if method.name == CONSTRUCTOR or method.access & (_PRIVATE | _STATIC):
            return True
        above = [name for name in self._relations.supertypes(tree.name) if name not in self._program.by_name]
        return self._names[method.name] == 1 and not any(
            name == method.name for each in above for name, _ in self._relations.declared(each)
        )


class _VariablesInUse:
    """The type variables that the classes in one top-level class mention."""

    def __init__(self, trees: Sequence[SymbolicClass]) -> None:
        self.typed = _variables(trees, bare=True)
        """The variables that are a type of their own."""
        self._all = _variables(trees, bare=False)
        self._around = {each for tree in trees if (each := enclosing_method(tree))}

    def used(self, tree: SymbolicClass, method: MemberTree) -> set[str]:
        """Return the type variables that a method needs, if it declares them: those of its own types, of its local
        variables, and of the classes inside it.
        """
        if (tree.name, *method.key) in self._around:
            return self._all
        found: set[str] = set()
        for signature in _signatures(method, (_SIGNATURE, _LOCALS)):
            found |= variables(signature, bare=False)
        return found


def _is_open(tree: SymbolicClass) -> bool:
    """Return True if no attribute of a class points into its generic types."""
    owners: Sequence[SymbolicClass | MemberTree] = (tree, *tree.fields, *tree.methods)
    return not any(
        "TypeAnnotations" in attribute.name or attribute.name == "Record"
        for owner in owners
        for attribute in owner.attributes
    )


def _variables(trees: Iterable[SymbolicClass], *, bare: bool) -> set[str]:
    """Return the type variables of signatures; if ``bare`` those that are a type of their own."""
    found: set[str] = set()
    for tree in trees:
        owners: Sequence[SymbolicClass | MemberTree] = (tree, *tree.fields, *tree.methods)
        for owner in owners:
            for signature in _signatures(owner, (_SIGNATURE, _LOCALS)):
                with suppress(ClassFormatError):
                    found |= variables(signature, bare=bare)
    return found


def _spans(tree: SymbolicClass, free: _Free, names: _VariablesInUse) -> Iterator[tuple[str, Span]]:
    for signature in _signatures(tree, (_SIGNATURE,)):
        spans = [*shorter_bounds(signature), *open_parameters(signature, _names(signature), names.typed)]
        yield from [(signature, each) for each in spans]
    for member in (*tree.fields, *tree.methods):
        for signature in _signatures(member, (_LOCALS,)):
            yield from [(signature, each) for each in shorter_types(signature)]
    for field in tree.fields:
        for signature in _signatures(field, (_SIGNATURE,)):
            yield from [(signature, each) for each in shorter_types(signature)]
    used: dict[str, set[str]] = {}
    for method in tree.methods:  # those with the same signature change together
        for signature in _signatures(method, (_SIGNATURE,)) if free.may_change(tree, method) else ():
            used.setdefault(signature, set()).update(names.used(tree, method))
    for signature, needed in used.items():
        yield from [(signature, each) for each in shorter_types(signature, type_parameters(signature)[1])]
        yield from [(signature, each) for each in shorter_bounds(signature)]
        yield from [(signature, each) for each in open_parameters(signature, needed, names.typed)]


def _names(signature: str) -> list[str]:
    """Return the type parameters that a signature declares."""
    return [each.name for each in type_parameters(signature)[0]]


def _signatures(owner: SymbolicClass | MemberTree, names: Collection[str]) -> Iterator[str]:
    """Yield the signatures in attributes of some names, of code too."""
    for attribute in owner.attributes:
        for each in (attribute, *attribute.inside):
            if each.name == _SIGNATURE and _SIGNATURE in names:
                yield from (str(symbol.content[0]) for symbol in each.symbols)
            elif each.name == _LOCALS and _LOCALS in names:
                yield from (str(symbol.content[0]) for symbol in list(each.symbols)[1::2])


def _member(member: MemberTree, whole: bool, change: partial[Symbol]) -> MemberTree:
    """Return a field or method with shorter signatures; only of its local variables unless it is ``whole``."""
    attributes: list[AttributeTree] = []
    for each in member.attributes:
        if each.name == _SIGNATURE and whole:
            signature = each.mapped(change)
            if [symbol.content[0] for symbol in signature.symbols] != [member.descriptor]:
                attributes.append(signature)
        else:
            inside = [one.mapped(change) if one.name == _LOCALS else one for one in each.inside]
            attributes.append(each._replace(inside=tuple(inside)))
    return member._replace(attributes=tuple(attributes))


def _shortened(spans: Mapping[str, Sequence[Span]], name: str, symbol: Symbol) -> Symbol:
    own = spans.get(str(symbol.content[0]))
    return symbol if own is None else text(with_spans(str(symbol.content[0]), own))


def _says(tree: SymbolicClass, signature: str, span: Span) -> str:
    old = signature[span.start : span.stop]
    return f"{shown(tree.name)} has {span.new or 'nothing'} in place of {old} in a generic signature"
