"""Places of a text: in strings, in bytecode, in decompiled source. Classes that cannot hold it are passed over by their
bytes, before anything is parsed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from threading import Event as Flag

from core.classfile.class_file import ClassFile, LazyConstantPool, Method, parse
from core.classfile.format_error import ClassFormatError
from core.classfile.instructions import BRANCH, IINC, LOCAL, POOL, Instruction, instructions
from core.classfile.opcodes import MNEMONICS
from core.classfile.pool import CLASS, DYNAMICS, MEMBERS, METHOD_HANDLE, METHOD_TYPE, STRING, read_pool
from core.errors import UsageError
from core.predicate import presets
from core.predicate.several.decompiling import SourceTool
from core.protocol.events import CodeFound, CodePlace, NamedListed
from core.protocol.java_names import dotted, item_title, java_name, type_name
from core.protocol.questions.explore import ListNamed, SearchCode
from core.service.queries.bug_sources import source_memory
from core.service.queries.desk import Desk, once_per_input
from core.service.queries.member_lists import lister
from core.service.source_memory import NO_DECOMPILER, Material, decompiler

_LDC = frozenset((0x12, 0x13, 0x14))


def method_name(cf: ClassFile, method: Method) -> str:
    """Return the name of a method as the engine's items have it."""
    return f"{cf.name}.{method.name_text}:{method.descriptor_text}"


def code_lines(cf: ClassFile) -> Iterator[tuple[str, str]]:
    """Yield the name of a method and one line of its code, as ``12: invokevirtual a.B.run(int)``, for all methods.

    Raises ClassFormatError.
    """
    for method in cf.methods:
        code = method.code
        if code is not None:
            name = method_name(cf, method)
            for one in instructions(code.code):
                yield name, f"{one.offset}: {_line(cf.constants, one)}"


def strings(cf: ClassFile) -> Iterator[tuple[str, str]]:
    """Yield each string constant with its method or field, or its class if neither is known. Raises
    ClassFormatError."""
    texts = {at: cf.constants.text(one[1]) for at, one in cf.constants.rows() if one[0] == STRING}
    seen: set[int] = set()
    for method in cf.methods if texts else ():
        code = method.code
        if code is not None:
            name = method_name(cf, method)
            for one in instructions(code.code):
                if one.opcode in _LDC and one.operand in texts:
                    seen.add(one.operand)
                    yield name, texts[one.operand]
    for field in cf.fields if texts else ():
        value = field.attributes.raw("ConstantValue")
        if value and (at := int.from_bytes(value[:2], "big")) in texts:
            seen.add(at)
            yield f"{cf.name}.{field.name_text}:{field.descriptor_text}", texts[at]
    yield from ((cf.name, words) for at, words in texts.items() if at not in seen)


def _line(pool: LazyConstantPool, one: Instruction) -> str:
    words = MNEMONICS.get(one.opcode, f"opcode {one.opcode}")
    if one.opcode in POOL:
        return f"{words} {_constant(pool, one.operand)}"
    if one.opcode in BRANCH or one.opcode in LOCAL:
        step = f", {one.extra[0]}" if one.opcode == IINC else ""
        return f"{words} {one.operand}{step}"
    return f"{words} {one.operand}" if one.operand else words


def _constant(pool: LazyConstantPool, at: int) -> str:
    tag, *rest = pool.raw(at)
    if tag in MEMBERS:
        return item_title("{}.{}:{}".format(*pool.member(at)))
    if tag in DYNAMICS:
        return "".join(pool.named(rest[1]))
    if tag == CLASS:
        name = pool.text(rest[0])
        return type_name(name, short=False) if name.startswith("[") else java_name(name)
    if tag == STRING:
        return '"' + pool.text(rest[0]) + '"'
    if tag == METHOD_TYPE:
        return pool.text(rest[0])
    if tag == METHOD_HANDLE:
        return _constant(pool, rest[1])
    return str(rest[0])


MOST = 2000
"""Number of places that are told."""
LEAST = 2
"""Letters that a text must have."""
SECONDS = 600.0
"""Time limit of a decompiler for the whole input, in seconds."""
_POOL = 8
"""Offset of the constant pool in a class file."""
_PART = 200
"""Places of one answer."""

_WORD = re.compile(r"[A-Za-z_]\w*")
_OPCODES = frozenset(MNEMONICS.values())
_SHOWN = 400
"""Characters of a line that are told."""

Lines = Callable[[ClassFile], Iterator[tuple[str, str]]]


def search_code(desk: Desk, wish: SearchCode) -> Iterator[CodeFound]:
    """Yield the places of a text, part by part. A search that is under way ends."""
    text = wish.text.strip()
    with desk.background.run("search", "Search in the code", SECONDS) as cancel:
        if len(text) < LEAST:
            raise UsageError(f"Type at least {LEAST} letters.")
        if wish.place == "source":
            yield from _in_sources(desk, wish, text, cancel)
        else:
            yield from _in_classes(desk, text, strings if wish.place == "strings" else code_lines, cancel)


def _in_classes(desk: Desk, text: str, lines: Lines, cancel: Flag) -> Iterator[CodeFound]:
    listed, lowered = lister(desk), text.lower()
    needles = _needles(lowered, whole=lines is strings)
    found: list[CodePlace] = []
    total = told = looked = 0
    for looked, name in enumerate(listed.classes, 1):
        if cancel.is_set():
            return
        data = listed.input_data(name)
        small = data.lower()
        if not all(needle in small for needle in needles):
            continue
        try:
            for where, line in lines(parse(data)):
                if lowered in line.lower():
                    total += 1
                    if told + len(found) < MOST:
                        found.append(CodePlace(where, _short(line)))
        except ClassFormatError:
            continue
        if len(found) >= _PART:
            yield CodeFound(found, total, looked)
            told += len(found)
            found = []
    yield CodeFound(found, total, looked, over=True)


def _needles(lowered: str, whole: bool) -> list[bytes]:
    """Return texts that the bytes of a class have if it holds the text: of code its words, apart from opcodes."""
    if not lowered.isascii():
        return []
    if whole:
        return [lowered.encode()]
    return [word.encode() for word in _WORD.findall(lowered) if not any(word in code for code in _OPCODES)]


def _in_sources(desk: Desk, wish: SearchCode, text: str, cancel: Flag) -> Iterator[CodeFound]:
    tool = decompiler(wish.tool)
    if not tool:
        raise UsageError(NO_DECOMPILER)
    jar = desk.workspace.opened.jar
    entries = [(entry.name, entry.data) for entry in jar.entries if entry.name.endswith(".class")]
    material = Material(entries, jar.files)
    made = source_memory(desk).made(SourceTool(presets.find(tool)), material, cancel, seconds=SECONDS)
    if cancel.is_set():
        return
    if made.problem and not made.texts:
        raise UsageError(made.problem)
    found, total = _found_in(made.texts, text.lower(), frozenset(lister(desk).classes))
    yield CodeFound(found, total, len(made.texts), over=True)


def _found_in(texts: Mapping[str, str], lowered: str, classes: frozenset[str]) -> tuple[list[CodePlace], int]:
    found: list[CodePlace] = []
    total = 0
    for path, text in sorted(texts.items()):
        if lowered not in text.lower():
            continue
        name = path.removesuffix(".java")
        for number, line in enumerate(text.splitlines(), 1):
            if lowered in line.lower():
                total += 1
                if len(found) < MOST and name in classes:
                    found.append(CodePlace(name, f"{number}: {_short(line.strip())}"))
    return found, total


def _short(line: str) -> str:
    return line if len(line) <= _SHOWN else line[:_SHOWN] + "…"


def list_named(desk: Desk, wish: ListNamed) -> NamedListed:
    """Return the classes with strings that are names of other classes, unless a class needs the named one anyway."""
    return NamedListed(_named(desk))


@once_per_input
def _named(desk: Desk) -> list[int]:
    model, listed = desk.workspace.opened, lister(desk)
    numbers = {dotted(item.name): number for number, item in enumerate(model.items) if item.name in listed.classes}
    known = set(model.edges)
    found: dict[tuple[int, int], None] = {}
    for item in listed.classes:
        source = numbers[dotted(item)]
        try:
            pool, _ = read_pool(listed.input_data(item), _POOL)
            texts = [pool[one[1]][1] for one in pool if one and one[0] == STRING]  # type: ignore[index]
        except (ClassFormatError, IndexError, TypeError):
            continue
        for words in texts:
            target = numbers.get(words.replace("/", ".").removesuffix(".class").removeprefix("."))
            if target is not None and target != source and (source, target) not in known:
                found[source, target] = None
    return [end for pair in found for end in pair]
