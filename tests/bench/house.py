"""Figures of the house: weight of the source, documents, docstrings that are hard to read.

    python -m tests.bench.house [ROOT]

``ROOT``: a source tree, by default this one. Weight is the number of code tokens of product Python, without comments,
docstrings and blank lines, so that formatting cannot change it.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

PRODUCT = ("core", "app", "jarlet")
IGNORED = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
RELATIVE = re.compile(r"\b(?:that|which|who|whose|what|where)\b", re.IGNORECASE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument("--sentences", metavar="FOLDER", help="print the hard sentences of the docstrings of a folder")
    options = parser.parse_args()
    root: Path = options.root
    if options.sentences:
        for path, line, sentence in hard(root, options.sentences):
            print(f"{path}:{line}: {sentence}")
        return
    weights = {path: weight(path) for path in modules(root)}
    rooms: Counter[str] = Counter()
    for path, tokens in weights.items():
        rooms["/".join(path.relative_to(root).parts[:2])] += tokens
    for room, tokens in rooms.most_common():
        print(f"{tokens:9,} {room}")
    print(f"{sum(weights.values()):9,} code tokens in {len(weights)} modules")
    print(f"lines of tests: {sum(len(read(path).splitlines()) for path in (root / 'tests').rglob('*.py')):,}")
    print(f"docstring sentences with two relative words: {sum(1 for room in PRODUCT for _ in hard(root, room))}")
    for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "core/README.md", "tests/README.md"):
        print(f"words of {name}: {len(read(root / name).split()):,}")
    pages = sorted((root / "tests/bench/results").glob("*.md"))
    print(f"pages of results: {len(pages)}, words: {sum(len(read(page).split()) for page in pages):,}")


def modules(root: Path, top: str | None = None) -> Iterator[Path]:
    """Yield the product's modules, or those of a folder."""
    for room in [top] if top else PRODUCT:
        yield from sorted((root / room).rglob("*.py"))


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """Yield every string that stands as a statement."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value


def weight(path: Path) -> int:
    """Return the number of code tokens of a module, without docstrings of modules, classes and functions."""
    text = read(path)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = ast.walk(ast.parse(text))
    docstrings_of_these = sum(isinstance(node, documented) and ast.get_docstring(node) is not None for node in nodes)
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return sum(token.type not in IGNORED for token in tokens) - docstrings_of_these


def hard(root: Path, top: str) -> Iterator[tuple[Path, int, str]]:
    """Yield the place of each docstring sentence with two relative words or more, and the sentence."""
    for path in modules(root, top):
        for node in docstrings(ast.parse(read(path))):
            text = " ".join(str(node.value).split())
            for sentence in re.split(r"(?<=[.:;])\s+(?=[A-Z`*])", text):
                if len(RELATIVE.findall(sentence)) >= 2:
                    yield path.relative_to(root), node.lineno, sentence


if __name__ == "__main__":
    main()
