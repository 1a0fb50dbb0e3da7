"""A small document: headings, paragraphs, lists, tables and listings, written as Markdown or as HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from core.words import in_line, visible

_STYLE = """
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
pre { overflow-x: auto; padding: .75rem; border: 1px solid #8886; border-radius: 6px; font-size: 13px }
table { border-collapse: collapse } td, th { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top }
summary { cursor: pointer; font-family: monospace; padding: .15rem 0 }
""".strip()


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of level 1 (the document's own) to 3."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Text to be shown as it is; with a ``title`` it is folded away under that."""

    text: str
    language: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class DocumentTable:
    """Rows of two columns: what, and its value."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Bullets:
    """An unordered list; the items are names, shown as code."""

    items: tuple[str, ...]


Block = Heading | Paragraph | CodeBlock | DocumentTable | Bullets


@dataclass
class Document:
    """Blocks in reading order."""

    blocks: list[Block] = field(default_factory=list)

    def add(self, *blocks: Block) -> None:
        """Add blocks; what a reader could not see in their texts is escaped."""
        self.blocks += map(_visible, blocks)

    @property
    def title(self) -> str:
        """The text of the first heading."""
        return next((block.text for block in self.blocks if isinstance(block, Heading)), "")

    def markdown(self, most: int | None = None) -> str:
        """Return the document in GitHub's Markdown. With ``most``, so many characters at most: listings are left out
        until it fits, of bytecode before source, the last ones first; then texts are cut."""
        texts = [_markdown(block) for block in self.blocks]
        if most is None or _length(texts) <= most:
            return "\n\n".join(texts) + "\n"
        room = most - len(_LEFT_OUT.format(len(texts))) - 2
        folded = [at for at, block in enumerate(self.blocks) if isinstance(block, CodeBlock) and block.title]
        left_out = 0
        for at in sorted(folded, key=lambda at: (bool(_language(self.blocks[at])), -at)):
            if _length(texts) <= room:
                break
            texts[at] = ""
            left_out += 1
        for at in sorted(range(len(texts)), key=lambda at: -len(texts[at])):
            over = _length(texts) - room
            block = self.blocks[at]
            if over > 0 and isinstance(block, CodeBlock):
                texts[at] = _markdown(
                    replace(block, text=block.text[: max(0, len(block.text) - over - 40)] + "\n[...]")
                )
        whole = "\n\n".join(filter(None, texts))
        return f"{whole[:room]}\n\n{_LEFT_OUT.format(left_out)}\n" if left_out else f"{whole[: most - 1]}\n"

    def html(self) -> str:
        """Return the document as one file of HTML without references to anything else."""
        body = "\n".join(_html(block) for block in self.blocks)
        return (
            f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{html.escape(self.title)}'
            f"</title>\n<style>\n{_STYLE}\n</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
        )


_LEFT_OUT = "{} listings are left out here for want of room: they are in the full report."


def _length(texts: Sequence[str]) -> int:
    """Characters of the texts with what stands between them."""
    return sum(len(text) + 2 for text in texts if text)


def _language(block: Block) -> str:
    return block.language if isinstance(block, CodeBlock) else ""


def _visible(block: Block) -> Block:
    match block:
        case Heading(level, text):
            return Heading(level, in_line(text))
        case Paragraph(text):
            return Paragraph(visible(text))
        case CodeBlock(text, language, title):
            return CodeBlock(visible(text), language, in_line(title))
        case DocumentTable(rows):
            return DocumentTable(tuple((in_line(name), visible(value)) for name, value in rows))
        case Bullets(items):
            return Bullets(tuple(map(in_line, items)))


def _markdown(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * level} {_plain(text)}"
        case Paragraph(text):
            return _plain(text)
        case CodeBlock(text, language, title):
            fence = "`" * max(3, 1 + _longest_run(text))
            listing = f"{fence}{language}\n{text.rstrip()}\n{fence}"
            summary = f"<details><summary><code>{html.escape(title)}</code></summary>"
            return f"{summary}\n\n{listing}\n\n</details>" if title else listing
        case DocumentTable(rows):
            lines = [f"| {_cell(name)} | {_cell(value)} |" for name, value in rows]
            return "\n".join(["| | |", "|---|---|", *lines])
        case Bullets(items):
            return "\n".join(f"- {_code(item)}" for item in items)


def _html(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"<h{level}>{html.escape(text)}</h{level}>"
        case Paragraph(text):
            return f"<p>{html.escape(text)}</p>"
        case CodeBlock(text, _, title):
            listing = f"<pre>{html.escape(text.rstrip())}</pre>"
            return f"<details><summary>{html.escape(title)}</summary>{listing}</details>" if title else listing
        case DocumentTable(rows):
            return _rows(rows)
        case Bullets(items):
            return "<ul>" + "".join(f"<li><code>{html.escape(item)}</code></li>" for item in items) + "</ul>"


def _rows(rows: Sequence[tuple[str, str]]) -> str:
    cells = (f"<tr><th>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>" for name, value in rows)
    return f"<table>{''.join(cells)}</table>"


def _plain(text: str) -> str:
    """Text in which Markdown sees nothing but text."""
    return re.sub(r"([\\`*_\[\]<>#|~])", r"\\\1", text)


def _cell(text: str) -> str:
    return _plain(text).replace("\n", " ")


def _code(text: str) -> str:
    fence = "`" * (1 + _longest_run(text))
    pad = " " if "`" in text else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _longest_run(text: str, mark: str = "`") -> int:
    return max((len(run) for run in re.findall(f"{re.escape(mark)}+", text)), default=0)


def bullets(items: Iterable[str], limit: int) -> list[Block]:
    """Return the first ``limit`` names as a list, and a line that tells how many more there are."""
    names = tuple(items)
    blocks: list[Block] = [Bullets(names[:limit])] if names else []
    if len(names) > limit:
        blocks.append(Paragraph(f"... and {len(names) - limit} more."))
    return blocks
