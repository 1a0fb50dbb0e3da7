"""``jarlet around`` writes the smallest valid sub-input around some items; ``jarlet rules`` lists the rules of the
model."""

from __future__ import annotations

import argparse
import textwrap
from pathlib import Path

from app.commands.parsing import DONE, add_input
from app.commands.show import add_model, detailed_of
from app.commands.why import find_item, name_of, why_text
from app.text import plural, size
from core.archive.jar import write_jar
from core.archive.packer import Packer
from core.errors import UsageError
from core.model import solver
from core.model.item_model import ItemModel
from core.model.rules.base import RULES, Rule
from core.service.reads import inputs_read
from core.sets import ItemSet
from core.system.outputs import Output, guard

CONFLICT = 1
"""Exit code when no valid sub-input meets the demands."""


def add_around(command: argparse.ArgumentParser) -> None:
    """Add the options of ``jarlet around``."""
    command.set_defaults(run=_around)
    add_input(command, 1)
    command.add_argument(
        "items", nargs="+", metavar="ITEM", help="item that must stay: a.b.C, a.b.C.m(int) or a.b.C.m(int), code"
    )
    command.add_argument(
        "--without", action="append", default=[], metavar="ITEM", help="item that must go (may be repeated)"
    )
    exact = "find the fewest bytes possible (with a solver: slow for large inputs)"
    command.add_argument("--exact", action="store_true", help=exact)
    command.add_argument("-o", "--output", type=Path, metavar="FILE", help="write it as a jar")
    add_model(command, ("member", "full"), "member")
    command.epilog = "exit codes: 0 there is one, 1 the items contradict each other, 2 bad use or bad input."


def add_rules(command: argparse.ArgumentParser) -> None:
    """Add the options of ``jarlet rules``."""
    command.set_defaults(run=_rules)
    command.add_argument("rules", nargs="*", metavar="ID", help="only these")


def _around(options: argparse.Namespace) -> int:
    if options.output:
        guard([Output(options.output, "-o")], inputs_read(options.inputs, options.classpath))
    model = detailed_of(options)
    keep = [find_item(model, name) for name in options.items]
    drop = [find_item(model, name) for name in options.without]
    conflict = solver.conflict(model.formula, keep, drop)
    if conflict is not None:
        print(_contradiction(model, *conflict))
        return CONFLICT
    kept = _smallest(model, keep, drop, exact=options.exact)
    entries = model.entries(kept)
    classes = (kept & model.model.class_items).bit_count()
    total = sum(len(data) for _, data in entries)
    found = f"{plural(kept.bit_count(), 'item')}, {plural(classes, 'class', 'classes')}, {size(total)}"
    if options.output:
        write_jar(options.output, entries, packer=Packer())
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


def _rules(options: argparse.Namespace) -> int:
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
