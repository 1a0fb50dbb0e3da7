"""A class file as a walk over the code of a program sees it: the members and classes that its methods name."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import chain
from weakref import proxy

from core.archive.entry_names import opened_jar
from core.archive.reading import Entry
from core.cancellation import cancellation_point
from core.classfile.annotations import PARAMETER, PLAIN, read, used_by
from core.classfile.class_file import ClassFile, parse
from core.classfile.code_content import code_head
from core.classfile.descriptors import class_names
from core.classfile.flags import ABSTRACT, PRIVATE, PUBLIC, STATIC, SYNTHETIC
from core.classfile.format_error import ClassFormatError
from core.classfile.instructions import BRANCH, LDC, instructions, pool_operands
from core.classfile.opcodes import MNEMONICS
from core.classfile.pool import CLASS, DYNAMICS, MEMBERS, METHOD_HANDLE, STRING, UTF8
from core.classfile.tables import bootstraps, signature
from core.code.halting import BODY
from core.code.ops import CALLS, SUBROUTINES, SWITCHES, op_of
from core.code.types.symbols import (
    GETSTATIC,
    INVOKEINTERFACE,
    INVOKESTATIC,
    INVOKEVIRTUAL,
    LDC_W,
    PUTFIELD,
    PUTSTATIC,
    Symbols,
)
from core.edits.programs.program import Library, package_of
from core.evidence.clues import Method, Ran
from core.model.class_model import ClassModel
from core.model.lookup import Lookup
from core.remembered import remembered
from core.sets import listed_by

Member = tuple[str, str]
"""Name and descriptor."""

MAIN = ("main", "([Ljava/lang/String;)V")

_Use = tuple[int, str, str, str]
"""Opcode, owner, and name and descriptor of the member; empty for a class. A handle has the opcode of its call."""

_CALLS = {5: INVOKEVIRTUAL, 9: INVOKEINTERFACE}
"""The instructions that do as a handle of a kind does (JVMS table 5.4.3.5-A), if they are virtual."""
_STATIC = {GETSTATIC, PUTSTATIC, INVOKESTATIC}
_TYPE = re.compile("L([^;<]+)[;<]")
"""A class in a descriptor or signature."""
_LOADING = frozenset(("forName", "loadClass", "findClass", "getBundle"))
"""Methods that look classes up by name."""
_PACKAGES = {("java/lang/Package", "getName"), ("java/lang/Class", "getPackageName")}
_REFLECTION = ("java/lang/Class", "java/lang/invoke/MethodHandles$Lookup")
_LOOKUPS = ("getMethod", "getDeclaredMethod", "find")
"""Beginnings of the names of methods of these classes that find methods."""
_BY_NAME = {"getMethod", "getDeclaredMethod", "findStatic", "findVirtual", "findSpecial"}
"""Methods of these classes that find a method by its name."""
_JUMPS = BRANCH | SWITCHES
_THIS, OWN = ("this",), ("this.getClass()",)
"""Values of a method: its object, and the class of this object."""
_STRING = "java/lang/String"
_COMPARING = {"startsWith", "endsWith", "equals", "equalsIgnoreCase", "indexOf", "lastIndexOf"}
_NAME, _CUT = ("java/lang/Class", "getName"), ("java/lang/String", "lastIndexOf")
"""The call that returns the name of a class, and the call that finds the end of its package."""
_COMMON = {"java/lang/Object", "java/lang/Cloneable", "java/io/Serializable"}
"""Supertypes of classes that have nothing in common, those of arrays."""
_SMALL = len(BODY)
"""Bytes of code that are not worth the code in their place."""
_INNER = re.compile(r"(?:\w+\.)+\w*")
"""A name in a package of a package, or the beginning of one."""
_REST = re.compile(r"\w*")
_WORD = re.compile(r"(?<![^\1])\.\w+|[\w$-]*[^\W_]")
"""A word, or the end of the name of a file: ``\1`` stands for a joined text (JLS 15.18.1)."""


class ClassCode:
    """The code of a class file."""

    def __init__(self, data: bytes) -> None:
        self._cf: ClassFile = parse(data)
        self.shows_nested = b"getDeclaredClasses" in data
        """True if the code may list the classes in a class."""
        self._manifests = "MANIFEST" if b"getManifest" in data else ""
        self.name, self.access = self._cf.name, self._cf.access
        self.superclass, self.interfaces = self._cf.superclass, self._cf.interface_names
        self.fields = {(each.name_text, each.descriptor_text): each.access for each in self._cf.fields}
        methods = [((each.name_text, each.descriptor_text), each) for each in self._cf.methods]
        self.methods = {member: method.access for member, method in methods}
        codes = [(member, method.attributes.raw("Code")) for member, method in methods]
        self.code = {member: code_head(raw)[2] for member, raw in codes if raw is not None}
        """Instructions by method."""

    @cached_property
    def strings(self) -> dict[str, None]:
        """The constant strings."""
        pool = self._cf.constants
        return {pool.text(each[1]): None for _, each in pool.rows() if each[0] == STRING}

    @cached_property
    def compared(self) -> set[str]:
        """The constant strings that the code only compares with other strings: code joins nothing to them."""
        pool, found = self._cf.constants, ({""}, {""})
        for code in self.code.values():
            with suppress(ClassFormatError, IndexError):  # damaged code does not run
                for at in pool_operands(code):
                    end = at + 1 if code[at - 1] == LDC else at + 2
                    tag, *rest = pool.raw(_index(code, at))
                    if tag == STRING:
                        by = pool.member(_index(code, end + 1)) if code[end] == INVOKEVIRTUAL else ("", "")
                        found[by[0] == _STRING and by[1] in _COMPARING].add(pool.text(rest[0]))
        return found[True] - found[False]

    @property
    def is_public_bean(self) -> bool:
        """Return True if others may make objects of the class without arguments."""
        return bool(self.access & self.methods.get(("<init>", "()V"), 0) & PUBLIC) and not self.access & ABSTRACT

    @cached_property
    def types(self) -> dict[Member, list[str]]:
        """The classes in the type of each member, type arguments too."""
        members = ((each.name_text, each.descriptor_text, each) for each in (*self._cf.fields, *self._cf.methods))
        texts = {(name, type_): f"{type_}{signature(self._cf, each) or ''}" for name, type_, each in members}
        return {member: _TYPE.findall(text) for member, text in texts.items()}

    @cached_property
    def noted(self) -> list[tuple[str, str]]:
        """The classes that are values in annotations of the class and its members, behind the types of these."""
        text, found = self._cf.constants.text, list[tuple[str, str]]()
        rows = chain.from_iterable(each.attributes.rows() for each in (self._cf, *self._cf.fields, *self._cf.methods))
        with suppress(ClassFormatError):  # nobody can read it
            for name, data in rows:
                for note in chain.from_iterable(read(name, data)) if name in PLAIN | PARAMETER else ():
                    use = used_by(data, note, text)
                    classes = (each for type_ in use.classes for each in _TYPE.findall(type_))
                    found += ((use.type[1:-1], each) for each in classes)
        return found

    @cached_property
    def values(self) -> set[str]:
        """The classes of which this class has types, objects or values: all that it names but for static members."""
        pool = self._cf.constants
        texts = (pool.text(index) for index, each in pool.rows() if each[0] == UTF8)
        types = {name for text in texts for name in _TYPE.findall(text)} - {self.name}
        used = (use for member in self.code for use in self.uses(member))
        whole = {owner for opcode, owner, name, _ in used if opcode not in _STATIC or name in ("", "<init>")}
        around = self.name.rpartition("$")[0]
        return types | whole | {self.superclass or "", *self.interfaces, around}

    @cached_property
    def words(self) -> set[str]:
        """The words in the constant strings. Code that asks for manifests names them."""
        return {word for text in (*self.strings, self._manifests) for word in _WORD.findall(text)}

    def named(self, member: Member) -> set[tuple[str, str]]:
        """Return owner and name of the members that the code of a method names."""
        return {use[1:3] for use in self.uses(member)}

    def makes_names(self, member: Member) -> bool:
        """Return True if the code of a method may have other strings than the constant ones of its class."""
        given = member[1].partition(")")[0]
        made = (f"{owner} {descriptor.rpartition(')')[2]}" for _, owner, _, descriptor in self.uses(member))
        return any(_STRING in each for each in (given, *made))

    def lookups(self, member: Member) -> Iterator[tuple[str, list[object]]]:
        """Yield the calls by which the code of a method looks methods up: the name of each, and the values that it
        takes where these are sure: ``_THIS``, ``OWN`` and constant strings."""
        calls = [name for _, owner, name, _ in self.uses(member) if owner in _REFLECTION and name.startswith(_LOOKUPS)]
        if not calls:
            return
        code, known = self.code[member], list[object]()
        symbols = Symbols(self.name, self._cf.constants.tuples())
        with suppress(ClassFormatError, IndexError):  # damaged code does not run
            steps = [*instructions(code)]
            targets = {to for each in steps if each.opcode in _JUMPS for to in (each.operand, *each.extra)}
            for step in steps:
                if step.offset in targets or step.opcode in SUBROUTINES:
                    known.clear()
                if step.opcode in SUBROUTINES:
                    continue
                op = op_of(step, code[step.offset : step.offset + step.length], symbols)
                known[:0] = [None] * (op.pops - len(known))
                left = len(known) - op.pops
                taken, known = known[left:], known[:left]
                pushed: list[object] = [None] * op.pushes
                if step.opcode in CALLS:
                    _, owner, name, *_ = symbols.fact(step.opcode, step.operand)
                    if owner in _REFLECTION and name in calls:
                        calls.remove(name)
                        yield name, taken
                    elif (name, *taken) == ("getClass", _THIS):
                        pushed = [OWN]
                elif step.opcode in (LDC, LDC_W):
                    tag, *rest = self._cf.constants.raw(step.operand)
                    pushed = [symbols.text(rest[0])] if tag == STRING else pushed
                elif MNEMONICS[step.opcode] == "aload_0" and not self.methods[member] & STATIC:
                    pushed = [_THIS]
                known += pushed
        yield from ((name, []) for name in calls)  # by a method handle

    def hands(self, member: Member) -> list[Member]:
        """Return the methods of the class that may get an object that a method has, by arguments and returned values,
        the method first; all of them if others may get the object too."""
        found = [member]
        for each in found:
            back = _has_object(each[1].rpartition(")")[2])
            stored = any(opcode in (PUTFIELD, PUTSTATIC) for opcode, *_ in self.uses(each))
            if stored or (back and not self.methods[each] & PRIVATE):
                return [*self.code]
            named = (use[2:] for use in self.uses(each) if use[1] == self.name)
            given = (use for use in named if _has_object(use[1].partition(")")[0]))
            callers = (
                other for other in self.code if back and (self.name, *each) in (use[1:] for use in self.uses(other))
            )
            found += [other for other in dict.fromkeys((*given, *callers)) if other in self.code and other not in found]
        return found

    @remembered
    def uses(self, member: Member) -> list[_Use]:
        """Return the members and classes that the code of a method names. A lambda makes an object of its interface."""
        code, found = self.code.get(member, b""), list[_Use]()
        with suppress(ClassFormatError, IndexError):  # damaged code does not run
            for at in pool_operands(code):
                found += self._constant(_index(code, at), code[at - 1])
        return found

    def _constant(self, index: int, opcode: int) -> Iterator[_Use]:
        pool = self._cf.constants
        tag, *rest = pool.raw(index)
        if tag == CLASS:
            yield opcode, pool.class_name(index), "", ""
        elif tag in MEMBERS:
            yield opcode, *pool.member(index)
        elif tag == METHOD_HANDLE:
            yield from self._constant(rest[1], _CALLS.get(rest[0], INVOKESTATIC))
        elif tag in DYNAMICS:
            made = pool.named(rest[1])[1].rpartition(")")[2]
            yield from ((opcode, name, "<init>", "()V") for name in class_names(made))
            row = bootstraps(self._cf)[rest[0]]
            for each in (row.handle, *row.arguments):
                yield from self._constant(each, INVOKESTATIC)


def _has_object(descriptor: str) -> bool:
    return "L" in descriptor or "[" in descriptor


def _index(code: bytes, at: int) -> int:
    """Return the number of the constant that an instruction names, by the offset of its operand."""
    return code[at] if code[at - 1] == LDC else code[at] << 8 | code[at + 1]


class ClassCodes(dict[str, ClassCode]):
    """The classes of a model by name. Each is read when it is asked for. ``library`` returns classes outside."""

    def __init__(self, model: ClassModel, library: Library) -> None:
        self._model = model
        self.lookup = Lookup(proxy(self), library, {})  # so that these classes are in no cycle

    def __contains__(self, name: object) -> bool:
        return name in self._model.graph.index

    def __missing__(self, name: str) -> ClassCode:
        cancellation_point()
        found = self[name] = ClassCode(self._entry(name).data)
        return found

    def _entry(self, name: str) -> Entry:
        graph = self._model.graph
        return self._model.jar.entries[graph.nodes[graph.index[name]].entry]

    def jars(self, names: Iterable[str]) -> set[str]:
        """Return the opened jars of some classes."""
        return {opened_jar(self._entry(name).name) for name in names}

    def executed(self, ran: Ran, loaded: Sequence[str], *, compiled: bool) -> Iterator[Method]:
        """Yield the methods that ran of ``loaded`` classes. Of methods that a compiler made this is not known: with
        ``compiled`` each counts, else none."""
        for name in filter(ran.ran, loaded):
            here = self[name]
            for member in here.code:
                made = here.methods[member] & SYNTHETIC and not member[0].startswith("lambda$")
                if (name, *member) not in ran.missed and (compiled or not made):
                    yield name, *member

    def looking(self, methods: Iterable[Method]) -> tuple[set[str], set[str], set[str]]:
        """Return the classes of those methods that look methods up by names that are not known, the names by which
        others do, and the classes of those that list the methods of their own objects alone."""
        unknown, words, own = set[str](), set[str](), set[str]()
        for name, *rest in methods:
            here, member = self[name], (rest[0], rest[1])
            for call, taken in here.lookups(member):
                told = [each for each in taken if isinstance(each, str)]
                if call in _BY_NAME and (told or not here.makes_names(member)):
                    words.update(told or here.strings)
                else:
                    (own if OWN in taken else unknown).add(name)
        return unknown, words, own

    def is_small(self, here: ClassCode, member: Member, staying: Container[str]) -> bool:
        """Return True if a method has no code, or little that only uses what stays."""
        used = (owner for _, owner, _, _ in here.uses(member))
        return len(here.code.get(member, b"")) <= _SMALL and all(each in staying or each not in self for each in used)

    def mentioned(self, name: str) -> Iterator[str]:
        """Yield the other classes of the input that a class mentions."""
        graph = self._model.graph
        return (graph.nodes[each].name for each in graph.graph[graph.index[name]])

    def lineage(self, name: str) -> list[str]:
        """Return a class and its supertypes; the empty name stands for those of a class that is not known."""
        return [*self.lookup.sorted_above(name), *([""] if self.lookup.unknown_above(name) else ())]

    def beginnings(self, name: str) -> list[str]:
        """Return the beginnings of class names that the code of a class may put together. The code asks for the name of
        a class or its package, or hands a class to a method that does."""
        here, found = self[name], list[str]()
        words = ["", *(word.replace(".", "/") for text in here.strings for word in _INNER.findall(text))]
        for member in here.code:
            handed = self._called(name, member, "(Ljava/lang/Class;")
            ends = {self._end(*each) for each in ((name, member), *handed)}
            owners = [name, *(use[1] for use in here.uses(member) if not use[2])]
            if "/" in ends:
                found += [owner[: owner.rfind("/") + 1] + word for owner in owners for word in words]
            elif "" in ends:
                found += owners
        return found

    def _end(self, name: str, member: Member) -> str | None:
        """Return the end of the names with which a method begins when it looks classes up, itself or by a called
        method: ``/`` for packages, empty for classes. None if it does not look classes up."""
        named = self[name].named(member)
        package = not _PACKAGES.isdisjoint(named)
        if not package and _NAME not in named:
            return None
        having = self[name].hands(member) if package else [member]
        called = (pair for each in having for pair in ((name, each), *self._called(name, each)))
        if any(not _LOADING.isdisjoint(word for _, word in self[owner].named(each)) for owner, each in called):
            return "/" if package or _CUT in named else ""
        return None

    def _called(self, name: str, member: Member, start: str = "(") -> Iterator[tuple[str, Member]]:
        """Yield the methods of the input that a method names, with descriptors that begin so."""
        for _, owner, method, descriptor in self[name].uses(member):
            found = self.lookup.nearest(owner, (method, descriptor)) if descriptor.startswith(start) else None
            if found and found.owner in self:
                yield found.owner, (method, descriptor)

    def like_made(self, loaded: Sequence[str], named: Container[str]) -> Iterator[str]:
        """Yield the classes that are like one of the ``loaded`` classes whose name stands in no other and that is not
        ``named``. The program made that name or got it from outside, and so it may others. They have a supertype in
        common. Those of other packages are public and can be made without arguments."""
        told = {name for user in loaded for name in self.mentioned(user) if not user.startswith(f"{name}$")}
        for name in loaded:
            if name not in told and name not in named and MAIN not in self[name].methods:
                above = {*self.lineage(name)} - {name, *_COMMON}
                near = {*self.beginning(f"{name.rpartition('/')[0]}/")}
                for each in self._model.graph.index if above else ():
                    if (each in near or self[each].is_public_bean) and not above.isdisjoint(self.lineage(each)):
                        yield each

    def beginning(self, path: str) -> list[str]:
        """Return the classes of a package, or in a class, whose names begin so: code may join the rest."""
        folder, _, start = path.rpartition("/")
        found = self._by_package.get(folder, ()) if folder or "$" in start else ()
        return [name for name in found if name.startswith(path) and _REST.fullmatch(name, len(path))]

    @cached_property
    def _by_package(self) -> dict[str, list[str]]:
        return listed_by(package_of, self._model.graph.index)
