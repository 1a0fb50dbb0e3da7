"""Lambdas that take no more than they read: captured values that nothing reads go, the object too, and types that
nothing needs become those of the interface.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.classfile.flags import STATIC
from core.classfile.pool import METHOD_HANDLE, METHOD_TYPE
from core.classfile.symbolic.symbolic_class import MemberTree, Reference, Symbol, SymbolicClass
from core.code.change import Changed
from core.code.method_code import SymbolicCode, code_of
from core.code.ops import Op
from core.code.simplify import simplified
from core.code.stackmap import at_start
from core.code.types.symbols import INVOKEDYNAMIC
from core.edits.programs.program import ProgramEdit, WholeProgram, item_of, kind
from core.edits.programs.shapes.dropping import ChangedCall, MethodShape, changed_call
from core.edits.programs.shapes.lambda_forms import LambdaForm, lambdas, method_of, parts_of
from core.protocol.java_names import item_title

_INVOKE_STATIC = 6
"""Kind of the handle of a static method (JVMS 4.4.8)."""
_CAPTURES, _TYPES = "captures", "types"
_SAYS = {_CAPTURES: "captures no more than it reads", _TYPES: "has the types of its interface"}

Forms = Mapping[Reference, LambdaForm]
"""Lambdas after the edits, by their methods."""


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


def _changed(tree: SymbolicClass, forms: Forms) -> SymbolicClass:
    """Return a class with other lambdas."""
    methods = {symbol: method_of(symbol) for symbol in set(tree.symbols)}
    sites = {symbol: forms[method] for symbol, method in methods.items() if method is not None and method in forms}
    made = {symbol: _made(symbol, form) for symbol, form in sites.items()}

    def told(method: MemberTree) -> MemberTree:
        form = forms.get((tree.name, *method.key))
        code = code_of(tree, method)
        makes = any(symbol in sites for each in method.attributes for symbol in each.symbols)
        if code is not None and (makes or form is not None):
            change = code.with_ops(_ops(code, sites))
            method = code.method(change if form is None else _taking(tree, code, change, form))
        return _declared(method, form).mapped(lambda _, symbol: made.get(symbol, symbol))

    return tree.with_methods(told)


def _ops(code: SymbolicCode, sites: Mapping[Symbol, LambdaForm]) -> dict[int, list[Op]]:
    """Return the blocks in which lambdas are made, without what goes from the stack."""
    ops = {}
    for number, block in enumerate(code.flow.blocks):
        found: list[Op] = []
        for op in block.ops:
            site = code.symbol(op.key) if op.opcode == INVOKEDYNAMIC else None
            if site is not None and site in sites:
                call = ChangedCall(op.key, str(site.content[2]), MethodShape(sites[site].dropped))
                found += changed_call(op, found, call)
            else:
                found.append(op)
        if found != list(block.ops):
            ops[number] = simplified(found)
    return ops


def _taking(tree: SymbolicClass, code: SymbolicCode, change: Changed, form: LambdaForm) -> Changed:
    """Return the change in which variables that go leave no gap, and no frame or table tells of parameters of other
    types, which nothing reads.
    """
    left = [slot for slot in range(code.flow.variables) if slot not in form.gone]
    slots = {old: new for new, old in enumerate(left) if old not in form.retyped}
    return change._replace(slots=slots, initial=at_start(form.descriptor, None if form.is_static else tree.name, False))


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
