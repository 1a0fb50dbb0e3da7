"""A script that repeats a probe by hand, on the reduced jar that lies beside it, in a folder of its own."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.outside_names import file_name_like
from core.predicate.command import CLASSES, JAR, TEMPORARY
from core.predicate.predicate import CommandPredicate, Predicate
from core.predicate.several.decompiling import cold
from core.predicate.several.differ import DifferPredicate
from core.predicate.tool_chain import StepsPredicate
from core.report.copied_files import CopiedFiles, is_shell_script, with_variables, without_host
from core.report.needed_places import JAVA_HOME, NeededPlaces
from core.report.private_places import OF_THE_SYSTEM, is_private
from core.report.sign import Sign

SMALL = "small.jar"
SCRIPT = "reproduce.sh"

_PROGRAMS, _FILES = "programs", "files"
"""Folders beside the script: Jarlet's own Java programs that take part, and small files of the user's."""

_LARGEST = 1 << 20
"""Bytes up to which a file of the user's is copied beside the script."""

_PATH = re.compile(r"/[^\s:;,=|&<>()'\"]+")
_ALL_JARS = "/*"
"""End of an entry of a class path that stands for all jars of a folder."""
_JDK = re.compile(r"^(/.*)/bin/(java|javac|jdeps|javap)$")


@dataclass
class Reproduction:
    """The text of the script, which names no place of this machine, and what has to lie beside it."""

    script: str = ""
    copied: CopiedFiles = field(default_factory=CopiedFiles)
    variables: Mapping[str, str] = field(default_factory=dict)
    """Variables of the script that name the tools' places on this machine."""
    needs: tuple[str, ...] = ()
    """The tools, in words."""


def reproduction(
    predicate: Predicate, sign: Sign, left_out: Collection[str] = (), *, no_source: bool = False
) -> Reproduction:
    """Return the way to repeat a probe of ``predicate``; ``sign`` has the failure's appearance, and ``left_out`` are
    options of a preset's JVM that the script need not have. With ``no_source`` it tells for which classes a decompiler
    wrote no source.
    """
    made = _Maker(left_out, no_source)
    script = made.script(made.lines(predicate), sign)
    needs = tuple(place.title for place in made.needed.files)
    return Reproduction(script, made.copied, made.needed.variables, needs)


class _Maker:
    def __init__(self, left_out: Collection[str], no_source: bool) -> None:
        self._left_out, self._no_source = frozenset(left_out), no_source
        self.copied, self.needed = CopiedFiles(), NeededPlaces()
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
            return [*self._exports(predicate.extra), without_host(self._words(words))]
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
        home = variables.get(JAVA_HOME)
        java = (
            [f'export {JAVA_HOME}="${self.needed.variable(home, JAVA_HOME)}" && PATH="$JAVA_HOME/bin:$PATH"']
            if home
            else []
        )
        others = {name: value for name, value in variables.items() if name not in (JAVA_HOME, "PATH")}
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

    def script(self, lines: Sequence[str], sign: Sign) -> str:
        """Return the whole script."""
        exported = [f'export {_HERE}="$here" {" ".join(self.needed.variables)}'] if self.copied.texts else []
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
                *self.needed.lines(),
                *exported,
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
            return f'"${self.needed.variable(jdk[1], JAVA_HOME)}"/bin/{jdk[2]}'
        if text.endswith(_ALL_JARS):
            folder = self._path(text.removesuffix(_ALL_JARS), program=False)
            return f"{folder}{shlex.quote(_ALL_JARS)}" if folder else None
        path = Path(text)
        home = self.needed.jdk
        if home is not None and path.is_relative_to(home):  # the JDK's classes, which a tool is given
            return f'"${JAVA_HOME}"{shlex.quote(text.removeprefix(home)) if text != home else ""}'
        if not os.path.exists(path):  # or too long a name
            return f'"$work"/{TEMPORARY}/{shlex.quote(path.name)}' if is_private(text) else None
        if path.is_dir():
            if "/jarlet/programs/" in text:
                return self._beside(path, _PROGRAMS)
            return f'"${self.needed.variable(text)}"' if not text.startswith(OF_THE_SYSTEM) else None
        if path.suffix == ".jar":
            return f'"${self.needed.variable(text)}"'
        if text.startswith(OF_THE_SYSTEM):
            return None
        if path.stat().st_size <= _LARGEST and os.access(path, os.R_OK):
            return self._beside(path, _FILES)
        return f'"${self.needed.variable(text)}"'

    def _beside(self, path: Path, folder: str) -> str:
        places = self.copied.places
        if path not in places:
            taken = set(places.values())
            name = place = f"{folder}/{file_name_like(path.name)}"
            number = 2
            while place in taken:
                place, number = f"{name}-{number}", number + 1
            places[path] = place
            if folder == _FILES:
                self._name_variables(path)
        return f"{_BESIDE}{places[path]}"

    def _name_variables(self, path: Path) -> None:
        """Have a copied shell script name the places of this machine by the variables of the whole script."""
        data = path.read_bytes()
        text = "" if b"\0" in data else data.decode("utf-8", "surrogateescape")
        made = with_variables(without_host(text), self._in_script) if is_shell_script(path, text) else text
        if made != text:
            self.copied.texts[path] = made

    def _in_script(self, text: str) -> str | None:
        """Return a path as a copied shell script has it: a word in double quotes; None = as it stands."""
        handed = is_private(text) or (text.endswith(".jar") and os.path.exists(text))
        shown = self._path(text, program=True) if handed else None
        if shown is None:
            return None
        shown = shown.replace('"$here"', f"${_HERE}").replace('"$work"', "$JARLET_WORK")
        return '"' + shown.replace('"', "").replace("'", "") + '"'


_MISSED = """{{ unzip -Z1 {jar} || "${{JAVA_HOME:-/usr}}/bin/jar" tf {jar}; }} | grep '[.]class$' |
  grep -v -e '[$]' -e '-info[.]class$' | while read -r name; do
  [ -n "$(find {sources} -path "*/${{name%.class}}.java")" ] || echo "no source for $(echo "${{name%.class}}" | tr / .)"
done"""
"""Lines that tell the classes without a source (see :mod:`core.predicate.output.no_source`)."""
_MARK = "/JARLET-WORK"
_BESIDE, _LINKED = '"$here"/', '"$work"/.here/'
"""The folder of the script, and a link to it in the run's folder, whose path has no spaces."""
_HERE = "JARLET_BESIDE"
"""Variable of the folder of the script, for the scripts that it runs."""
_ENDING = "Exit code 0: that was seen; 1: it was not; 2: the command could not be run."


def _comment(text: str) -> str:
    return " ".join(text.split())[:300]


def _bare(text: str) -> str:
    return re.sub(r"[^\w .,:()-]", "", text)
