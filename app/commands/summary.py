"""The text that the commands print at their end."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.text import count, counted, seconds, sentences
from app.text import size as size_text
from core.archive.entry_names import MARK
from core.model.class_model import ClassModel, Kind
from core.model.item_model import ItemModel
from core.protocol.events import Checked, Evidence, Stalled
from core.protocol.java_names import java_name
from core.protocol.run_words import EndReason
from core.protocol.wording import (
    VALIDITY_WORDS,
    by_hand,
    differing,
    failures_text,
    minimality_words,
    missing_text,
    program_text,
)
from core.report.reduction_report import ENDINGS, inputs_text, left_open, seconds_of, size_of, texts_text
from core.store.names_file import names_place
from core.words import in_line, share, visible

_SHOWN_NAMES = 10
_SHOWN_EDITS = 3
_SHOWN_LINES, _SHOWN_CHARS = 20, 1000
"""Numbers of lines of an output that are shown, and of characters of a line."""


def inspect_json(model: ClassModel) -> dict[str, Any]:
    """Return the facts of an input as a JSON object."""
    graph = model.graph
    versions = Counter(node.version[0] for node in graph.nodes)
    cycles = sorted((len(component) for component in graph.components if len(component) > 1), reverse=True)
    return {
        "title": model.jar.title,
        "paths": [str(path) for path in model.jar.paths],
        "inputs": _inputs(model),
        **size_of(model, model.full),
        "packages": len({node.package for node in graph.nodes}),
        "dependencies": graph.graph.number_of_edges(),
        "components": len(graph.components),
        "cycles": {"components": len(cycles), "classes": sum(cycles), "largest": cycles[0] if cycles else 0},
        "class_file_versions": {str(version): versions[version] for version in sorted(versions)},
        "unresolved": {name: [graph.nodes[node].name for node in users] for name, users in graph.unresolved.items()},
        "unparsed": {model.jar.entries[entry].name: problem for entry, problem in graph.problems},
        "warnings": list(model.jar.warnings),
    }


def _inputs(model: ClassModel) -> list[dict[str, Any]]:
    """Return the jars of a class path, in order: file, name, classes and bytes; none for one jar."""
    found: dict[str, list[int]] = {each.name: [0, 0] for each in model.jar.inputs}
    for item in model.items if model.jar.is_class_path else ():
        counts = found[model.jar.entries[item.entry].name.partition(MARK)[0]]
        counts[0] += item.kind is Kind.CLASS
        counts[1] += item.bytes
    return [
        {"path": str(each.path), "name": each.name, "classes": found[each.name][0], "bytes": found[each.name][1]}
        for each in (model.jar.inputs if model.jar.is_class_path else ())
    ]


def inspect_text(model: ClassModel) -> str:
    """Return the facts of an input as text."""
    facts = inspect_json(model)
    cycles = facts["cycles"]
    graph = model.graph
    lines = [
        f"{in_line(facts['title'])}: {counted(facts['classes'], 'class')} in "
        f"{counted(facts['packages'], 'package')}, "
        f"{size_text(facts['bytes'])} unpacked",
        f"  items               {', '.join(f'{count(n)} {kind}' for kind, n in facts['items'].items())}",
        f"  dependencies        {count(facts['dependencies'])}",
        f"  components          {count(facts['components'])} strongly connected, "
        f"{count(cycles['components'])} of them with two classes or more",
        f"  classes in cycles   {count(cycles['classes'])} ({share(cycles['classes'], len(graph.nodes))}), "
        f"largest component {count(cycles['largest'])}",
        "  class file versions "
        + ", ".join(f"{version} ({count(number)})" for version, number in facts["class_file_versions"].items()),
        f"  unresolved          {counted(len(facts['unresolved']), 'class name')} neither in the input nor in the JDK",
    ]
    for name, users in list(facts["unresolved"].items())[:_SHOWN_NAMES]:
        more = f" and {len(users) - 1} more" if len(users) > 1 else ""
        lines.append(f"    {java_name(name)}, referenced by {java_name(users[0])}{more}")
    if len(facts["unresolved"]) > _SHOWN_NAMES:
        lines.append(f"    ... and {len(facts['unresolved']) - _SHOWN_NAMES} more (--json lists all)")
    for each in facts["inputs"][:_SHOWN_NAMES]:
        sizes = f"{counted(each['classes'], 'class')}, {size_text(each['bytes'])}"
        lines.append(f"  input               {in_line(each['name'])}: {sizes}")
    if len(facts["inputs"]) > _SHOWN_NAMES:
        lines.append(f"    ... and {len(facts['inputs']) - _SHOWN_NAMES} more (--json lists all)")
    lines += [f"  kept whole          {in_line(name)}: {problem}" for name, problem in facts["unparsed"].items()]
    lines += [f"  warning             {warning}" for warning in facts["warnings"]]
    return "\n".join(lines)


def model_json(model: ItemModel) -> dict[str, Any]:
    """Return the facts of the model below the class as a JSON object."""
    formula = model.formula
    kinds = Counter(part.kind.value for facts in model.facts.values() for part in facts.parts)
    rules = Counter(rule for _, _, rule in formula.clauses())
    return {
        "granularity": model.granularity,
        "validity": model.validity,
        "items": {"class": len(model.facts), **kinds},
        "derived_facts": formula.variables - formula.items,
        "clauses": formula.clause_count,
        "edge_share": len(formula.edges) / formula.clause_count if formula.clause_count else 1.0,
        "clauses_by_rule": dict(sorted(rules.items())),
        "unresolved": model.unresolved,
    }


def model_text(model: ItemModel) -> str:
    """Return the facts of the model below the class as text."""
    facts = model_json(model)
    lines = [
        f"Model, granularity {facts['granularity']}, validity {facts['validity']}:",
        f"  items               {count(sum(facts['items'].values()))}: "
        + ", ".join(f"{count(number)} {kind}" for kind, number in facts["items"].items()),
        f"  clauses             {count(facts['clauses'])}, {100 * facts['edge_share']:.1f} % of them edges; "
        f"{count(facts['derived_facts'])} derived facts",
        f"  unresolved          {counted(len(facts['unresolved']), 'class name')} neither in the input nor on the "
        "class path nor in the JDK",
    ]
    return "\n".join(lines)


def check_text(checked: Checked) -> str:
    """Return the result of a check: with the failures of an interesting input, with the outputs of another one."""
    if checked.interesting:
        took = f"A probe takes {seconds(checked.seconds)}; the timeout per probe would be {seconds(checked.timeout)}."
        lines = [*sentences(checked.message), took, *lacking(checked), *failure_lines(checked)]
        return "\n".join([*lines, *(f"    {line}" for line in differing(visible(checked.stderr)))])
    repeated = [by_hand(checked.command)] if checked.command else []  # none of a stopped check
    return "\n".join([*sentences(checked.message), *lacking(checked), *outputs(checked), *repeated])


def lacking(checked: Checked) -> list[str]:
    """Return a line on the classes that the input needs and does not have; nothing if there are none."""
    said = libraries_text(checked.missing, checked.missing_errors, checked.errors)
    return [said] if said else []


def libraries_text(names: Sequence[str], errors: Sequence[int], all_errors: int) -> str:
    """Return the line of :func:`~core.protocol.wording.missing_text` with the remedy; empty if nothing is missing."""
    said = missing_text(names, errors, all_errors)
    return f"{said} Libraries that the input uses are given with --classpath." if said else ""


def failure_lines(checked: Checked) -> list[str]:
    """Return the names of the failures by their kinds, with the number of times that each comes."""
    if not checked.failures:
        return []
    counts = checked.counts if len(checked.counts) == len(checked.failures) else [1] * len(checked.failures)
    found = [
        f"{name} ({number} times)" if number > 1 else name
        for name, number in zip(checked.failures, counts, strict=True)
    ]
    total = failures_text(len(found), sum(counts), len(checked.costs))
    if len(checked.kinds) != len(found) or len(checked.costs) < 2:
        return [f"{total}:", *(f"  {words}" for words in found)]
    lines = [f"{total}:"]
    for kind, least in enumerate(checked.costs):
        about = f", roughly {size_text(least)} alone" if least else ""
        lines.append(f"  kind {kind + 1}{about}:")
        lines += [f"    {words}" for words, number in zip(found, checked.kinds, strict=True) if number == kind]
    return lines


def outputs(checked: Checked) -> list[str]:
    """Return the ends of standard output and standard error of a run of the check, as lines with headings; nothing if
    the run named failures, which the message of the check tells of."""
    lines = []
    for name, text in (("standard output", checked.stdout), ("standard error", checked.stderr)):
        if checked.failures:
            break
        shown = visible(text).strip("\n").splitlines()
        more = f", its last {_SHOWN_LINES} lines" if len(shown) > _SHOWN_LINES else ""
        told = [line[:_SHOWN_CHARS] for line in shown[-_SHOWN_LINES:]]
        lines += [f"--- {name}{more} ---", *told] if text.strip() else [f"--- no {name} ---"]
    return lines


def result_text(report: dict[str, Any], output: Path) -> str:
    """Return the last lines of a reduction."""
    before, after, probes = report["input"], report["output"], report["probes"]
    took, taken = report["seconds"], report["validity"]["taken"]
    known = f"; {counted(probes['cached'], 'more answer')} known without a probe" if probes["cached"] else ""
    invalid = f"; {count(probes['invalid'])} candidates were not valid" if probes["invalid"] else ""
    return (
        f"{in_line(str(output))}: {count(after['classes'])} of {counted(before['classes'], 'class')}, "
        f"{size_text(after['bytes'])} of {size_text(before['bytes'])} ({share(after['bytes'], before['bytes'])})\n"
        f"{_what_fails(report)}"
        f"{_line(inputs_text(report))}"
        f"{_line(texts_text(report))}"
        f"{counted(probes['total'], 'probe')} ({count(probes['run'])} of the search{known}{invalid}) in "
        f"{seconds(took['total'])}: "
        f"{', '.join(f'{name} {seconds(part)}' for name, part in seconds_of(report))}; "
        f"no probe ran for {seconds(took['own'])} of it\n"
        f"1-minimal (no single one can go): {minimality_words(report['certificate']['one_minimal'])}\n"
        f"{_rewritten(report['rewritings'])}"
        f"{_named(report.get('names'), output)}"
        f"Validity {taken} ({VALIDITY_WORDS[taken]}): {report['validity']['why']}"
        + ("" if report["certificate"].get("full_input_run", True) else "\nThe full input was not run.")
        + f"\n{in_line(program_text(report))}".rstrip()
        + "".join(
            f"\n{without_text(held['failure'], held['bytes'], held['demand'], together=held['together'])}"
            for held in report.get("held", ())[:1]
        )
        + (
            ""
            if report["reason"] == EndReason.DONE
            else f"\nCut short by {ENDINGS[report['reason']]}. {left_open(report)}"
        )
    )


def _what_fails(report: dict[str, Any]) -> str:
    """Return lines on the failure of the result, if there is but one, on its rate, and on the first lines that
    differ."""
    final = report["final"]
    names = dict.fromkeys(map(in_line, final["failures"]))
    name = names if len(names) == 1 else ()
    rate = [final["detail"]] if report["settings"]["rare"] else []
    return "".join(f"    {line}\n" for line in (*name, *rate, *differing(visible(final["stderr"]))))


def _line(text: str) -> str:
    return f"{in_line(text)}\n" if text else ""


def stalled_text(event: Stalled) -> str:
    """Return a line on a stalled search: the current attempts, and the user's choices."""
    probes = counted(event.probes, "probe")
    said = f"No smaller candidate for {seconds(event.seconds)} ({probes}): {size_text(event.bytes)} are left."
    said += f" Being tried: {event.phase}." if event.phase else ""
    if 2 * event.timed_out > event.probes:
        return f"{said} {count(event.timed_out)} of them were killed for their time: a longer --timeout may help."
    if event.holds:
        return f"{said} {without_text(event.holds, event.enough, event.demand, together=event.together)}"
    if event.failures > 1 and event.strict:
        return f"{said} Each failure must stay as often as in the input: --failures kinds keeps one of each kind."
    if event.failures > 1:
        return f"{said} {event.failures} kinds must stay: --each makes a jar of each, --failures 'chosen NAME' of one."
    return f"{said} Ctrl+C ends the search and keeps the best."


def without_text(failure: str, enough: int, demand: str, *, together: bool) -> str:
    """Return sentences on a failure that alone keeps most of the remaining input."""
    option = f"--failures {shlex.quote(visible(demand))}"
    others = "had all other kinds" if together else "at most had each other kind alone"
    return f"{in_line(failure)} holds it: {size_text(enough)} {others}. To go on without that one: {option}"


def _rewritten(edits: Sequence[str]) -> str:
    """Return a line on the rewritings, with its end; empty if there were none."""
    if not edits:
        return ""
    more = f", and {count(len(edits) - _SHOWN_EDITS)} more (in the report)" if len(edits) > _SHOWN_EDITS else ""
    return f"Rewritten, so that no compiler wrote it: {'; '.join(map(in_line, edits[:_SHOWN_EDITS]))}{more}\n"


def _named(names: dict[str, Any] | None, output: Path) -> str:
    """Return a line on neutral names, with its end; empty if nobody asked for them."""
    if names is None:
        return ""
    stayed = [f"{each['of']} {in_line(each['name'])}" for each in names["stayed"]]
    more = f", and {count(len(stayed) - _SHOWN_NAMES)} more" if len(stayed) > _SHOWN_NAMES else ""
    listed = f" {counted(len(stayed), 'name')}: {', '.join(stayed[:_SHOWN_NAMES])}{more}." if stayed else ""
    place = f"; the old ones are in {in_line(str(names_place(output)))}" if names["neutral"] else ""
    why = f" {names['why']}" if names["why"] else ""
    return f"{counted(names['neutral'], 'name')} became neutral{place}.{why}{listed}\n"


def evidence_text(event: Evidence) -> str:
    """Return a line or two on the evidence, and on the candidates that came of it."""
    if not event.candidates:
        return event.message
    tried = [each for each in event.candidates if each["interesting"] is not None]
    good = next((each for each in tried if each["interesting"]), None)
    if good is None:
        said = "none tried" if not tried else "none interesting"
        if 0 < len(tried) < len(event.candidates):
            said = f"{count(len(tried))} tried, {said}"
        return f"{event.message} {counted(len(event.candidates), 'candidate')} around that: {said}."
    probes = counted(len(tried), "probe")
    left = f"{size_text(event.after)} of {size_text(event.before)}"
    return f"{event.message} After {probes} {left} are left: {good['title']}."
