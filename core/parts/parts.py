"""The removable parts of a class (see core/model/rules/README.md).

A part is known by its number: its place in the tuple that :func:`parts` gives. A choice of
parts is a bit mask over these numbers; a part is kept only together with its parent.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from core.classfile import tables
from core.classfile.annotations import ATTRIBUTES, DEFAULT, PARAMETER, Annotation, read
from core.classfile.class_file import ClassFile, Field, Method
from core.classfile.descriptors import class_names
from core.classfile.flags import FINAL, INTERFACE
from core.classfile.format_error import ClassFormatError
from core.classfile.symbolic.part_kinds import Part, PartKind
from core.protocol.run_words import GRANULARITIES

_OBJECT = "java/lang/Object"
_MEMBER, _ATTRIBUTE, _COMPONENT = 8, 6, 6
"""Bytes of a field or method, an attribute and a record component beside their content."""


_DEBUG = {
    "LineNumberTable": PartKind.LINES,
    "SourceFile": PartKind.LINES,
    "SourceDebugExtension": PartKind.LINES,
    "LocalVariableTable": PartKind.VARIABLES,
    "LocalVariableTypeTable": PartKind.VARIABLES,
}
"""Attributes that a compilation with ``-g:none`` leaves out, and the kind of part of each."""


_part = partial(tuple.__new__, Part)
"""A Part of all its values at once: a third of the time that naming them takes."""


def parts(cf: ClassFile, granularity: str) -> tuple[Part, ...]:
    """Return the parts of ``cf``, parents before children, always in the same order.

    ``granularity``: ``class`` (none), ``member`` (kinds 4 to 11) or ``full`` (all).
    Raises :class:`ClassFormatError` when a table on the way is damaged.
    """
    if granularity not in GRANULARITIES:
        raise ValueError(f"unknown granularity {granularity!r}")
    return () if granularity == "class" else tuple(_Lister(cf, granularity == "full").all())


class _Lister:
    """A collector of the parts of one class; ``full`` asks for those beyond the paper's."""

    def __init__(self, cf: ClassFile, full: bool) -> None:
        self.cf = cf
        self.full = full
        self.found: list[tuple[PartKind, str, int, int, int, str]] = []
        self.sizes: list[int] = []
        self.names: dict[str, int] = {}
        self.debug_sizes: dict[PartKind, int] = {}

    def all(self) -> list[Part]:
        cf, name = self.cf, self.cf.name
        if cf.superclass not in (None, _OBJECT) and not cf.access & INTERFACE:
            self.add(PartKind.SUPERCLASS, f"{name}<{cf.superclass}", target=cf.superclass or "")
        for index, interface in enumerate(cf.interface_names):
            self.add(PartKind.INTERFACE, f"{name}<{interface}", index=index, target=interface, size=2)
        self.members(PartKind.FIELD, cf.fields)
        self.members(PartKind.METHOD, cf.methods)
        for index, row in enumerate(tables.inner_classes(cf)):
            self.add(PartKind.INNER, f"{name}[inner {row.inner}]", index=index, target=row.inner, size=8)
        for index, bootstrap in enumerate(tables.bootstraps(cf)):
            size = 4 + 2 * len(bootstrap.arguments)
            self.add(PartKind.BOOTSTRAP, f"{name}[bootstrap {index}]", index=index, size=size)
        if self.full:
            self.whole_class()
        return [_part((*row, size)) for row, size in zip(self.found, self.sizes, strict=True)]

    def add(
        self,
        kind: PartKind,
        name: str,
        parent: int = -1,
        element: int = -1,
        index: int = 0,
        target: str = "",
        size: int = 0,
    ) -> int:
        """Add a part and return its number. A name that is there already gets ``#2``, ``#3`` and so on.

        ``size``: bytes with all parts below; the size of a part is subtracted from its parent's.
        """
        again = self.names[name] = self.names.get(name, 0) + 1
        if again > 1:
            name = f"{name}#{again}"
        self.found.append((kind, name, parent, element, index, target))
        self.sizes.append(size)
        if parent >= 0:
            self.sizes[parent] -= size
        return len(self.sizes) - 1

    def members(self, kind: PartKind, members: Iterable[Field | Method]) -> None:
        cf = self.cf
        for element, member in enumerate(members):
            name = f"{cf.name}.{member.name_text}:{member.descriptor_text}"
            rows = member.attributes.rows()
            number = self.add(kind, name, -1, element, element, size=_MEMBER + _size(rows))
            if isinstance(member, Method):
                self.code(name, member, number, element)
            elif member.access & FINAL and not cf.access & INTERFACE:
                self.add(PartKind.FINAL, f"{name}[final]", number, element)
            if self.full:
                self.attributes(name, rows, number, element)

    def code(self, name: str, method: Method, number: int, element: int) -> None:
        """Add the code of a method, and the classes that the method declares to throw."""
        code = method.attributes.raw("Code")
        if code is not None:
            code_number = self.add(PartKind.CODE, f"{name}!code", number, element, size=_ATTRIBUTE + len(code))
            if self.full:
                inside = tables.code_attributes(self.cf, code)
                self.sizes[code_number] -= self.debug(inside)
                self.attributes(f"{name}!code", inside, code_number, element)
        if self.full:
            for index, thrown in enumerate(tables.thrown(self.cf, method)):
                self.add(PartKind.THROWS, f"{name}[throws {thrown}]", number, element, index, thrown, size=2)

    def whole_class(self) -> None:
        """Add the parts of the class itself that go beyond the paper's kinds."""
        cf, name = self.cf, self.cf.name
        rows = cf.attributes.rows()
        self.attributes(name, rows, -1, -1)
        enclosing = tables.enclosing_method(cf)
        if enclosing:
            self.add(PartKind.ENCLOSING, f"{name}[enclosed]", target=enclosing[0], size=_ATTRIBUTE + 4)
        host = tables.nest_host(cf)
        if host is not None:
            self.add(PartKind.NEST, f"{name}[nest]", target=host, size=_ATTRIBUTE + 2)
        permitted = tables.permitted_subclasses(cf)
        if permitted:
            self.add(PartKind.SEALED, f"{name}[sealed]", size=_ATTRIBUTE + 2 + 2 * len(permitted))
        for index, component in enumerate(tables.components(cf)):
            title = f"{name}[component {component.name}]"
            inside = [(text, data) for _, text, data in component.attributes]
            number = self.add(PartKind.COMPONENT, title, index=index, size=_COMPONENT + _size(inside))
            self.attributes(title, inside, number, -1)
        self.debug(rows)
        for kind, word in ((PartKind.LINES, "lines"), (PartKind.VARIABLES, "variables")):
            if kind in self.debug_sizes:
                self.add(kind, f"{name}[{word}]", size=self.debug_sizes[kind])

    def attributes(self, name: str, rows: Iterable[tuple[str, bytes]], parent: int, element: int) -> None:
        """Add the Signature and annotations among the attributes ``rows`` of the element ``name``."""
        count = 0
        for attribute, data in rows:
            if attribute == "Signature" and not name.endswith("!code"):
                self.add(PartKind.SIGNATURE, f"{name}[sig]", parent, element, size=_ATTRIBUTE + len(data))
            elif attribute in ATTRIBUTES and attribute != DEFAULT:
                for number, group in enumerate(read(attribute, data)):
                    for annotation in group:
                        own = self.annotation_type(data, annotation)
                        place = f" on parameter {number}" if attribute in PARAMETER else ""
                        if annotation.target:
                            place = f" on {annotation.target}"
                        size = annotation.end - annotation.start
                        title = f"{name}[@{own}{place}]"
                        self.add(PartKind.ANNOTATION, title, parent, element, count, own, size)
                        count += 1

    def annotation_type(self, data: bytes, annotation: Annotation) -> str:
        at = annotation.types[0]
        descriptor = self.cf.constants.text(int.from_bytes(data[at : at + 2], "big"))
        names = class_names(descriptor)
        if not descriptor.startswith("L"):
            raise ClassFormatError(f"{descriptor!r} is no type of an annotation")
        return names[0]

    def debug(self, rows: Iterable[tuple[str, bytes]]) -> int:
        """Note debug information among attributes and return its size."""
        whole = 0
        for name, data in rows:
            kind = _DEBUG.get(name)
            if kind is not None:
                size = _ATTRIBUTE + len(data)
                self.debug_sizes[kind] = self.debug_sizes.get(kind, 0) + size
                whole += size
        return whole


def _size(rows: Iterable[tuple[str, bytes]]) -> int:
    """Return the bytes of attributes, with their names and lengths."""
    return sum([_ATTRIBUTE + len(data) for _, data in rows]) if rows else 0
