"""The text that the commands print at their end."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from app.text import count, plural, seconds, share
from app.text import size as size_text
from core.model.class_model import ClassModel
from core.model.item_model import ItemModel
from core.protocol.events import Checked, Evidence
from core.protocol.java_names import java_name
from core.protocol.run_words import EndReason
from core.protocol.wording import by_hand, minimality_words, missing_text
from core.report.reduction_report import ENDINGS, left_open, seconds_of, size_of
from core.words import in_line, visible

_SHOWN_NAMES = 10


def inspect_json(model: ClassModel) -> dict[str, Any]:
    """Return the facts of an input as a JSON object."""
    graph = model.graph
    versions = Counter(node.version[0] for node in graph.nodes)
    cycles = sorted((len(component) for component in graph.components if len(component) > 1), reverse=True)
    return {
        "title": model.jar.title,
        "sources": [str(path) for path in model.jar.sources],
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


def inspect_text(model: ClassModel) -> str:
    """Return the facts of an input as text."""
    facts = inspect_json(model)
    cycles = facts["cycles"]
    graph = model.graph
    lines = [
        f"{in_line(facts['title'])}: {plural(facts['classes'], 'class', 'classes')} in "
        f"{plural(facts['packages'], 'package')}, "
        f"{size_text(facts['bytes'])} unpacked",
        f"  items               {', '.join(f'{count(n)} {kind}' for kind, n in facts['items'].items())}",
        f"  dependencies        {count(facts['dependencies'])}",
        f"  components          {count(facts['components'])} strongly connected, "
        f"{count(cycles['components'])} of them with two classes or more",
        f"  classes in cycles   {count(cycles['classes'])} ({share(cycles['classes'], len(graph.nodes))}), "
        f"largest component {count(cycles['largest'])}",
        "  class file versions "
        + ", ".join(f"{version} ({count(number)})" for version, number in facts["class_file_versions"].items()),
        f"  unresolved          {plural(len(facts['unresolved']), 'class name')} neither in the input nor in the JDK",
    ]
    for name, users in list(facts["unresolved"].items())[:_SHOWN_NAMES]:
        more = f" and {len(users) - 1} more" if len(users) > 1 else ""
        lines.append(f"    {java_name(name)}, referenced by {java_name(users[0])}{more}")
    if len(facts["unresolved"]) > _SHOWN_NAMES:
        lines.append(f"    ... and {len(facts['unresolved']) - _SHOWN_NAMES} more (--json lists all)")
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
        f"  unresolved          {plural(len(facts['unresolved']), 'class name')} neither in the input nor on the class "
        "path nor in the JDK",
    ]
    return "\n".join(lines)


def check_text(checked: Checked) -> str:
    """Return the result of a check, with the outputs of a failed one."""
    told = [*lacking(checked), *failure_lines(checked)]
    if checked.interesting:
        took = f"A probe takes {seconds(checked.seconds)}; the timeout per probe would be {seconds(checked.timeout)}."
        return "\n".join([checked.message, took, *told])
    return "\n".join([checked.message, *told, *outputs(checked), by_hand(checked.command)])


def lacking(checked: Checked) -> list[str]:
    """Return a line on the classes that the input needs and does not have; nothing if there are none."""
    said = missing_text(checked.missing, checked.missing_errors, checked.errors)
    return [f"{said} Libraries that the input uses are given with --classpath."] if said else []


def failure_lines(checked: Checked) -> list[str]:
    """Return the names of the failures, with the number of times that each comes."""
    if not checked.failures:
        return []
    counts = checked.counts if len(checked.counts) == len(checked.failures) else [1] * len(checked.failures)
    listed = [
        f"  {name}" + (f" ({number} times)" if number > 1 else "")
        for name, number in zip(checked.failures, counts, strict=True)
    ]
    return [f"{plural(sum(counts), 'failure')}, {plural(len(listed), 'name')}:", *listed]


def outputs(checked: Checked) -> list[str]:
    """Return standard output and standard error of a run of the check, as lines with headings."""
    lines = []
    for name, text in (("standard output", checked.stdout), ("standard error", checked.stderr)):
        lines += [f"--- {name} ---", visible(text).rstrip()] if text.strip() else [f"--- no {name} ---"]
    return lines


def result_text(report: dict[str, Any], output: Path) -> str:
    """Return the last lines of a reduction."""
    before, after, probes = report["input"], report["output"], report["probes"]
    took = report["seconds"]
    return (
        f"{in_line(str(output))}: {count(after['classes'])} of {count(before['classes'])} classes, "
        f"{size_text(after['bytes'])} of {size_text(before['bytes'])} ({share(after['bytes'], before['bytes'])})\n"
        f"{plural(probes['total'], 'probe')}, {count(probes['run'])} of them the search's "
        f"({count(probes['cached'])} more answered by the cache, {count(probes['invalid'])} by the graph), in "
        f"{seconds(took['total'])}: {', '.join(f'{name} {seconds(part)}' for name, part in seconds_of(report))}; "
        f"{seconds(took['own'])} of it Jarlet's own\n"
        f"1-minimal: {minimality_words(report['certificate']['one_minimal'])}\n"
        f"Validity {report['validity']['taken']}: {report['validity']['why']}"
        + ("" if report["certificate"].get("full_input_run", True) else "\nThe full input was not run.")
        + (
            ""
            if report["reason"] == EndReason.DONE
            else f"\nCut short by {ENDINGS[report['reason']]}. {left_open(report)}"
        )
    )


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
        return f"{event.message} {plural(len(event.candidates), 'candidate')} around that: {said}."
    probes = plural(len(tried), "probe")
    left = f"{size_text(event.after)} of {size_text(event.before)}"
    return f"{event.message} After {probes} {left} are left: {good['title']}."
