"""Descriptors and generic signatures with other names of classes and type variables (JVMS 4.7.9.1)."""

from __future__ import annotations

from collections.abc import Callable

from core.classfile.format_error import ClassFormatError

_PLAIN = frozenset("BCDFIJSZV[()^*+-")
"""Characters that stand for themselves where a type may begin."""

Rename = Callable[[str], str]


def renamed_signature(text: str, class_: Rename, variable: Rename) -> str:
    """Return a descriptor or signature with the names that ``class_`` (internal names) and ``variable`` return.

    A nested class of a generic one stands alone where its new name does not begin with that of the class around. Raises
    :class:`ClassFormatError`.
    """
    try:
        return _SignatureCopy(text, class_, variable).copied()
    except (IndexError, ValueError):
        raise ClassFormatError(f"the signature {text[:80]!r} is cut off") from None


class _SignatureCopy:
    """One pass without recursion; ``open`` are the classes whose type arguments are being read, each with the place of
    its new name in the copy.
    """

    def __init__(self, text: str, class_: Rename, variable: Rename) -> None:
        self._text = text
        self._class = class_
        self._variable = variable
        self._at = 0
        self._out: list[str] = []
        self._open: list[tuple[str, int]] = []

    def copied(self) -> str:
        if self._text.startswith("<"):
            self._parameters()
        while self._at < len(self._text):
            self._step()
        if self._open:
            raise IndexError
        return "".join(self._out)

    def _parameters(self) -> None:
        self._take()
        while self._text[self._at] != ">":
            end = self._text.index(":", self._at)
            self._out.append(self._variable(self._text[self._at : end]))
            self._at = end
            while self._text[self._at] == ":":
                self._take()
                if self._text[self._at] not in ":>":
                    self._type()
        self._take()

    def _type(self) -> None:
        """Copy one type with all its arguments."""
        while self._text[self._at] == "[":
            self._take()
        self._step()
        while self._open:
            self._step()

    def _step(self) -> None:
        """Copy what stands here, where a type or the end of arguments may be."""
        mark = self._text[self._at]
        self._take()
        if mark == "T":
            end = self._text.index(";", self._at)
            self._out.append(f"{self._variable(self._text[self._at : end])};")
            self._at = end + 1
        elif mark == "L":
            name = self._word()
            self._open.append((name, len(self._out)))
            self._out.append(self._class(name))
            self._tail()
        elif mark == ">" and self._open:
            self._tail()
        elif mark not in _PLAIN:
            raise ClassFormatError(f"the signature {self._text[:80]!r} is wrong at character {self._at}")

    def _tail(self) -> None:
        """Copy what follows a class or its arguments: more arguments, a nested class, or the end."""
        while True:
            mark = self._text[self._at]
            self._take()
            if mark == "<":
                return
            outer, start = self._open.pop()
            if mark == ";":
                return
            if mark != ".":
                raise ClassFormatError(f"the signature {self._text[:80]!r} is wrong at character {self._at}")
            inner = f"{outer}${self._word()}"
            before, new = self._class(outer), self._class(inner)
            if new.startswith(f"{before}$"):
                self._out.append(new.removeprefix(f"{before}$"))
            else:
                self._out[start:] = [new]
            self._open.append((inner, start))

    def _word(self) -> str:
        start = self._at
        while self._text[self._at] not in "<;.":
            self._at += 1
        return self._text[start : self._at]

    def _take(self) -> None:
        self._out.append(self._text[self._at])
        self._at += 1
