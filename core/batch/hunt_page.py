"""The page of a hunt: one table of bugs and one of jars, as a maintainer reads a test report.

Names in it are of jars, tools and failures, which may be anybody's: all are escaped, and the page's policy lets nothing
act or load (:mod:`core.report.document`). The tables are whole without the script, which only sorts them.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping, Sequence

from core.batch.hunt_results import BugStatus, FoundBug, HuntResults, JarResult
from core.batch.looks import Look
from core.html_page import html_page
from core.report.private_places import is_private, told_elsewhere
from core.version import VERSION
from core.words import counted, cut, in_line, some_of

_LONGEST = 300
"""Characters of a name that a cell shows; the whole one is in the bug's folder."""

_STYLE = """
:root { color-scheme: light dark; --ink: #1c2024; --soft: #60646c; --line: #d9d9e0; --back: #fff; --band: #f4f5f7;
  --link: #0b57d0; --red: #b3261e; --amber: #8a5300; --green: #146c2e }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e6ea; --soft: #a2a7b0; --line: #3a3f47; --back: #16181b;
  --band: #1f2327; --link: #8ab4f8; --red: #f2a19b; --amber: #f0c174; --green: #87d6a0 } }
body { font: 14px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 92rem; padding: 1.2rem 1.5rem 4rem;
  color: var(--ink); background: var(--back) }
h1 { font-size: 1.5rem; margin: .3rem 0 } h2 { font-size: 1.1rem; margin: 2.2rem 0 .5rem }
p { margin: .3rem 0; max-width: 60rem } .soft { color: var(--soft) }
.frame { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px }
table { border-collapse: collapse; width: 100% }
th, td { padding: .4rem .7rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) }
tbody tr:last-child > * { border-bottom: 0 }
thead th { background: var(--band); font-weight: 600; white-space: nowrap }
thead button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer }
th[aria-sort=ascending] button::after { content: " \\2191" }
th[aria-sort=descending] button::after { content: " \\2193" }
tbody tr:hover { background: var(--band) }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
td.name { overflow-wrap: anywhere; min-width: 9rem } td.long { overflow-wrap: anywhere; min-width: 15rem }
td.short { white-space: nowrap }
code, td.long { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 13px }
details { margin-top: .25rem } summary { cursor: pointer; color: var(--soft); font-family: system-ui, sans-serif }
td.number details { margin: 0 } td.number details[open] { text-align: left; min-width: 11rem; white-space: normal }
details ul { margin: .2rem 0; padding-left: 1.2rem } .note { color: var(--amber); font-family: system-ui, sans-serif }
a { color: var(--link) } .mark { white-space: nowrap; font-weight: 600 }
@media (max-width: 68rem) {
  body { padding: .8rem .8rem 3rem }
  table, thead, tbody { display: block }
  tr { display: flex; flex-wrap: wrap; gap: .15rem 1rem; padding: .5rem .7rem; border-bottom: 1px solid var(--line) }
  tbody tr:last-child { border-bottom: 0 } thead tr { background: var(--band) }
  tbody td, thead th { padding: 0; border: 0; overflow-wrap: anywhere }
  td.number, td.short { white-space: normal } td.name, td.long { min-width: 0 } td.long { order: 1; flex-basis: 100% }
  td:empty { display: none } td[data-head]::before { content: attr(data-head) " "; color: var(--soft) }
  td.number details { display: inline-block; vertical-align: top }
}
.red { color: var(--red) } .amber { color: var(--amber) } .green { color: var(--green) }
"""

_SCRIPT = """
"use strict";
for (const table of document.querySelectorAll("table.sorted")) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  const key = (row, at) => row.cells[at].dataset.key ?? row.cells[at].textContent.trim();
  heads.forEach((head, at) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const order = (one, other) => (up ? 1 : -1) * one.localeCompare(other, "en", { numeric: true });
      const rows = [...body.rows].map(row => [key(row, at), row]);
      rows.sort(([one], [other]) => !one - !other || order(one, other));  // no value is the last, either way
      body.append(...rows.map(([, row]) => row));
    });
  });
}
"""

_COLOURS = {
    BugStatus.REDUCED: "green",
    BugStatus.LIMIT: "amber",
    BugStatus.FAILED: "red",
    BugStatus.LEFT: "amber",
}

_ABOUT = (
    "One bug is one kind of failure of one tool: a failure without the names of the input and without numbers, which "
    "stand as #; kinds whose reduced jars differ in names and order alone are one bug. Each was reduced in one jar by "
    "delta debugging, so every file in its folder is tool-made. Made by "
    f"Jarlet {VERSION}."
)

MISSING = "Failures of a missing library: add it with --classpath"
"""Heading of the failures that come from a missing library for certain."""

_MISSING_HEADS = ("Missing package", "Jar", "Tool", "Failures")
_BUG_HEADS = ("Tool", "Version", "Jar", "Kind of failure", "Status", "Classes", "Bytes", "Jars", "Folder")


def page_of(results: HuntResults) -> str:
    """Return the page. It has no dates and no times, so equal results make equal pages."""
    base = results.base
    body = [
        "<main>",
        f"<h1>{html.escape(_headline(results))}</h1>",
        f"<p>{html.escape(_summary(results))}</p>",
        f'<p class="soft">{html.escape(_ABOUT)}</p>',
        "<h2>Bugs</h2>",
        _table(_BUG_HEADS, (_bug_row(bug, base) for bug in results.bugs))
        if results.bugs
        else f"<p>No bug was found{_so_far(results)}.</p>",
        *_missing(results, base),
        "<h2>Jars</h2>",
        _table(("Jar", *results.tools.values()), (_jar_row(jar, results.tools, base) for jar in results.jars)),
        "</main>",
    ]
    return html_page(_headline(results), "\n".join(body), _STYLE, _SCRIPT)


def _missing(results: HuntResults, base: str) -> Iterator[str]:
    """Yield the table of the failures that come from a missing library; nothing if there are none."""
    if results.missing:
        yield f"<h2>{html.escape(MISSING)}</h2>"
        yield _table(
            _MISSING_HEADS,
            (
                f'<tr><td class="name">{_text(package)}</td><td class="name">{_text(jar.removeprefix(base))}</td>'
                f'<td class="short">{_text(tool)}</td>{_number(failures, "Failures")}</tr>'
                for package, places in results.missing
                for jar, tool, failures in places
            ),
        )


def _headline(results: HuntResults) -> str:
    known = len(results.bugs) - results.new
    found = counted(results.new, "bug") if results.new else "no bugs"
    return f"Hunt: {found}" + (f", and {known} known" if known else "") + _so_far(results)


def _so_far(results: HuntResults) -> str:
    return " so far" if results.ran < results.pairs else ""


def _summary(results: HuntResults) -> str:
    tools = ", ".join(in_line(title) for title in results.tools.values())
    ran, pairs = results.ran, results.pairs
    told = [f"{counted(len(results.jars), 'jar')}, {counted(len(results.tools), 'tool')}: {tools}."]
    told += [f"{ran} of {pairs} runs are done: the hunt goes on with the same command."] if ran < pairs else []
    waiting = sum(bug.status is BugStatus.WAITING for bug in results.bugs)
    told += [f"{counted(waiting, 'bug')} still to be reduced."] if waiting else []
    left = sum(bug.status is BugStatus.LEFT for bug in results.bugs)
    told += [f"{counted(left, 'bug')} beyond --limit, not reduced."] if left else []
    unread = sum(bool(jar.jar.problem) for jar in results.jars)
    told += [f"{counted(unread, 'jar')} could not be read."] if unread else []
    base = results.base
    told += [f"All jars are in {in_line(base)}"] if base and not is_private(base) else []
    return " ".join(told)


def _table(heads: Sequence[str], rows: Iterable[str]) -> str:
    head = "".join(f'<th scope="col">{_text(name)}</th>' for name in heads)
    return (
        f'<div class="frame"><table class="sorted">\n<thead><tr>{head}</tr></thead>\n<tbody>\n'
        + "\n".join(rows)
        + "\n</tbody></table></div>"
    )


def _bug_row(bug: FoundBug, base: str) -> str:
    colour = _COLOURS.get(bug.status, "soft")
    kind = f"{_text(bug.kind)}<details><summary>one of them</summary>{_text(bug.failure)}</details>"
    kind += "".join(f"<div>{_text(one.kind)}</div>" for one in bug.also)
    told = f"This is {bug.issue}. {bug.note}" if bug.issue else bug.note
    note = f'<div class="note">{_text(told.strip())}</div>' if told else ""
    folder = f'<a href="{bug.folder}/report.html">report</a>' if bug.folder else ""
    cells = [
        f'<td class="short">{_text(bug.tool)}</td>',
        f'<td class="short">{_text(bug.version)}</td>',
        f'<td class="name">{_text(bug.jar.name.removeprefix(base))}</td>',
        f'<td class="long">{kind}{note}</td>',
        f'<td class="mark {colour}">{bug.status.value}</td>',
        _number(bug.classes, "Classes"),
        _number(bug.bytes, "Bytes"),
        _seen(bug.seen, base),
        f'<td class="short">{folder}</td>',
    ]
    return f"<tr>{''.join(cells)}</tr>"


def _seen(seen: Sequence[tuple[str, int]], base: str) -> str:
    if len(seen) == 1:
        return _number(1, "Jars")
    items = "".join(f"<li>{_text(name.removeprefix(base))}: {failures}</li>" for name, failures in seen)
    told = f"<details><summary>{len(seen)}</summary><ul>{items}</ul></details>"
    return f'<td class="number" data-head="Jars" data-key="{len(seen)}">{told}</td>'


def _jar_row(row: JarResult, tools: Mapping[str, str], base: str) -> str:
    name = f'<td class="name">{_text(row.jar.name.removeprefix(base))}</td>'
    if row.jar.problem:
        return f'<tr>{name}<td class="red" colspan="{len(tools)}">{_text(row.jar.problem)}</td></tr>'
    return f"<tr>{name}{''.join(_look_cell(row.looks.get(tool), tools[tool]) for tool in tools)}</tr>"


def _look_cell(look: Look | None, title: str) -> str:
    head = f'data-head="{html.escape(in_line(title))}"'
    if look is None:
        return f'<td class="soft" {head} data-key="">to do</td>'
    if look.problem:
        return f'<td class="amber" {head} data-key="">no answer: {_text(look.problem)}</td>'
    if look.kinds:
        kinds = counted(len(look.kinds), "kind")
        told = f'<span class="red">{counted(look.failures, "failure")} of {kinds}</span>'
    else:
        told = '<span class="soft">no sure failure</span>' if look.aside else '<span class="green">no failure</span>'
    if look.aside:
        names = _text(some_of(look.lacking, 3))
        told += f'<div class="soft">{look.aside} set aside: no library has {names}</div>'
    if look.missing:
        told += f'<div class="soft">{sum(look.missing.values())} of a missing library</div>'
    if look.hidden:
        told += '<div class="soft">errors of the parser hide others</div>'
    return f'<td {head} data-key="{look.failures}">{told}</td>'


def _number(value: int | None, head: str) -> str:
    if value is None:
        return '<td data-key=""></td>'
    return f'<td class="number" data-head="{head}" data-key="{value}">{value:,}</td>'


def _text(text: str) -> str:
    """Return a name as HTML: invisible characters are escaped, its direction stays its own, and a line may end behind a
    slash. A path of this machine is a file name."""
    return f"<bdi>{html.escape(cut(in_line(told_elsewhere(text)), _LONGEST)).replace('/', '/<wbr>')}</bdi>"
