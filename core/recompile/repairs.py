"""Repairs of decompiled source at the places of javac's errors: for each error the edits that may end it.

A repair keeps the bytecode as near as it can to the decompiled one: casts, declarations and dead code that javac leaves
out. Which of the repaired sources show the failure is for the predicate to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.recompile.call_repairs import Broken, Edits, Repair, SourceEdit, arguments, call, receiver

_CONVERTED = re.compile(r"(\S.*?) cannot be converted to (\S.*)")
_LOSSY = re.compile(r"possible lossy conversion from (\w+) to (\w+)")
_EXCEPTION = re.compile(r"exception ([\w$.]*[\w$])")
_VARIABLE = re.compile(r"variable (\w+) ")
_SYMBOL = re.compile(r"symbol: +(class|variable|method) +([\w$]+)")
_WORD = re.compile(r"[\w$]+")
_ZEROS = {"boolean": "false", **dict.fromkeys(("int", "long", "short", "byte", "char", "float", "double"), "0")}
_NEW_INNER = re.compile(
    r"new\s+(?:[\w$.]+\.)?([\w$]+)\s*\("
    r"(?:(?:\((?:\([\w$.]+\)\s*)?null\)|(?:\([\w$.]+\)\s*)?null)\s*(?:,\s*)?)?",
)
"""The start of an expression that makes an object of an inner class, up to its first argument behind a null."""
_BOXES = {"int": "Integer", "char": "Character"}
_BOXES |= {kind: kind.capitalize() for kind in ("boolean", "byte", "short", "long", "float", "double")}
_LOOP = re.compile(r"\bfor *\( *(?:final +)?([\w$.<>?, \[\]]+?) +[\w$]+ *: *$")
"""The head of a loop, up to its collection."""
_DECLARED = re.compile(r"([\w$.]+(?:\[\])*) +[\w$]+ *= *$")
"""The declaration of a variable before its value."""
_GENERIC = re.compile(r"<[^<>()]*>")


def repairs(broken: Broken) -> list[Edits]:
    """Return the repairs of an error, the best first; none if the error is not understood."""
    repair = _REPAIRS.get(broken.code.removeprefix("compiler.err."))
    known = broken.path in broken.texts and 0 <= broken.begin <= broken.end
    return list(repair(broken)) if repair is not None and known else []


def _converted(broken: Broken) -> Iterator[Edits]:
    """Cast an expression to the type that is wanted there; turn a number into a truth value and back."""
    part = broken.part.strip()
    if "functional interface" in broken.message:
        for each in broken.known.lambdas:
            yield broken.cast(broken.begin, broken.end, each)
        return
    loop = _LOOP.search(broken.before)
    if loop is not None:
        yield from _looped(broken, loop[1])
        return
    lossy = _LOSSY.search(broken.message)
    found = (lossy[1], lossy[2]) if lossy else next(iter(_CONVERTED.findall(broken.message)[-1:]), None)
    if found is not None and part:
        given, wanted = (each.strip().removesuffix(")") if ")" in each and "(" not in each else each for each in found)
        if given == "boolean" and wanted in _ZEROS:
            yield broken.wrapped(broken.begin, broken.end, "((", ") ? 1 : 0)")
        elif wanted == "boolean" and given in _ZEROS:
            whole = {"0": "false", "1": "true"}.get(part)
            if whole:
                yield broken.put(broken.begin, broken.end, whole)
            yield broken.wrapped(broken.begin, broken.end, "((", ") != 0)")
        else:
            if lossy:
                yield from _widened(broken, given, wanted)
            yield from _casts(broken, wanted)
    yield from call(broken)


def _looped(broken: Broken, element: str) -> Iterator[Edits]:
    """Cast the iterated expression of a loop to one with elements of the variable's type, without an instruction if its
    own class is known."""
    name, element = re.escape(broken.part.strip()), _BOXES.get(element, element)
    declared = rf"([\w$.]+)(?:<[^;={{}}]*>)?(\[\])? +{name}(?![\w$])"
    found = list(re.finditer(declared, broken.before))
    if found and found[-1][2]:
        yield broken.cast(broken.begin, broken.end, f"{element}[]")
        return
    for type_ in dict.fromkeys((*(each[1] for each in found[-1:]), "Iterable")):
        yield broken.cast(broken.begin, broken.end, f"{type_}<{element}>", type_)


def _widened(broken: Broken, given: str, wanted: str) -> Iterator[Edits]:
    """Declare the variable that an expression is assigned to with the expression's own type."""
    before = broken.before
    name = re.search(r"([\w$]+)\s*=\s*$", before)
    if name is not None:
        declared = rf"(?m)^\s*(?:final )?({wanted}) {re.escape(name[1])}(?= *[;=])"
        for found in list(re.finditer(declared, before))[-1:]:
            yield broken.put(found.start(1), found.end(1), given)


def _casts(broken: Broken, wanted: str) -> Iterator[Edits]:
    raw = _raw(wanted)
    for types in ((wanted,), (raw,), (wanted, "Object"), (raw, "Object")):
        if not re.search(r"CAP|#|\bINT\d|<null>|[?&]", types[0]):
            yield broken.cast(broken.begin, broken.end, *types)


def _enclosing(broken: Broken) -> Iterator[Edits]:
    """Give a new object of an inner class the object around it: ``null`` of the outer class."""
    text = broken.text
    before = re.match(r"null(?=\s*\.\s*new\s+([\w$.]+))", text[broken.begin :])
    if before is not None:
        outer = broken.known.outer.get(before[1].rpartition(".")[2])
        if outer is not None:
            yield broken.cast(broken.begin, broken.begin + before.end(), outer)
    made = _NEW_INNER.match(text, broken.begin)
    if made is not None and made[1] in broken.known.outer:
        outer = broken.known.outer[made[1]]
        yield broken.put(broken.begin, made.end(), f"(({outer})null).new {made[1]}(")


def _indexed(broken: Broken) -> Iterator[Edits]:
    """Cast an indexed expression to an array, first to one of the assigned variable's type."""
    declared = _DECLARED.search(broken.before)
    for element in dict.fromkeys(filter(None, (declared and declared[1], "Object"))):
        yield broken.cast(broken.begin, broken.point, f"{element}[]")


def _missing(broken: Broken) -> Iterator[Edits]:
    """Import a class, cast a receiver, or declare a variable."""
    found = _SYMBOL.search(broken.message)
    if found is None:
        return
    kind, name = found[1], found[2]
    yield from receiver(broken)
    qualified = broken.known.classes.get(name)
    text = broken.text
    bare = text[broken.point : broken.point + len(name)] == name and text[: broken.point].rstrip()[-1:] != "."
    if bare and qualified is not None and kind != "method" and "." in qualified:
        yield broken.put(broken.point, broken.point + len(name), qualified)
    if kind == "variable" and broken.body >= 0:
        yield broken.put(broken.body + 1, broken.body + 1, f" Object {name} = null;")


def _unreported(broken: Broken) -> Iterator[Edits]:
    """Declare an exception at the method."""
    found = _EXCEPTION.search(broken.message)
    if found is not None and broken.body >= 0:
        yield broken.put(broken.body, broken.body, f", {found[1]} " if broken.throws else f" throws {found[1]} ")


def _never_thrown(broken: Broken) -> Iterator[Edits]:
    """Throw the exception in code that javac leaves out."""
    found = _EXCEPTION.search(broken.message)
    if found is not None and broken.attempt >= 0:
        yield broken.put(broken.attempt + 1, broken.attempt + 1, f" if (false) throw ({found[1]})null;")


def _uninitialised(broken: Broken) -> Iterator[Edits]:
    """Give a variable a value at its declaration."""
    found = _VARIABLE.search(broken.message)
    if found is None:
        return
    before = broken.text[: max(broken.point, 0)]
    for last in list(re.finditer(rf"([\w$.<>\[\]?, ]+[\w>\]]) +{found[1]} *;", before))[-1:]:
        yield broken.put(last.end() - 1, last.end() - 1, f" = {_ZEROS.get(last[1].split()[-1], 'null')}")


def _assigned(broken: Broken) -> Iterator[Edits]:
    """Let a variable be assigned again: it is not final."""
    found = re.search(r"(?:variable|parameter|final) +(?:variable +|parameter +)?([\w$]+)", broken.message)
    if found is not None:
        text = broken.text
        for each in re.finditer(rf"\bfinal +(?=[\w$.<>\[\]?, ]+ {re.escape(found[1])}\b)", text):
            yield broken.put(each.start(), each.end(), "")


def _declared_again(broken: Broken) -> Iterator[Edits]:
    """Turn the second declaration of a variable into an assignment."""
    name = _WORD.match(broken.text, broken.point)
    if name is not None and broken.begin < broken.point:
        assigned = broken.text[name.end() :].lstrip().startswith("=")
        yield broken.put(broken.begin, broken.point if assigned else broken.end, "")


def _incomparable(broken: Broken) -> Iterator[Edits]:
    """Compare two values as objects."""
    text = broken.text
    operator = re.compile(r"[=!]=\s*").match(text, broken.point)
    if operator is not None and broken.begin < broken.point < broken.end:
        yield broken.cast(broken.begin, len(text[: broken.point].rstrip()), "Object")
        yield broken.cast(operator.end(), broken.end, "Object")


def _no_statement(broken: Broken) -> Iterator[Edits]:
    """Keep the value of an expression that is no statement."""
    if broken.part:
        yield broken.put(broken.begin, broken.begin, f"Object value{broken.begin} = ")


def _no_return(broken: Broken) -> Iterator[Edits]:
    """Return, or throw, at the end of a method."""
    if broken.body_end > 0:
        yield broken.put(broken.body_end - 1, broken.body_end - 1, " throw null; ")


def _unreachable(broken: Broken) -> Iterator[Edits]:
    """Leave out a statement that is never reached."""
    if broken.statement >= 0:
        yield broken.put(broken.statement, broken.statement_end, "")


def _raw_types(broken: Broken) -> Iterator[Edits]:
    """Leave out type arguments."""
    part = broken.part
    raw = _raw(part)
    if raw != part:
        yield broken.put(broken.begin, broken.end, raw)
    text = broken.text
    line_end = text.find("\n", broken.point)
    line = text[broken.begin : line_end]
    if _raw(line) not in (line, raw):
        yield broken.put(broken.begin, line_end, _raw(line))


def _no_override(broken: Broken) -> Iterator[Edits]:
    """Leave out an annotation that is wrong."""
    yield broken.put(broken.begin, broken.end, "")


def _hidden(broken: Broken) -> Iterator[Edits]:
    """Make a private member visible in its package."""
    found = re.search(r"([\w$]+)(?:\([^)]*\))? has (private|protected) access", broken.message)
    if found is None:
        return
    for path, text in broken.texts.items():
        for each in re.finditer(rf"\b{found[2]} +(?=[^;={{]*\b{re.escape(found[1])}\b)", text):
            yield (SourceEdit(path, each.start(), each.end(), ""),)


def _raw(text: str) -> str:
    """Return a text without type arguments."""
    while (shorter := _GENERIC.sub("", text)) != text:
        text = shorter
    return text


_REPAIRS: dict[str, Repair] = {
    "prob.found.req": _converted,
    "cant.apply.symbol": call,
    "cant.apply.symbols": call,
    "cant.apply.diamond.1": _raw_types,
    "cant.apply.diamond": _raw_types,
    "ref.ambiguous": arguments,
    "cant.deref": receiver,
    "array.req.but.found": _indexed,
    "type.found.req": _enclosing,
    "encl.class.required": _enclosing,
    "cant.resolve": _missing,
    "cant.resolve.args": _missing,
    "cant.resolve.location": _missing,
    "cant.resolve.location.args": _missing,
    "doesnt.exist": _missing,
    "unreported.exception.need.to.catch.or.throw": _unreported,
    "unreported.exception.implicit.close": _unreported,
    "except.never.thrown.in.try": _never_thrown,
    "var.might.not.have.been.initialized": _uninitialised,
    "cant.assign.val.to.var": _assigned,
    "cant.assign.val.to.final.var": _assigned,
    "var.might.already.be.assigned": _assigned,
    "already.defined": _declared_again,
    "incomparable.types": _incomparable,
    "not.stmt": _no_statement,
    "missing.ret.stmt": _no_return,
    "unreachable.stmt": _unreachable,
    "improperly.formed.type.param.missing": _raw_types,
    "improperly.formed.type.inner.raw.param": _raw_types,
    "cant.apply.generic": _raw_types,
    "type.doesnt.take.params": _raw_types,
    "wrong.number.type.args": _raw_types,
    "not.within.bounds": _raw_types,
    "method.does.not.override.superclass": _no_override,
    "static.methods.cannot.be.annotated.with.override": _no_override,
    "report.access": _hidden,
}
"""The repair of each error, by javac's own name of it."""
