"""All uses by the code of a method, with the types on the stack: facts for the rules K1 to K9.

One pass over the code from frame to frame; a fixed point over sets of types if frames are missing or too general
(:mod:`core.code.types.frame_walk`, :mod:`core.code.types.fixpoint`). Types are written: class ``a/b/C``, array as
descriptor ``[La/b/C;``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from core.cancellation import cancellation_point
from core.classfile.class_file import ClassFile, Method
from core.classfile.descriptors import element_class
from core.classfile.format_error import ClassFormatError
from core.code.types.findings import NoFrameError
from core.code.types.fixpoint import Fixpoint, interpreted
from core.code.types.frame_walk import FrameWalk
from core.code.types.interpreter import Interpreter
from core.code.types.method_body import Body, body_of, super_calls
from core.code.types.stack_types import (
    FIRST_FRAMES,
    MERGED,
    OBJECT,
    SEPARATOR,
    Slot,
    class_pair,
    component,
    frames,
    plain,
)
from core.code.types.symbols import CLASSES, ELEMENT, GIVEN, Effect, Symbols

__all__ = ["CallSite", "CodeFacts", "CodeReader", "FieldUse", "HandleUse", "MethodUse", "Subtype"]

FieldUse = tuple[str, str, str, str]
"""``get``, ``put``, ``getstatic`` or ``putstatic``; owner, name, descriptor."""
MethodUse = tuple[str, str, str, str, bool]
"""``virtual``, ``interface``, ``static`` or ``special``; owner (``[...`` for an array's ``clone``), name, descriptor,
whether the constant says that the owner is an interface."""
CallSite = tuple[str, int, str, str]
"""``call`` (invokedynamic) or ``constant`` (ldc); number of the bootstrap entry, name, descriptor."""
HandleUse = tuple[int, str, str, str, bool]
"""Reference kind (JVMS 4.4.8), owner, name, descriptor, whether the owner is an interface."""
Subtype = tuple[str, str, str]
"""Class, the class that it must be a subtype of, and why: ``argument``, ``dynamic-argument``, ``receiver``,
``field-receiver``, ``put``, ``return``, ``element`` (aastore), ``throw``, ``catch``, ``merge``, ``super-init``."""

_MOST_FACTS = 200_000  # facts of one method: far more than any compiler makes


class CodeFacts(NamedTuple):
    """The uses of one method's code, without repetitions, in the order of the code."""

    classes: tuple[str, ...]
    """Named by an instruction (new, anewarray, multianewarray, checkcast, instanceof, ldc) or a handler;
    of arrays the element, also of an array on which a method is called. Other owners are in the next two."""
    fields: tuple[FieldUse, ...]
    methods: tuple[MethodUse, ...]
    receivers: tuple[tuple[FieldUse | MethodUse, str], ...]
    """For get, put, virtual and special (but constructors): what the member may be used on, if it is not just an
    object of this class. Types, arrays too."""
    call_sites: tuple[CallSite, ...]
    method_handles: tuple[HandleUse, ...]
    """Loaded by ldc."""
    method_types: tuple[str, ...]
    """Loaded by ldc: descriptors."""
    class_constants: tuple[str, ...]
    """Loaded by ldc: types, arrays too."""
    subtypes: tuple[Subtype, ...]
    """Classes only, never two equal ones, no Object on either side."""
    casts: tuple[tuple[str, str], ...]
    """Class and the target class of checkcast or instanceof, as in ``subtypes``; the two operands of ``==`` both ways
    round."""
    merged: bool
    """True if the facts took the fixed point over sets of types."""
    framed: tuple[str, ...]
    """Named by a frame, and not among ``classes``."""
    given: tuple[str, ...]
    """Classes of arguments where the parameter's type is Object; no arrays."""
    taken: tuple[str, ...]
    """Classes to which an Object is cast; no arrays."""
    met: tuple[str, ...] = ()
    """Classes outside ``classes`` that are merged where control meets, in code without frames. A verifier that infers
    types loads them (JVMS 4.10.2.2)."""
    super_calls: tuple[tuple[MethodUse, bool], ...] = ()
    """Those of ``methods`` that call the superclass's constructor on the object itself, if they can become calls of
    Object's. The flag is True if their arguments are constants and local variables only, which then go too."""

    @property
    def called(self) -> Iterator[tuple[str, tuple[str, str]]]:
        """Owners of the called methods, each with name and descriptor."""
        return ((owner, (name, descriptor)) for _, owner, name, descriptor, _ in self.methods)

    @property
    def bootstraps(self) -> frozenset[int]:
        """Numbers of the bootstrap entries used."""
        return frozenset(site[1] for site in self.call_sites)


_code_facts = partial(tuple.__new__, CodeFacts)
NOTHING = CodeFacts((), (), (), (), (), (), (), (), (), (), False, (), (), ())
"""Facts of a method without code."""


class CodeReader:
    """A reader of the code of one class. Errors: :class:`ClassFormatError`."""

    def __init__(self, cf: ClassFile) -> None:
        self.cf = cf
        self.symbols = Symbols(cf.name, cf.constants.tuples())
        self._pairs: dict[tuple[Slot, Slot, str], tuple[Subtype, ...] | None] = {}

    def all(self) -> Iterator[tuple[Method, CodeFacts]]:
        """Yield all methods in order, those without code too."""
        for method in self.cf.methods:
            yield method, self.facts(method)

    def facts(self, method: Method, *, sets: bool = False) -> CodeFacts:
        """Return the facts of ``method``.

        ``sets``: track sets of types also where frames would do. That tells the true classes of a value typed by a
        frame. It pays for a fact with an interface as its target that does not hold.
        """
        cancellation_point()
        try:
            found = self._facts(method, sets)
            if method.name_text != "<init>" or found is NOTHING:
                return found
            calls = super_calls(self.cf, self.symbols, method)
            owner = self.cf.superclass or ""
            uses = {("special", owner, "<init>", each.descriptor, False): None for each in calls}
            computed = {each.descriptor for each in calls if not each.is_plain}
            return found._replace(super_calls=tuple([(use, use[3] not in computed) for use in uses]))
        except IndexError:
            name = f"{self.cf.name}.{method.name_text}{method.descriptor_text}"
            raise ClassFormatError(f"the code of {name} is malformed") from None

    def met_types(self, method: Method) -> Iterator[tuple[str, str]]:
        """Yield the type of each value, as the verifier knows it, with each type that the value must have, Object too.

        Yield both ways round two types other than Object of which one is cast to or compared with the other. The
        values that an array is given say nothing.
        """
        body = body_of(self.symbols, method, {})
        if body is None:
            return
        walk = interpreted(self.symbols, body, self.cf.version.major)
        for got, wanted, reason in walk.relations:
            if reason not in (ELEMENT, GIVEN):
                yield from product(walk.names(got), walk.names(wanted))
        for one, other in (*walk.casts, *walk.compared):
            for pair in product(walk.names(one), walk.names(other)):
                if OBJECT not in pair:
                    yield pair
                    yield pair[::-1]

    def _facts(self, method: Method, sets: bool) -> CodeFacts:
        used: dict[int, Effect] = {}
        body = body_of(self.symbols, method, used)
        if body is None:
            return NOTHING
        major = self.cf.version.major
        table = {}
        framed: list[Effect] = []
        try:
            if body.stack_map is not None and major >= FIRST_FRAMES:
                mentioned: dict[int, None] = {}
                table = frames(body.stack_map, body.initial, self.symbols.frame_types, mentioned)
                framed = [self.symbols[index] for index in mentioned]
            walk = FrameWalk(self.symbols, body, table)
            walk.interpret()
            found = None if sets else self._subtypes(walk)
            if found is not None:
                return self._result(used, framed, walk, found, False)
        except NoFrameError:
            table = {}
        except (ClassFormatError, IndexError):
            if major != FIRST_FRAMES or body.stack_map is None:
                raise
            table = {}
        return self._by_sets(used, framed, body, table)

    def _by_sets(self, used: dict[int, Effect], framed: list[Effect], body: Body, table: dict[int, Any]) -> CodeFacts:
        walk = Fixpoint(self.symbols, body, table)
        walk.interpret()
        found = self._subtypes(walk)
        assert found is not None, "sets of types hold nothing that only a frame says"
        return self._result(used, framed, walk, found, True)

    def _subtypes(self, walk: Interpreter) -> dict[Subtype, None] | None:
        """Return the facts without what says nothing; None if a frame's Object hides something."""
        known = self._pairs
        found: dict[Subtype, None] = {}
        for relation in walk.relations:
            if relation[2] == GIVEN:
                continue
            if relation in known:
                facts = known[relation]
            else:
                facts = known[relation] = _facts_of(*relation)
            if facts is None:
                return None
            for fact in facts:
                found[fact] = None
            if len(found) > _MOST_FACTS:
                raise ClassFormatError("the code of a method is too complex")
        return found

    def _met(self, walk: Interpreter) -> dict[str, None]:
        if not isinstance(walk, Fixpoint) or walk.frames:
            return {}
        types = {name for pair in walk.met if OBJECT not in pair for slot in pair for name in walk.names(slot)}
        return dict.fromkeys(filter(None, map(element_class, sorted(types))))

    def _result(
        self,
        used: dict[int, Effect],
        framed: list[Effect],
        walk: Interpreter,
        subtypes: dict[Subtype, None],
        merged: bool,
    ) -> CodeFacts:
        groups: list[dict[Any, None]] = [{} for _ in range(9)]
        for effect in (*used.values(), *walk.used.values()):
            groups[effect[4]][effect[5]] = None
        classes, fields, methods, on_arrays, sites, handles, types, constants, _ = groups
        if on_arrays or constants:
            methods |= on_arrays
            named = [method[1] for method in on_arrays] + list(constants)
            classes |= dict.fromkeys(filter(None, map(element_class, named)))
        in_frames = dict.fromkeys(effect[5] for effect in framed if effect[4] == CLASSES and effect[5] not in classes)
        receivers: tuple[tuple[Any, str], ...] = ()
        if walk.receivers:
            symbols = self.symbols
            found = {(symbols[key][5], name): None for key, slot in walk.receivers for name in walk.names(slot)}
            receivers = tuple(found)
        casts: dict[tuple[str, str], None] = {}
        taken: dict[str, None] = {}
        for slot, wanted in walk.casts:
            if plain(slot) == OBJECT and wanted[0] != "[":
                taken[wanted] = None
            for name in walk.names(slot):
                pair = class_pair(name, wanted)
                if pair:
                    casts[pair] = None
        for left, right in walk.compared:
            for one in walk.names(left):
                for other in walk.names(right):
                    pair = class_pair(one, other)
                    if pair and pair[0] != MERGED:
                        casts[pair] = casts[pair[1], pair[0]] = None
        given = {slot: None for slot, _, reason in walk.relations if reason == GIVEN}
        arguments = dict.fromkeys(name for slot in given for name in walk.names(slot) if name[0] != "[")
        return _code_facts((
            tuple(classes), tuple(fields), tuple(methods), receivers, tuple(sites), tuple(handles), tuple(types),
            tuple(constants), tuple(subtypes), tuple(casts), merged, tuple(in_frames),
            tuple(arguments), tuple(taken), tuple(name for name in self._met(walk) if name not in classes), (),
        ))  # fmt: skip


def _facts_of(got: Slot, wanted: Slot, reason: str) -> tuple[Subtype, ...] | None:
    """Return the facts in "a slot with ``got`` must be a ``wanted``"; None if a frame's Object meets something else."""
    if not isinstance(got, str) or not isinstance(wanted, str):
        return ()
    if reason == ELEMENT:
        # Of several arrays it may be any: nobody checks it before the code runs.
        wanted = component(wanted) if SEPARATOR not in wanted else OBJECT
    facts = []
    for name in got.split(SEPARATOR):
        pair = class_pair(name, wanted)
        if pair:
            if pair[0] == MERGED:
                return None
            facts.append((*pair, reason))
    return tuple(facts)
