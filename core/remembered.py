"""Methods whose answers their objects remember."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, cast
from weakref import proxy

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


class remembered(Generic[Given, Answer]):  # noqa: N801
    """A decorator of a method: the object keeps each answer for as long as it lives. The answers are not to be changed,
    and the arguments can be hashed. The kept function does not keep the object, so that they are in no cycle."""

    def __init__(self, method: Callable[Concatenate[Any, Given], Answer]) -> None:
        self._method = method
        self.__doc__ = method.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Callable[Given, Answer]:
        kept = cast("Callable[Given, Answer]", cache(partial(self._method, proxy(instance))))
        instance.__dict__[self._name] = kept
        return kept
