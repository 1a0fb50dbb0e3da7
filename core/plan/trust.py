"""Levels of trust in a smaller program: the items that stay, by the code that ran on the full input.

Everything else may go. Removed code of a remaining class becomes code that ends the virtual machine
(:mod:`core.code.halting`). So for an input that was never run, the program gives its own answer or none."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Set
from functools import cached_property

from core.archive.entry_names import class_path, opened_jar
from core.archive.manifest import main_attributes
from core.classfile.descriptors import class_names
from core.classfile.flags import PROTECTED, PUBLIC, STATIC
from core.classfile.opcodes import MNEMONICS
from core.code.types.symbols import INVOKEINTERFACE, INVOKEVIRTUAL, LDC, LDC_W
from core.edits.programs.program import Library, package_of
from core.evidence.clues import Method, Ran
from core.model.class_model import ClassModel, Item, Kind
from core.plan.class_code import MAIN, ClassCode, ClassCodes, Member
from core.plan.staying_code import OF_RUNS, SERIAL, STREAMS, StayingCode
from core.protocol.java_names import dotted
from core.protocol.run_words import AS_RUN, WHOLE_CLASSES

_NAME = re.compile(r"[\w$]+(?:[./][\w$]+)*[./]?")
_LENGTH = re.compile(rb"\0[^\0]")  # stands before a text that DataOutput.writeUTF has written
_END = re.compile(r"[_-]|\d*$")
"""A place in the name of a file where code may have joined a beginning and the rest."""
_ITEM = re.compile(r"([^.<\[]+)(\.[^:]+:(?:\([^)]*\)\[*(?:L[^;]+;|\w))?)?")
"""Name of an item: its class, and its method."""
_MANIFEST = "META-INF/MANIFEST.MF"
_OF_TOOLS = (_MANIFEST, *(f"META-INF/{each}/" for each in ("maven", "native-image", "proguard", "com.android.tools")))
"""Beginnings of the names of files that tell a program versions, and tools the rest."""
_TRACES = ("printStackTrace", "getStackTrace", "getLineNumber")
"""Methods that may print line numbers, if output is compared."""
_PROXY = ("java/lang/reflect/Proxy", "newProxyInstance")
_REFLECT, _TYPES = "java/lang/reflect/", re.compile("get(Generic)?(Return|Parameter)?Types?|getParameters")
"""The package with methods of these names that return the types of a member."""
_HASH, _EQUALS = ("hashCode", "()I"), ("equals", "(Ljava/lang/Object;)Z")
_MADE = "a name that the program made"
_ASKED_BY_ENDING = {"", "java/util/ResourceBundle", "java/rmi/server/RemoteStub"}
"""Supertypes of classes that the JDK asks for by another class's name, ``_`` and an ending; empty if not known."""


class Trust:
    """A predicate of item names at a ``level``: True for what must stay. ``library`` returns classes outside the input.
    ``tested``: the input is a library, of which its tests call a part.

    *as run*: the code that ran stays. *careful*: also the methods that it may reach. *whole classes*: all of the
    classes of these methods. Each level keeps the loaded classes with everything that reflection shows of them. It also
    keeps the classes and resources named by their strings, by services and by the manifest."""

    def __init__(self, model: ClassModel, ran: Ran, level: str, library: Library, *, tested: bool = False) -> None:
        self._model, self._ran = model, ran
        self._whole, self._reaches = level == WHOLE_CLASSES, level != AS_RUN
        self._classes = ClassCodes(model, library)
        self._lookup, self._lineage = self._classes.lookup, self._classes.lineage
        self.reasons: dict[str, str] = {}
        """The reason why each live class stays."""
        self.named: dict[str, str] = {}
        """The live classes that the program may ask for by name, with what names them."""
        self._kept: dict[Method, None] = {}
        self._inherited: dict[str, set[Member]] = {}
        """Methods that each live class has from supertypes outside the input."""
        self._below: defaultdict[str, list[str]] = defaultdict(list)
        """Live classes by themselves and by each supertype; by the empty name if one of these is not known."""
        self._called: defaultdict[str, dict[Member, None]] = defaultdict(dict)
        """Methods that virtual calls name, by the type that they name; by the empty name for all types outside."""
        loaded = sorted(ran.loaded & model.graph.index.keys())
        executed = [*self._classes.executed(ran, loaded, compiled=not self._reaches)]
        looked, self._looked_up, own = self._classes.looking(executed)
        """The names by which code that ran looks methods up, where these are known."""
        looked |= own
        self._lookers = set(map(dotted, looked))
        """The classes with code that ran and looks methods up by reflection, by names that are not known."""
        self._looked_at = looked.union(*map(self._classes.mentioned, looked))
        """These, and the classes that they mention."""
        self._starts = not tested and any(method[1:] == MAIN for method in executed)
        self._streams = not self._starts  # or code may serialize objects
        self._is_called = not self._starts or bool(looked)
        """True if callers of public methods may be outside the input, or find them by reflection."""
        uses = [use for method in executed for use in self._classes[method[0]].uses(method[1:])]
        self._shows_lines = any(name in _TRACES and given != "()V" for _, _, name, given in uses)
        self._reads_types = any(_TYPES.fullmatch(name) and owner.startswith(_REFLECT) for _, owner, name, _ in uses)
        self._hands_on = any(use[1:3] == _PROXY for use in uses)
        """True if calls of an interface may go to objects of the type that declares the method."""
        self._as_value: dict[str, None] = {}
        """The classes of which code may have the literal, or at which it may come as types of members."""
        api = {name for name in model.graph.index if tested and self._reaches and self._classes[name].access & PUBLIC}
        mentioned = {each for name in loaded for each in self._classes.mentioned(name) if self._starts}
        self._hidden = mentioned.intersection(loaded).difference(*(self._classes[each].values for each in loaded))
        """The loaded classes of which code only uses static members: reflection gets no object or value of them."""
        self._open = {*loaded, *api} - self._hidden
        """The classes of which callers outside the input may call methods."""
        for name in loaded:
            self._load(name, "loaded by the run")
        for name in sorted(api):
            self._load(name, "public in a library")
        self._kept |= dict.fromkeys(executed)
        for name, *_ in (method for method in executed if method[1:] == _HASH):
            self._keep(name, _EQUALS)  # it runs where two objects have one hash, which is chance
        for item in model.items:
            if item.kind is Kind.RESOURCE:
                self._read(item)
        for name in loaded:
            self._names_of(name)
        for name in [*self._classes.like_made(loaded, self.named)] if self._starts else ():
            self._found(name, _MADE)
        for use in uses:
            if use[0] in (LDC, LDC_W):
                self._follow("a literal in code that ran", *use)
        self._keep_types()
        self._keep_noted()
        self._walk()

    def __call__(self, name: str) -> bool:
        if name in self._others:
            return True
        found = _ITEM.match(name)
        owner = found[1] if found else name
        if owner not in self.reasons:
            return class_path(name).removesuffix(".class") in self.reasons
        if self._whole or not found:
            return True
        part = name[len(owner) :]
        noted = re.split(r"[] ]", part.partition("[@")[2])[0]
        if noted in self._classes and not self._staying.annotations(noted):
            return False
        if part.startswith("[inner "):
            return part[7:-1] in self.reasons
        if part in ("[lines]", "[variables]") or part.startswith("[bootstrap"):
            return part == "[lines]" and self._shows_lines
        return found[0] not in self._going or not ("!code" in part or self._going[found[0]])

    @property
    def found(self) -> dict[str, str]:
        """The live classes that the program finds by name, or may have looked at by reflection, with the reasons."""
        by = ", ".join(sorted(self._lookers))
        return (dict.fromkeys(self._open & self.reasons.keys(), f"looked at by {by}") if by else {}) | self.named

    def methods(self, name: str) -> list[Member] | None:
        """Return the methods of a live class whose code stays; None if the whole class does."""
        code = self._classes[name].code
        return None if self._whole else [member for member in code if (name, *member) in self._kept]

    @property
    def _live(self) -> Iterator[ClassCode]:
        """The classes that stay."""
        return (self._classes[name] for name in self.reasons)

    def _load(self, name: str, why: str) -> None:
        """Let a class stay, with its supertypes."""
        if name in self.reasons or name not in self._classes:
            return
        self.reasons[name] = why
        self._load(f"{package_of(name)}/package-info", "it has the annotations of a package")
        for above in self._lookup.direct(name):
            self._load(above, f"above {dotted(name)}")
        outside = [self._lookup.info(each) for each in self._lineage(name) if each not in self._classes]
        self._inherited[name] = {member for each in outside if each is not None for member in each.methods}
        self._keep_found(name)
        for above in self._lineage(name):
            self._below[above].append(name)
            for member in self._called[above]:
                self._select(name, member)

    def _keep_methods(self, name: str, wanted: Callable[[Member, int], object]) -> None:
        """Let the methods of a class stay whose name and flags are ``wanted``; at the level *as run* none but those
        that ran."""
        methods = self._classes[name].methods.items() if self._reaches else ()
        self._kept |= {(name, *member): None for member, access in methods if wanted(member, access)}

    def _keep_found(self, name: str) -> None:
        """Let the methods of a live class stay that callers outside the input may find."""

        def may_be_found(member: Member, access: int) -> object:
            public = access & (PUBLIC | PROTECTED) or name in self._looked_at
            public = public and (self._is_called or member[0] in self._looked_up) and name in self._open
            return public or member[0] in OF_RUNS or member in self._inherited[name]

        self._keep_methods(name, may_be_found)

    def _keep_shown(self) -> None:
        """Let the methods stay of loaded classes of which code that was reached has an object or a value."""
        live = self._live if self._hidden else ()
        shown = self._hidden & {*self.named}.union(*(here.values for here in live))
        self._hidden -= shown
        self._open |= shown
        for name in sorted(shown):
            self._keep_found(name)

    def _name(self, texts: Collection[str], where: str, compared: Set[str] = frozenset()) -> None:
        """Let the classes stay that some texts of a class or resource name, by the beginnings of their names too, but
        for ``compared`` texts. Of a class whose whole name is there the methods stay that other texts name."""
        for text in texts:
            for word in _NAME.findall(text):
                path = word.replace(".", "/")
                whole = path in self._classes
                for name in (path,) if whole or text in compared else self._classes.beginning(path):
                    self._found(name, where, texts if whole else ())

    def _names_of(self, name: str) -> None:
        """Keep the classes that a class may ask for by name: a string, its own name with an ending, or a name that its
        code makes, from the end of a nested class's name too."""
        here = self._classes[name]
        self._name(here.strings, dotted(name), here.compared)
        ends = ["$"] if here.shows_nested else [each for each in sorted(here.words) if each.startswith("$")]
        nested = (each + end for each in (name, *self._classes.mentioned(name)) for end in ends)
        for start in (f"{name}BeanInfo", *self._classes.beginnings(name), *nested):
            for found in self._classes.beginning(start):
                self._found(found, dotted(name))
        for found in self._classes.beginning(f"{name}_"):
            if not _ASKED_BY_ENDING.isdisjoint(self._lineage(found)):
                self._found(found, dotted(name))

    def _found(self, name: str, where: str, texts: Collection[str] = ()) -> None:
        """Let a class stay that the program may ask for by its name, with its methods that ``texts`` name."""
        self._load(name, why := f"named in {where}")
        if name in self.reasons:
            self.named.setdefault(name, why)
            looked = where in self._lookers or (where == _MADE and self._lookers)
            flags = STATIC | PUBLIC if looked else STATIC
            told = {"<init>", *texts}
            self._keep_methods(name, lambda member, access: member[0] in told or access & flags)

    def _read(self, item: Item) -> None:
        """Keep the classes that a resource names, if the run has read the resource or a service may read it. The main
        class of a manifest does not count: a run that did not begin with it has not loaded it."""
        if item.name == _MANIFEST:
            named = main_attributes(self._model.jar.entries[item.entry].data)
            self._name([named[key] for key in named if key != "main-class"], item.name)
        elif self._is_read(item.name):
            self._name_in(item)

    def _is_read(self, name: str) -> bool:
        """Return True if the run has read a file, or the file has the providers of a service that a live class may ask
        for, or the JDK."""
        service = class_path(name).rpartition("/")[2].replace(".", "/")
        of_jdk = service not in self._classes and bool(self._lookup.info(service))
        return of_jdk or service in self.reasons or self._ran.asked_for(name)

    def _name_in(self, item: Item) -> None:
        """Let the classes stay that a resource names in its text, if it is small or the run has read it."""
        data = self._model.jar.entries[item.entry].data
        if not class_path(item.name).startswith(_OF_TOOLS) and (len(data) <= 1 << 16 or self._ran.asked_for(item.name)):
            self._name([_LENGTH.sub(b" ", data).decode("latin-1")], item.name)

    def _walk(self) -> None:
        """Follow the code that stays."""
        done, named = 0, set[str]()
        while self._reaches and (waiting := self._further(done)):
            done += len(waiting)
            for method in waiting:
                self._follow_code(method)
            for name in [*self.reasons]:
                if name not in named:
                    named.add(name)
                    self._names_of(name)
            for item in [*self._asked()]:
                if item.name not in named:
                    named.add(item.name)
                    self._name_in(item)

    def _further(self, done: int) -> list[Method]:
        """Return the methods that stay but the first ``done``. Where there are none, keep more by one rule after the
        other."""
        for keep in (self._keep_shown, self._keep_noted, self._keep_types, self._keep_only_made, self._keep_serial):
            if len(self._kept) == done:
                keep()
        return [*self._kept][done:]

    def _keep_makers(self, name: str, why: str) -> None:
        """Let a class stay with its constructors that code has as a value: it may make an object of this class."""
        self._load(name, why)
        self._as_value[name] = None
        self._keep_methods(name, lambda member, _: member[0] == "<init>")

    def _keep_noted(self) -> None:
        """Let the classes stay with their constructors that are values of annotations whose types stay."""
        for name in [*self.reasons]:
            for type_, value in self._classes[name].noted:
                if type_ in self.reasons and value in self._classes and value not in self._as_value:
                    self._keep_makers(value, f"a value in an annotation of {dotted(name)}")

    def _keep_types(self) -> None:
        """Let the types of members stay with their constructors, where code that ran reads such types."""
        waiting = [*self._as_value, *sorted(self._open | self.named.keys())] if self._reads_types else []
        for name in waiting:
            here = self._classes[name]
            methods = {each for each in here.methods if each[0] == "<init>" or (name, *each) in self._kept}
            seen = sorted(here.fields.keys() | methods) if name in self.reasons else ()
            for each in (type_ for member in seen for type_ in here.types[member]):
                if each in self._classes and each not in self._as_value:
                    waiting.append(each)
                    self._keep_makers(each, f"a type in {dotted(name)}")

    def _keep_only_made(self) -> None:
        """Let the methods stay that are public, or named by a string, of classes whose objects are made but whose own
        methods are never called. In a program that looks methods up, reflection may call them."""
        told = {text for here in self._live for text in here.strings}
        for name in [*self.reasons] if self._lookers else ():
            kept = (member for member in self._classes[name].code if (name, *member) in self._kept)
            own = {each[0] for each in kept if each[0] == "<init>" or each not in self._inherited[name]}
            if "<init>" in own and own <= {"<init>", "<clinit>"}:
                self._keep_methods(name, lambda member, access: access & PUBLIC or member[0] in told)

    def _keep_serial(self) -> None:
        """Let the methods stay that serialization calls, where code may serialize objects."""
        for name in self.reasons if self._streams else ():
            self._keep_methods(name, lambda member, _: member[0] in SERIAL)

    def _follow_code(self, method: Method) -> None:
        """Follow the code of a method. Where it has the literal of a class, let the methods stay whose names its class
        has as strings: another method may look them up."""
        here = self._classes[method[0]]
        for use in here.uses(method[1:]) if method[0] in self.reasons else ():
            self._follow(f"code of {dotted(method[0])} may reach it", *use)
            if use[0] in (LDC, LDC_W) and use[1] in self.reasons:
                self._keep_methods(use[1], lambda member, _: member[0] in here.strings)

    def _follow(self, why: str, opcode: int, owner: str, name: str, descriptor: str) -> None:
        if opcode in (INVOKEVIRTUAL, INVOKEINTERFACE):
            declared = self._lookup.nearest(owner, (name, descriptor)) if self._hands_on else None
            for type_ in class_names(descriptor) if declared else ():
                self._load(type_, why)  # of the next proxy
            further = "" if owner not in self._classes else declared.owner if declared else owner
            for above in (owner, further):
                if (name, descriptor) not in self._called[above]:
                    self._called[above][name, descriptor] = None
                    for each in self._below[above]:
                        self._select(each, (name, descriptor))
        elif MNEMONICS[opcode] not in ("checkcast", "instanceof"):
            self._streams |= (owner, name) in STREAMS
            self._load(owner, why)
            self._keep(owner, (name, descriptor))
            if opcode in (LDC, LDC_W) and owner in self._classes:
                self._keep_makers(owner, why)

    def _select(self, name: str, member: Member) -> None:
        """Let the method stay that a virtual call selects for objects of a live class: the nearest in the superclasses,
        else those of the interfaces."""
        for above in self._lookup.superclasses(name):
            access = self._classes[above].methods.get(member) if above in self.reasons else None
            if access is not None:
                self._kept[above, *member] = None
                if access & (PUBLIC | PROTECTED):  # any other need not override
                    return
        self._keep(name, member)

    def _keep(self, name: str, member: Member) -> None:
        """Let a method stay in each live class, of a class and its supertypes, that declares it."""
        for each in self._lineage(name):
            if each in self.reasons and member in self._classes[each].methods:
                self._kept[each, *member] = None

    @cached_property
    def _staying(self) -> StayingCode:
        calling = [method for method in self._kept if method[0] in self.reasons]
        return StayingCode(self._classes, calling, self.reasons, self._starts)

    @cached_property
    def _going(self) -> dict[str, bool]:
        """The methods whose code may go. True: the method may go too, as no code calls a method of its name and
        descriptor."""
        findable = self._staying.methods.union(*self._inherited.values())
        return {
            f"{here.name}.{member[0]}:{member[1]}": member not in findable
            for here in self._live
            for member in here.methods
            if (here.name, *member) not in self._kept
            and not (member in findable and self._classes.is_small(here, member, self.reasons))
        }

    def _asked(self) -> Iterator[Item]:
        """Yield the resources that a class may ask for."""
        words = set[str]().union(*(here.words for here in self._live))
        packages = {*map(package_of, self.reasons)} - {""}
        idle = self._classes.jars(self._model.graph.index) - self._classes.jars(self.reasons) - {""}
        for item in self._model.items:
            if item.kind is not Kind.CLASS:
                path = class_path(item.name)
                folder, _, file = path.rpartition("/")
                stem, _, kind = file.partition(".")
                stems = (stem[: found.start()] for found in _END.finditer(stem))
                told = not words.isdisjoint((folder.rpartition("/")[2], f".{kind}", *stems))
                if opened_jar(item.name) in idle:
                    told = stem in words and not path.startswith(_OF_TOOLS[1:])
                    if not told and path == _MANIFEST:  # java asks each jar for it
                        continue
                known = folder in packages or item.name == _MANIFEST or (told and folder != "META-INF/services")
                if known or self._ran.read is None or self._is_read(item.name):
                    yield item

    @cached_property
    def _others(self) -> frozenset[str]:
        """The resources that a class may ask for, and the classes of fields."""
        types = {type_ for here in self._live for _, type_ in here.fields}
        return frozenset(item.name for item in self._asked()).union(*map(class_names, types))
