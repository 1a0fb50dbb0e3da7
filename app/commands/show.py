"""``jarlet inspect``, ``graph``, ``why`` and ``sample``, which show the classes and items of an input."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from app.commands.parsing import DONE, add_classpath, add_input, classpath_of
from app.commands.summary import inspect_json, inspect_text, model_json, model_text
from app.commands.why import find_item, needed_text, why_text
from app.text import plural
from core.archive.jar import read_jar, write_jar
from core.archive.packer import Packer
from core.batch.sampling import draw, sampled_files
from core.errors import UsageError
from core.library.library import open_library
from core.model import building, class_model
from core.model.cache.class_files import ClassFileCache
from core.model.item_model import ItemModel
from core.protocol.run_words import VALIDITIES
from core.service.queries.export import GRAPH_FORMATS, graph_bytes
from core.service.reads import inputs_read
from core.system.files import write_whole
from core.system.outputs import Output, guard, refuse_present


def add_inspect(command: argparse.ArgumentParser) -> None:
    """Add the options of ``jarlet inspect``."""
    command.set_defaults(run=_inspect)
    add_input(command, "+")
    command.add_argument("--json", action="store_true", help="print JSON")
    add_model(command, ("class", "member", "full"), "class")


def add_graph(command: argparse.ArgumentParser) -> None:
    """Add the options of ``jarlet graph``."""
    command.set_defaults(run=_graph)
    add_input(command, "+")
    command.add_argument("--format", choices=GRAPH_FORMATS, default="json", help="default: json")
    command.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: standard output")
    kind = command.add_mutually_exclusive_group()
    kind.add_argument("--components", action="store_true", help="group classes by strongly connected component")
    kind.add_argument("--packages", action="store_true", help="one node per package")


def add_why(command: argparse.ArgumentParser) -> None:
    """Add the options of ``jarlet why``."""
    command.set_defaults(run=_why)
    add_input(command, 1)
    command.add_argument("item", metavar="ITEM", help="item to explain: a.b.C, a.b.C.m(int) or a.b.C.m(int), code")
    command.add_argument(
        "other",
        nargs="?",
        metavar="OTHER",
        help="explain by this item, which stays (default: list all that needs ITEM directly)",
    )
    add_model(command, ("member", "full"), "member")


def add_sample(command: argparse.ArgumentParser) -> None:
    """Add the options of ``jarlet sample``."""
    command.set_defaults(run=_sample)
    add_input(command, "+")
    command.add_argument("--count", type=int, default=10, metavar="N", help="number of jars (default: 10)")
    command.add_argument("--seed", type=int, default=0, metavar="S", help="seed of the random numbers (default: 0)")
    command.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="DIR",
        help="folder to write to; no file that is there is replaced",
    )
    add_model(command, ("member", "full"), "member")


def add_model(command: argparse.ArgumentParser, granularities: tuple[str, ...], default: str) -> None:
    """Add the options that choose the model: class path, granularity, validity."""
    command.add_argument("--granularity", choices=granularities, default=default, help=f"default: {default}")
    valid = (
        "what sub-inputs must be valid for: jvm (the JVM alone), linked (each class that is named exists too), "
        "src (also decompilers and compilers; default)"
    )
    command.add_argument("--validity", choices=VALIDITIES, default=VALIDITIES[-1], help=valid)
    add_classpath(command)


def _inspect(options: argparse.Namespace) -> int:
    below = None
    if options.granularity == "class":
        model = class_model.build(read_jar(options.inputs, nested=options.nested))
    else:
        below = detailed_of(options)
        model = below.model
    if options.json:
        facts = inspect_json(model)
        print(json.dumps(facts | {"model": model_json(below)} if below else facts, indent=2))
    else:
        print(inspect_text(model))
        if below:
            print(model_text(below))
    return DONE


def _graph(options: argparse.Namespace) -> int:
    if options.output:
        guard([Output(options.output, "-o")], inputs_read(options.inputs))
    model = class_model.build(read_jar(options.inputs, nested=options.nested))
    data = graph_bytes(model, options.format, components=options.components, packages=options.packages)
    if options.output:
        write_whole(options.output, data)
    elif options.format == "png" and sys.stdout.isatty():
        raise UsageError("A PNG picture is not for the terminal: name a file with -o.")
    else:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    return DONE


def _why(options: argparse.Namespace) -> int:
    model = detailed_of(options)
    goal = find_item(model, options.item)
    if options.other is None:
        print(needed_text(model, goal))
    else:
        print(why_text(model, goal, find_item(model, options.other)))
    return DONE


def _sample(options: argparse.Namespace) -> int:
    if options.count < 1:
        raise UsageError(f"--count {options.count}: write 1 or more.")
    digits = len(str(options.count))
    names = [f"sample-{number:0{digits}}.jar" for number in range(1, options.count + 1)]
    sources = inputs_read(options.inputs, options.classpath)
    folder = Output(options.output, "-o", folder=True, alone=False)
    guard([folder], sources)
    guard([Output(options.output / name, "a sample", parents=True) for name in names[:1]], sources)
    refuse_present(options.output, names, "sample")
    model = detailed_of(options, sampled_files(options.granularity))
    packer = Packer()
    for name, kept in zip(names, draw(model, options.count, options.seed), strict=False):
        path = options.output / name
        write_jar(path, model.entries(kept), packer=packer, parents=True)
        classes = (kept & model.model.class_items).bit_count()
        print(f"{path}: {plural(kept.bit_count(), 'item')}, {plural(classes, 'class', 'classes')}")
    return DONE


def detailed_of(options: argparse.Namespace, known: ClassFileCache | None = None) -> ItemModel:
    """Return the model below the class that the options ask for; ``known``: what it remembers of class files."""
    paths = classpath_of(options)
    jar = read_jar(options.inputs, nested=options.nested)
    library = open_library(paths, jar)
    return building.build(jar, library, options.granularity, options.validity, known=known)
