"""``jarlet inspect``, ``graph``, ``why``, ``around``, ``rules`` and ``sample``: classes and items of an input."""

from __future__ import annotations

import argparse
import difflib
import json
import sys
import textwrap
from collections.abc import Mapping, Sequence

from app.commands.parsing import DONE, classpath_of, read_input, resolved_input
from app.commands.summary import inspect_json, inspect_text, model_json, model_text
from app.text import counted, size
from core.archive.entry_names import opened_jar
from core.archive.jar_folders import end_of, write_result
from core.archive.named_inputs import find
from core.archive.packer import Packer
from core.errors import UsageError
from core.library.library import open_library
from core.model import building, class_model, solver
from core.model.cache.class_files import ClassFileCache
from core.model.explain import ChainLink, Reason
from core.model.item_model import ItemModel
from core.model.rules.base import RULES, Rule
from core.model.solver import draw, sampled_files
from core.predicate.releases.input_words import names_input
from core.protocol import java_names
from core.protocol.java_names import item_title
from core.service.queries.export import GRAPH_FORMATS, graph_bytes
from core.service.reads import inputs_read, report_output, result_output
from core.sets import ItemSet
from core.system.files import write_whole
from core.system.outputs import Output, guard, refuse_present
from core.words import in_line, some_of


def inspect(options: argparse.Namespace) -> int:
    below = None
    if options.granularity == "class":
        model = class_model.build(read_input(options))
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


def graph(options: argparse.Namespace) -> int:
    if options.output:
        guard([report_output(options.output, "-o")], inputs_read(options.inputs))
    model = class_model.build(read_input(options))
    packages, jars = options.packages or options.level == "packages", options.level == "jars"
    if jars and not model.jar.is_class_path:
        raise UsageError("--level jars: the input is one jar. Name several, or a folder of jars.")
    ending = options.output.suffix[1:].lower() if options.output else ""
    kind = options.format or (ending if ending in GRAPH_FORMATS else "json")
    data = graph_bytes(model, kind, components=options.components, packages=packages, jars=jars)
    if options.output:
        write_whole(options.output, data)
    elif kind == "png" and sys.stdout.isatty():
        raise UsageError("A PNG picture is not for the terminal: name a file with -o.")
    else:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    return DONE


def why(options: argparse.Namespace) -> int:
    names = _items(options)
    if len(names) > 2:
        raise UsageError(f"{names[2]}: two items at most are explained. Write a name with blanks in quotes.")
    model = detailed_of(options)
    goal, *other = (find_item(model, name) for name in names)
    print(why_text(model, goal, other[0]) if other else needed_text(model, goal))
    return DONE


def _items(options: argparse.Namespace) -> list[str]:
    """Take the names of items, which stand behind the inputs, from the words of the options. Raise UsageError for
    words without any."""
    words = options.inputs
    end = next((number for number, word in enumerate(words[1:-1], 1) if not names_input(word)), max(1, len(words) - 1))
    options.inputs, items = words[:end], words[end:]
    if not items:
        raise UsageError(f"{words[0]}: name an item behind the input, for instance a.b.C.")
    return list(items)


def sample(options: argparse.Namespace) -> int:
    if options.count < 1:
        raise UsageError(f"--count {options.count}: write 1 or more.")
    digits = len(str(options.count))
    end = end_of(() if options.merge else find(resolved_input(options).words))
    names = [f"sample-{number:0{digits}}{end}" for number in range(1, options.count + 1)]
    sources = inputs_read(options.inputs, options.classpath)
    folder = Output(options.output, "-o", folder=True, alone=False)
    guard([folder], sources)
    guard([Output(options.output / name, "a sample", parents=True) for name in names[:1]], sources)
    refuse_present(options.output, names)
    model = detailed_of(options, sampled_files(options.granularity))
    packer = Packer()
    for name, kept in zip(names, draw(model, options.count, options.seed), strict=False):
        path = options.output / name
        write_result(path, model.entries(kept), model.model.jar.inputs, packer)
        classes = (kept & model.model.class_items).bit_count()
        print(f"{path}: {counted(kept.bit_count(), 'item')}, {counted(classes, 'class')}")
    return DONE


def detailed_of(options: argparse.Namespace, known: ClassFileCache | None = None) -> ItemModel:
    """Return the model below the class that the options ask for; ``known``: cache of parsed class files."""
    jar = read_input(options)
    library = open_library(classpath_of(options), jar)
    return building.build(jar, library, options.granularity, options.validity, known=known)


CONFLICT = 1
"""Exit code when no valid sub-input meets the demands."""


def around(options: argparse.Namespace) -> int:
    names = _items(options)
    if options.output:
        shape = () if options.merge else find(resolved_input(options).words)
        guard([result_output(options.output, "-o", shape)], inputs_read(options.inputs, options.classpath))
    model = detailed_of(options)
    keep = [find_item(model, name) for name in names]
    drop = [find_item(model, name) for name in options.without]
    conflict = solver.conflict(model.formula, keep, drop)
    if conflict is not None:
        print(_contradiction(model, *conflict))
        return CONFLICT
    kept = _smallest(model, keep, drop, exact=options.exact)
    entries = model.entries(kept)
    classes = (kept & model.model.class_items).bit_count()
    total = sum(len(data) for _, data in entries)
    found = f"{counted(kept.bit_count(), 'item')}, {counted(classes, 'class')}, {size(total)}"
    if options.output:
        write_result(options.output, entries, model.model.jar.inputs, Packer())
        print(f"{options.output}: {found}")
    else:
        print(found)
        for number in range(len(model.items)):
            if kept >> number & 1:
                print(f"  {name_of(model, number)}")
    return DONE


def _smallest(model: ItemModel, keep: list[int], drop: list[int], *, exact: bool) -> ItemSet:
    if not exact:
        kept = model.least(keep)
        if not any(kept >> item & 1 for item in drop):
            return kept
    chosen = solver.smallest(model.formula, keep, [max(1, item.bytes) for item in model.items], without=drop)
    return sum(1 << item for item in chosen)


def _contradiction(model: ItemModel, keep: list[int], drop: list[int]) -> str:
    stays = ", ".join(name_of(model, item) for item in keep)
    if not drop:
        return f"No valid sub-input holds {stays}."
    goes = ", ".join(name_of(model, item) for item in drop)
    lines = [f"{goes} cannot go" + (f" while {stays} stays." if keep else ".")]
    if len(drop) == 1 and len(keep) == 1:
        lines.append(why_text(model, drop[0], keep[0]))
    return "\n".join(lines)


def rules(options: argparse.Namespace) -> int:
    unknown = [name for name in options.rules if name not in RULES]
    if unknown:
        raise UsageError(f"There is no rule {unknown[0]!r}; the rules are {', '.join(RULES)}.")
    for rule in sorted(RULES.values(), key=_by_number):
        if not options.rules or rule.id in options.rules:
            head = f"{rule.id:4} {rule.validity}  "
            print(textwrap.fill(rule.words, 110, initial_indent=head, subsequent_indent=" " * len(head)))
    return DONE


def _by_number(rule: Rule) -> tuple[str, int, str]:
    """Return the key that sorts ``K2`` before ``K10``."""
    number = "".join(sign for sign in rule.id if sign.isdigit())
    return rule.id[0], int(number), rule.id


_CLOSE = 3
_LISTED = 8
_INSTEAD = 4


def find_item(model: ItemModel, name: str) -> int:
    """Return the number of the item of that name, in the form of Java or of the JVM, or of a class by its file
    (``x.jar!/p/C.class``). Raises UsageError for an unknown name, with similar ones, and for a name of several
    methods."""
    numbers, jar = model.numbers, model.model.jar
    name = next((item.name for item in model.model.items if jar.entries[item.entry].name == name), name)
    found = [name] if name in numbers else java_names.find(numbers, name)
    if len(found) == 1:
        return numbers[found[0]]
    if found:
        raise UsageError(f"{name!r} names several items: write {' or '.join(map(in_line, found))}.")
    parts = _parts_of(model, name.replace(".", "/"))
    if parts:
        listed = some_of(parts, _LISTED, "; ")
        raise UsageError(f"The name {name!r} is incomplete. It may stand for {listed}.")
    shown = {item_title(other): other for other in numbers}
    similar = difflib.get_close_matches(name, [*shown, *numbers], _CLOSE, 0.5)
    hint = (
        f" Did you mean {' or '.join(map(in_line, similar))}?"
        if similar
        else " Classes are written a.b.C, methods a.b.C.m(int, String), their code a.b.C.m(int, String), code."
    )
    raise UsageError(f"There is no item {name!r} at granularity {model.granularity}.{hint}")


def _parts_of(model: ItemModel, name: str) -> list[str]:
    """Return the classes and members whose names begin or end with ``name``: a class without its package, a method
    without its parameters. ``name`` has slashes for dots."""
    found = []
    for item in model.items:
        plain = item.name.replace(".", "/")
        head = plain.partition(":")[0]
        if "[" not in plain and "!" not in plain and "<" not in head and (head == name or head.endswith(f"/{name}")):
            found.append(item_title(item.name))
    return sorted(found)


def why_text(model: ItemModel, goal: int, kept: int) -> str:
    """Return the reason why ``goal`` must stay while ``kept`` stays."""
    names = [name_of(model, variable) for variable in (kept, goal)]
    steps = model.explainer.why(goal, [kept])
    if steps is None:
        return "\n".join([f"{names[1]} can be removed while {names[0]} stays.", *_choices(model, goal, kept)])
    lines = [f"{names[0]} stays, so {names[1]} must:"]
    derived = {step.conclusion: step for step in steps if step.conclusion >= len(model.items)}
    for step in steps:
        if step.conclusion in derived and step.conclusion != goal:
            continue  # told with the step that it leads to
        premises, rules = _unfolded(step, derived)
        told = " and ".join(name_of(model, premise) for premise in premises) or "always"
        lines.append(f"  {told} -> {name_of(model, step.conclusion)}: {_words(rules)}")
    return "\n".join(lines)


def _unfolded(step: ChainLink, derived: Mapping[int, ChainLink]) -> tuple[list[int], list[str]]:
    """Return the items that a step stands on, and its rules. The rules of derived facts in between are among them."""
    premises: dict[int, None] = {}
    rules = {step.rule: None}
    for premise in step.premises:
        if premise in derived:
            more, ids = _unfolded(derived[premise], derived)
            premises |= dict.fromkeys(more)
            rules = dict.fromkeys((*ids, *rules))
        else:
            premises[premise] = None
    return list(premises), list(rules)


def _choices(model: ItemModel, goal: int, kept: int) -> list[str]:
    """Return the demands for one of several items, of which ``goal`` is one, while ``kept`` stays."""
    why = model.explainer.why
    lines = [
        _line(model, reason)
        for reason in model.explainer.reasons(goal)
        if reason.instead and all(why(premise, [kept]) is not None for premise in reason.premises)
    ]
    return ["It is one of several that would do:", *lines] if lines else []


def needed_text(model: ItemModel, goal: int) -> str:
    """Return the items that need ``goal``, with the rules, and the possible substitutes."""
    reasons = model.explainer.reasons(goal)
    name = name_of(model, goal)
    if not reasons:
        return f"{name}: nothing in the input needs it."
    strict = [reason for reason in reasons if not reason.instead]
    choices = [reason for reason in reasons if reason.instead]
    lines = [f"{name} is needed by:"] if strict else [f"{name}: nothing strictly requires it."]
    lines += [_line(model, reason) for reason in strict]
    if choices:
        lines += ["It is one of several that would do for:", *[_line(model, reason) for reason in choices]]
    return "\n".join(lines)


def _line(model: ItemModel, reason: Reason) -> str:
    told = " and ".join(name_of(model, premise) for premise in reason.premises) or "always"
    instead = " or ".join(name_of(model, variable) for variable in reason.instead[:_INSTEAD])
    more = f" or {len(reason.instead) - _INSTEAD} more" if len(reason.instead) > _INSTEAD else ""
    return f"  {told}: {_words([reason.rule])}" + (f"; instead: {instead}{more}" if instead else "")


def name_of(model: ItemModel, variable: int) -> str:
    """Return the name of an item as Java writes it, and its jar if there are several; for a derived fact its
    meaning."""
    if variable < len(model.items):
        item = model.items[variable]
        jar = opened_jar(model.model.jar.entries[item.entry].name)
        title = item_title(item.name)
        return title if title.startswith(jar) else f"{title} [{jar}]"
    return f"({item_title(model.describe(variable))})"


_DEFINITIONS = {
    "subtype": "what a class is a subtype of follows from its superclass and interfaces",
    "S2": "it is kept in every sub-input",
    "copy": "a second class of one name needs the first, and of a later Java all that is kept of the first",
    "opaque": "a class that cannot be analysed needs all of the classes that it names",
}


def _words(rules: Sequence[str]) -> str:
    """Return the rules in words. Definitions are among them only if there is nothing else."""
    told = [rule for rule in rules if rule in RULES] or [rule for rule in rules if rule in _DEFINITIONS]
    return "; ".join(f"{RULES[rule].words if rule in RULES else _DEFINITIONS[rule]} [{rule}]" for rule in told)
