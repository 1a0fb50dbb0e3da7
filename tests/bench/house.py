"""Figures of the source: what is to be read for ``auto``, constants, callables, constructors, lines, documents.

    python -m tests.bench.house [ROOT] [--start MODULE...]

``ROOT``: a source tree, by default this one. ``--start``: the modules in which the plan of ``auto`` stands; what they
import of the rooms ``search``, ``plan`` and ``evidence`` is to be read too.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOMS = ("search", "plan", "reduction", "evidence", "check", "service/checking", "service/searching")
"""Rooms of ``core/`` that decide about a search or a check, now or in an earlier version."""

READ = ("core.search", "core.plan", "core.evidence")

DOCUMENTS = (
    "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "core/README.md", "core/model/rules/README.md",
    "tests/README.md", "tests/bench/README.md", "resources/help/algorithms.md",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument("--start", nargs="+", default=["core.plan.auto"])
    options = parser.parse_args()
    root: Path = options.root
    read = to_read(root, options.start)
    print(f"to read for auto: {len(read)} files, {sum(map(lines, read))} lines")
    for room in sorted({path.relative_to(root).parts[:2] for path in read}):
        inside = [path for path in read if path.relative_to(root).parts[:2] == room]
        print(f"  in {'/'.join(room)}: {len(inside)} files, {sum(map(lines, inside))} lines")
    print("the plan itself:")
    for name in options.start:
        print(f"  {name}: {lines(path_of(root, name))} lines")
    constants = [docstring for path in deciding(root) for docstring in numbers(tree(path))]
    noted = sum("See decisions/" in docstring for docstring in constants)
    print(f"statements with numeric constants: {len(constants)}, of which name a note: {noted}")
    print(f"callables as parameters or fields: {sum(callables(tree(path)) for path in deciding(root))}")
    for room in ("core", *(f"core/{name}" for name in ROOMS)):
        longest = max((found for path in files(root, room) for found in constructors(tree(path))), default=None)
        if longest is not None:
            print(f"longest constructor in {room}: {longest[1]}, {longest[0]} parameters")
    for name, rooms in (("product", ("core", "app", "jarlet", "packaging")), ("tests", ("tests",))):
        print(f"lines of {name}: {sum(lines(path) for room in rooms for path in files(root, room))}")
    for name in DOCUMENTS:
        if (root / name).is_file():
            words = (root / name).read_text(encoding="utf-8").split()
            with_digit = sum(bool(re.search(r"\d", word)) for word in words)
            print(f"{name}: {len(words)} words, {100 * with_digit / len(words):.1f} of 100 with a digit")


def files(root: Path, room: str) -> list[Path]:
    """Return the Python files of a folder, sorted."""
    return sorted((root / room).rglob("*.py"))


def deciding(root: Path) -> Iterator[Path]:
    """Yield the files of the rooms that decide."""
    for room in ROOMS:
        yield from files(root, f"core/{room}")


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def path_of(root: Path, module: str) -> Path:
    return root / f"{module.replace('.', '/')}.py"


def to_read(root: Path, start: list[str]) -> set[Path]:
    """Return the files of ``start`` with all files that they import of the rooms in ``READ``."""
    found: set[Path] = set()
    todo = list(start)
    while todo:
        path = path_of(root, todo.pop())
        if path in found or not path.is_file():
            continue
        found.add(path)
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
                todo += [name for name in names if name.startswith(READ)]
    return found


def numbers(module: ast.Module) -> Iterator[str]:
    """Yield the docstring of each statement that gives constants of the module numbers."""
    for at, node in enumerate(module.body):
        if not isinstance(node, ast.Assign) or not re.fullmatch(r"_?[A-Z_, ()]+", ast.unparse(node.targets[0])):
            continue
        values = [part.value for part in ast.walk(node.value) if isinstance(part, ast.Constant)]
        if any(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
            after = module.body[at + 1] if at + 1 < len(module.body) else None
            text = after.value if isinstance(after, ast.Expr) else None
            yield str(text.value) if isinstance(text, ast.Constant) else ""


def callables(module: ast.Module) -> int:
    """Return the number of parameters and fields that are functions."""
    found = [node.annotation for node in ast.walk(module) if isinstance(node, ast.arg)]
    found += [
        part.annotation
        for node in ast.walk(module)
        if isinstance(node, ast.ClassDef)
        for part in node.body
        if isinstance(part, ast.AnnAssign)
    ]
    return sum("Callable[" in ast.unparse(annotation) for annotation in found if annotation is not None)


def constructors(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the number of parameters of each constructor that is written as a method, with its class."""
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, ast.FunctionDef) and part.name == "__init__":
                    yield len(part.args.args) + len(part.args.kwonlyargs) - 1, node.name


if __name__ == "__main__":
    main()
