"""Names of classes, members and other items: as Java writes them, from the form of the JVM (JVMS 4.2, 4.3).

Inside and in files for programs an item has its JVM's name (``a/b/C$D.main:([Ljava/lang/String;)V!code``). Wherever a
person reads it is ``a.b.C.D.main(String[]), code``, and what a person writes may be in either form.
"""

from __future__ import annotations

import fnmatch
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile

from core.words import in_line

UNNAMED = "(unnamed package)"

_PRIMITIVES = {
    "B": "byte", "C": "char", "D": "double", "F": "float", "I": "int", "J": "long", "S": "short", "Z": "boolean",
    "V": "void",
}  # fmt: skip
_NESTING = re.compile(r"(?<=[^$.])\$(?=[^$])")
_VERSION = re.compile(r"-\d+\.(?:(?!-\d).)*$")
"""The last number of the name of a jar, with all behind it: ``-33.0-jre.jar``."""
_IS_A, _AND = " is a subtype of ", " and "


def java_name(internal: str) -> str:
    """Return ``a/b/C$D`` as Java writes it: ``a.b.C.D``; a ``$`` at either end of a name or beside another stays, and
    so does the jar of ``x.jar!/a/b/C``."""
    jar, mark, name = in_line(internal).rpartition("!/")
    package, _, simple = name.rpartition("/")
    return jar + mark + (dotted(package) + "." if package else "") + _NESTING.sub(".", simple)


def simple_name(internal: str) -> str:
    """Return the part of a class name after its package: ``C.D``; of a path, the file name."""
    return _NESTING.sub(".", in_line(internal).rpartition("/")[2])


def package_of(internal: str) -> str:
    """Return the package of a class as Java writes it; empty for the unnamed package."""
    return dotted(in_line(internal).rpartition("/")[0])


def shared(names: Iterable[Sequence[str]]) -> int:
    """Return how many of the first parts of some names are the same in all of them."""
    return sum(1 for _ in takewhile(lambda parts: len(set(parts)) == 1, zip(*names, strict=False)))


def package_name(internal: str) -> str:
    """Return a package as Java writes it: ``a.b`` of ``a/b``, ``x.jar: a.b`` of ``x.jar!/a/b``; words for the one
    without a name."""
    jar, mark, name = in_line(internal).removesuffix("!").rpartition("!/")
    return (f"{jar}: " if mark else "") + (dotted(name) or UNNAMED)


def artifact_names(jars: Iterable[str]) -> dict[str, str]:
    """Return a short name for each jar: ``spring-web`` of ``lib/spring-web-6.1.jar``. The file name, if it has no
    version, or if another jar would have the same short name.
    """
    files = {jar: jar.rpartition("/")[2] for jar in jars}
    short = {jar: _VERSION.sub("", file) or file for jar, file in files.items()}
    often = Counter(short.values())
    return {jar: name if often[name] == 1 else files[jar] for jar, name in short.items()}


def dotted(internal: str) -> str:
    """Return a name with dots for slashes and nothing else changed: the form of ``Class.forName`` and of the JDK's
    tools."""
    return internal.replace("/", ".")


def internal(binary: str) -> str:
    """Return the inverse of :func:`dotted` for the name of a class or a package."""
    return binary.replace(".", "/")


def type_name(descriptor: str, short: bool = True) -> str:
    """Return ``[Ljava/lang/String;`` as ``String[]``; other texts stay as they are."""
    base = descriptor.lstrip("[")
    if base.startswith("L") and base.endswith(";"):
        name = simple_name(base[1:-1]) if short else java_name(base[1:-1])
    else:
        name = _PRIMITIVES.get(base, base)
    return name + "[]" * (len(descriptor) - len(base))


def parameters(descriptor: str) -> list[str]:
    """Return the parameters' descriptors of a method's descriptor."""
    found, at = [], 1
    end = descriptor.find(")")
    while 0 < at < end:
        start = at
        while descriptor[at] == "[":
            at += 1
        at = descriptor.index(";", at) + 1 if descriptor[at] == "L" and ";" in descriptor[at:end] else at + 1
        found.append(descriptor[start:at])
    return found


def title(kind: str, name: str, owner: str, short: bool = True) -> str:
    """Return an item of a class, within that class: ``main(String[])``, ``code``, ``throws IOException``."""
    shown = simple_name if short else java_name
    rest = name.removeprefix(owner)
    inside = rest[rest.rfind("[") + 1 : -1] if rest.endswith("]") else rest
    match kind:
        case "method":
            return method_title(rest.removeprefix("."), owner, short)
        case "field":
            word, _, descriptor = rest.removeprefix(".").partition(":")
            return f"{in_line(word)}: {type_name(descriptor, short)}"
        case "code":
            return "code"
        case "superclass":
            return f"extends {shown(rest.removeprefix('<'))}"
        case "interface":
            return f"implements {shown(rest.removeprefix('<'))}"
        case "throws entry":
            return f"throws {shown(inside.removeprefix('throws '))}"
        case "annotation":
            word, place, where = inside.removeprefix("@").partition(" on ")
            return f"@{shown(word)}{place}{where}"
        case "inner-class entry":
            return f"mentions inner class {shown(inside.removeprefix('inner '))}"
        case "bootstrap entry":
            return f"bootstrap method {inside.removeprefix('bootstrap ')}"
        case "record component":
            return f"record component {in_line(inside.removeprefix('component '))}"
    return kind


def method_title(text: str, owner: str, short: bool) -> str:
    """Return ``main:([Ljava/lang/String;)V`` as ``main(String[])``; constructors by the name of their class."""
    word, _, descriptor = text.partition(":")
    if word == "<clinit>":
        return "static { }"
    if word == "<init>":
        word = simple_name(owner).rpartition(".")[2]
    return f"{in_line(word)}({', '.join(type_name(one, short) for one in parameters(descriptor))})"


def item_title(name: str, short: bool = False, *, short_types: bool = True) -> str:
    """Return the name of an item or derived fact in Java's words: ``a.b.C.main(String[]), code``.

    A constructor is ``a.b.C(int)``. ``short`` leaves the package of the class out, ``short_types`` those of parameters.
    A fact that stands for several items has the titles of all.
    """
    if _AND in name:
        return _AND.join(item_title(part, short, short_types=short_types) for part in name.split(_AND))
    if _IS_A in name:
        return _IS_A.join((simple_name if short else java_name)(part) for part in name.split(_IS_A))
    owner, rest = split(name)
    shown = (simple_name if short else java_name)(owner)
    if not rest:
        return shown
    if rest.startswith("<"):
        return f"{shown}{_IS_A}{(simple_name if short else java_name)(rest[1:])}"
    if rest.startswith("."):
        end = min((at for at in (rest.find("!"), _bracket(rest)) if at >= 0), default=len(rest))
        member, rest = rest[1:end], rest[end:]
        word, _, descriptor = member.partition(":")
        if word == "<init>":
            shown += method_title(member, "", short_types)
        elif "(" in descriptor:
            shown += "." + method_title(member, owner, short_types)
        else:
            shown += "." + in_line(word)
    if rest.startswith("!code"):
        shown += ", code"
        rest = rest.removeprefix("!code")
    if rest.startswith("[") and rest.endswith("]"):
        shown += f", {java_name(rest[1:-1])}"
    elif rest:
        shown += f", {in_line(rest)}"
    return shown


def split(name: str) -> tuple[str, str]:
    """Return the class of an item's name, and what follows it."""
    start = name.find("!/") + 1
    for at, letter in enumerate(name[start:], start):
        if letter in "<[!" or (letter == "." and at > 0):
            return name[:at], name[at:]
    return name, ""


def forms(name: str) -> tuple[str, ...]:
    """Return the forms in which a person may write the item ``name``.

    The JVM's; Java's with short and with full names of parameter types; and those in between: dots for slashes in the
    class or throughout, ``$`` for the dot of a nested class as stack traces have it.
    """
    owner, rest = split(name)
    shown, binary = java_name(owner), dotted(owner)
    java = (item_title(name), item_title(name, short_types=False))
    return name, binary + rest, dotted(name), *java, *(binary + form[len(shown) :] for form in java)


def matcher(patterns: Sequence[str]) -> Callable[[str], bool]:
    """Return a function that is True for the name of an item if any form of the name matches one of ``patterns``
    (``*``, ``?``; a bracket is itself). A class may be named by its file: ``x.jar!/p/C.class``."""
    if not patterns:
        return lambda name: False
    literal = (_BRACKET.sub(lambda found: found[0] if found[1] else "[[]", _FILE.sub("", text)) for text in patterns)
    matches = re.compile("|".join(map(fnmatch.translate, literal))).match
    return lambda name: any(matches(form) for form in forms(name))


def unmatched(patterns: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return those of ``patterns`` that match none of the ``names`` of items."""
    return [pattern for pattern in dict.fromkeys(patterns) if not any(map(matcher([pattern]), names))]


def find(names: Iterable[str], text: str) -> list[str]:
    """Return those of ``names`` with a form equal to ``text``; several if Java does not tell the names apart."""
    text = _COMMA.sub(", ", text.strip())
    begin = _LETTERS.findall(text)[:1]
    return [name for name in dict.fromkeys(names) if _LETTERS.findall(name)[:1] == begin and text in forms(name)]


_HUMP = re.compile(r"[A-Z]?[^A-Z]+|[A-Z]")


def hump_pattern(wanted: str) -> re.Pattern[str] | None:
    """Return a pattern of names with these camel humps, each perhaps shortened; None for fewer than two humps."""
    parts = _HUMP.findall(wanted)
    if len(parts) < 2 or not wanted.isalnum():
        return None
    return re.compile("[a-z0-9_]*".join(map(re.escape, parts)))


_BRACKET = re.compile(r"\[([\[\]*?]\])?")
"""A bracket; with a group if it makes a sign stand for itself (``[*]``)."""

_FILE = re.compile(r".*!/(?=.*\.class$)|\.class$")
"""Parts of the name of a class file that the name of its class lacks."""

_LETTERS = re.compile(r"\w+")

_COMMA = re.compile(r"\s*,\s*")


def _bracket(text: str) -> int:
    """Return the place where a ``[`` begins an addition to a member's name, and no array type; -1 if nowhere."""
    end = text.rfind(")")
    after = text[end + 1 :] if end >= 0 else text.partition(":")[2]
    start = len(text) - len(after)
    if not text.endswith("]"):
        return -1
    base = after.lstrip("[")
    skipped = len(after) - len(base)
    stop = base.index(";") + 1 if base.startswith("L") and ";" in base else 1
    return start + skipped + stop if base[stop : stop + 1] == "[" or base[stop:].startswith("[") else -1
