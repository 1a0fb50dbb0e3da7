"""The complaints of javac, as names that stay stable while unrelated classes come and go.

A name is the file's simple name, the message, and its first details: ``A.java: cannot find symbol; symbol: method f();
location: class A``. Left out is everything that changes with the surroundings: folders, lines, columns, the source
line, lists of inapplicable methods, explanations of type variables, numbers by javac or a decompiler for captures, type
variables, parameters and local variables.

The few messages of javac's parser fit any text that is no Java. The first token that the parser could not read tells
them apart: ``A.java: illegal start of expression; at *`` of ``** GOTO``, ``at void`` of ``void x = y``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from core.predicate.output.messages import FOLDERS, replacing, undecorated

_HEADER = re.compile(
    r"^(?P<file>(?:[A-Za-z]:)?[^\s:][^:]*\.java):(?P<line>\d+): "
    r"(?P<kind>error|エラー|错误|Fehler|warning|警告|Warnung): (?P<message>.*)$"
)
_ERRORS = ("error", "エラー", "错误", "Fehler")
"""Words of javac for an error, in the languages that it has."""
_OF_MAVEN = re.compile(r"^\[(?:(ERROR)|WARNING)\] (\S.*\.java):\[(\d+),\d+\] (?:error: )?(?=\S)", re.MULTILINE)
_BARE = re.compile(r"^(?P<kind>error|warning): (?P<message>.*)$")
_OWN = re.compile(
    r"^(?:\d+ errors?|Usage: javac\b.*|error: (?:no source files|class output directory must be specified .*"
    r"|directory not found: .*))$",
    re.MULTILINE,
)
"""Lines that tell javac's errors without a place from those of other tools: its count, its usage, and the errors
without either."""
_OTHERS = re.compile(
    r"^(?:\S+\.(?:scala|kt|groovy):\s?\d+:|error: (?:error while loading |bad symbolic reference|missing or invalid dep"
    r"|Error while emitting|\S+(?:Exception|Error)$))",
    re.MULTILINE,
)
"""Lines of other compilers whose errors without a place look as javac's do."""
_END = re.compile(
    r"^(?:(?:Note|ノート|注|Hinweis): .*|\d+ (?:(?:error|warning)s?|Fehler|Warnung(?:en)?|个(?:错误|警告))"
    r"|(?:エラー|警告)\d+個|only showing the first \d+ .*)$"
)
_CARET = re.compile(r"^\s*\^+\s*$")
"""Underline of a place in the source line above: one character of javac, all characters of the place of ECJ."""
_WHERE = re.compile(r"^\s+where \S+(?:,\S+)* (?:is|are) ")
_CANDIDATE = re.compile(r"^\s*(?:method|constructor) .* is not applicable$|^\s*\(.*\)?$")
_CRASH = "An exception has occurred in the compiler"

_DETAILS = 2
"""Lines of details that belong to a name."""

_PARSER = re.compile(
    r"expected$|expected, |expected instead|^illegal (?:start of|character|line end|escape|text block|underscore)"
    r"|^not a statement$|^unclosed |^reached end of file|^orphaned |^malformed |^'.*' without '|^empty character"
    r"|^variable declaration not allowed here|^integer number too large|^invalid method declaration"
    r"|^array dimension missing|^repeated modifier|^class, interface|is a keyword"
)
"""Messages of javac's scanner and parser: while there is one, javac goes no further."""

_PARSER_OF_ECJ = re.compile(
    r"^Syntax error\b|^(?:String literal|Text block) is not properly closed|^Unexpected end of (?:file|comment)"
    r"|^Invalid (?:character constant|escape sequence|input|unicode|digit|(?:hex|octal|binary|float) literal)"
    r"|^Unmatched bracket|^Underscores have to be located within digits"
)
"""Messages of ECJ's scanner and parser."""
_ECJ_TOKEN = re.compile(r'(?<= on token )"([^"]+)"')
"""Token in a message of ECJ's parser."""

_TOKEN = re.compile(
    r"\s*(?:(?P<word>[^\W\d][\w$]*|\$[\w$]*)|(?P<number>\d|\.\d)|(?P<text>[\"'])|(?P<sign>->|::|\.\.\.|\S))"
)
_KEYWORD = re.compile(
    r"abstract|assert|boolean|break|byte|case|catch|char|class|const|continue|default|do|double|else|enum|extends|false"
    r"|final|finally|float|for|goto|if|implements|import|instanceof|int|interface|long|native|new|null|package|private"
    r"|protected|public|return|short|static|strictfp|super|switch|synchronized|this|throws?|transient|true|try|void"
    r"|volatile|while|_"
)
"""Words that are no names (JLS 3.9, 3.10.3, 3.10.8)."""

_stable = replacing(
    FOLDERS,
    (r"\b(CAP|INT)#\d+", r"\1"),
    (r"\bcapture#\d+ of ", "capture of "),
    (r"\b([A-Za-z_$][\w$]*)#\d+", r"\1"),
    (r"\b(lambda|access|switch|val|this)\$((?:\w+\$)?)\d+\b", r"\1$\2"),
    (r"\b(var|arg|param|local)_?\d+(?:_\d+)*\b", r"\1"),
    (r"\blocation: variable \S+ of type ", "location: variable of type "),
    (r"\bvariable ([A-Za-z_$][\w$]*?)_?\d+(?:_\d+)*\b", r"variable \1"),
    (r"\s+", " "),
)


@dataclass(frozen=True, slots=True)
class CompileError:
    """An error of javac's. ``file`` is a simple name, empty for an error of no file; the texts are normalised."""

    file: str
    message: str
    details: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Identity of the failure across runs."""
        text = "; ".join((self.message, *self.details))
        return f"{self.file or 'javac'}: {text}"

    @property
    def of_parser(self) -> bool:
        """Return True if javac could not even parse the file."""
        return _PARSER.search(self.message) is not None and not self.of_ecjs_parser

    @property
    def of_ecjs_parser(self) -> bool:
        """Return True if ECJ could not parse a part of the file. ECJ goes on with the rest."""
        return _PARSER_OF_ECJ.search(self.message) is not None


@dataclass(frozen=True, slots=True)
class PlacedError:
    """An error with the file as javac was given it, its line there (0: of no line), and what javac said."""

    error: CompileError
    path: str
    line: int
    text: str


def names(text: str, *, every: bool = True) -> tuple[str, ...]:
    """Return the names of the errors in javac's output, sorted, one entry an occurrence; not ``every``: of those that
    :func:`first_placed` returns."""
    return tuple(sorted(one.error.name for one in (placed(text) if every else first_placed(text))))


def is_of_parser(name: str) -> bool:
    """Return True if the error of that name (:func:`names`) is one of the parser: javac could not even parse the
    file."""
    return CompileError("", name.partition(": ")[2].partition("; ")[0]).of_parser


def hides_errors(text: str) -> bool:
    """Return True if there are errors of the parser, because of which javac reports no other errors."""
    return any(one.error.of_parser for one in placed(text))


@lru_cache(maxsize=4)  # thousands of errors, about which the check and each of hundreds of groups of failures ask
def placed(text: str) -> tuple[PlacedError, ...]:
    """Return the errors in javac's output (English, as ``-J-Duser.language=en`` makes it), in its order, each with its
    place."""
    return tuple(map(_placed, _blocks(text)))


@lru_cache(maxsize=1 << 14)  # candidates repeat the errors of the input
def _placed(text: str) -> PlacedError:
    block = text.split("\n")
    header = _HEADER.match(block[0])
    told = header or _BARE.match(block[0])
    assert told is not None
    path, line = (header["file"], int(header["line"])) if header else ("", 0)
    message = _ECJ_TOKEN.sub(lambda match: f'"{_told_in(match[1])}"', told["message"])
    error = CompileError(re.split(r"[/\\]", path)[-1], _normal(message))
    details = _unread(block) if error.of_parser else _details(block[1:])
    return PlacedError(replace(error, details=tuple(details)[:_DETAILS]), path, line, text)


def first_placed(text: str) -> list[PlacedError]:
    """Return the errors in javac's output, each with its place, without possible consequences of a syntax error. Of a
    file with an error of javac's parser only the first error stays, of several errors of ECJ's parser in a file only
    the first of these.
    """
    found: dict[str, list[PlacedError]] = {}
    for one in placed(text):
        found.setdefault(one.path, []).append(one)
    return [one for errors in found.values() for one in _first(errors)]


def _first(errors: list[PlacedError]) -> list[PlacedError]:
    """Return the errors of a file without possible consequences of an error of the parser."""
    if any(one.error.of_parser for one in errors):
        return errors[:1]
    of_ecj = [number for number, one in enumerate(errors) if one.error.of_ecjs_parser]
    return [one for number, one in enumerate(errors) if number not in of_ecj[1:]]


def crashed(text: str) -> bool:
    """Return True if javac itself crashed."""
    return _CRASH in text


def _blocks(text: str) -> Iterator[str]:
    """Yield each error's lines, from its header to the next."""
    block: list[str] = []
    bare = _OWN.search(text) is not None and _OTHERS.search(text) is None
    text = _OF_MAVEN.sub(lambda found: f"{found[2]}:{found[3]}: {'error' if found[1] else 'warning'}: ", text)
    for line in map(undecorated, text.splitlines()):
        header = _HEADER.match(line) or (_BARE.match(line) if bare else None)
        if header or _END.match(line):
            if block:
                yield "\n".join(block)
            block = [line] if header and header["kind"] in _ERRORS else []
        elif block:
            block.append(line)
    if block:
        yield "\n".join(block)


def _unread(block: list[str]) -> Iterator[str]:
    """Yield the first token that the parser could not read; nothing if it stands on another line."""
    for line, below in pairwise(block):
        token = _TOKEN.match(line, below.index("^")) if _CARET.match(below) else None
        if token is not None:
            yield f"at {_told(token)}"


def _told_in(text: str) -> str:
    """Return the token in a message of ECJ's, or in place of a name or a literal its sort."""
    token = _TOKEN.match(text)
    return text if token is None or token["sign"] else _told(token)


def _told(token: re.Match[str]) -> str:
    """Return a token, or in place of a name or a literal its sort."""
    if token["word"]:
        return token["word"] if _KEYWORD.fullmatch(token["word"]) else "a name"
    return token["sign"] or ("a number" if token["number"] else "a text")


def _details(lines: list[str]) -> Iterator[str]:
    caret = next((number for number, line in enumerate(lines) if _CARET.match(line)), None)
    for number, line in enumerate(lines):
        if caret is not None and number in (caret - 1, caret):
            continue
        if _WHERE.match(line):
            return  # only explanations follow
        if not line.strip() or not line[0].isspace() or _CANDIDATE.match(line):
            continue
        yield _normal(line)


@lru_cache(maxsize=1 << 14)  # errors have lines in common
def _normal(text: str) -> str:
    return _stable(text).strip()


_IN_FILE = re.compile(r"^(?:[^\s:/\\]+\.java|javac): (?P<text>.*)$", re.DOTALL)
_without_members = replacing(
    (r"[\w$.<>#]+\([^()]*\)", "#"),
    (
        r"\b(method|variable|constructor|label|package|reference to) "
        r"(?!found|reference|does|from|is|in|has|cannot|invocation|call|body|must|type|with|not|name)[\w$.#]+",
        r"\1 #",
    ),
    (r"\S+ has (private|protected) access", r"# has \1 access"),
)
"""Leaves members and variables out of javac's messages."""
_SYMBOL = re.compile(r"^symbol: (\w+).*$", re.DOTALL)
_LABELLED = re.compile(r"^[a-z ]+: ")
"""Beginning of a detail with a label: places and types, which tell no other complaint."""


def kind(name: str, plain: Callable[[str], str]) -> str:
    """Return the kind of an error of that name, without the input's members and variables too; empty for another
    failure's name. ``plain`` leaves the input's classes and numbers out of a text."""
    file = _IN_FILE.match(name)
    if file is None:
        return ""

    def of_message(text: str) -> str:
        return plain(_without_members(text).rstrip(";"))

    def of_detail(text: str) -> str:
        symbol = _SYMBOL.match(text)
        if symbol is not None:
            return f"symbol: {symbol[1]}"
        return "" if _LABELLED.match(text) else of_message(text)

    message, *details = file["text"].split("; ")
    return "; ".join(filter(None, [of_message(message), *map(of_detail, details)]))
