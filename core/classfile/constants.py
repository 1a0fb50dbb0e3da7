"""The constant pool of a class file, read and written by :mod:`core.classfile.pool`, with jawa's objects on demand."""

from __future__ import annotations

from typing import Any

from core.classfile import pool as pools
from core.classfile.format_error import ClassFormatError
from core.classfile.jawa_classes import ConstantPool, InvokeDynamic, JawaConstant, constant_types
from core.classfile.pool import CLASS, UTF8, Constant


class Dynamic(InvokeDynamic):
    """A dynamically computed constant (tag 17), which jawa does not know."""

    TAG = pools.DYNAMIC


_KINDS: dict[int, Any] = {**dict(enumerate(constant_types)), pools.DYNAMIC: Dynamic}


class LazyConstantPool(ConstantPool):
    """jawa's constant pool with all kinds of constants, read and written by :mod:`core.classfile.pool`."""

    _pool: list[Any]
    _plain = True
    """True if the pool holds nothing but tuples."""

    def append(self, constant: Any) -> None:
        """Add a constant at the end."""
        self._plain = False
        self._pool.append(constant)

    def __setitem__(self, index: int, constant: Any) -> None:
        self._plain = False
        self._pool[index] = constant

    def get(self, index: int) -> Any:
        """Return jawa's object for the constant at ``index``. Raises :class:`ClassFormatError` if there is none."""
        constant = self._at(index)
        if not isinstance(constant, JawaConstant):
            self._plain = False
            self._pool[index] = constant = _KINDS[constant[0]](self, index, *constant[1:])
        return constant

    def raw(self, index: int) -> Constant:
        """Return the constant at ``index`` as a tuple ``(tag, value, ...)``: ten times cheaper than :meth:`get`."""
        constant = self._at(index)
        return _as_tuple(constant) if isinstance(constant, JawaConstant) else constant

    def text(self, index: int) -> str:
        """Return the text of the Utf8 constant at ``index``."""
        try:
            tag, text = self._pool[index]
        except (TypeError, ValueError, IndexError):  # jawa's object, another kind of constant, or none
            tag, text = self.raw(index)[:2]
        if tag != UTF8:
            raise ClassFormatError(f"constant {index} is not a text")
        return text  # type: ignore[no-any-return]

    def class_name(self, index: int) -> str:
        """Return the name of the Class constant at ``index``, arrays in brackets as they stand there."""
        constant = self.raw(index)
        if constant[0] != CLASS:
            raise ClassFormatError(f"constant {index} is not a class")
        return self.text(constant[1])

    def tuples(self) -> list[Constant | None]:
        """Return all places of the pool in order: None for place 0 and behind a long or double."""
        if self._plain:
            return self._pool[:]
        return [place if type(place) is tuple or place is None else _as_tuple(place) for place in self._pool]

    def _at(self, index: int) -> Any:
        constant = self._pool[index] if 0 < index < len(self._pool) else None
        if constant is None:
            raise ClassFormatError(f"there is no constant {index}")
        return constant


def _as_tuple(constant: Any) -> Constant:
    names = [name for kind in reversed(type(constant).__mro__) for name in getattr(kind, "__slots__", ())]
    return (
        constant.TAG,
        *(getattr(constant, name) for name in dict.fromkeys(names) if name not in ("pool", "index")),
    )
