"""Names in a text (a stack trace, a compiler's error, a crash log), resolved to the classes of an input."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from contextlib import suppress
from functools import cached_property
from itertools import chain

from core.archive.entry_names import MANIFEST, opened_jar, within
from core.archive.manifest import main_attributes
from core.classfile.class_file import parse
from core.classfile.descriptors import class_names, outermost
from core.classfile.format_error import ClassFormatError
from core.classfile.tables import line_table
from core.evidence.clues import Mention
from core.model.class_model import ClassModel, Kind
from core.predicate.output import traces
from core.predicate.output.declarations import SourceDeclaration
from core.remembered import remembered
from core.sets import listed_by

_NAME = re.compile(
    r"(?<![\w$.])(?P<name>(?:META-INF|module-info|[^\W\d][\w$]*)(?:[./][\w$<>-]+)*)(?:(?:::|#)(?P<member>[\w$<>]+))?"
    r"(?P<type>\([\w$/;\[]*\)[\w$/;\[]+)?(?:\((?P<file>[\w$]+\.\w+):(?P<line>\d+)\))?"
)
"""Pattern of names: ``a.b.C``, ``a/b/C``, ``a.b.C.m``, ``a.b.C::m``, ``a/b/C.m:(I)V``, ``a.b.C.m(C.java:12)``; behind a
class also ``m(I)V``.
"""
_FILE = re.compile(
    r"(?<![\w$./\\-])(?P<folder>[\w$./\\-]*?)(?P<name>[\w$-]+)\.(?:java|kt|scala|groovy|clj)\b"
    r"(?:[\": ,]+(?:line )?(?P<line>\d+))?"
)
_IMPORTS = re.compile(
    r"^[ \t]*(?:import[ \t]+(?:static[ \t]+)?(?P<package>[\w.]+)\.(?:\{(?P<some>[^{}]*)\}|[*_])"
    r"|package[ \t]+(?P<own>[\w.]+))|[(\[](?P<listed>[\w.]+)(?P<these>(?:\s+[A-Z]\w*)+)[)\]]",
    re.MULTILINE,
)
"""Pattern of imports of several classes, in Clojure as ``[a.b C D]``, and of the declaration of a package."""
_CALLED = re.compile(r"(?:[^\W\d][\w$]*[./])*[^\W\d][\w$]*")
_FILE_NAME = re.compile(r"[\w.+-]+\.(?:jar|war|ear)\b", re.IGNORECASE)
_OF_MODULES = re.compile(r"^.*\bmodules?\b.*$", re.IGNORECASE | re.MULTILINE)
_WORD = re.compile(r"\w+(?:\.\w+)*")
_PATH = re.compile(r"(?<![\w$-])(?P<name>[\w$]+(?:/[\w$-]+)*)(?P<file>\\?\.class\b)?")
"""Pattern of paths of classes, with ``.class`` or without; a pattern of grep may have a backslash before the dot."""
_MODULE = re.compile(r"^(\s+at )(?:[\w.@-]*/)+(?=[\w$.]+\()", re.MULTILINE)
_LAMBDA = re.compile(r"\$\$Lambda.*")
_CAUSE = re.compile(r"(?:^|; )caused by:? ", re.IGNORECASE | re.MULTILINE)
_SUFFIXES = ("class", "java", "kt", "scala", "groovy", "clj")
_MOST_MENTIONS = 200
"""Largest number of mentions of one text: more mentions do not narrow a search. See decisions/001-evidence-order.md."""


class ClassNames:
    """A lookup of an input's classes by their names in texts."""

    def __init__(self, model: ClassModel) -> None:
        self._model = model
        self._items = {item.name: item for item in model.items if item.kind is Kind.CLASS}
        self.in_errors: dict[str, tuple[Mention, ...]] = {}
        """The mentions in errors of javac that were looked at."""

    def mentions(self, text: str) -> list[Mention]:
        """Return the distinct names in ``text``: members first, then classes. In a chain of causes, the last cause
        comes first.
        """
        parts = _CAUSE.split(_MODULE.sub(r"\1", text))
        found: dict[Mention, None] = {}
        for part in reversed(parts):
            for mention in self._in_order(part):
                found[mention] = None
                if len(found) >= _MOST_MENTIONS:
                    break
        return sorted(found, key=lambda mention: not mention.member)

    @remembered
    def in_traces(self, output: str) -> set[tuple[str, str]] | None:
        """Return the classes, with members, that an output with stack traces names; None for an output without."""
        if not traces.names(output):
            return None
        return {(mention.name, mention.member) for mention in self.mentions(output)}

    def paths(self, text: str) -> list[Mention]:
        """Return the distinct classes that ``text`` names with slashes (``a/b/C``), as class files and entries of jars
        do. A class file (``C.class``) may have the end of its path alone, if no other class has this end.
        """
        found: dict[str, None] = {}
        for match in _PATH.finditer(text):
            path = match["name"]
            alike = [each for each in self.simple(simple_name(path)) if f"/{each}".endswith(f"/{path}")]
            if path in alike and "/" in path:
                found[path] = None
            elif match["file"] and len(alike) == 1:
                found[alike[0]] = None
        return [Mention(name) for name in found][:_MOST_MENTIONS]

    def jars(self, text: str) -> list[str]:
        """Return the opened jars of which ``text`` has the names as files or modules, each once; none if these are most
        of them.
        """
        opened = dict.fromkeys(opened_jar(entry.name) for entry in self._model.jar.entries)
        words = set(_FILE_NAME.findall(text)) if len(opened) > 1 else set()
        modules = {self._automatic.get(word) for line in _OF_MODULES.findall(text) for word in _WORD.findall(line)}
        named = [jar for jar in opened if jar.rpartition("/")[2] in words or jar in modules]
        return named if len(named) <= len(opened) / 2 else []

    def in_sources(self, text: str) -> list[str]:
        """Return the distinct classes that the text of source files imports or names in full, then the package objects
        of Scala around them. A class named by its simple name counts if its package is imported, or is that of the
        source file.
        """
        found = [each.name for each in self._in_order(text.replace("<", " "))]
        words = list(dict.fromkeys(re.findall(r"\b[A-Z]\w*", text)))
        for match in _IMPORTS.finditer(text):
            package = (match["package"] or match["own"] or match["listed"]).replace(".", "/")
            named = re.findall(r"(\w+)(?:\s*(?:=>|\bas\b)\s*\w+)?", match["some"] or match["these"] or "") or words
            found += [f"{package}{sign}{word}" for word in named for sign in "/$"]
        found += [f"{name[: match.start()]}/package" for name in found for match in re.finditer("/", name)]
        return [name for name in dict.fromkeys(found) if name in self._items][:_MOST_MENTIONS]

    def led_to(self, names: Iterable[str], text: str) -> list[str]:
        """Return the classes that source files with ``text`` get from classes ``names``: the types of members that they
        call there by name, of the members of these types, and so on, as in ``a.b().c()``.
        """
        words = words_of(text)
        found = [*names]
        first = len(found)
        for name in found:  # which grows
            more = {each for one in (name, *self.above([name])) for each in self._types(one, words)}
            found += sorted(more.difference(found))
            if len(found) >= _MOST_MENTIONS:
                break
        return found[first:]

    def of_file(self, path: str) -> list[str]:
        """Return the classes of a source file: those with its simple name, narrowed by its folders to a package if
        possible.

        If no class has the name of the file, the SourceFile attributes decide.
        """
        folder, _, file = path.replace("\\", "/").rpartition("/")
        simple = file.partition(".")[0]
        named = self._of_files.get(simple) or self._made_from(file)
        near = [name for name in named if (f"/{folder}/").endswith(f"/{name.rpartition('/')[0]}/")]
        return sorted(near or named)

    def declared(self, path: str, declaration: SourceDeclaration) -> Mention | None:
        """Return the class or member made from a declaration in a source file. For a type outside the input, return
        the surrounding type.
        """
        own = {name.rpartition("/")[2]: name for name in self.of_file(path)}
        types = declaration.types
        while types:
            if name := own.get("$".join(types)):
                return Mention(name, declaration.member if types == declaration.types else "")
            types = types[:-1]
        return None

    def simple(self, name: str) -> list[str]:
        """Return the classes with a simple name; without any, the package objects of Scala of packages with it."""
        found = self._simple.get(name, [])
        return found or [each for each in self._simple.get("package", ()) if each.endswith(f"/{name}/package")]

    def called(self, text: str) -> list[str]:
        """Return the classes of a full name, as Java or a class file writes it, or else of a simple name. What is no
        name of Java, such as a coordinate, calls none.
        """
        found = [each.name for each in self.mentions(text)[:1]]
        return found or (self.simple(text.rpartition(".")[2]) if _CALLED.fullmatch(text) else [])

    def lacking(self, text: str) -> list[Mention]:
        """Return the classes that mention a name in ``text`` which the input lacks. Classes with few other missing
        names come first, then small ones."""
        graph = self._model.graph
        parts = [re.split(r"[./]", match["name"].removeprefix("L")) for match in _NAME.finditer(text)]
        lacked = {"/".join(each[:end]) for each in parts for end in range(1, len(each) + 1)} & graph.unresolved.keys()
        users = {place for name in lacked for place in graph.unresolved[name]}
        missing = Counter(chain.from_iterable(graph.unresolved.values()))
        ordered = sorted(users, key=lambda place: (missing[place], self.size(graph.nodes[place].name), place))
        return [Mention(graph.nodes[place].name) for place in ordered]

    def above(self, names: Iterable[str]) -> set[str]:
        """Return the classes of the input above ``names``: superclasses, interfaces, theirs."""
        graph, below = self._model.graph, set(names)
        found, left = set(below), sorted(below & graph.index.keys())
        for name in left:  # which grows
            node = graph.nodes[graph.index[name]]
            more = {node.superclass or "", *node.interfaces} & graph.index.keys() - found
            found |= more
            left += sorted(more)
        return found - below

    def leading_out(self, names: Iterable[str]) -> list[str]:
        """Return the classes of the input above ``names`` that have a missing supertype, or are below one that has."""
        missing, nodes = self._model.graph.unresolved.keys(), self._model.graph.nodes
        lacking = {node.name for node in nodes if not missing.isdisjoint((node.superclass, *node.interfaces))}
        return sorted(name for name in self.above(names) if not lacking.isdisjoint((name, *self.above([name]))))

    def declares(self, name: str, member: str) -> bool:
        """Return True if a class has a field or a method of a name. A damaged class has none."""
        return member in self._members(name)

    @remembered
    def _members(self, name: str) -> frozenset[str]:
        return frozenset(each for each, _ in self._declared(name))

    def size(self, name: str) -> int:
        """Return the bytes of a class file."""
        return len(self._data(name))

    def _declared(self, name: str) -> list[tuple[str, str]]:
        """Return the names and descriptors of the members of a class; a class that is damaged or not there has none."""
        with suppress(ClassFormatError, KeyError):
            cf = parse(self._data(name))
            return [(each.name_text, each.descriptor_text) for each in [*cf.fields, *cf.methods]]
        return []

    def are_most(self, names: Iterable[str]) -> bool:
        """Return True if ``names`` are several and more than half of the input's classes."""
        return len(set(names)) > max(1.0, len(self._items) / 2)

    def family(self, name: str) -> list[str]:
        """Return a class with all classes nested in it."""
        return self._families.get(name, [])

    @cached_property
    def _families(self) -> dict[str, list[str]]:
        """Each class with all classes nested in it, by the name of the class, also of one that is not there."""
        found: dict[str, list[str]] = {}
        for full in sorted(self._items):
            for end in (len(full), *(match.start() for match in re.finditer(r"\$", full))):
                found.setdefault(full[:end], []).append(full)
        return found

    def _in_order(self, text: str) -> Iterator[Mention]:
        places: list[tuple[int, list[Mention]]] = []
        last = ""
        for match in _NAME.finditer(text):
            mention = self._resolved(match["name"], match["member"] or "", match["type"] or "")
            if mention is None and match["name"] in self._modules:
                mention = Mention(self._modules[match["name"]])
            if mention is None and match["type"] and self.declares(last, match["name"]):
                mention = Mention(last, match["name"], match["type"])
            if mention is not None:
                last = mention.name
                line = int(match["line"]) if match["line"] else 0
                places.append((match.start(), self._exact(mention, line)))
        for match in _FILE.finditer(text):
            if re.search(r"\S\($", text[max(0, match.start() - 2) : match.start()]):
                continue  # of a stack trace's frame
            names = self.of_file(f"{match['folder']}{match['name']}.{match[0].partition('.')[2]}".split(":")[0])
            places.append((match.start(), self._at_line(names, int(match["line"] or 0))))
        for _, found in sorted(places, key=lambda place: place[0]):
            yield from found

    def _resolved(self, text: str, member: str, descriptor: str) -> Mention | None:
        parts = re.split(r"[./]", _LAMBDA.sub("", text))
        for start in ("", "L"):
            first = parts[0].removeprefix(start) if start else parts[0]
            for end in range(len(parts), 0, -1):
                name = "/".join([first, *parts[1:end]])
                if f"{name}/package" in self._items:
                    return Mention(f"{name}/package")
                if name not in self._items:
                    continue
                rest = parts[end:]
                while rest and f"{name}${rest[0]}" in self._items:
                    name = f"{name}${rest.pop(0)}"
                if rest and rest[0] in _SUFFIXES:
                    return Mention(name) if rest[0] == "class" else None  # a source file's own rule knows its line
                return Mention(name, member or (rest[0] if rest else ""), descriptor)
        # a class that only a later Java gets has its own name; the path of a class file begins with other folders
        outside = 3 if parts[0] == "META-INF" else int(parts[-1] == "class")
        return self._resolved("/".join(parts[outside:]), member, descriptor) if outside else None

    def _exact(self, mention: Mention, line: int) -> list[Mention]:
        """Return the overloads of a mentioned method with code of the line. There are none if a frame is of another
        class of the name, such as the tool's own copy of a library that the input holds, too.
        """
        if not line or not mention.member or mention.descriptor:
            return [mention]
        lines = method_lines(self._data(mention.name))
        found = [Mention(mention.name, *method) for method in lines if line in lines[method]]
        return [one for one in found if one.member == mention.member] if any(lines.values()) else [mention]

    def _at_line(self, names: Iterable[str], line: int) -> list[Mention]:
        """Return the methods with code of the line, if there are any, else the outermost of the classes."""
        names = list(names)
        lines = {name: method_lines(self._data(name)) for name in names} if line else {}
        found = [Mention(name, *method) for name in lines for method in lines[name] if line in lines[name][method]]
        return (
            found
            or [Mention(name) for name in names if "$" not in name.rpartition("/")[2]]
            or [Mention(name) for name in names[:1]]
        )

    def _types(self, name: str, words: Set[str]) -> Iterator[str]:
        """Yield the classes of the input that are types of a class's members called by one of ``words``."""
        for member, descriptor in self._declared(name):
            if is_called(name, member, words):
                yield from set(class_names(f"(){descriptor.rpartition(')')[2]}")) & self._items.keys()

    def _data(self, name: str) -> bytes:
        return self._model.jar.entries[self._items[name].entry].data

    @cached_property
    def _modules(self) -> dict[str, str]:
        """The classes that declare modules, by the names of these."""
        declared = [name for name in self._items if name.endswith("module-info")]
        return {_module_of(self._data(name)): name for name in declared}

    @cached_property
    def _automatic(self) -> dict[str, str]:
        """The opened jars by module name. The name is in the module's class, or else in the manifest."""
        entries = self._model.jar.entries
        manifests = [entry for entry in entries if within(entry.name) == MANIFEST]
        said = {main_attributes(entry.data).get("automatic-module-name", ""): entry for entry in manifests}
        declared = {module: entries[self._items[name].entry] for module, name in self._modules.items()}
        return {module: opened_jar(entry.name) for module, entry in (said | declared).items()}

    @cached_property
    def _simple(self) -> dict[str, list[str]]:
        """Classes by their simple names."""
        return listed_by(simple_name, sorted(self._items))

    @cached_property
    def _of_files(self) -> dict[str, list[str]]:
        """Classes by the simple name of the outermost class around them."""
        return listed_by(lambda name: outermost(name).rpartition("/")[2], sorted(self._items))

    @remembered
    def _made_from(self, file: str) -> list[str]:
        """Return the classes with a name of a source file. Only classes with these bytes are parsed."""
        text = file.encode(errors="replace")
        having = [name for name in sorted(self._items) if text and text in self._data(name)]
        return [name for name in having if source_file(self._data(name)) == file]


def _module_of(data: bytes) -> str:
    """Return the name of the module that a class file declares; empty if it declares none."""
    with suppress(ClassFormatError, KeyError):
        cf = parse(data)
        start = dict(cf.attributes.rows())["Module"][:2]
        return cf.constants.text(cf.constants.raw(int.from_bytes(start, "big"))[1])
    return ""


def simple_name(name: str) -> str:
    """Return the simple name of a class."""
    return re.split(r"[/$]", name)[-1]


def words_of(text: str) -> frozenset[str]:
    """Return the words of source files; those before an argument list also with a bracket, ``word(``."""
    called = re.findall(r"(\w+)\s*(?:<[^()]*>|\[[^()]*\])?\s*\(", text)
    return frozenset((*re.findall(r"\w+", text), *(f"{word}(" for word in called)))


def is_called(name: str, member: str, words: Set[str]) -> bool:
    """Return True if the words of source files call a member of the class ``name``: a constructor by the class, or in
    a subclass; a property ``x`` calls ``getX``.
    """
    if member == "<init>":
        return "extends" in words or f"{simple_name(name)}(" in words
    return member in words or (member.startswith("get") and member[3:4].lower() + member[4:] in words)


def source_file(data: bytes) -> str:
    """Return the name of a class file's source file; empty if the class file has none."""
    try:
        cf = parse(data)
        raw = cf.attributes.raw("SourceFile")
        return cf.constants.text(int.from_bytes(raw[:2], "big")) if raw is not None else ""
    except (ClassFormatError, IndexError):
        return ""


def method_lines(data: bytes) -> dict[tuple[str, str], set[int]]:
    """Return the lines of the code of each method, by name and descriptor. A damaged class file has no methods."""
    try:
        cf = parse(data)
        return {
            (each.name_text, each.descriptor_text): {line for _, line in line_table(cf, each)} for each in cf.methods
        }
    except ClassFormatError:
        return {}
