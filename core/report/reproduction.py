"""A script that repeats a probe by hand, on the reduced jar beside it, in a folder of its own; and that jar within the
text of an issue: base64, with the two commands that write the jar and show the failure."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shlex
import textwrap
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.predicate.command import PredicateCommand, wording
from core.predicate.places import CLASSES, INPUTS, JAR, TEMPORARY, VARIABLES
from core.predicate.predicate import CommandPredicate, Predicate
from core.predicate.several.differ import DifferPredicate
from core.predicate.several.every import EveryPredicate
from core.predicate.tool_chain import StepsPredicate
from core.report.document import TOO_LARGE, Block, CodeBlock, Paragraph
from core.report.needed_places import JAVA_HOME
from core.report.private_places import is_private
from core.report.sign import Sign
from core.report.taken_files import HERE, PATH, WORK, CopiedFiles, TakenFiles, mark, without_host

SMALL = "small.jar"
SCRIPT = "reproduce.sh"


@dataclass
class Reproduction:
    """The text of the script, without a place of this machine, and the files that have to lie beside it."""

    script: str
    copied: CopiedFiles
    variables: Mapping[str, str]
    """Variables of the script that name the tools' places on this machine."""
    needs: tuple[str, ...]
    """The tools, in words."""
    limit: int
    """Seconds after which the script ends a hang; 0: it has no limit."""


def reproduction(
    predicate: Predicate,
    sign: Sign,
    left_out: Collection[str] = (),
    *,
    inputs: Collection[Path] = (),
    there: Collection[str] = (),
    folders: Mapping[Path, Sequence[Path]] = {},
) -> Reproduction:
    """Return the way to repeat a probe of ``predicate``; ``sign`` has the failure's appearance, and ``left_out`` are
    options of a preset's JVM that the script can do without. The ``inputs`` are not copied; ``there`` are the names of
    the remaining jars of a class path, held by the reduced jar. Of ``folders`` only these files are copied.
    """
    made = _Maker(left_out, TakenFiles(inputs, folders), there)
    script, files = made.script(made.lines(predicate), sign), made.files
    needs = tuple(place.title for place in files.needed.files)
    return Reproduction(script, files.copied, files.needed.variables, needs, sign.limit)


class _Maker:
    def __init__(self, left_out: Collection[str], files: TakenFiles, there: Collection[str]) -> None:
        self._left_out, self._there = frozenset(left_out), there
        self._jar = JAR
        """Path of the candidate in the run's folder."""
        self._jars: list[str] = []
        """Lines that make the jars in the folder of inputs."""
        self._places: dict[str, str] = {}
        """Values of the variables of the candidate's places, as the shell reads them."""
        self.files = files
        self._classes = False

    def lines(self, predicate: Predicate, place: str = "") -> list[str]:
        """Return lines of shell that do the predicate's work, in the folder of the run."""
        predicate = predicate.cold
        if isinstance(predicate, DifferPredicate):
            found = []
            for name, title, one in (
                ("first", predicate.titles[0], predicate.first),
                ("second", predicate.titles[1], predicate.second),
            ):
                bare = re.sub(r"[^\w .,:()-]", "", title)
                found += [f'echo "== {name}: {bare}"', *self._apart(name, one)]
            return found
        if isinstance(predicate, CommandPredicate):
            self._classes |= predicate.command.needs_classes
            command, work = predicate.command, Path(mark("WORK"))  # which a word may hold anywhere
            self._jar = command.places.one
            if command.places.is_class_path:
                self._jars = self._unpacking(command)
            elif self._jar != JAR:
                self._jars = [f"mkdir {INPUTS} && cp {JAR} {self._jar}"]
            self._places = self._used(command)
            every = predicate.commands if isinstance(predicate, EveryPredicate) else (command,)
            texts = (without_host(shlex.join(each.argv(work, self._there))) for each in every)
            line = " && ".join(self._words(shlex.split(text)) for text in texts)
            inherited = {
                name: os.environ[name]
                for name in sorted(self.files.variables - _OF_THE_RUN)
                if any(is_private(found[0]) for found in PATH.finditer(os.environ.get(name, "")))
                and not name.startswith("JARLET_")
            }
            for name, value in inherited.items():
                self.files.take_below(name, value)
            return [*self._exports({**inherited, **predicate.extra}), line]
        if isinstance(predicate, StepsPredicate):
            self._classes |= predicate.needs_classes
            found = self._exports(predicate.extra)
            for step in predicate.steps:
                *before, _ = step.shell_line().split(" && ") if step.makes or step.lists else [""]
                found += [one for one in before if one]
                found += [_MISSED.format(jar=JAR, sources=step.lists)] if step.lists else []
                line = self._words([word for word in step.words if word.removeprefix("-J") not in self._left_out])
                found.append(f"if [ -s {step.lists}.list ]; then {line}; fi" if step.lists else line)
            return found
        return [f"echo {shlex.quote('This predicate has no command line.')}; exit 2"]

    def _unpacking(self, command: PredicateCommand) -> list[str]:
        """Return lines that take the jars of a class path out of the reduced jar."""
        gone = [name for name in command.always if name not in self._there]
        return [
            f"mkdir {INPUTS}",
            f"(cd {INPUTS} && {_unzipped(f'../{JAR}')})",
            *(f"printf '{_EMPTY}' >{shlex.quote(f'{INPUTS}/{name}')}" for name in gone),
        ]

    def _used(self, command: PredicateCommand) -> dict[str, str]:
        """Return the variables of the candidate's places. Of one jar the class path, which has libraries, and the list
        of inputs are left out unless the texts of the command have them.
        """
        always = VARIABLES.values() if command.places.is_class_path else _ALWAYS
        text, places = wording(command.text), command.places.environment(Path(mark("WORK")), self._there)
        return {
            name: self._word(value, program=False) for name, value in places.items() if name in always or name in text
        }

    def _exports(self, variables: Mapping[str, str]) -> list[str]:
        """Return lines that set the variables of a run. If one of them is a JDK's, programs find this JDK."""
        home = variables.get(JAVA_HOME)
        java = (
            [f'export {JAVA_HOME}="${self.files.needed.variable(home, JAVA_HOME)}" && PATH="$JAVA_HOME/bin:$PATH"']
            if home
            else []
        )
        others = {name: value for name, value in variables.items() if name not in (JAVA_HOME, "PATH")}
        return java + [f"export {name}={self._word(value, program=False)}" for name, value in others.items()]

    def _apart(self, name: str, predicate: Predicate) -> list[str]:
        """Return each of two tools in a folder of its own, as the probes have it."""
        return [
            f"mkdir {name} && cp {JAR} {name}/ && mkdir {name}/{TEMPORARY}",
            f"for folder in {CLASSES} {INPUTS}; do [ ! -d $folder ] || cp -r $folder {name}/; done",
            f'(cd {name} && work=$PWD && export JARLET_JAR="$work/{self._jar}" JARLET_CLASSES="$work/{CLASSES}" '
            'JARLET_WORK="$work"',
            *self.lines(predicate),
            ") 2>&1",  # below the tool's heading
            'echo "exit code $?"',
        ]

    def script(self, lines: Sequence[str], sign: Sign) -> str:
        """Return the whole script."""
        copied, needed = self.files.copied, self.files.needed
        last_first = shlex.join(reversed(list(self._there)))
        places = "".join(f"{name}={value} " for name, value in self._places.items())
        unpacked = (
            [
                f"mkdir {CLASSES}",
                f"(cd {CLASSES} && {_unzipped(f'../{JAR}')})"
                if not self._there
                else f"(cd {CLASSES} && for jar in {last_first}; do {_unzipped(f'../{INPUTS}/$jar')}; done)",
            ]
            if self._classes
            else []
        )
        return "\n".join(
            [
                "#!/bin/sh",
                f"# Runs the command on {SMALL}. Wanted: {' '.join(sign.words.split())[:300]}.",
                f"# {_ENDING}",
                "# Runs in a folder for temporary files, which it removes.",
                *(["set -a"] if sign.limit else []),
                'here=$(cd "$(dirname "$0")" && pwd) || exit 2',
                *needed.lines(),
                "work=$(mktemp -d) || exit 2",
                "trap 'rm -rf \"$work\"' EXIT",
                f'cp "$here/{SMALL}" "$work/{JAR}" && cd "$work" && mkdir {TEMPORARY} || exit 2',
                *_beside(copied),
                *self._jars,
                *unpacked,
                f'export {places}JARLET_WORK="$work" TMPDIR="$work/{TEMPORARY}"',
                *sign.lines(lines),
                "",
            ]
        )

    def _words(self, words: Sequence[str]) -> str:
        return " ".join(self._word(word, number == 0) for number, word in enumerate(words))

    def _word(self, word: str, program: bool) -> str:
        """Return the word quoted, with variables for the candidate, the tools and the files beside the script."""
        told = self.files.told(word, program)
        parts = [
            _VARIABLES.get(part, f'"${part}"') if at % 2 else part and shlex.quote(part)
            for at, part in enumerate(told.split("\0"))
        ]
        return "".join(parts) or "''"


def _unzipped(jar: str) -> str:
    """Return the shell's words that unpack a jar into the current folder."""
    return f'{{ unzip -qo {jar} || "${{JAVA_HOME:-/usr}}/bin/jar" xf {jar}; }}'


def _beside(copied: CopiedFiles) -> list[str]:
    """Return lines that copy the files beside the script into the folder of the run, fill marks, and link the rest."""
    places = [*copied.places, *copied.links]
    if not places:
        return []
    folders = sorted({f"{_COPY}/{os.path.dirname(place)}" for place in copied.links} | {_COPY})
    tops = sorted({place.partition("/")[0] for place in copied.places})
    filled = shlex.join(copied.texts)
    return [
        f"mkdir -p {shlex.join(folders)}",
        *(f'cp -R "$here/{top}" {_COPY}/ || exit 2' for top in tops),
        *(f'ln -s "${variable}" {shlex.quote(f"{_COPY}/{place}")}' for place, variable in copied.links.items()),
        *(
            [
                f"for file in {filled}; do",
                f'  sed "s|{HERE}|$work/{_COPY}|g; s|{WORK}|$work|g" "$here/$file" >"{_COPY}/$file"',
                "done",
            ]
            if filled
            else []
        ),
    ]


_MISSED = """{{ unzip -Z1 {jar} || "${{JAVA_HOME:-/usr}}/bin/jar" tf {jar}; }} | grep '[.]class$' |
  grep -v -e '[$]' -e '-info[.]class$' | while read -r name; do
  [ -n "$(find {sources} -size +0 -path "*/${{name%.class}}.java")" ] ||
    echo "no source for $(echo "${{name%.class}}" | tr / .)"
done
find {sources} -name '*.java' -exec sed -n -e 's,^ *//,,p' -e 's,^ *[*],,p' {{}} +"""
"""Lines that tell the classes without a source, and the comments of the others (see
:func:`core.predicate.output.no_source.said`)."""
_EMPTY = "PK\\005\\006" + 18 * "\\000"
"""A jar without entries, as printf of the shell writes it."""
_COPY = ".here"
"""Copy of the folder of the script in the run's folder, whose path has no spaces."""
_ALWAYS = (VARIABLES["jar"], VARIABLES["classes"])
"""Variables of the environment that each command of one jar has, whatever its texts say: a program may read them."""
_VARIABLES = {"WORK": '"$work"', "HERE": f'"$work"/{_COPY}'}
"""Marks that stand for no variable of their own."""
_OF_THE_RUN = {"HOME", "PATH", "PWD", "OLDPWD", "TMPDIR", "JAVA_HOME"}
"""Variables that each machine has its own values of."""
_ENDING = "Exit code 0: that was seen; 1: it was not; 2: the command could not be run."


_END = "END-OF-JAR"
_END_OF_SCRIPT = "END-OF-SCRIPT"
_WIDTH = 76
"""Characters of a line of base64."""

MOST = 60_000
"""Largest number of characters of base64 in a document: an issue tracker takes 65,536 of everything."""


def carried(jar: bytes, script: str, needs: Sequence[str], lacks: Sequence[str]) -> Block:
    """Return the block that carries a jar; for a jar above the limit a sentence.

    ``script`` is the shell script that shows the failure of the jar, with the jar and the files ``needs`` beside it.
    ``lacks`` are needed files that are not in the block: then it has no second command.
    """
    if 4 * len(jar) / 3 > MOST:
        return Paragraph(TOO_LARGE)
    text = base64.b64encode(jar).decode("ascii")
    lines = [f"base64 -d > {SMALL} << '{_END}'", *textwrap.wrap(text, _WIDTH), _END]
    if script and not lacks:
        lines += [f"sh << '{_END_OF_SCRIPT}'", *script.splitlines(), _END_OF_SCRIPT]
    about = f"{SMALL} has {len(jar):,} bytes, SHA-256 {hashlib.sha256(jar).hexdigest()}. "
    if lacks:
        about += f"The command writes it. To show the failure takes besides: {', '.join(lacks)}."
    else:
        about += "In an empty folder the first command writes it, and the second shows the failure. They need a JDK"
        about += f", and {', '.join(needs)}: in the same folder, or where Maven keeps it." if needs else "."
        about += " The variables at the second one's beginning name other places."
    return CodeBlock("\n".join(lines), "sh", f"{SMALL} itself, to be unpacked by a command", about)
