"""A script that repeats a probe by hand, on the reduced jar that lies beside it, in a folder of its own."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.predicate.command import CLASSES, JAR, TEMPORARY
from core.predicate.predicate import CommandPredicate, Predicate
from core.predicate.several.decompiling import cold
from core.predicate.several.differ import DifferPredicate
from core.predicate.tool_chain import StepsPredicate
from core.report.sign import Sign

SMALL = "small.jar"
SCRIPT = "reproduce.sh"

_PROGRAMS, _FILES = "programs", "files"
"""Folders beside the script: Jarlet's own Java programs that take part, and small files of the user's."""

_LARGEST = 1 << 20
"""Bytes up to which a file of the user's is copied beside the script."""

_OF_THE_SYSTEM = ("/bin/", "/dev/", "/etc/", "/lib/", "/proc/", "/sbin/", "/sys/", "/usr/")
_PATH = re.compile(r"/[^\s:;,=|&<>()'\"]+")
_ALL_JARS = "/*"
"""End of an entry of a class path that stands for all jars of a folder."""
_JDK = re.compile(r"^(/.*)/bin/(java|javac|jdeps|javap)$")


@dataclass
class Reproduction:
    """The text of the script, and what has to lie beside it: places there, by the paths that they have here."""

    script: str = ""
    copied: dict[Path, str] = field(default_factory=dict)
    portable: str = ""
    """The same script for any machine: it takes the JDK of the path, and ``tools`` from the folder of the script."""
    tools: tuple[str, ...] = ()
    """File names of the tools' jars."""


def reproduction(
    predicate: Predicate, sign: Sign, left_out: Collection[str] = (), *, no_source: bool = False
) -> Reproduction:
    """Return the way to repeat a probe of ``predicate``; ``sign`` has the failure's appearance, and ``left_out`` are
    options of a preset's JVM that the script need not have. With ``no_source`` it tells for which classes a decompiler
    wrote no source.

    Tools and libraries of this machine are named at the script's beginning, where other places can be given.
    """
    made = _Maker(left_out, no_source)
    lines = made.lines(predicate)
    script, portable = made.script(lines, sign), made.script(lines, sign, portable=True)
    return Reproduction(script, made.copied, portable, made.tools)


class _Maker:
    def __init__(self, left_out: Collection[str], no_source: bool) -> None:
        self._left_out, self._no_source = frozenset(left_out), no_source
        self.copied: dict[Path, str] = {}
        self._variables: dict[str, str] = {}
        """Paths of this machine -> names of variables."""
        self._classes = False
        self._links = False
        """True if a word of the command names something beside the script among other things."""

    def lines(self, predicate: object, place: str = "") -> list[str]:
        """Return the lines of shell that do what the predicate does, in the folder of the run."""
        predicate = cold(predicate)
        if isinstance(predicate, DifferPredicate):
            found = []
            for name, title, one in (
                ("first", predicate.titles[0], predicate.first),
                ("second", predicate.titles[1], predicate.second),
            ):
                found += [f'echo "== {name}: {_bare(title)}"', *self._apart(name, one)]
            return found
        if isinstance(predicate, CommandPredicate):
            self._classes |= predicate.command.needs_classes
            # a mark in place of the folder, which a word may hold anywhere
            words = predicate.command.argv(Path(_MARK))
            return [*self._exports(predicate.extra), self._words(words)]
        if isinstance(predicate, StepsPredicate):
            self._classes |= predicate.needs_classes
            found = self._exports(predicate.extra)
            for step in predicate.steps:
                *before, _ = step.shell_line().split(" && ") if step.makes or step.lists else [""]
                found += [one for one in before if one]
                found += [_MISSED.format(jar=JAR, sources=step.lists)] if step.lists and self._no_source else []
                line = self._words([word for word in step.words if word.removeprefix("-J") not in self._left_out])
                found.append(f"if [ -s {step.lists}.list ]; then {line}; fi" if step.lists else line)
            return found
        return [f"echo {shlex.quote('This predicate has no command line.')}; exit 2"]

    def _exports(self, variables: Mapping[str, str]) -> list[str]:
        """Return lines that set the variables of a run. If one of them is a JDK's, programs find this JDK."""
        home = variables.get(_JAVA_HOME)
        java = (
            [f'export {_JAVA_HOME}="${self._variable(home, _JAVA_HOME)}" && PATH="$JAVA_HOME/bin:$PATH"']
            if home
            else []
        )
        others = {name: value for name, value in variables.items() if name not in (_JAVA_HOME, "PATH")}
        return java + [f"export {name}={self._word(value, program=False)}" for name, value in others.items()]

    def _apart(self, name: str, predicate: object) -> list[str]:
        """Return each of two tools in a folder of its own, as the probes have it."""
        return [
            f"mkdir {name} && cp {JAR} {name}/ && mkdir {name}/{TEMPORARY}",
            f"[ ! -d {CLASSES} ] || cp -r {CLASSES} {name}/",
            f'(cd {name} && work=$PWD && export JARLET_JAR="$work/{JAR}" JARLET_CLASSES="$work/{CLASSES}" '
            'JARLET_WORK="$work"',
            *self.lines(predicate),
            ") 2>&1",  # below the tool's heading
            'echo "exit code $?"',
        ]

    @property
    def tools(self) -> tuple[str, ...]:
        """The file names of the tools' jars."""
        return tuple(Path(path).name for path, name in self._variables.items() if name != _JAVA_HOME)

    def script(self, lines: Sequence[str], sign: Sign, *, portable: bool = False) -> str:
        """Return the whole script; a ``portable`` one names no place of this machine."""
        place = _anywhere if portable else _here
        named = [f"{name}=${{{name}:-{place(path, name)}}}" for path, name in self._variables.items()]
        checked = " ".join(f'"${name}"' for name in self._variables.values())
        names = " ".join(self._variables.values())
        there = (
            [
                f"for one in {checked}; do",
                '  [ -e "$one" ] && continue',
                f'  echo "${{0##*/}}: there is no $one. Set the variable of it to its place: {names}" >&2; exit 2',
                "done",
            ]
            if named
            else []
        )
        unpacked = (
            [
                f"mkdir {CLASSES}",
                f'(cd {CLASSES} && {{ unzip -qo ../{JAR} || "${{JAVA_HOME:-/usr}}/bin/jar" xf ../{JAR}; }})',
            ]
            if self._classes
            else []
        )
        return "\n".join(
            [
                "#!/bin/sh",
                f"# Runs the command on {SMALL}. Wanted: {_comment(sign.words)}.",
                f"# {_ENDING}",
                "# Runs in a folder for temporary files, which it removes.",
                'here=$(cd "$(dirname "$0")" && pwd) || exit 2',
                *([f"# {_PORTABLE if portable else _LOCAL}"] if named else []),
                *named,
                *there,
                "work=$(mktemp -d) || exit 2",
                "trap 'rm -rf \"$work\"' EXIT",
                f'cp "$here/{SMALL}" "$work/{JAR}" && cd "$work" && mkdir {TEMPORARY} || exit 2',
                *(['ln -s "$here" .here'] if self._links else []),
                *unpacked,
                f'export JARLET_JAR="$work/{JAR}" JARLET_CLASSES="$work/{CLASSES}" JARLET_WORK="$work" '
                f'TMPDIR="$work/{TEMPORARY}"',
                *sign.lines(lines),
                "",
            ]
        )

    def _words(self, words: Sequence[str]) -> str:
        return " ".join(self._word(word, number == 0) for number, word in enumerate(words))

    def _word(self, word: str, program: bool) -> str:
        """Return the word quoted, with variables for the candidate, the tools and what lies beside the script."""
        if word.startswith("/") and os.path.exists(word):  # whatever letters it has
            return self._path(word, program) or shlex.quote(word)
        parts, at = [], 0
        for match in _PATH.finditer(word):
            shown = self._path(match[0], program and match[0] == word)
            if shown is None:
                continue
            if match[0] != word and shown.startswith(_BESIDE):  # perhaps a shell reads the word: no spaces
                self._links = True
                shown = _LINKED + shown.removeprefix(_BESIDE)
            before = word[at : match.start()]
            parts += [shlex.quote(before)] if before else []
            parts.append(shown)
            at = match.end()
        rest = word[at:]
        parts += [shlex.quote(rest)] if rest or not parts else []
        return "".join(parts)

    def _path(self, text: str, program: bool) -> str | None:
        """Return a path as the script has it; None = as it stands."""
        if text.startswith(f"{_MARK}/"):
            return f'"$work"{shlex.quote(text.removeprefix(_MARK))}'
        jdk = _JDK.match(text)
        if program and jdk is not None:
            return f'"${self._variable(jdk[1], _JAVA_HOME)}"/bin/{jdk[2]}'
        if text.endswith(_ALL_JARS):
            folder = self._path(text.removesuffix(_ALL_JARS), program=False)
            return f"{folder}{shlex.quote(_ALL_JARS)}" if folder else None
        path = Path(text)
        home = next((place for place, name in self._variables.items() if name == _JAVA_HOME), None)
        if home is not None and path.is_relative_to(home):  # the JDK's classes, which a tool is given
            return f'"${_JAVA_HOME}"{shlex.quote(text.removeprefix(home)) if text != home else ""}'
        if not os.path.exists(path):  # or too long a name
            return None
        if path.is_dir():
            if "/jarlet/programs/" in text:
                return self._beside(path, _PROGRAMS)
            return f'"${self._variable(text)}"' if not text.startswith(_OF_THE_SYSTEM) else None
        if path.suffix == ".jar":
            return f'"${self._variable(text)}"'
        if text.startswith(_OF_THE_SYSTEM):
            return None
        if path.stat().st_size <= _LARGEST and os.access(path, os.R_OK):
            return self._beside(path, _FILES)
        return f'"${self._variable(text)}"'

    def _beside(self, path: Path, folder: str) -> str:
        if path not in self.copied:
            taken = set(self.copied.values())
            name = place = f"{folder}/{_safe(path.name)}"
            number = 2
            while place in taken:
                place, number = f"{name}-{number}", number + 1
            self.copied[path] = place
        return f"{_BESIDE}{self.copied[path]}"

    def _variable(self, path: str, name: str = "") -> str:
        if path not in self._variables:
            made = name or re.sub(r"\W+", "_", re.sub(r"-\d.*", "", Path(path).stem)).upper().strip("_") or "PLACE"
            made = f"_{made}" if made[0].isdigit() else made
            taken = set(self._variables.values())
            wish, number = made, 2
            while made in taken:
                made, number = f"{wish}_{number}", number + 1
            self._variables[path] = made
        return self._variables[path]


_MISSED = """{{ unzip -Z1 {jar} || "${{JAVA_HOME:-/usr}}/bin/jar" tf {jar}; }} | grep '[.]class$' |
  grep -v -e '[$]' -e '-info[.]class$' | while read -r name; do
  [ -n "$(find {sources} -path "*/${{name%.class}}.java")" ] || echo "no source for $(echo "${{name%.class}}" | tr / .)"
done"""
"""Lines that tell the classes without a source (see :mod:`core.predicate.output.no_source`)."""
_MARK = "/JARLET-WORK"
_BESIDE, _LINKED = '"$here"/', '"$work"/.here/'
"""The folder of the script, and a link to it in the run's folder, whose path has no spaces."""
_JAVA_HOME = "JAVA_HOME"
_ENDING = "Exit code 0: that was seen; 1: it was not; 2: the command could not be run."
_LOCAL = "Where this machine has its tools; elsewhere set these variables."
_PORTABLE = "The JDK of the path, and the tools beside the jar; for other places set these variables."


def _here(path: str, name: str) -> str:
    """Return the place of a tool on this machine."""
    return _escaped(path)


def _anywhere(path: str, name: str) -> str:
    """Return the place of a tool in the folder of the jar, of the JDK on any machine."""
    if name == _JAVA_HOME:
        return '$(dirname "$(dirname "$(readlink -f "$(command -v javac || command -v java)")")")'
    return f"$here/{_escaped(Path(path).name)}"


def _escaped(path: str) -> str:
    """Return a path as the default within ``${NAME:-...}``."""
    return re.sub(r"([\\\"`$}'\s])", r"\\\1", path)


def _comment(text: str) -> str:
    return " ".join(text.split())[:300]


def _bare(text: str) -> str:
    return re.sub(r"[^\w .,:()-]", "", text)


def _safe(name: str) -> str:
    return re.sub(r"[^\w.-]", "_", name)
