"""Lambdas that take no more than they read: unread captured values go, an unread object too, and unneeded types become
those of the interface. The methods of these lambdas are named by nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple, cast

from core.classfile.descriptors import method_types
from core.classfile.flags import PRIVATE, STATIC
from core.classfile.pool import INVOKE_DYNAMIC, METHOD_HANDLE, METHOD_TYPE
from core.classfile.symbolic.symbol_pool import Reference, Symbol
from core.classfile.symbolic.symbolic_class import MemberTree, SymbolicClass
from core.code.blocks import Flow
from core.code.change import Changed, replaced
from core.code.dataflow.locals import touched
from core.code.method_code import MethodCode, code_of
from core.code.ops import Op, argument_widths
from core.code.types.symbols import INVOKEDYNAMIC
from core.edits.programs.classes_around import enclosing_method
from core.edits.programs.program import OBJECT, ProgramEdit, WholeProgram, item_of, kind
from core.edits.programs.shapes.dropping import DEEPEST, ChangedCall, MethodShape, changed_call
from core.edits.programs.shapes.families import OF_CODE, simply_pushed
from core.edits.programs.shapes.method_shapes import strings_of
from core.protocol.java_names import item_title

_INVOKE_STATIC = 6
"""Kind of the handle of a static method (JVMS 4.4.8)."""
_CAPTURES, _TYPES = "captures", "types"
_SAYS = {_CAPTURES: "captures no more than it reads", _TYPES: "has the types of its interface"}


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return an edit for the captured values of each lambda and one for its types."""
    edits = []
    for method in [each.method for each in lambdas(program)]:
        title = item_of(method)
        for aspect, says in _SAYS.items():
            edits.append(ProgramEdit(f"{item_title(title)} {says}", (title, f"{title}!code"), (method, aspect)))
    return edits


@kind("lambdas", _find, must_save=True)
def LAMBDAS(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Change the methods of some lambdas."""
    chosen = {edit.what for edit in edits}
    forms: dict[str, dict[Reference, LambdaForm]] = {}
    for each in lambdas(program):
        captures, types = ((each.method, aspect) in chosen for aspect in (_CAPTURES, _TYPES))
        if captures or types:
            forms.setdefault(each.method[0], {})[each.method] = each.form(captures, types)
    return program.mapped(lambda tree: _changed(tree, forms[tree.name]) if tree.name in forms else tree)


def _changed(tree: SymbolicClass, forms: Mapping[Reference, LambdaForm]) -> SymbolicClass:
    """Return a class with other lambdas."""
    methods = {symbol: method_of(symbol) for symbol in set(tree.symbols)}
    sites = {symbol: forms[method] for symbol, method in methods.items() if method is not None and method in forms}
    made = {symbol: _made(symbol, form) for symbol, form in sites.items()}

    def told(method: MemberTree) -> MemberTree:
        form = forms.get((tree.name, *method.key))
        code = code_of(tree, method)
        makes = any(symbol in sites for each in method.attributes for symbol in each.symbols)
        if code is not None and (makes or form is not None):
            change = replaced(code, partial(_instead, code, sites))
            method = code.method(change if form is None else _taking(code, change, form))
        return _declared(method, form).mapped(lambda _, symbol: made.get(symbol, symbol))

    return tree.with_methods(told)


def _instead(code: MethodCode, sites: Mapping[Symbol, LambdaForm], op: Op, before: list[Op]) -> Sequence[Op]:
    """Return the instructions in place of ``op``: an instruction that makes a lambda gets no dropped arguments."""
    site = code.symbol(op.key) if op.opcode == INVOKEDYNAMIC else None
    if site is None or site not in sites:
        return (op,)
    return changed_call(op, before, ChangedCall(op.key, str(site.content[2]), MethodShape(sites[site].dropped)))


def _taking(code: MethodCode, change: Changed, form: LambdaForm) -> Changed:
    """Return the change with variables numbered without gaps. No frame or table names the old types of unread
    parameters.
    """
    left = [slot for slot in range(code.flow.variables) if slot not in form.gone]
    slots = {old: new for new, old in enumerate(left) if old not in form.retyped}
    return code.moved(change, slots, form.descriptor, STATIC if form.is_static else 0)


def _declared(method: MemberTree, form: LambdaForm | None) -> MemberTree:
    """Return a method with the descriptor of a form."""
    if form is None:
        return method
    access = method.access | STATIC if form.is_static else method.access
    return method._replace(access=access, descriptor=form.descriptor)


def _made(site: Symbol, form: LambdaForm) -> Symbol:
    """Return the constant that makes a lambda in another form."""
    parts = parts_of(site)
    assert parts is not None
    usual, method = parts.handle.content
    owner, name, _ = method.content  # type: ignore[attr-defined]  # a handle is of a method
    method = Symbol(method.tag, (owner, name, form.descriptor))  # type: ignore[attr-defined]
    handle = Symbol(METHOD_HANDLE, (_INVOKE_STATIC if form.is_static else usual, method))
    bootstrap = parts._replace(handle=handle, instantiated=Symbol(METHOD_TYPE, (form.instantiated,)))
    descriptor = MethodShape(form.dropped).of(str(site.content[2]))
    return Symbol(site.tag, (tuple(bootstrap), site.content[1], descriptor))


_FACTORY = ("java/lang/invoke/LambdaMetafactory", "metafactory")
_ATTRIBUTES = frozenset(("Code", "Exceptions", "Deprecated", "Synthetic"))
"""Attributes of a method that say nothing of its parameters."""
_ANY = f"L{OBJECT};"


class MakerParts(NamedTuple):
    """The constants in the call site of a lambda."""

    factory: Symbol
    erased: Symbol
    """Type of the interface's method."""
    handle: Symbol
    """Handle of the method with the lambda's code."""
    instantiated: Symbol
    """Type of the interface's method as the lambda has it."""


class LambdaForm(NamedTuple):
    """A lambda after some edits."""

    dropped: frozenset[int]
    """The captured values that go, by number."""
    gone: frozenset[int]
    """The variables that hold these in the lambda's method."""
    retyped: frozenset[int]
    """The variables that hold parameters of other types."""
    is_static: bool
    descriptor: str
    """Descriptor of the lambda's method."""
    instantiated: str
    """Descriptor of the interface's method as this lambda has it."""


class Lambda(NamedTuple):
    """A lambda with a private method that nothing else names."""

    method: Reference
    is_static: bool
    site: Symbol
    """The constant that makes the lambda."""
    unread: frozenset[int]
    """Variables of the method that nothing reads or writes."""
    removable: frozenset[int]
    """Captured values that can be taken off the stack."""

    @property
    def captured(self) -> tuple[str, ...]:
        """The types of the captured values."""
        return method_types(str(self.site.content[2]))[0]

    @property
    def _variables(self) -> list[range]:
        """The variables of the method's parameters, its object first."""
        found = [] if self.is_static else [range(1)]
        for width in argument_widths(self.method[2]):
            start = found[-1].stop if found else 0
            found.append(range(start, start + width))
        return found

    def form(self, captures: bool, types: bool) -> LambdaForm:
        """Return the lambda without captured values that nothing reads, with the types of its interface, or both."""
        receivers = 0 if self.is_static else 1
        variables, count = self._variables, len(self.captured)
        unread = {place for place, own in enumerate(variables) if self.unread.issuperset(own)}
        dropped = frozenset(unread & self.removable if captures else ())
        taken, result = method_types(self.method[2])
        own = list(taken)
        parts = parts_of(self.site)
        assert parts is not None
        erased, erased_result = method_types(str(parts.erased.content[0]))
        known, known_result = method_types(str(parts.instantiated.content[0]))
        instantiated, retyped = list(known), set[int]()
        for place, type_ in enumerate(erased) if types else ():
            at = count + place - receivers
            if own[at] != type_ and not (count + place in unread and _are_classes(own[at], type_)):
                continue
            retyped.update(variables[count + place] if own[at] != type_ else ())
            own[at] = instantiated[place] = type_
        if types and erased_result == _ANY and _are_classes(result, known_result):
            result = known_result = _ANY
        left = [type_ for place, type_ in enumerate(own, receivers) if place not in dropped]
        gone = frozenset(slot for place in dropped for slot in variables[place])
        return LambdaForm(
            dropped, gone, frozenset(retyped), self.is_static or 0 in dropped,
            f"({''.join(left)}){result}", f"({''.join(instantiated)}){known_result}",
        )  # fmt: skip


def lambdas(program: WholeProgram) -> Iterator[Lambda]:
    """Yield the lambdas whose methods have no other use, in the order of the classes and methods."""
    if not any(symbol.tag == INVOKE_DYNAMIC for tree in program.classes for symbol in tree.symbols):
        return
    uses = Counter(member for tree in program.classes for symbol in set(tree.symbols) for member in set(symbol.members))
    around = {enclosing_method(tree) for tree in program.classes}
    strings = {name for tree in program.classes for name in strings_of(tree)}
    for tree in program.classes:
        names = Counter([*strings, *(method.name for method in tree.methods)])
        sites = {method: symbol for symbol in set(tree.symbols) if (method := method_of(symbol)) is not None}
        keys = [(tree.name, *method.key) for method in tree.methods]
        chosen = [
            number
            for number, (key, method) in enumerate(zip(keys, tree.methods, strict=True))
            if key in sites and names[method.name] == uses[key] == 1 and key not in around and _is_plain(method)
        ]
        yield from _understood(tree, {number: sites[keys[number]] for number in chosen})


def parts_of(site: Symbol) -> MakerParts | None:
    """Return the constants in the call site of a lambda; None for another constant."""
    if site.tag != INVOKE_DYNAMIC:
        return None
    bootstrap = cast(tuple[Symbol, ...], site.content[0])
    if [each.tag for each in bootstrap] != [METHOD_HANDLE, METHOD_TYPE, METHOD_HANDLE, METHOD_TYPE]:
        return None
    return MakerParts(*bootstrap) if next(iter(bootstrap[0].members))[:2] == _FACTORY else None


def method_of(site: Symbol) -> Reference | None:
    """Return the method with the code of the lambda that a constant makes; None if it makes none."""
    parts = parts_of(site)
    return None if parts is None else next(iter(parts.handle.members))


def _is_plain(method: MemberTree) -> bool:
    """Return True for a private method of whose parameters only the descriptor and the code tell."""
    code = method.attribute("Code")
    if code is None or not method.access & PRIVATE:
        return False
    return _ATTRIBUTES.issuperset(each.name for each in method.attributes) and OF_CODE.issuperset(
        each.name for each in code.inside
    )


def _understood(tree: SymbolicClass, sites: dict[int, Symbol]) -> Iterator[Lambda]:
    """Yield the lambdas of some methods of a class if all code of the class is understood. ``sites`` are by number of
    the method.
    """
    if not sites:
        return
    codes = [code_of(tree, method) for method in tree.methods]
    if any(code is None and method.attribute("Code") for code, method in zip(codes, tree.methods, strict=True)):
        return
    for number, site in sites.items():
        code, is_static = codes[number], bool(tree.methods[number].access & STATIC)
        descriptor = str(site.content[2])
        if code is None or (not is_static and descriptor.startswith("()")):
            continue  # the object is none of the captured values
        method = tree.name, *tree.methods[number].key
        first = _simply_pushed(codes, method, descriptor)
        widths = argument_widths(descriptor)
        removable = [place for place in range(len(widths)) if sum(widths[place + 1 : first]) <= DEEPEST]
        yield Lambda(method, is_static, site, _unread(code.flow), frozenset(removable))


def _unread(flow: Flow) -> frozenset[int]:
    """Return the variables of parameters that nothing reads or writes."""
    used = {slot for block in flow.blocks for op in block.ops for slot, _, _ in touched(op)}
    return frozenset(range(flow.parameters)) - used


def _simply_pushed(codes: Sequence[MethodCode | None], method: Reference, descriptor: str) -> int:
    """Return the first of the values from which on each is pushed by one instruction, wherever the lambda with some
    method is made.
    """
    found = [
        simply_pushed(block.ops, place, descriptor)
        for code in codes
        for block in (code.flow.blocks if code is not None else ())
        for place, op in enumerate(block.ops)
        if op.opcode == INVOKEDYNAMIC and code is not None and method_of(code.symbol(op.key)) == method
    ]
    return max(found, default=0)


def _are_classes(*types: str) -> bool:
    """Return True if all types are classes or arrays."""
    return all(type_.startswith(("L", "[")) for type_ in types)
