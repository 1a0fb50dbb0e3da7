"""What may be removed from a class without removing the class (dependency-model.md, section 2).

A part is known by its number: its place in the tuple that :func:`parts` gives. A choice of
parts is a bit mask over these numbers; a part is kept only together with its parent.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from core.jar import tables
from core.jar.annotations import ATTRIBUTES, DEFAULT, PARAMETER, Annotation, read
from core.jar.classfile import ClassFile, Method
from core.jar.descriptors import class_names
from core.jar.errors import ClassFormatError

GRANULARITIES = ("class", "member", "full")
DEBUG_ATTRIBUTES = frozenset(
    ("LineNumberTable", "LocalVariableTable", "LocalVariableTypeTable", "SourceFile", "SourceDebugExtension")
)

_FINAL, _INTERFACE = 0x0010, 0x0200
_OBJECT = "java/lang/Object"


class PartKind(Enum):
    """Kinds 4 to 11 of the dependency model, and from THROWS on those that go beyond the paper's."""

    SUPERCLASS = "superclass"
    INTERFACE = "interface"
    FIELD = "field"
    FINAL = "final flag"
    METHOD = "method"
    CODE = "code"
    INNER = "inner-class entry"
    BOOTSTRAP = "bootstrap entry"
    THROWS = "throws entry"
    ANNOTATION = "annotation"
    SIGNATURE = "generic signature"
    ENCLOSING = "enclosing method"
    NEST = "nest membership"
    COMPONENT = "record component"
    DEBUG = "debug information"


@dataclass(frozen=True, slots=True)
class Part:
    """One removable part of a class. Its number is its place among the class's parts."""

    kind: PartKind
    name: str
    """As the dependency model writes it, unique in the class: ``a/C.m:(I)V!code``."""
    parent: int
    """Number of the part that it belongs to; -1 for the class itself."""
    element: int
    """Index of the field or method that it belongs to or is; -1 otherwise."""
    index: int
    """Place among the parts of this kind under this parent in the class file, counted from 0: the row of its
    table. Annotations are counted through all annotation attributes of their parent, in the order of the file."""
    target: str
    """Internal name of the class that it names, where it names one; empty otherwise."""


def parts(cf: ClassFile, granularity: str) -> tuple[Part, ...]:
    """The parts of *cf*, parents before children, always in the same order.

    *granularity*: ``class`` (none), ``member`` (kinds 4 to 11) or ``full`` (all).
    Raises :class:`ClassFormatError` when a table on the way is damaged.
    """
    if granularity not in GRANULARITIES:
        raise ValueError(f"unknown granularity {granularity!r}")
    return () if granularity == "class" else tuple(_Lister(cf, granularity == "full").all())


class _Lister:
    """Collects the parts of one class; *full* asks for those beyond the paper's."""

    def __init__(self, cf: ClassFile, full: bool) -> None:
        self.cf = cf
        self.full = full
        self.found: list[Part] = []
        self.names: dict[str, int] = {}

    def all(self) -> list[Part]:
        cf, name = self.cf, self.cf.name
        if cf.superclass not in (None, _OBJECT) and not cf.access & _INTERFACE:
            self.add(PartKind.SUPERCLASS, f"{name}<{cf.superclass}", target=cf.superclass or "")
        for index, interface in enumerate(cf.interface_names):
            self.add(PartKind.INTERFACE, f"{name}<{interface}", index=index, target=interface)
        self.fields()
        self.methods()
        for index, row in enumerate(tables.inner_classes(cf)):
            self.add(PartKind.INNER, f"{name}[inner {row.inner}]", index=index, target=row.inner)
        for index in range(len(tables.bootstraps(cf))):
            self.add(PartKind.BOOTSTRAP, f"{name}[bootstrap {index}]", index=index)
        if self.full:
            self.whole_class()
        return self.found

    def add(
        self, kind: PartKind, name: str, parent: int = -1, element: int = -1, index: int = 0, target: str = ""
    ) -> int:
        """Adds a part and returns its number. A name that is there already gets ``#2``, ``#3`` and so on."""
        again = self.names[name] = self.names.get(name, 0) + 1
        if again > 1:
            name = f"{name}#{again}"
        self.found.append(Part(kind, name, parent, element, index, target))
        return len(self.found) - 1

    def fields(self) -> None:
        cf = self.cf
        for element, field in enumerate(cf.fields):
            name = f"{cf.name}.{field.name_text}:{field.descriptor_text}"
            number = self.add(PartKind.FIELD, name, -1, element, element)
            if field.access & _FINAL and not cf.access & _INTERFACE:
                self.add(PartKind.FINAL, f"{name}[final]", number, element)
            if self.full:
                self.attributes(name, field.attributes.rows(), number, element)

    def methods(self) -> None:
        cf = self.cf
        for element, method in enumerate(cf.methods):
            name = f"{cf.name}.{method.name_text}:{method.descriptor_text}"
            number = self.add(PartKind.METHOD, name, -1, element, element)
            code = method.attributes.raw("Code")
            if code is not None:
                code_number = self.add(PartKind.CODE, f"{name}!code", number, element)
                if self.full:
                    self.attributes(f"{name}!code", self.code_rows(code), code_number, element)
            if self.full:
                for index, thrown in enumerate(tables.thrown(cf, method)):
                    self.add(PartKind.THROWS, f"{name}[throws {thrown}]", number, element, index, thrown)
                self.attributes(name, method.attributes.rows(), number, element)

    def whole_class(self) -> None:
        """What belongs to the class itself, beyond the paper's kinds."""
        cf, name = self.cf, self.cf.name
        self.attributes(name, cf.attributes.rows(), -1, -1)
        enclosing = tables.enclosing_method(cf)
        if enclosing:
            self.add(PartKind.ENCLOSING, f"{name}[enclosed]", target=enclosing[0])
        host = tables.nest_host(cf)
        if host is not None:
            self.add(PartKind.NEST, f"{name}[nest]", target=host)
        for index, component in enumerate(tables.components(cf)):
            title = f"{name}[component {component.name}]"
            number = self.add(PartKind.COMPONENT, title, index=index)
            self.attributes(title, ((text, data) for _, text, data in component.attributes), number, -1)
        if any(row in DEBUG_ATTRIBUTES for row, _ in cf.attributes.rows()) or any(map(self.has_debug, cf.methods)):
            self.add(PartKind.DEBUG, f"{name}[debug]")

    def attributes(self, name: str, rows: Iterable[tuple[str, bytes]], parent: int, element: int) -> None:
        """Signature and annotations among the attributes *rows* of what is called *name*."""
        count = 0
        for attribute, data in rows:
            if attribute == "Signature" and not name.endswith("!code"):
                self.add(PartKind.SIGNATURE, f"{name}[sig]", parent, element)
            elif attribute in ATTRIBUTES and attribute != DEFAULT:
                for number, group in enumerate(read(attribute, data)):
                    for annotation in group:
                        own = self.annotation_type(data, annotation)
                        place = f" on parameter {number}" if attribute in PARAMETER else ""
                        if annotation.target:
                            place = f" on {annotation.target}"
                        self.add(PartKind.ANNOTATION, f"{name}[@{own}{place}]", parent, element, count, own)
                        count += 1

    def annotation_type(self, data: bytes, annotation: Annotation) -> str:
        at = annotation.types[0]
        descriptor = self.cf.constants.text(int.from_bytes(data[at : at + 2], "big"))
        names = class_names(descriptor)
        if not descriptor.startswith("L"):
            raise ClassFormatError(f"{descriptor!r} is no type of an annotation")
        return names[0]

    def code_rows(self, code: bytes) -> list[tuple[str, bytes]]:
        """The attributes of a Code attribute with the content *code*."""
        at = 8 + int.from_bytes(code[4:8], "big")
        at += 2 + 8 * int.from_bytes(code[at : at + 2], "big")
        text = self.cf.constants.text
        return [(text(index), data) for index, data in tables.attribute_rows(self.cf, code, at)[0]]

    def has_debug(self, method: Method) -> bool:
        code = method.attributes.raw("Code")
        return code is not None and any(name in DEBUG_ATTRIBUTES for name, _ in self.code_rows(code))
