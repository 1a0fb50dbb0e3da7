"""A sub-input as the rewriter sees it: which classes, edges and constructors there are."""

from __future__ import annotations

import numpy as np

from core.model.formula import TRUE
from core.model.hierarchy import Hierarchy
from core.model.items import ItemSet
from core.model.rules.hierarchy import super_constructors

Question = tuple[str, ...]


class SubInput:
    """Answers a rewriter's questions about one sub-input, and keeps them in ``asked``.

    ``origin`` is the class that is being written.
    """

    def __init__(self, hierarchy: Hierarchy, kept: ItemSet, count: int) -> None:
        self._hierarchy = hierarchy
        self._variables = hierarchy.variables
        bits = np.frombuffer(kept.to_bytes((count + 7) // 8, "little"), dtype=np.uint8)
        self.kept: bytes = np.unpackbits(bits, count=count, bitorder="little").tobytes()
        """One byte an item: 1 = kept."""
        self.origin = ""
        self.asked: dict[Question, object] = {}

    def has_class(self, name: str) -> bool:
        """Whether the class is kept, or outside the input."""
        return bool(self._ask("class", name))

    def super_constructor(self, class_name: str) -> str:
        """Descriptor of a kept constructor of the class that ``origin`` may call."""
        return str(self._ask("constructor", class_name))

    def is_permitted(self, parent: str, child: str) -> bool:
        """Whether the child is kept and still a direct subtype of the sealed parent."""
        return bool(self._ask("permitted", parent, child))

    def in_nest(self, host: str, member: str) -> bool:
        """Whether the member is kept and still names its host."""
        return bool(self._ask("nest", host, member))

    def has_method(self, owner: str, name: str, descriptor: str) -> bool:
        """Whether the method is kept, or outside the input."""
        return bool(self._ask("method", owner, name, descriptor))

    def _ask(self, *question: str) -> object:
        answer = self.asked[question] = self.answer(question)
        return answer

    def answer(self, question: Question) -> object:
        """The answer to a question as it stands in ``asked``."""
        variables = self._variables
        match question:
            case ("class", name):
                return self._has(name)
            case ("constructor", name):
                return self._constructor(name)
            case ("permitted", parent, child):
                edge = variables.interfaces.get((child, parent), variables.superclass.get(child, TRUE))
                return self._has(child) and self._holds(edge)
            case ("nest", _, member):
                return self._holds(variables.classes.get(member, TRUE)) and self._holds(
                    variables.nests.get(member, TRUE)
                )
            case ("method", owner, name, descriptor):
                return self._holds(variables.methods.get((owner, (name, descriptor)), TRUE))
        raise ValueError(f"unknown question {question}")

    def _has(self, name: str) -> bool:
        return self._holds(self._variables.classes.get(name, TRUE))

    def _holds(self, item: int) -> bool:
        return item == TRUE or bool(self.kept[item])

    def _constructor(self, name: str) -> str:
        kept = [
            member[1]
            for member, facts in super_constructors(self._hierarchy, self.origin, name)
            if all(map(self._holds, facts))
        ]
        return "()V" if "()V" in kept or not kept else kept[0]
