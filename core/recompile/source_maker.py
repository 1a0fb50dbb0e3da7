"""The search for Java source that shows a failure: decompilers, repairs, compilers and their options, judged by the
predicate."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from threading import Event as Flag
from typing import Protocol

from core.archive.entry_names import kind_of
from core.archive.jar import Entry, Jar
from core.archive.zips import Archive
from core.classfile.class_file import parse
from core.classfile.format_error import ClassFormatError
from core.entries import Entries
from core.errors import InputError, JarletError
from core.library.jdk import Jdk
from core.library.jdks import installed_jdks, needed_java
from core.library.library import open_library
from core.predicate import presets
from core.predicate.jvm.tool_process import HostError
from core.predicate.preset import ToolRuns
from core.predicate.several.decompiling import DecompiledSources, SourceTool, decompile, decompilers
from core.predicate.verdict import Outcome
from core.recompile.compiler import ECJ, Compiled, CompilerHost, Complaint
from core.recompile.drafts import Draft, Refused, bare, repaired
from core.recompile.known_names import KnownNames, names_of, stubs
from core.system.work_folder import temporary_folder
from core.words import counted

_NO_ECJ = (
    "ECJ is not installed, which compiles some code otherwise than javac (a cast of null, for one): 'jarlet source "
    "--fetch' gets it."
)

_FETCHED = ("cfr", "vineflower")
"""Presets with decompilers to fetch."""
RELEASES = (8, 11, 17)
"""Java versions for which sources are compiled, beside the newest one of each JDK."""

_MOST_MIXED = 16
"""Largest number of mixtures of the files of several decompilers."""

_DOUBLE = ("cfr-ecj",)
"""Presets that share their decompiler with another preset."""

_SECONDS = 60.0
"""Time limit of one compilation of sources that were compiled before, in seconds."""

_ALWAYS, _OF_JAVAC = ("-proc:none", "-nowarn"), ("-Xmaxerrs", "1000")


@dataclass(frozen=True, slots=True)
class CompileWay:
    """A compiler and its options."""

    jdk: Jdk
    release: int
    debug: bool
    """True with ``-g``, False with ``-g:none``."""
    ecj: bool

    @property
    def options(self) -> tuple[str, ...]:
        """The options that a person would write."""
        return ("--release", str(self.release), "-g" if self.debug else "-g:none")

    @property
    def words(self) -> tuple[str, ...]:
        """All options of a compilation."""
        return (*_ALWAYS, *(() if self.ecj else _OF_JAVAC), *self.options)

    @property
    def compiler(self) -> str:
        """The compiler, with the version of its JDK, in words."""
        return f"{'ECJ' if self.ecj else 'javac'} {self.jdk.release}"


@dataclass(frozen=True)
class VerifiedSource:
    """Java source that a compiler turns into classes with the failure, as a run of the predicate showed."""

    texts: Mapping[str, str]
    origin: str
    repaired: int
    way: CompileWay
    classes: Entries
    stubs: Mapping[str, str]
    """Sources of classes that the result names and lacks: compiled beside, and left out of ``classes``."""


@dataclass
class SourceResult:
    """The end of a search: the source, or the vain attempts."""

    found: VerifiedSource | None = None
    notes: list[str] = field(default_factory=list)
    """Sentences on tools that are not there or gave nothing."""
    drafts: int = 0
    """Number of sources that javac took."""
    probes: int = 0
    seconds: float = 0.0
    why: str = "every way was tried"
    """Reason for which a search in vain ended, as a clause."""

    @property
    def sentence(self) -> str:
        """The result as one sentence."""
        if self.found is not None:
            found = self.found
            fixed = f", {counted(found.repaired, 'error')} of javac repaired," if found.repaired else ""
            beside = (
                f" {counted(len(found.stubs), 'stub')} of what it names and lacks "
                f"{'is' if len(found.stubs) == 1 else 'are'} compiled beside and left out."
                if found.stubs
                else ""
            )
            return (
                f"This Java source shows the failure, compiled by {found.way.compiler} with "
                f"{' '.join(found.way.options)}: decompiled by {found.origin}{fixed} and verified by a run."
                f"{beside}"
            )
        tried = f"{counted(self.drafts, 'source')} that compiled, in {counted(self.probes, 'run')}"
        return f"No Java source was found that compiles to classes with the failure ({self.why}: {tried})."


class SourceJudge(Protocol):
    """A judge of class files: do they show the failure?"""

    def probe(self, entries: Entries, seconds: float) -> Outcome:
        """Return the outcome of a run of at most so many seconds."""

    def confirm(self, entries: Entries) -> Outcome:
        """Return the outcome of a run that shares nothing with another one."""


class SourceMaker:
    """The search for the source of a result."""

    def __init__(
        self, entries: Entries, judge: SourceJudge, library: Sequence[Path], seconds: float, cancel: Flag
    ) -> None:
        self._entries = [(name, data) for name, data in entries]
        self._judge, self._library, self._cancel = judge, list(library), cancel
        self._begin = time.monotonic()
        self._end = self._begin + seconds
        self._known = KnownNames.of(entries)
        self._stubs = _stubs(self._entries, self._library)
        self._hosts: dict[tuple[Path, bool], CompilerHost] = {}
        self._seen: set[tuple[tuple[str, bytes], ...]] = set()
        self._jdks = _compilers()
        self._ecj = _ecj()
        self._broken: dict[str, str] = {}
        self.result = SourceResult()

    def run(self) -> SourceResult:
        """Search until a source is found, nothing is left, the time is over or the search is cancelled."""
        try:
            if not self._jdks:
                self.result.notes.append("There is no JDK with javac: install one, or name its folder with --jdk.")
            else:
                self.result.found = next(self._verified(), None)
                if self.result.found is None and self.result.drafts and not self._ecj:
                    self.result.notes.append(_NO_ECJ)
        except _OverError:
            pass
        finally:
            self.result.seconds = time.monotonic() - self._begin
            if self._over():
                stopped = f"the time of {self.result.seconds:.0f} s ended"
                self.result.why = "it was interrupted" if self._cancel.is_set() else stopped
            for host in self._hosts.values():
                host.close()
            self.result.notes += self._broken.values()
        return self.result

    def _verified(self) -> Iterator[VerifiedSource]:
        """Yield the verified sources: first the simplest way of all drafts, then the other ways."""
        drafts = list(self._drafts())
        good = self._good(drafts)
        ways = self._ways()
        yield from self._tries(good, ways[:2])
        mixed = self._good(self._mixed(drafts))
        yield from self._tries(mixed, ways[:2])
        yield from self._tries([*good, *mixed], ways[2:])

    def _good(self, drafts: Sequence[Draft | Refused]) -> list[Draft]:
        """Return the drafts that javac took, each text once."""
        good = {tuple(draft.texts.values()): draft for draft in drafts if isinstance(draft, Draft)}
        self.result.drafts += len(good)
        return list(good.values())

    def _tries(self, drafts: Sequence[Draft], ways: Sequence[CompileWay]) -> Iterator[VerifiedSource]:
        for draft, way in product(drafts, ways):
            found = self._tried(draft, way)
            if found is not None:
                yield found

    def _drafts(self) -> Iterator[Draft | Refused]:
        names = [name for name in decompilers() if name not in _DOUBLE]
        if not names:
            self.result.notes.append("No decompiler is installed: 'jarlet source --fetch' gets CFR and Vineflower.")
        with ThreadPoolExecutor(2) as pool:
            for sources in pool.map(self._decompiled, names):
                if sources.problem:
                    self.result.notes.append(sources.problem)
                if sources.texts:
                    yield repaired(sources.title, bare(sources.texts), self._known, self._plainly)

    def _decompiled(self, name: str) -> DecompiledSources:
        try:
            with temporary_folder() as place:
                runs = ToolRuns(self._library, timeout=max(1.0, self._end - time.monotonic()))
                tool = SourceTool(presets.find(name))
                return decompile(tool, self._entries, place / "run", runs, self._cancel)
        except (JarletError, OSError) as error:
            return DecompiledSources(name, problem=str(error))

    def _mixed(self, drafts: Sequence[Draft | Refused]) -> list[Draft | Refused]:
        """Return mixtures: files of one decompiler in the place of those of another one."""
        paths = sorted({path for draft in drafts for path in draft.texts})
        if len(paths) < 2:
            return []
        found: list[Draft | Refused] = []
        for path, base, other in product(paths, drafts, drafts):
            wrong = base.files if isinstance(base, Refused) else set()
            right = isinstance(other, Draft) or path not in other.files
            if base is not other and path in other.texts and wrong <= {path} and right and len(found) < _MOST_MIXED:
                texts = {**base.texts, path: other.texts[path]}
                found.append(repaired(f"{base.origin} and {other.origin}", texts, self._known, self._plainly))
        return found

    def _ways(self) -> list[CompileWay]:
        """Return the ways to compile, those nearest to the result's own classes first."""
        level = max(needed_java(self._entries), RELEASES[0])
        debug = _has_debug(self._entries)
        found = [
            CompileWay(jdk, release, with_debug, ecj)
            for ecj in ((False, True) if self._ecj else (False,))
            for jdk in self._jdks
            for release in sorted({*RELEASES, jdk.feature}, key=lambda each: (abs(each - level), each))
            if release <= jdk.feature
            for with_debug in (debug, not debug)
        ]
        return sorted(found, key=lambda way: (way.ecj, abs(way.release - level)))

    def _plainly(self, texts: Mapping[str, str]) -> Compiled:
        """Return the classes of sources, or the errors, in the first way."""
        return self._compiled(texts, self._ways()[0])

    def _compiled(self, texts: Mapping[str, str], way: CompileWay) -> Compiled:
        left = self._end - time.monotonic()
        if self._over():
            raise _OverError
        key = (way.jdk.home, way.ecj)
        if key not in self._hosts:
            self._hosts[key] = CompilerHost(way.jdk, self._library, self._ecj if way.ecj else ())
        try:
            done = self._hosts[key].compile(
                {**texts, **self._stubs}, way.words, ecj=way.ecj, seconds=left, cancel=self._cancel
            )
            return Compiled(_without(done.classes, self._stubs, self._entries), done.complaints)
        except HostError as error:
            if self._over():
                raise _OverError from error
            self._broken[way.compiler] = f"{way.compiler} broke down: {error}."
            return Compiled({}, (Complaint("", str(error), ""),))

    def _over(self) -> bool:
        return time.monotonic() >= self._end or self._cancel.is_set()

    def _tried(self, draft: Draft, way: CompileWay) -> VerifiedSource | None:
        compiled = self._compiled(draft.texts, way)
        if compiled.complaints or not compiled.classes:
            return None
        entries = [(name, data) for name, data in self._entries if not name.endswith(".class")]
        entries += [(f"{name}.class", data) for name, data in compiled.classes.items()]
        key = tuple(sorted(entries))
        if key in self._seen:
            return None
        self._seen.add(key)
        self.result.probes += 1
        if not self._judge.probe(entries, max(0.1, self._end - time.monotonic())).interesting:
            return None
        self.result.probes += 1
        if not self._judge.confirm(entries).interesting:
            return None
        return VerifiedSource(draft.texts, draft.origin, draft.repaired, way, entries, self._stubs)


def recompiled(texts: Mapping[str, str], way: CompileWay, library: Sequence[Path], cancel: Flag) -> Mapping[str, bytes]:
    """Return the compiled classes of sources by their names; none if the compiler does not take the sources."""
    host = CompilerHost(way.jdk, library, _ecj() if way.ecj else ())
    try:
        done = host.compile(texts, way.words, ecj=way.ecj, seconds=_SECONDS, cancel=cancel)
        return {} if done.complaints else done.classes
    except HostError:
        return {}
    finally:
        host.close()


class _OverError(Exception):
    """The time is over, or the search was cancelled."""


def _stubs(entries: Entries, library: Sequence[Path]) -> dict[str, str]:
    """Return stubs of the classes that are neither in the entries, nor in the JDK or a library."""
    jar = Jar((), "small.jar", tuple(Entry(name, data, kind_of(name)) for name, data in entries))
    try:
        with closing(open_library(list(library), jar, "")) as known:
            return stubs(entries, lambda name: known.get(name) is not None)
    except (JarletError, ClassFormatError):
        return {}


def _without(classes: Mapping[str, bytes], left_out: Mapping[str, str], entries: Entries) -> dict[str, bytes]:
    """Return the classes without stubs and their nested classes; those of the entries stay."""
    own = {name.removesuffix(".class") for name, _ in entries}
    tops = names_of(left_out)
    return {name: data for name, data in classes.items() if name in own or not _within(name, tops)}


def _within(name: str, tops: set[str]) -> bool:
    package, slash, simple = name.rpartition("/")
    return any(f"{package}{slash}{simple[:at]}" in tops for at in (len(simple), simple.find("$")) if at > 0)


def _compilers() -> list[Jdk]:
    """Return the JDKs with a compiler: the oldest and the newest one."""
    found = sorted((jdk for jdk in installed_jdks() if jdk.compiles), key=lambda jdk: jdk.feature)
    return list({jdk.feature: jdk for jdk in (*found[:1], *found[-1:])}.values())


def _ecj() -> tuple[Path, ...]:
    """Return the jars of Eclipse's compiler; none if it is not there."""
    preset = presets.load_all().get("ecj")
    tools = preset.tools if preset is not None else ()
    return next((jars for tool in tools if (jars := tool.find()) and any(map(_is_ecj, jars))), ())


def fetch_missing() -> list[str]:
    """Get missing decompilers and ECJ, also in place of an ECJ without the class that programs call. Return the reasons
    for failures, as sentences."""
    problems = [presets.find(name).fetch() for name in _FETCHED]
    if not _ecj():
        problems += [tool.fetch() for tool in presets.find("ecj").tools]
    return [problem for problem in problems if problem is not None]


def _is_ecj(jar: Path) -> bool:
    """Return True for a jar with the compiler as a part of other programs; some packages have the command alone."""
    try:
        with Archive(jar) as archive:
            return ECJ in archive.names
    except (OSError, InputError):
        return False


def _has_debug(entries: Entries) -> bool:
    """Return True if a class has names of local variables."""
    for name, data in entries:
        if name.endswith(".class"):
            with suppress(ClassFormatError):
                constants = parse(data).constants.rows()
                if any(each[1] == "LocalVariableTable" for _, each in constants):
                    return True
    return False
