"""The facts about a class file for its users outside: name, hierarchy, members."""

from __future__ import annotations

from dataclasses import dataclass
from sys import intern

from core.classfile.class_file import Field, Method, parse
from core.classfile.flags import ANNOTATION
from core.classfile.tables import signature, thrown

_DECLARES = "<"
"""First letter of a method's signature that declares type parameters."""

Members = dict[tuple[str, str], int]
"""Access flags of fields or methods by name and descriptor, in the order of the class file."""

Thrown = dict[tuple[str, str], tuple[str, ...]]
"""Classes in the throws clauses of methods, by name and descriptor."""

Signatures = dict[tuple[str, str], str]
"""Generic signatures of methods, by name and descriptor."""


@dataclass(frozen=True, slots=True)
class LibraryClass:
    """The known facts about a class outside the input. Names are internal (``java/util/Map$Entry``)."""

    name: str
    access: int
    superclass: str | None
    """None for Object only (an interface has Object) and for module descriptors."""
    interfaces: tuple[str, ...]
    methods: Members
    fields: Members
    signature: str | None
    """The generic signature: type parameters with their bounds, generic supertypes."""
    thrown: Thrown
    generic: Signatures
    """Those of methods that declare type parameters, and of an annotation's methods."""


def skim(data: bytes) -> LibraryClass:
    """Return the class in ``data``; :class:`ClassFormatError` if it is damaged."""
    cf = parse(data)
    first = "" if cf.access & ANNOTATION else _DECLARES
    methods = {_key(method): method for method in cf.methods}
    signed = {key: signature(cf, method) for key, method in methods.items()}
    return LibraryClass(
        name=cf.name,
        access=cf.access,
        superclass=cf.superclass,
        interfaces=cf.interface_names,
        methods={key: method.access for key, method in methods.items()},
        fields={_key(field): field.access for field in cf.fields},
        signature=signature(cf, cf),
        thrown={key: names for key, method in methods.items() if (names := thrown(cf, method))},
        generic={key: text for key, text in signed.items() if text is not None and text.startswith(first)},
    )


def _key(member: Field | Method) -> tuple[str, str]:
    """Return name and descriptor of a member: thousands of classes share few of them."""
    return intern(str(member.name_text)), intern(str(member.descriptor_text))
