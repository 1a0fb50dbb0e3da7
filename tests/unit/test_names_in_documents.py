"""What documents name in backticks exists: paths, modules, classes, functions, constants, commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from app.cli import parsers
from tests.support.rows import rows

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    path
    for pages in ("*.md", "core/**/*.md", "app/**/*.md", "resources/**/*.md", "packaging/**/*.md", "tests/**/*.md")
    for path in ROOT.glob(pages)
    if path.name != "CHANGELOG.md" and path.parent.name != "results"
)
"""Documents that speak of the code as it is."""
BLOCK = re.compile(r"(?:^    [^\n]*\n(?:\n(?=    ))?)+|^```\w*\n.*?^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")

OF_OURS = ("app", "core", "jarlet", "packaging", "resources", "tests")
PATH = re.compile(r"[\w/.-]+\.(?:py|md|toml|java)|[\w-]+(?:/[\w.-]+)+/?|[\w-]+/")
MEMBER = re.compile(r"([A-Z][a-z]\w*)\.([A-Za-z_]\w*)(?:\(.*\))?")
NAME = re.compile(r"(_\w+|[a-z]+(?:_[a-z\d]+)+|[A-Z][a-z]+(?:[A-Z][a-z]+)+|[A-Z]+(?:_[A-Z]+)+)(?:\(.*\))?")
"""A name that only code can have: private, or of several words."""
DEFINED = re.compile(
    r"(?:def|class) (\w+)"  # functions and classes
    r"|^\s*(?:self\.)?(\w+(?:, \w+)*)(?:: [^=\n]+)?(?: =|$)"  # constants, fields, attributes
    r"|(?<=[(\s*])(\w+)(?:: |=)(?=\S)"  # parameters
    r"|[\"'](\w+)[\"']",  # environment variables, names on the wire
    re.MULTILINE,
)
OF_TESTS = re.compile(r"(?:(?<=def )|(?<=class )|^(?=[A-Z_]+ = ))\w+", re.MULTILINE)
CLASS = re.compile(r"^class (\w+)(?:\[[^\]]*\])?(?:\((.*)\))?:\n((?:(?:[ \t].*)?\n)*)", re.MULTILINE)

NOT_OURS = frozenset(
    {
        "java/lang/Object", "a/b/C", "META-INF/x",  # classes and entries of a jar
        "https_proxy", "XDG_CACHE_HOME", "XDG_STATE_HOME", "JDK_JAVAC_OPTIONS",  # environment of others
        "SECONDS_LIMIT",  # a word of a recipe's script
    }
)  # fmt: skip


@cache
def places() -> frozenset[str]:
    """Return the files and folders of the repository, each as its path from each folder above it on."""
    found = {path.name for path in ROOT.iterdir()}
    for top in OF_OURS:
        for path in (ROOT / top, *(ROOT / top).rglob("*")):
            parts = path.relative_to(ROOT).parts
            found.update("/".join(parts[start:]) for start in range(len(parts)))
    return frozenset(found)


@cache
def code() -> tuple[set[str], dict[str, tuple[str, set[str]]]]:
    """Return the names that the code defines, and for each class its supertypes and the names in its body."""
    names: set[str] = set()
    classes: dict[str, tuple[str, set[str]]] = {}
    for top in OF_OURS:
        for path in (ROOT / top).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            names |= {path.stem, *OF_TESTS.findall(text)}
            if top != "tests":
                names.update(defined(text))
                for name, bases, body in CLASS.findall(text):
                    classes[name] = bases, set(defined(body))
    return names, classes


def defined(text: str) -> Iterator[str]:
    for groups in DEFINED.findall(text):
        for group in groups:
            yield from group.split(", ")


def has(owner: str, name: str) -> bool:
    """Return True if a class of ours, or a supertype of it, has the name; also for a class that is not ours."""
    bases, body = code()[1].get(owner, ("", {name}))
    return name in body or any(base in code()[1] and has(base, name) for base in re.findall(r"\w+", bases))


def exists(span: str) -> bool:
    """Return True if what the span names exists, or if it names nothing of ours."""
    if PATH.fullmatch(span):
        place = span.removesuffix("/")
        ours = place.endswith(".py") or place.startswith(tuple(f"{top}/" for top in OF_OURS))
        return place in places() or not ours or "NAME" in place
    if module := re.match(r"(?:\S*python )?-m (tests\.[\w.]+)", span):
        place = module[1].replace(".", "/")
        return place in places() or f"{place}.py" in places()
    if command := re.match(r"jarlet ([a-z]+)(?= |$)", span):
        return command[1] in parsers()
    if member := MEMBER.fullmatch(span):
        return has(member[1], member[2])
    if name := NAME.fullmatch(span):
        return bool({name[1], f"test_{name[1]}"} & code()[0])
    return True


@rows("page", PAGES)
def test_what_a_document_names_exists(page: Path) -> None:
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    spans = {" ".join(span.split()) for span in SPAN.findall(text)} - NOT_OURS
    assert sorted(span for span in spans if not exists(span)) == []


@rows(
    "span",
    [
        *("core/search/gone.py", "core/gone/", "gone.py", "-m tests.bench.gone", "jarlet gone"),
        *("Driver.gone", "_gone_", "a_name_gone"),
    ],
)
def test_a_name_that_is_not_there_is_found(span: str) -> None:
    assert not exists(span)
