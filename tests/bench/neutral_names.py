"""Words of an input that are left after all its names became neutral, and two runs compared byte for byte.

    python -m tests.bench.neutral_names JAR... [--classpath PATH]

A word is five letters and more, in an entry's name, in a constant of a class file, or in a text beside the classes. Not
counted are words of classes outside the input which the result names, and of the members that it calls there.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from pathlib import Path

from core.archive.jar import read_jar
from core.classfile.class_file import parse
from core.classfile.descriptors import element_class
from core.classfile.format_error import ClassFormatError
from core.classfile.pool import CLASS, FIELD_REF, INTERFACE_METHOD_REF, METHOD_REF, UTF8
from core.edits.names.naming import NAMES
from core.entries import Entries
from core.library.library import Library, open_library
from core.model.class_model import build
from core.model.lookup import Lookup
from core.reduction.elements import entry_numbers
from core.reduction.rewrite_elements import RewriteElements

_WORD = re.compile(r"[^\W\d_]{5,}")
_SIGNATURE = re.compile(r"[(<\[L]\S*(?:;|\)\[*[BCDFIJSVZ])")
"""A descriptor or a generic signature."""
_IN_SIGNATURES = re.compile(r"L([\w$/]+)")
_SHOWN = 5
"""Words that a row shows."""
_FORMAT = frozenset(
    _WORD.findall(
        "Code ConstantValue Deprecated Exceptions InnerClasses EnclosingMethod Synthetic Signature SourceFile "
        "LineNumberTable LocalVariableTable LocalVariableTypeTable StackMapTable BootstrapMethods MethodParameters "
        "RuntimeVisibleAnnotations RuntimeInvisibleAnnotations RuntimeVisibleParameterAnnotations AnnotationDefault "
        "RuntimeInvisibleParameterAnnotations RuntimeVisibleTypeAnnotations RuntimeInvisibleTypeAnnotations Module "
        "services package Multi Release NestHost NestMembers Record PermittedSubclasses ModulePackages ModuleMainClass "
        "META-INF MANIFEST Manifest Version versions"
    )
)
"""Words that a class file or a jar must have."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jars", nargs="+", type=Path)
    parser.add_argument("--classpath", default="")
    options = parser.parse_args(arguments)
    library = [Path(path) for path in options.classpath.split(os.pathsep) if path]
    print("| jar | classes | names | words before | left | both runs the same bytes |\n|---|---:|---:|---:|---|---|")
    for path in options.jars:
        print(f"| {path.stem} | {row(path, library)} |", flush=True)


def row(path: Path, class_path: Sequence[Path]) -> str:
    """Return the cells of a jar."""
    first, count = renamed(path, class_path)
    second, _ = renamed(path, class_path)
    before = read_jar([path]).contents
    with closing(open_library(class_path)) as library:
        left = sorted((words(first) & words(before)) - _FORMAT - outside(first, library))
    shown = ", ".join(left[:_SHOWN])
    classes = sum(name.endswith(".class") for name, _ in before)
    told = f"{len(left)}{f': {shown}' if left else ''}"
    return f"{classes} | {count} | {len(words(before))} | {told} | {'yes' if first == second else 'NO'}"


def renamed(path: Path, class_path: Sequence[Path]) -> tuple[list[tuple[str, bytes]], int]:
    """Return the entries of a jar with neutral names, and the number of names."""
    jar = read_jar([path])
    with closing(open_library(class_path, jar)) as library:
        elements = RewriteElements(NAMES, jar, entry_numbers(build(jar)), library.get)
        return list(elements.entries(0)), elements.count


def words(entries: Entries) -> set[str]:
    """Return the words in the names of entries, in the constants of class files, and in texts."""
    found: set[str] = set()
    for name, data in entries:
        found |= set(_WORD.findall(name.removesuffix(".class")))
        for text in _texts(name, data):
            found |= set(_WORD.findall(" ".join(_IN_SIGNATURES.findall(text)) if _SIGNATURE.fullmatch(text) else text))
    return {word for word in found if set(word.lower()) != {"x"}}


def outside(entries: Entries, library: Library) -> set[str]:
    """Return the words of classes outside the entries that these name, and of members that these call there."""
    own = {name.removesuffix(".class") for name, _ in entries}
    named: set[str] = set()
    found: set[str] = set()
    for name, data in entries:
        if name.endswith(".class"):
            with suppress(ClassFormatError):
                pool = parse(data).constants
                for constant in filter(None, pool.tuples()):
                    if constant[0] in (FIELD_REF, METHOD_REF, INTERFACE_METHOD_REF):
                        if pool.class_name(constant[1]) not in own:
                            pair = pool.raw(constant[2])
                            found |= set(_WORD.findall(f"{pool.text(pair[1])} {pool.text(pair[2])}"))
                    elif constant[0] == CLASS:
                        named.add(element_class(pool.text(constant[1])) or "")
                    elif constant[0] == UTF8 and ";" in constant[1]:
                        named |= set(_IN_SIGNATURES.findall(constant[1]))
    lookup = Lookup({}, library.get, {})
    for name in {above for each in named - own for above in lookup.above(each)}:
        data = library.class_bytes(name)
        found |= set(_WORD.findall(name)) | (words([(f"{name}.class", data)]) if data is not None else set())
    return found


def _texts(name: str, data: bytes) -> Iterable[str]:
    if not name.endswith(".class"):
        return [data.decode("utf-8", "replace")] if b"\0" not in data else []
    try:
        return [each[1] for each in parse(data).constants.tuples() if each is not None and each[0] == UTF8]
    except ClassFormatError:
        return []


if __name__ == "__main__":
    main()
