"""Facts about one class file for the rules, gathered in one pass; plain data that can travel and be stored."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

from core.classfile import signatures, tables
from core.classfile.annotations import ATTRIBUTES, DEFAULT, AnnotationUse, read, used_by, used_by_default
from core.classfile.class_file import ClassFile, Method
from core.classfile.descriptors import method_types
from core.classfile.flags import PROTECTED
from core.classfile.format_error import ClassFormatError
from core.classfile.generic_use import (
    Bounds,
    GenericUse,
    LocalTypes,
    bounds,
    generic_use,
    local_types,
    type_arguments,
)
from core.classfile.pool import CLASS, DYNAMIC, INTERFACE_METHOD_REF, METHOD_HANDLE, METHOD_TYPE, UTF8
from core.classfile.symbolic.part_kinds import Part
from core.code.types.code_facts import CodeFacts, CodeReader, HandleUse
from core.code.types.method_body import parameters_read
from core.model.lookup import Member
from core.parts.parts import parts

_U2 = struct.Struct(">H")


Handle = HandleUse
"""Kind (JVMS table 5.4.3.5-A), owner, name, descriptor, whether the owner is an interface."""


WHOLE_CLASS = ("class", -1)
"""The class itself as the owner of a Signature or of annotations."""
LAMBDA_FACTORY = "java/lang/invoke/LambdaMetafactory"
Applied = tuple[str, int, tuple[str, ...]]
"""Generic class, number of its type parameter, and the argument: a class, or the bounds of a variable."""


@dataclass(frozen=True, slots=True)
class BootstrapFacts:
    """An entry of BootstrapMethods. Of the static arguments only those that name something."""

    method: Handle
    handles: tuple[Handle, ...]
    types: tuple[str, ...]
    """Descriptors of MethodType arguments, in order."""
    classes: tuple[str, ...]
    dynamics: tuple[tuple[int, str], ...]
    """Bootstrap index and descriptor of dynamic constants among the arguments."""

    @property
    def makes_lambda(self) -> bool:
        return self.method[1] == LAMBDA_FACTORY and bool(self.handles) and len(self.types) > 1


@dataclass(frozen=True, slots=True)
class ClassFacts:
    """One class. Lists of members are in class-file order; dictionaries keep the first of equal members."""

    name: str
    access: int
    superclass: str | None
    interfaces: tuple[str, ...]
    field_list: tuple[tuple[Member, int], ...]
    method_list: tuple[tuple[Member, int], ...]
    fields: dict[Member, int]
    methods: dict[Member, int]
    parts: tuple[Part, ...]
    code: tuple[CodeFacts, ...]
    """By method."""
    constants: frozenset[Member]
    """Fields with a ConstantValue."""
    signature_names: dict[tuple[str, int], tuple[str, ...]]
    """Classes in a Signature, by its owner: ``WHOLE_CLASS``, ``("field", i)``, ``("method", i)`` or
    ``("record component", i)``."""
    erasable_names: dict[tuple[str, int], frozenset[str]]
    """Of fields and methods, those that may become Object."""
    bounds: Bounds
    """The class's type parameters."""
    applied: dict[tuple[str, int], tuple[Applied, ...]]
    """Type arguments in a Signature, by its owner as in ``signature_names``."""
    generic: dict[tuple[str, int], GenericUse]
    """Types and type variables in a Signature, by its owner as in ``signature_names``."""
    reads_told: frozenset[int]
    """Methods whose code reads a parameter with type arguments in the Signature alone. Also methods whose Signature
    leaves parameters out (constructors of enums and of local classes)."""
    generic_locals: dict[int, LocalTypes]
    """Methods with local variables, besides parameters, of which only LocalVariableTypeTable tells type arguments, with
    these."""
    shared_locals: frozenset[int]
    """Methods with local variables of several types in one slot, which only LocalVariableTable tells apart. Exceptions
    of one of several types count too, and variables of type Object, since values of any type may be assigned to
    these."""
    class_locals: frozenset[int]
    """Methods with local variables, besides parameters, that are no arrays and not of a primitive type."""
    thrown: dict[int, tuple[str, ...]]
    """Classes in a method's throws clause."""
    annotations: dict[tuple[str, int], tuple[AnnotationUse, ...]]
    """Annotations in class-file order, by their owner as in ``signature_names``, or ``("code", i)``."""
    defaults: dict[int, AnnotationUse]
    """Types and members named by a method's AnnotationDefault."""
    enclosing: tuple[str, str | None, str | None] | None
    """EnclosingMethod: class, and name and descriptor of the method if it is in one."""
    nest_host: str | None
    components: tuple[Member, ...]
    is_record: bool
    inner: tuple[tuple[str, str | None], ...]
    """Rows of InnerClasses: the class, its outer class (None for local ones)."""
    guarded: frozenset[str]
    """Nested classes that a row of InnerClasses says are protected."""
    inner_access: int | None
    """Access flags of the class's own row; None where it has none."""
    bootstraps: tuple[BootstrapFacts, ...]

    def constructors_called(self, owner: str) -> tuple[str, ...]:
        """Return the descriptors of the constructors of ``owner`` that the class's code calls."""
        uses = dict.fromkeys(use for facts in self.code for use in facts.methods)
        return tuple(descriptor for _, of, name, descriptor, _ in uses if (of, name) == (owner, "<init>"))


_Locals = tuple[dict[int, LocalTypes], frozenset[int], frozenset[int]]
_NO_LOCALS: _Locals = ({}, frozenset(), frozenset())


def extract(cf: ClassFile, granularity: str) -> ClassFacts:
    """Return the facts of a parsed class, with the parts of a granularity.

    Raises ClassFormatError where an attribute or code is malformed.
    """
    try:
        return _Extractor(cf).facts(granularity)
    except (struct.error, IndexError, KeyError, TypeError, ValueError) as error:
        # a constant of another kind than the attribute says, or an attribute that ends too early
        raise ClassFormatError("an attribute is damaged") from error


class _Extractor:
    def __init__(self, cf: ClassFile) -> None:
        self.cf = cf
        self.places: list[Any] = cf.constants.tuples()
        self.signature_names: dict[tuple[str, int], tuple[str, ...]] = {}
        self.erasable_names: dict[tuple[str, int], frozenset[str]] = {}
        self.applied: dict[tuple[str, int], tuple[Applied, ...]] = {}
        self.bounds: Bounds = ()
        self.generic: dict[tuple[str, int], GenericUse] = {}

    def facts(self, granularity: str) -> ClassFacts:
        cf = self.cf
        fields = tuple(((f.name_text, f.descriptor_text), f.access) for f in cf.fields)
        methods = tuple(((m.name_text, m.descriptor_text), m.access) for m in cf.methods)
        constants, defaults, thrown = set(), {}, {}
        generic = cf.attributes.raw("Signature")
        if generic is not None:
            self.signature(WHOLE_CLASS, generic)
        for index, field in enumerate(cf.fields):
            for name, data in field.attributes.rows():
                if name == "ConstantValue":
                    constants.add(fields[index][0])
                elif name == "Signature":
                    self.signature(("field", index), data)
        for index, method in enumerate(cf.methods):
            for name, data in method.attributes.rows():
                if name == "Signature":
                    self.signature(("method", index), data)
                elif name == DEFAULT:
                    defaults[index] = used_by_default(data, cf.constants.text)
                elif name == "Exceptions":
                    thrown[index] = tables.thrown(cf, method)
        for index, component in enumerate(tables.components(cf)):
            for _, name, data in component.attributes:
                if name == "Signature":
                    self.signature(("record component", index), data)
        rows = tables.inner_classes(cf)
        generic_locals, shared_locals, class_locals = self.locals() if granularity == "full" else _NO_LOCALS
        return ClassFacts(
            name=cf.name,
            access=cf.access,
            superclass=cf.superclass,
            interfaces=cf.interface_names,
            field_list=fields,
            method_list=methods,
            fields=dict(reversed(fields)),
            methods=dict(reversed(methods)),
            parts=parts(cf, granularity),
            code=tuple(facts for _, facts in CodeReader(cf).all()),
            constants=frozenset(constants),
            signature_names=self.signature_names,
            erasable_names=self.erasable_names,
            bounds=self.bounds,
            applied=self.applied,
            generic=self.generic,
            reads_told=frozenset(index for index, method in enumerate(cf.methods) if self.reads_told(index, method)),
            generic_locals=generic_locals,
            shared_locals=shared_locals,
            class_locals=class_locals,
            thrown=thrown,
            annotations=self.annotations(),
            defaults=defaults,
            enclosing=tables.enclosing_method(cf),
            nest_host=tables.nest_host(cf),
            components=tuple((component.name, component.descriptor) for component in tables.components(cf)),
            is_record=cf.attributes.raw("Record") is not None,
            inner=tuple((row.inner, row.outer) for row in rows),
            guarded=frozenset(row.inner for row in rows if row.access & PROTECTED),
            inner_access=next((row.access for row in rows if row.inner == cf.name), None),
            bootstraps=tuple(self.bootstrap(row.handle, row.arguments) for row in tables.bootstraps(cf)),
        )

    def signature(self, owner: tuple[str, int], data: bytes) -> None:
        """Note the names in a Signature; the Signature of the class comes first."""
        try:
            text = self.cf.constants.text(*_U2.unpack(data))
            self.signature_names[owner] = tuple(dict.fromkeys(signatures.class_names(text)))
            self.generic[owner] = generic_use(text)
            if owner[0] in ("field", "method"):
                self.erasable_names[owner] = signatures.erasable(text)
            if "<" not in text:
                return
            declared = bounds(text)
            if owner[0] == "class":
                self.bounds = declared
            scope = dict(self.bounds) | dict(declared)
            arguments = [
                (generic, number, (one[1:-1],) if one[0] == "L" else scope.get(one[1:-1], ()))
                for generic, number, one in type_arguments(text)
            ]
            if arguments:
                self.applied[owner] = tuple(arguments)
        except ClassFormatError:
            self.signature_names[owner] = ()  # obfuscated: the JVM passes over it too

    def reads_told(self, index: int, method: Method) -> bool:
        """See :attr:`ClassFacts.reads_told`."""
        use = self.generic.get(("method", index))
        if use is None:
            return False
        taken = method_types(method.descriptor_text)[0]
        if len(taken) != len(use.parameters):
            return True
        if True not in use.parameters:
            return False
        return any(use.parameters[number] for number in parameters_read(method))

    def locals(self) -> _Locals:
        """See :attr:`ClassFacts.generic_locals`, ``shared_locals`` and ``class_locals``."""
        generic: dict[int, LocalTypes] = {}
        shared, classes = set(), set()
        for index, method in enumerate(self.cf.methods):
            code = method.attributes.raw("Code")
            if code is None:
                continue
            types: dict[int, str] = {}
            for start, type_, slot in tables.variables(self.cf, code, "LocalVariableTable"):
                if types.setdefault(slot, type_) != type_ or (start and type_ == "Ljava/lang/Object;"):
                    shared.add(index)
                if start and type_.startswith("L"):
                    classes.add(index)
            if tables.catches_several(code):
                shared.add(index)
            told = [type_ for start, type_, _ in tables.variables(self.cf, code, "LocalVariableTypeTable") if start]
            if told:
                generic[index] = local_types(told)
        return generic, frozenset(shared), frozenset(classes)

    def annotations(self) -> dict[tuple[str, int], tuple[AnnotationUse, ...]]:
        cf = self.cf
        texts = {place[1] for place in self.places if place is not None and place[0] == UTF8}
        if texts.isdisjoint(ATTRIBUTES):
            return {}
        owners: list[tuple[tuple[str, int], list[tuple[str, bytes]]]] = [(WHOLE_CLASS, cf.attributes.rows())]
        owners += [(("field", index), field.attributes.rows()) for index, field in enumerate(cf.fields)]
        for index, method in enumerate(cf.methods):
            rows = method.attributes.rows()
            owners.append((("method", index), rows))
            owners += [(("code", index), tables.code_attributes(cf, data)) for name, data in rows if name == "Code"]
        for index, component in enumerate(tables.components(cf)):
            owners.append((("record component", index), [(name, data) for _, name, data in component.attributes]))
        found = {}
        for owner, rows in owners:
            uses = [
                used_by(data, annotation, cf.constants.text)
                for name, data in rows
                if name in ATTRIBUTES and name != DEFAULT
                for group in read(name, data)
                for annotation in group
            ]
            if uses:
                found[owner] = tuple(uses)
        return found

    def name_and_type(self, index: int) -> Member:
        _, name, descriptor = self.places[index][:3]
        return self.cf.constants.text(name), self.cf.constants.text(descriptor)

    def handle(self, index: int) -> Handle:
        tag, kind, reference = self.places[index][:3]
        if tag != METHOD_HANDLE:
            raise ClassFormatError(f"constant {index} is no method handle")
        reference_tag, owner, pair = self.places[reference][:3]
        name, descriptor = self.name_and_type(pair)
        interface = reference_tag == INTERFACE_METHOD_REF
        return kind, self.cf.constants.class_name(owner), name, descriptor, interface

    def bootstrap(self, method: int, arguments: tuple[int, ...]) -> BootstrapFacts:
        handles, types, classes, dynamics = [], [], [], []
        for index in arguments:
            tag = self.places[index][0]
            if tag == METHOD_HANDLE:
                handles.append(self.handle(index))
            elif tag == METHOD_TYPE:
                types.append(self.cf.constants.text(self.places[index][1]))
            elif tag == CLASS:
                classes.append(self.cf.constants.class_name(index))
            elif tag == DYNAMIC:
                dynamics.append((self.places[index][1], self.name_and_type(self.places[index][2])[1]))
        return BootstrapFacts(self.handle(method), tuple(handles), tuple(types), tuple(classes), tuple(dynamics))
