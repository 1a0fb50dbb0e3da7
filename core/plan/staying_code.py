"""The code of a program that stays, and the methods and annotations that this code may find."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cached_property

from core.classfile.descriptors import class_names
from core.classfile.flags import ANNOTATION, NATIVE
from core.edits.names.names_in_use import OF_THE_MACHINE
from core.evidence.clues import Method
from core.plan.class_code import ClassCodes, Member

SERIAL = {"readObject", "writeObject", "readResolve", "writeReplace", "readObjectNoData", "$deserializeLambda$"}
"""Names of methods that serialization calls."""
STREAMS = {("java/io/ObjectInputStream", "<init>"), ("java/io/ObjectOutputStream", "<init>")}
"""The members with which serialization begins."""
_NUMBER = ("serialVersionUID", "J")
"""The field with the number of a serializable class, which else comes from the names of its methods."""
OF_RUNS = {*OF_THE_MACHINE, "<clinit>"} - SERIAL
"""Names of methods that the virtual machine calls in any program."""
_BLIND = re.compile(
    r"\[|java/(?!beans|rmi)|javax/(crypto|imageio|net|swing|xml/(parsers|stream|transform))/|org/(w3c|xml)/"
)
"""Beginnings of the names of the JDK's classes that look up no methods of a program's classes."""


class StayingCode:
    """The code of the methods ``calling``, and what it may find of the classes that stay, the ``live`` ones.

    ``starts``: no code outside the input calls methods before these.
    """

    def __init__(self, classes: ClassCodes, calling: Sequence[Method], live: Collection[str], starts: bool) -> None:
        self._classes, self._calling, self._live = classes, calling, live
        self._used = {use[1:] for method in calling for use in classes[method[0]].uses(method[1:])}
        known = (owner in classes or _BLIND.match(owner) for owner, _, _ in self._used)
        self._is_seen = not (starts and all(known))  # code outside the input may look at its classes by reflection
        self._lists = self._is_seen or any(name.endswith("Annotations") for _, name, _ in self._used)

    def annotations(self, name: str) -> bool:
        """Return True if the code may ask for annotations of a type."""
        asked = {name}.union(*(class_names(type_) for _, type_ in self._classes[name].methods))
        types = filter(self._classes.__contains__, asked)
        return self._lists or any(each in self._live or (each, "", "") in self._used for each in types)

    @cached_property
    def methods(self) -> set[Member]:
        """The methods, by name and descriptor, that the code may call or look up, and code outside the input too."""
        looked, words, own = self._classes.looking(self._calling)
        live = [(self._classes[name], self._classes.lineage(name)) for name in self._live]
        natives = (access & NATIVE for here, _ in live for access in here.methods.values())
        all_ = looked or self._is_seen or any(natives)
        listing = own.union(*(lineage for _, lineage in live if "" in lineage))
        streams = any(use[:2] in STREAMS for use in self._used)
        found = {use[1:] for use in self._used}
        told = words | OF_RUNS | SERIAL | {"<init>"}
        for here, lineage in live:
            numbered = streams and "java/io/Serializable" in lineage and _NUMBER not in here.fields
            shown = all_ or here.access & ANNOTATION or numbered or not listing.isdisjoint(lineage)
            found |= {each for each in here.methods if shown or each[0] in told}
        return found
