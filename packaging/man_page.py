#!/usr/bin/env python3
"""Makes ``jarlet.1`` and the completions of bash and zsh from the parsers of the command line.

``.venv/bin/python packaging/man_page.py FOLDER`` writes ``jarlet.1``, ``jarlet.bash`` and ``_jarlet``. What they say is
what ``jarlet COMMAND --help`` says.

This is our own code and not argparse-manpage because that takes one parser with subparsers, and Jarlet makes the parser
of a command when the command is asked for. Of such a parser, put together for the trial, version 4.8 left out the exit
codes of the commands, and ran the usage of each command together into one paragraph. Its package is a source archive
only, whose build needs packages that no hash pins. It would save about 60 of the lines below; the completions need the
others.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from app.cli import described, parsers
from core.version import VERSION

_FILES = frozenset({"FILE", "OUT", "DIR", "INPUT", "PATH", "FOLDER", "CLASSES", "FILE.toml"})
"""Names of arguments after which a file is completed."""


def _text(words: str) -> str:
    """Words of a manual page: roff's own characters are written so that they stay."""
    made = words.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(f"\\&{line}" if line[:1] in (".", "'") else line for line in made.splitlines())


def _argument(action: argparse.Action) -> str:
    if action.metavar:
        return str(action.metavar)
    return "{" + ",".join(map(str, action.choices)) + "}" if action.choices else action.dest.upper()


def _help(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    text = (action.help or "") % {"prog": parser.prog, **vars(action)}
    return text[:1].upper() + text[1:] + ("" if not text or text.endswith(".") else ".")


def _options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [action for action in parser._actions if action.option_strings]


def _nested(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the commands of a command, such as ``add`` of ``jarlet known``, by their names."""
    kinds = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return {name: inner for action in kinds for name, inner in action.choices.items()}


def _all_options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return the options of a command and of its own commands, each spelling once."""
    found = {tuple(action.option_strings): action for action in _options(parser)}
    for inner in _nested(parser).values():
        found = {tuple(action.option_strings): action for action in _options(inner)} | found
    return list(found.values())


def _section(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the section of a command, and those of its own commands."""
    yield from (f".SH JARLET {name.upper()}", _usage(parser), *_described(parser), *_epilog(parser))
    for word, inner in _nested(parser).items():
        yield from _section(f"{name} {word}", inner)


def _usage(parser: argparse.ArgumentParser) -> str:
    """The synopsis of a command: what may be left out in brackets, what may be repeated with dots."""
    shown = []
    for action in parser._actions:
        if not action.option_strings:
            word = f"\\fI{_text(_argument(action))}\\fR"
            more = " ..." if action.nargs in (argparse.ZERO_OR_MORE, argparse.ONE_OR_MORE, argparse.PARSER) else ""
            shown.append(f"[{word}{more}]" if _optional(action) else f"{word}{more}")
    return f"\\fB{_text(parser.prog)}\\fR [\\fIoptions\\fR] {' '.join(shown)}".rstrip()


def _optional(action: argparse.Action) -> bool:
    return action.nargs in (argparse.OPTIONAL, argparse.ZERO_OR_MORE)


def _described(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if not action.option_strings:
            yield f".TP\n\\fI{_text(_argument(action))}\\fR\n{_text(_help(action, parser))}"
    for action in _options(parser):
        names = ", ".join(f"\\fB{_text(name)}\\fR" for name in action.option_strings)
        value = "" if action.nargs == 0 else f" \\fI{_text(_argument(action))}\\fR"
        yield f".TP\n{names}{value}\n{_text(_help(action, parser))}"


def _epilog(parser: argparse.ArgumentParser) -> Iterator[str]:
    if parser.epilog:
        text = (parser.epilog % {"prog": parser.prog}) if "%(prog)" in parser.epilog else parser.epilog
        for part in text.strip().split("\n\n"):
            yield ".PP\n.nf\n" + _text(part) + "\n.fi" if "\n" in part else ".PP\n" + _text(part)


def man_page() -> str:
    """``jarlet(1)``."""
    known = parsers()
    lines = [
        f'.TH JARLET 1 "" "jarlet {VERSION}" "User Commands"',
        ".SH NAME",
        "jarlet \\- reduce a jar that breaks a tool to the few classes that break it",
        ".SH SYNOPSIS",
        "\n.br\n".join(map(_usage, known.values())),
        ".SH DESCRIPTION",
        "Somewhere in a jar of a thousand classes are the few that break a decompiler, an analyser, a shrinker or a "
        "virtual machine. Jarlet removes everything that the failure does not need, and never changes the input. "
        "Without a command it opens its window.",
        ".SH COMMANDS",
        *(f".TP\n\\fB{_text(name)}\\fR\n{_text(text[:1].upper() + text[1:])}." for name, text in described().items()),
        ".SH OPTIONS OF THE WINDOW",
        *_described(known[""]),
    ]
    for name, parser in known.items():
        if name:
            lines += _section(name, parser)
    lines += [
        ".SH ENVIRONMENT",
        ".TP\n\\fBJAVA_HOME\\fR\nThe JDK to use, else that of the \\fBjava\\fR on the \\fBPATH\\fR, "
        "while it is new enough for the input. \\fB--jdk\\fR names another one.",
        ".TP\n\\fBJARLET_JAR\\fR, \\fBJARLET_CLASSES\\fR, \\fBJARLET_WORK\\fR\nSet for the command of a predicate: the "
        "candidate as a jar, as a folder, and the folder of the probe.",
        ".TP\n\\fBXDG_CONFIG_HOME\\fR, \\fBXDG_CACHE_HOME\\fR, \\fBXDG_STATE_HOME\\fR\nWhere presets, what can be made "
        "anew, and sessions and logs are kept, each in a folder \\fIjarlet\\fR.",
        ".SH EXAMPLES",
        ".nf",
        _text("jarlet reduce app.jar --predicate './breaks.sh {jar}' -o small.jar --report bug.md"),
        _text("jarlet reduce app.jar --preset procyon --each -o bugs"),
        _text("jarlet why app.jar a.b.C"),
        ".fi",
    ]
    return "\n".join(lines) + "\n"


def _words(parser: argparse.ArgumentParser) -> list[str]:
    return sorted({name for action in _all_options(parser) for name in action.option_strings})


def bash_completion() -> str:
    """For bash: commands, their options, the choices of these, and files."""
    known = parsers()
    cases = []
    for name, parser in known.items():
        if not name:
            continue
        inner = [
            f"                {'|'.join(action.option_strings)}) COMPREPLY=($(compgen -W "
            f"'{' '.join(map(str, action.choices))}' -- \"$current\")); return ;;"
            for action in _all_options(parser)
            if action.choices
        ]
        chosen = ['            case "$before" in', *inner, "            esac"] if inner else []
        cases += [f"        {name})", *chosen, f"            words='{' '.join(_words(parser))}' ;;"]
    return "\n".join(
        [
            "# bash completion for jarlet; made from its parsers",
            "_jarlet() {",
            '    local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words=\'\'',
            "    COMPREPLY=()",
            '    if [ "$COMP_CWORD" -eq 1 ]; then',
            f"        words='{' '.join(sorted([*filter(None, known), *_words(known[''])]))}'",
            '    else case "${COMP_WORDS[1]}" in',
            *cases,
            "    esac; fi",
            '    case "$current" in',
            '        -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;',
            '        *) [ "$COMP_CWORD" -eq 1 ] && COMPREPLY=($(compgen -W "$words" -- "$current"))',
            '           COMPREPLY+=($(compgen -f -- "$current")) ;;',
            "    esac",
            "}",
            "complete -o filenames -F _jarlet jarlet",
            "",
        ]
    )


def _quoted(text: str) -> str:
    return re.sub(r"([\[\]:\\])", r"\\\1", text).replace("'", "'\\''")


def zsh_completion() -> str:
    """For zsh: as for bash, with what each option means."""
    known = parsers()
    lines = ["#compdef jarlet", "# made from the parsers of jarlet", "_jarlet() {", "    local -a commands"]
    lines += ["    commands=(", *(f"        '{name}:{_quoted(text)}'" for name, text in described().items()), "    )"]
    lines += [
        "    if (( CURRENT == 2 )); then",
        "        _describe -t commands 'command' commands",
        "        _files",
        "        return",
        "    fi",
        '    local command="${words[2]}"',
        '    words=("${words[1]}" "${(@)words[3,-1]}")',
        "    (( CURRENT-- ))",
        '    case "$command" in',
    ]
    for name, parser in known.items():
        if not name:
            continue
        specs = []
        for action in _all_options(parser):
            value = ""
            if action.nargs != 0:
                word = _argument(action)
                after = (
                    f"({' '.join(map(str, action.choices))})" if action.choices else "_files" if word in _FILES else " "
                )
                value = f":{_quoted(word)}:{after}"
            specs += [f"'*{option}[{_quoted(_help(action, parser))}]{value}'" for option in action.option_strings]
        lines += [
            f"        {name}) _arguments \\",
            *(f"            {spec} \\" for spec in specs),
            "            '*:file:_files' ;;",
        ]
    return "\n".join([*lines, "        *) _files ;;", "    esac", "}", '_jarlet "$@"', ""])


MADE = {"jarlet.1": man_page, "jarlet.bash": bash_completion, "_jarlet": zsh_completion}
"""File name -> what makes its text."""


def main(arguments: list[str]) -> int:
    """Writes all of them to a folder; the exit code."""
    if len(arguments) != 1:
        print("man_page: name a folder", file=sys.stderr)
        return 2
    os.makedirs(arguments[0], exist_ok=True)
    for name, make in MADE.items():
        Path(arguments[0], name).write_text(make(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
