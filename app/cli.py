"""The command line. It never imports Qt, except to open the window when no command is named."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from app import sample
from app.progress import Bar, Lines, json_lines
from app.summary import check_text, inspect_json, inspect_text, model_json, model_text, result_text
from app.text import plural
from app.why import find_item, needed_text, why_text
from core.errors import JarletError, UsageError
from core.jar.archive import read_jar, write_jar
from core.jar.library import open_library
from core.jar.packer import Packer
from core.jar.parts import GRANULARITIES
from core.model import detailed, items
from core.model.detailed import Detailed
from core.predicate import presets
from core.run import events
from core.run.least import STRATEGIES
from core.search.catalogue import CATALOGUE, DEFAULT
from core.session.export import GRAPH_FORMATS, export, graph_bytes
from core.session.folder import SessionFolder
from core.session.sampling import draw
from core.session.session import Session, write_bytes
from core.session.settings import VALIDITIES, Settings
from core.version import VERSION

DONE, BORING, BAD_USE, LIMIT, INTERRUPTED = 0, 1, 2, 3, 130

_CONDITIONS = """\
what counts as interesting:
  Without any of these options, exit code 0 does. With --expect-exit, --match or --preserve, what these
  say counts instead, all of them together; --no-match must hold besides. Exit code 125 means "cannot tell".

the command:
  {jar} (or {}) is the candidate as a jar, {classes} the candidate as a folder, {file:PATH} a file of yours.
  It runs in a fresh folder of its own. The environment has JARLET_JAR, JARLET_CLASSES and JARLET_WORK.
  A command that uses none of these is given the jar as its last argument. For pipes write: sh -c '...'.

exit codes:
  0 done, 1 the input is not interesting, 2 bad use or bad input, 3 stopped by a limit (the best so far is
  written), 130 interrupted (likewise).
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(BAD_USE, f"{self.prog}: {message}\nTry '{self.prog} --help'.\n")


def main(arguments: Sequence[str]) -> int:
    """Runs the command line; the exit code."""
    if arguments and arguments[0] not in (*_COMMANDS, "-h", "--help", "--version"):
        return _window(arguments)
    if not arguments:
        return _window([])
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except JarletError as error:
        print(f"jarlet: {error}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        # the reader has seen enough (| head); nothing more can be said on this stream
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        return INTERRUPTED


def _window(arguments: Sequence[str]) -> int:
    parser = _Parser(prog="jarlet", description=_DESCRIPTION)
    parser.add_argument("inputs", nargs="*", metavar="FILE", help="jar, war, zip or folder of classes to open")
    parser.add_argument("--sample", action="store_true", help="open the sample that comes with Jarlet")
    options = parser.parse_args(arguments)
    if options.inputs and not Path(options.inputs[0]).exists() and "." not in options.inputs[0]:
        parser.error(f"there is no command and no file {options.inputs[0]!r} (commands: {', '.join(_COMMANDS)})")
    if sys.platform.startswith("linux") and not any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    ):
        parser.error("there is no display to open a window on; 'jarlet reduce' works without one")
    from app.window import run_window  # only here: no command needs Qt

    return run_window(options.inputs, options.sample)


def _inspect(options: argparse.Namespace) -> int:
    below = None
    if options.granularity == "class":
        model = items.build(read_jar(options.inputs))
    else:
        below = _detailed(options)
        model = below.model
    if options.json:
        facts = inspect_json(model)
        print(json.dumps(facts | {"model": model_json(below)} if below else facts, indent=2))
    else:
        print(inspect_text(model))
        if below:
            print(model_text(below))
    return DONE


def _presets(options: argparse.Namespace) -> int:
    found = presets.load_all()
    if options.name is None:
        for preset in found.values():
            lacking = preset.missing()
            print(f"{preset.name:12} {preset.about}" + (f"\n{'':12} {lacking}" if lacking else ""))
        return DONE
    preset = presets.find(options.name)
    lacking = preset.fetch() if options.fetch else preset.missing()
    print(f"{preset.title}: {preset.about}")
    for setting in preset.settings:
        needed = " (needed)" if setting.required else ""
        print(f"  --set {setting.name}=...  {setting.title}{needed}")
    for tool, version in preset.versions().items():
        print(f"  {tool} {version}")
    print(f"  {lacking}" if lacking else "  Ready to run.")
    return BAD_USE if lacking else DONE


def _why(options: argparse.Namespace) -> int:
    model = _detailed(options)
    goal = find_item(model, options.item)
    if options.other is None:
        print(needed_text(model, goal))
    else:
        print(why_text(model, goal, find_item(model, options.other)))
    return DONE


def _sample(options: argparse.Namespace) -> int:
    model = _detailed(options)
    options.output.mkdir(parents=True, exist_ok=True)
    packer = Packer()
    digits = len(str(options.count))
    for number, kept in enumerate(draw(model, options.count, options.seed), 1):
        path = options.output / f"sample-{number:0{digits}}.jar"
        write_jar(path, model.entries(kept), packer=packer)
        classes = (kept & model.model.class_items).bit_count()
        print(f"{path}: {plural(kept.bit_count(), 'item')}, {plural(classes, 'class', 'classes')}")
    return DONE


def _detailed(options: argparse.Namespace) -> Detailed:
    """The model below the class that the options ask for."""
    paths = [Path(path) for path in (options.classpath or "").split(os.pathsep) if path]
    library = open_library(paths)
    jar = read_jar(options.inputs)
    return detailed.build(jar, library.get, options.granularity, options.validity, mentioned_by=library.mentioned_by)


def _graph(options: argparse.Namespace) -> int:
    model = items.build(read_jar(options.inputs))
    data = graph_bytes(model, options.format, components=options.components, packages=options.packages)
    if options.output:
        write_bytes(options.output, data)
    elif options.format == "png" and sys.stdout.isatty():
        raise UsageError("A PNG picture is not for the terminal: name a file with -o.")
    else:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    return DONE


def _check(options: argparse.Namespace) -> int:
    inputs, settings = _inputs(options), _settings(options)
    with _session(options, lambda event: None) as session:
        session.open(inputs)
        checked = session.check(settings, options.runs)
    if options.json:
        print(events.to_line(checked))
    else:
        print(check_text(checked))
    return DONE if checked.interesting else BORING


def _reduce(options: argparse.Namespace) -> int:
    if options.resume is not None:
        return _resume(options)
    inputs, settings = _inputs(options), _settings(options)
    return _run(options, inputs, settings, options.output or Path(f"{Path(inputs[0]).stem}-reduced.jar"))


def _resume(options: argparse.Namespace) -> int:
    """Goes on with a session: its input, its settings, its verdicts."""
    if options.inputs or options.predicate or options.preset or options.session:
        raise UsageError("--resume takes the input and all settings from the session: leave the others out.")
    with SessionFolder.open(options.resume) as folder:
        inputs = [str(path) for path in folder.sources()]
        settings = Settings.from_json(folder.manifest.settings)
        limits = {name: getattr(options, name) for name in ("jobs", "time_limit", "max_probes")}
        settings = replace(settings, **{name: value for name, value in limits.items() if value is not None})
        output = options.output or folder.path.with_name(f"{folder.path.stem}-reduced.jar")
        return _run(options, inputs, settings, output, folder)


def _run(
    options: argparse.Namespace,
    inputs: list[str],
    settings: Settings,
    output: Path,
    folder: SessionFolder | None = None,
) -> int:
    with _session(options, _listener(options)) as session, contextlib.ExitStack() as stack:
        model = session.open(inputs)
        if folder is not None:
            folder.same_input(model.jar)
        elif options.session is not None:
            folder = stack.enter_context(SessionFolder.create(options.session, model.jar, settings.to_json()))
        reduction = session.reduce(settings, output, folder)
        if options.report:
            kind = {".md": "markdown", ".html": "html"}.get(options.report.suffix, "report")
            export(session, kind, options.report)
        if not options.json and not options.quiet and session.last_report:
            print(result_text(session.last_report, output))
    return {"done": DONE, "stopped": INTERRUPTED}.get(reduction.reason, LIMIT)


def _listener(options: argparse.Namespace) -> events.Listener:
    if options.json:
        return json_lines
    if options.quiet:
        return _ignore
    return Bar() if sys.stderr.isatty() else Lines()


def _ignore(event: events.Event) -> None:
    """The quiet listener."""


@contextlib.contextmanager
def _session(options: argparse.Namespace, listener: events.Listener) -> Iterator[Session]:
    """A session that Ctrl+C and SIGTERM end gently: the probe is killed, the best so far kept."""
    session = Session(listener, options.work)

    def stop(number: int, frame: object) -> None:
        session.stop()
        signal.signal(number, signal.SIG_DFL)  # the second time is meant

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield session
    finally:
        session.close()
        for number, handler in before.items():
            signal.signal(number, handler)


def _inputs(options: argparse.Namespace) -> list[str]:
    if options.sample:
        if options.inputs:
            raise UsageError("Name an input or --sample, not both.")
        return [str(sample.jar())]
    if not options.inputs:
        raise UsageError("Name an input: a jar, a war, a zip or a folder of classes (or --sample).")
    return [str(path) for path in options.inputs]


def _settings(options: argparse.Namespace) -> Settings:
    values: dict[str, Any] = sample.predicate() if options.sample else {}
    if options.predicate is not None:
        values = {"predicate": options.predicate}
    elif options.preset is not None:
        values = {"preset": options.preset, "options": dict(map(_assignment, options.set)), "warm": not options.cold}
    elif not options.sample:
        raise UsageError("Say what the failure is: --predicate 'COMMAND {jar}', or --preset NAME.")
    chosen = {
        "preserve": frozenset(filter(None, (options.preserve or "").split(","))),
        "classpath": tuple(filter(None, (options.classpath or "").split(os.pathsep))),
        **{name: getattr(options, name) for name in _CONDITION},
    }
    values |= {name: value for name, value in chosen.items() if value}
    if options.expect_exit == 0:
        values["expect_exit"] = 0
    values |= {name: getattr(options, name) for name in _SEARCH if getattr(options, name, None) is not None}
    if getattr(options, "keep", None):
        values["keep"] = tuple(options.keep)
    return Settings(**values)


_CONDITION = ("expect_exit", "match", "no_match", "failures_as", "failures", "timeout", "memory")
_SEARCH = (
    *("algorithm", "granularity", "validity", "classic", "thorough"),
    *("least", "jobs", "time_limit", "max_probes"),
)


def _assignment(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"--set {text!r}: write NAME=VALUE.")
    return name, value


_DESCRIPTION = "Reduces a jar that breaks a tool to the few classes that break it."


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="jarlet",
        description=_DESCRIPTION,
        epilog="Without a command, 'jarlet [FILE ...]' opens the window. 'jarlet COMMAND --help' tells more.",
    )
    parser.add_argument("--version", action="version", version=f"jarlet {VERSION}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)

    def add(name: str, run: Callable[[argparse.Namespace], int], text: str, **more: Any) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.", **more)
        command.set_defaults(run=run)
        command.add_argument(
            "inputs", nargs=more_inputs[name], metavar="INPUT", type=Path, help="jar, war, zip or folder of classes"
        )
        return command

    more_inputs: dict[str, int | str] = {
        "inspect": "+",
        "graph": "+",
        "check": "*",
        "reduce": "*",
        "why": 1,
        "sample": "+",
    }
    raw = {"formatter_class": argparse.RawDescriptionHelpFormatter, "epilog": _CONDITIONS}

    reduce = add("reduce", _reduce, "remove everything that the failure does not need", **raw)
    _add_predicate(reduce)
    reduce.add_argument("-o", "--output", type=Path, metavar="OUT", help="the reduced jar (else NAME-reduced.jar)")
    names = ", ".join(f"{name}{' (default)' if name == DEFAULT else ''}" for name in CATALOGUE) + ", or SPACE/MINIMISER"
    reduce.add_argument("--algorithm", default=DEFAULT, metavar="NAME", help=names)
    reduce.add_argument(
        "--granularity", choices=GRANULARITIES, help="what goes: classes, members too, or all there is (default: full)"
    )
    reduce.add_argument(
        "--validity",
        choices=VALIDITIES,
        help="what a try must be good for: the JVM alone, or also a decompiler (default: src)",
    )
    reduce.add_argument(
        "--keep", action="append", metavar="PATTERN", help="what stays: a.b.C, a.b.*, a.b.C.m:* (may be repeated)"
    )
    reduce.add_argument("--thorough", action="store_true", help="auto: go on while anything can go, whatever it costs")
    reduce.add_argument("--jobs", type=int, metavar="N", help="runs of the command at a time (default: 1)")
    reduce.add_argument("--classic", action="store_true", help="delta debugging as the papers run it: more tests")
    reduce.add_argument("--least", metavar="NAME", help=f"how an interval is searched: {', '.join(STRATEGIES)}")
    reduce.add_argument("--session", type=Path, metavar="DIR", help="keep every verdict in a session folder")
    reduce.add_argument("--resume", type=Path, metavar="DIR", help="go on with a session, as it was set up")
    reduce.add_argument("--time-limit", type=float, metavar="S", help="end after so many seconds")
    reduce.add_argument("--max-probes", type=int, metavar="N", help="end after so many runs of the command")
    reduce.add_argument("--report", type=Path, metavar="FILE", help="write a report (.json, .md or .html)")
    reduce.add_argument("--json", action="store_true", help="print events as JSON, one a line")
    reduce.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors")

    check = add("check", _check, "run the command on the full input: is it interesting, stable, how fast", **raw)
    _add_predicate(check)
    check.add_argument("--runs", type=int, default=3, metavar="N", help="how often (default: 3)")
    check.add_argument("--json", action="store_true", help="print the result as JSON")

    inspect = add("inspect", _inspect, "show what is in an input: classes, dependencies, components")
    inspect.add_argument("--json", action="store_true", help="print JSON")

    _add_model(inspect, ("class", "member", "full"), "class")

    listed = commands.add_parser(
        "presets", help="list the predicates that come with Jarlet, and yours", description="Lists the presets."
    )
    listed.set_defaults(run=_presets)
    listed.add_argument("name", nargs="?", metavar="NAME", help="tell more of this one")
    listed.add_argument("--fetch", action="store_true", help="get what it lacks, through an installed mvn")

    why = add("why", _why, "tell why something must stay: the shortest chain of rules")
    why.add_argument("item", metavar="ITEM", help="what stays, for instance a/b/C or a/b/C.m:(I)V!code")
    why.add_argument("other", nargs="?", metavar="OTHER", help="what stays too (else: all that needs ITEM directly)")
    _add_model(why, ("member", "full"), "member")

    sample_ = add("sample", _sample, "write random valid sub-inputs as jars")
    sample_.add_argument("--count", type=int, default=10, metavar="N", help="how many (default: 10)")
    sample_.add_argument("--seed", type=int, default=0, metavar="S", help="of the random numbers (default: 0)")
    sample_.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="folder to write to")
    _add_model(sample_, ("member", "full"), "member")

    graph = add("graph", _graph, "write the class graph")
    graph.add_argument("--format", choices=GRAPH_FORMATS, default="json", help="default: json")
    graph.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: standard output")
    kind = graph.add_mutually_exclusive_group()
    kind.add_argument("--components", action="store_true", help="group classes by strongly connected component")
    kind.add_argument("--packages", action="store_true", help="one node a package")
    return parser


def _add_model(command: argparse.ArgumentParser, granularities: tuple[str, ...], default: str) -> None:
    command.add_argument("--granularity", choices=granularities, default=default, help=f"default: {default}")
    command.add_argument(
        "--validity",
        choices=("jvm", "src"),
        default="src",
        help="what a sub-input must be good for: the JVM alone, or also a decompiler (default: src)",
    )
    command.add_argument(
        "--classpath", metavar="PATH", help="libraries that the input uses: jars and folders, by colons"
    )


def _add_predicate(command: argparse.ArgumentParser) -> None:
    command.add_argument("--predicate", metavar="CMD", help="the command that shows the failure")
    command.add_argument("--preserve", metavar="LIST", help="what must stay as on the full input: exit,out,err")
    command.add_argument("--expect-exit", type=int, metavar="N", help="the exit code that counts")
    command.add_argument("--match", metavar="REGEX", help="what the output must contain")
    command.add_argument("--no-match", metavar="REGEX", help="what the output must not contain")
    command.add_argument("--preset", metavar="NAME", help="a predicate that comes with Jarlet (see 'jarlet presets')")
    command.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the preset (may be repeated)"
    )
    command.add_argument("--cold", action="store_true", help="run the preset without a resident JVM")
    command.add_argument(
        "--failures-as", metavar="KIND", help="name the failures in the output: javac, traces, or a regular expression"
    )
    command.add_argument(
        "--failures", metavar="WHAT", help="what they must be: same, at least, chosen NAME (and ', no new kinds')"
    )
    command.add_argument(
        "--classpath", metavar="PATH", help="libraries that the input uses: jars and folders, by colons"
    )
    command.add_argument("--memory", type=int, metavar="MIB", help="limit of one run's memory")
    command.add_argument(
        "--timeout", type=float, metavar="S", help="limit of one run (else 10 x the first run, at least 5 s)"
    )
    command.add_argument("--work", type=Path, metavar="DIR", help="folder for temporary files")
    command.add_argument("--sample", action="store_true", help="use the sample that comes with Jarlet")


_COMMANDS = ("reduce", "check", "presets", "inspect", "graph", "why", "sample")
