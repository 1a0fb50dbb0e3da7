"""The predicate command as the user writes it.

``{jar}`` (or ``{}``) stands for the candidate as a jar, of several inputs ``{jar:NAME}`` for one, ``{classpath}`` for
all and the libraries, ``{inputs}`` for a word each, ``{dir}`` for their folder; ``{classes}`` for the candidate as a
folder of classes, ``{file:PATH}`` for a file of the user's. The environment has the same paths
(:data:`core.predicate.places.VARIABLES`). A command that uses none of these is given the jar, or the jars, as its last
arguments. No shell is involved unless the command calls one.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from core.errors import PredicateError
from core.predicate.places import ONE_JAR, VARIABLES, CandidatePlaces, environment_of
from core.words import nearest

_PLACEHOLDER = re.compile(r"\{(jar(?::[^{}]*)?|classpath|inputs|dir|classes|file:[^{}]*|)\}")
_SCRIPT_LIMIT = 1 << 20
_INPUTS = "{inputs}"

_SOURCES = (".java", ".scala", ".kt", ".groovy", ".clj")
_MOST_SOURCES = 200
"""Largest number of source files read for their imports."""
_IMPORT = re.compile(r"^(?:[ \t]*|.*\(:?)import[ \t].*", re.MULTILINE)

_KNOWN = ("jar", "classpath", "inputs", "dir", "classes", "file:PATH")
"""Names of the placeholders, as messages list them."""
_IN_BRACES = re.compile(r"(?<!\$)\{([A-Za-z_][\w-]*)(:[^{}]*)?\}")
_QUOTED = re.compile(r"""'[^']*'|"(?:\\.|[^"\\])*"|\\.|\{[^{}]*\}""", re.DOTALL)
_PART = re.compile(r"""[^\s"'`()<>|;&=]+""")
"""Pattern of the words of a script."""
_VARIABLE = re.compile(r"^\$(?:\w+|\{[^{}]*\})")
"""Pattern of a variable at the beginning of a path in a script."""
_OPERATORS = re.compile(r"&&|\|\|?|[<>;]")
_STARTS_TOOL = re.compile(r"""\bjava\b[^\n|;&]*?\s-jar\s+(?!\s|["']?(?:\{(?:jar)?\}|\$\{?(?:1|JARLET_JAR)\b))""")
"""Pattern of the start of a tool in the text of a command."""
_HOSTED = re.compile(r"jarlet\W*\shost\b", re.I)
"""Pattern of a tool that is kept in memory already."""


@dataclass(frozen=True)
class PredicateCommand:
    """A parsed template: ``words`` with placeholders, user's files already absolute."""

    text: str
    words: tuple[str, ...]
    needs_classes: bool
    relative: tuple[str, ...]
    """Words, or parts of a class path, that name a file of the current directory. The probe's directory lacks these
    files."""
    places: CandidatePlaces = ONE_JAR

    @property
    def operators(self) -> tuple[str, ...]:
        """Operators of a shell outside quotes, each once. No shell reads them: the command gets them as arguments."""
        return tuple(dict.fromkeys(_OPERATORS.findall(_QUOTED.sub("_", self.text))))

    @property
    def operators_text(self) -> str:
        """Sentences on the operators; empty if there are none."""
        if not self.operators:
            return ""
        become = "are arguments" if len(self.operators) > 1 else "is an argument"
        return (
            f"No shell runs the command, so {' and '.join(self.operators)} {become} of the program "
            f"{Path(self.words[0]).name}. If a shell is meant, write sh -c '...', or take the preset command."
        )

    @property
    def files_text(self) -> str:
        """A sentence on the files of the user's current folder that the command names but a run does not see; empty if
        there are none."""
        if not self.relative:
            return ""
        named = ", ".join(shlex.quote(word) for word in self.relative)
        return (
            f"The command runs in a folder of its own, so it cannot see {named} of the current folder: "
            f"write {{file:{self.relative[0]}}}, or an absolute path."
        )

    @classmethod
    def parse(cls, text: str, folder: Path | None = None, places: CandidatePlaces = ONE_JAR) -> PredicateCommand:
        """Read a template; relative paths of ``{file:PATH}`` and of the program start at ``folder``.

        Raises PredicateError for a faulty template, or one that does not fit the ``places``.
        """
        base = folder or Path.cwd()
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise PredicateError(f"The predicate command cannot be read: {error} in {text!r}.") from error
        if not words:
            raise PredicateError("The predicate command is empty: write a command, for instance ./check.sh {jar}.")
        used = any(_PLACEHOLDER.search(word) for word in words)
        for word in words:
            _check_placeholders(word, places, used)
        words = [with_files(word, base) for word in words]
        words[0] = _program(words[0], base)
        in_script = _mentions(words, base)
        variables = text + in_script
        needs_classes = any("{classes}" in word for word in words) or VARIABLES["classes"] in variables
        if (
            places.several
            and VARIABLES["jar"] in variables
            and not any(VARIABLES[name] in variables for name in ("classpath", "inputs", "dir"))
        ):
            raise PredicateError(
                f"The predicate uses {VARIABLES['jar']}, but there are {len(places.inputs)} inputs: use"
                f" {VARIABLES['classpath']} for all of them, or {VARIABLES['inputs']} for one word each."
            )
        if not used and "JARLET_" not in variables:
            words.append(_INPUTS if places.several else "{jar}")
        relative = tuple(
            part
            for word in words[1:]
            for part in word.split(os.pathsep)
            if part and "{" not in part and not part.startswith(("-", "/"))
            if os.path.exists(base / part)  # or too long a name
        )
        return cls(text, tuple(words), needs_classes, relative, places)

    @property
    def always(self) -> tuple[str, ...]:
        """Names of the inputs that the command names one by one: these are there in any case."""
        places, used = self.places, [match[1] for word in self.words for match in _PLACEHOLDER.finditer(word)]
        found = [places.find(name.removeprefix("jar:")) for name in used if name.startswith("jar:")]
        only = [] if places.several else places.inputs
        return tuple(dict.fromkeys(each.name for each in (*found, *only) if each is not None))

    def argv(self, work: Path, there: Collection[str] | None = None) -> list[str]:
        """Return the words for a probe in the folder ``work``. ``there``: see
        :meth:`core.predicate.places.CandidatePlaces.jars`."""
        values = self.places.values(work, there)

        def value(match: re.Match[str]) -> str:
            name = match[1] or "jar"
            return values[name] if name in values else self.places.value(name.removeprefix("jar:"), work)

        found: list[str] = []
        for word in self.words:
            found += self.places.jars(work, there) if word == _INPUTS else [_PLACEHOLDER.sub(value, word)]
        return found

    def environment(self, work: Path) -> dict[str, str]:
        """Return this process's environment with the candidate's places."""
        return environment_of(work, self.places)

    def shell_line(self, work: Path, variables: Mapping[str, str] = MappingProxyType({})) -> str:
        """Return a line for the user's shell that repeats a probe in its kept folder, with these variables."""
        variables_of_run = {**self.places.environment(work), "JARLET_WORK": str(work)}
        settings = " ".join(f"{name}={shlex.quote(value)}" for name, value in variables_of_run.items())
        needs = f"{settings} " if "JARLET_" in self.text + _mentions(list(self.words), Path("/")) else ""
        return f"cd {shlex.quote(str(work))} && {exports(variables)}{needs}{shlex.join(self.argv(work))}"


def resident_text(wording: str) -> str:
    """Return a sentence for a command that starts a Java tool for each candidate, by its :func:`wording`; empty for
    other commands."""
    if not _STARTS_TOOL.search(wording) or _HOSTED.search(wording):
        return ""
    return "The command starts a tool by 'java -jar': 'jarlet host' in its place keeps the tool in memory."


def wording(text: str) -> str:
    """Return the user's text: the template ``text``, the texts of its scripts, and of the scripts that these name."""
    try:
        words = [with_files(word, Path.cwd()) for word in shlex.split(text)]
    except (ValueError, PredicateError):
        return text
    return f"{text}\n{_mentions(words, Path.cwd())}"


def sources(text: str) -> str:
    """Return the texts of the source files named by the template ``text`` and its scripts, and the imports in the
    scripts, since a script may write source files.
    """
    texts: dict[Path, str] = {}
    with suppress(ValueError, PredicateError):
        for word in shlex.split(text):
            if "{" not in word or word.startswith("{file:"):
                _read(Path.cwd() / with_files(word, Path.cwd()), texts)
    found = {path: each for path, each in texts.items() if path.suffix in _SOURCES}
    scripts = {path: each for path, each in texts.items() if path not in found}
    for path, script in {Path.cwd() / "command": text, **scripts}.items():
        for named in _named_in(script, path.parent):
            if named.suffix in _SOURCES:
                with suppress(OSError, ValueError):
                    alike = sorted(named.parent.glob(named.name)) if "*" in named.name else [named]
                    found |= {each: _text(each) for each in alike[: _MOST_SOURCES - len(found)]}
    return "\n".join([*found.values(), *_IMPORT.findall("\n".join(scripts.values()))])


def java_variables(home: Path) -> dict[str, str]:
    """Return the variables of the environment by which programs find the JDK in ``home``."""
    return {"JAVA_HOME": str(home), "PATH": os.pathsep.join((str(home / "bin"), os.environ.get("PATH", os.defpath)))}


def exports(variables: Mapping[str, str]) -> str:
    """Return the part of a line of the user's shell that sets the variables of a run: the JDK's as
    :func:`java_variables` has them, and all others.
    """
    found = [f"export {name}={shlex.quote(value)}" for name, value in variables.items() if name != "PATH"]
    found += ['export PATH="$JAVA_HOME/bin:$PATH"'] if "JAVA_HOME" in variables else []
    return "".join(f"{each} && " for each in found)


def _check_placeholders(word: str, places: CandidatePlaces, used: bool) -> None:
    """Raise PredicateError for an unknown placeholder, or one that does not fit the inputs.

    Programs have uses of their own for braces. An unknown name is an error if it resembles a known one; where no
    placeholder is ``used``, also if it makes up the whole word or everything after an equals sign.
    """
    for match in _PLACEHOLDER.finditer(word):
        misfit = places.misfit(match[1])
        if misfit:
            raise PredicateError(f"The predicate command has {match[0]}, but {misfit}.")
        if match[0] == _INPUTS != word:
            raise PredicateError(f"{_INPUTS} stands for several words, so it must be a word of its own, not {word!r}.")
    for match in _IN_BRACES.finditer(word):
        if _PLACEHOLDER.fullmatch(match[0]):
            continue
        meant = nearest(match[1], [name.partition(":")[0] for name in _KNOWN])
        if meant or (not used and word.rpartition("=")[2] == f"{{{match[1]}}}"):
            known = ", ".join(f"{{{name}}}" for name in _KNOWN)
            near = next((f" Did you mean {{{name}}}?" for name in _KNOWN if meant and name.startswith(meant)), "")
            raise PredicateError(
                f"The predicate command has no placeholder {match[0]}; the placeholders are {known}.{near} Braces that "
                f"mean something else {'belong in a script' if meant else 'stand beside {jar}, or in a script'}."
            )


def with_files(word: str, base: Path) -> str:
    """Return a word with the path of each ``{file:PATH}``, relative to ``base``. Raise PredicateError where there is no
    such file."""

    def absolute(match: re.Match[str]) -> str:
        if not match[1].startswith("file:"):
            return match[0]
        path = base / Path(match[1][len("file:") :]).expanduser()
        if not path.exists():
            raise PredicateError(f"The predicate names {match[0]}, but there is no file {path}.")
        return str(path.resolve())

    return _PLACEHOLDER.sub(absolute, word)


def _program(word: str, base: Path) -> str:
    """Return the program as an absolute path; a bare name is looked up on PATH."""
    if "{" in word:
        return word
    if "/" in word:
        path = (base / Path(word).expanduser()).absolute()
        if not path.exists():
            raise PredicateError(f"The predicate command does not exist: there is no file {path}.")
        if path.is_dir():
            raise PredicateError(f"The predicate command cannot be run: {path} is a folder. Name a program in it.")
        if not path.is_file() or not os.access(path, os.X_OK):
            raise PredicateError(f"The predicate command cannot be run: {path} is not executable (chmod +x {path}?).")
        return str(path)
    found = shutil.which(word)
    if found is None:
        here = base / word
        hint = f" Did you mean ./{word}, the file in this folder?" if here.is_file() else ""
        raise PredicateError(f"The predicate command does not exist: no program {word!r} on the PATH.{hint}")
    return word


def _mentions(words: list[str], base: Path) -> str:
    """Return the texts of the files among the words and of the scripts named there: they show the command's use of the
    candidate's places, tools and classes of the input.
    """
    texts: dict[Path, str] = {}
    for word in words:
        if "{" not in word:
            _read(base / word, texts)
    return "\n".join(texts.values())


def _read(path: Path, texts: dict[Path, str]) -> None:
    """Add the text of a file to ``texts``; for a script also the texts of the scripts it names, at any depth."""
    path = Path(os.path.realpath(path))
    text = "" if path in texts else _text(path)
    if text:
        texts[path] = text
        for named in _named_in(text, path.parent) if _is_script(path, text) else ():
            if _is_script(named, _text(named)):
                _read(named, texts)


def _text(path: Path) -> str:
    """Return the text of a file; nothing for a binary or a large file, and where there is none."""
    with suppress(OSError, ValueError):
        if path.is_file() and path.stat().st_size <= _SCRIPT_LIMIT:
            data = path.read_bytes()
            return "" if b"\0" in data else data.decode("utf-8", errors="replace")
    return ""


def _is_script(path: Path, text: str) -> bool:
    """Return True for a text with a ``#!`` line, or in an executable file."""
    return text.startswith("#!") or (bool(text) and os.access(path, os.X_OK))


def _named_in(text: str, folder: Path) -> Iterable[Path]:
    """Return the files that a script's text may name, each once. A name behind a variable or the output of a command is
    looked up in the script's own folder.
    """
    words = dict.fromkeys(_PART.findall(text))
    places = [place for word in words for place in (folder / word, folder / _VARIABLE.sub("", word).lstrip("/"))]
    return dict.fromkeys(places)
