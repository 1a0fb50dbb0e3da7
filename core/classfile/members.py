"""Fields and methods of a class file (JVMS 4.5, 4.6)."""

from __future__ import annotations

from typing import Protocol

from core.classfile import flags
from core.classfile.attribute_table import Attributes
from core.classfile.constants import LazyConstantPool
from core.classfile.jawa_classes import Flags, JawaField, JawaMethod

_MEMBER_FLAGS = {
    f"acc_{name}": getattr(flags, name.upper())
    for name in ("public", "private", "protected", "static", "final", "synthetic")
}
_FIELD_FLAGS = {
    **_MEMBER_FLAGS, "acc_volatile": flags.VOLATILE, "acc_transient": flags.TRANSIENT, "acc_enum": flags.ENUM,
}  # fmt: skip
_METHOD_FLAGS = _MEMBER_FLAGS | {
    f"acc_{name}": getattr(flags, name.upper())
    for name in ("synchronized", "bridge", "varargs", "native", "abstract", "strict")
}


class Owner(Protocol):
    """The class file around a member, as far as a member sees it."""

    @property
    def constants(self) -> LazyConstantPool:
        """The constant pool, which holds the members' names and descriptors."""


class Member:
    """The common part of fields and methods. Flags become jawa's object only on request."""

    _cf: Owner
    _access: int
    _name_index: int
    _descriptor_index: int
    attributes: Attributes
    _flags: Flags | None
    _flag_names: dict[str, int]

    def __init__(self, cf: Owner, access: int = 0, name: int = 0, descriptor: int = 0) -> None:
        self._cf = cf
        self._access = access
        self._flags = None
        self._name_index = name
        self._descriptor_index = descriptor
        self.attributes = Attributes(cf)

    @property
    def access_flags(self) -> Flags:
        """jawa's view of the flags; changing it changes the member."""
        if self._flags is None:
            self._flags = Flags(">H", self._flag_names)  # type: ignore[no-untyped-call]
            self._flags._value = self._access
        return self._flags

    @access_flags.setter
    def access_flags(self, flags: Flags) -> None:
        self._flags = flags

    @property
    def access(self) -> int:
        """Access flags as a number."""
        return self._access if self._flags is None else int(self._flags.value)

    @property
    def name_text(self) -> str:
        """The member's name."""
        return self._cf.constants.text(self._name_index)

    @property
    def descriptor_text(self) -> str:
        """The member's descriptor."""
        return self._cf.constants.text(self._descriptor_index)


class Field(Member, JawaField):
    """A field; ``name`` and ``descriptor`` are jawa's constants, ``name_text`` and so on are strings."""

    attributes: Attributes
    _flag_names = _FIELD_FLAGS


class Method(Member, JawaMethod):
    """A method; ``code`` is its :class:`Code` or None."""

    attributes: Attributes
    _flag_names = _METHOD_FLAGS
