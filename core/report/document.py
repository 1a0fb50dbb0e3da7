"""A small document: headings, paragraphs, lists, tables and listings, written as Markdown or as HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat

from core.html_page import html_page
from core.words import in_line, visible, xml_text

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
    """Text to be shown as it is. With a ``title`` it is folded away under that, together with a sentence ``about`` it.
    One in the language of Mermaid is a picture, which GitHub draws."""

    text: str
    language: str = ""
    title: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True)
class DocumentTable:
    """Rows of two columns: name and value."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list; the items are names, shown as code."""

    items: tuple[str, ...]
    numbered: bool
    """True if the items have numbers, by which other parts of the document refer to them."""


Block = Heading | Paragraph | CodeBlock | DocumentTable | Bullets

MERMAID = "mermaid"
"""Language of a picture."""


@dataclass
class Document:
    """Blocks in reading order."""

    blocks: list[Block] = field(default_factory=list)

    def add(self, *blocks: Block) -> None:
        """Add blocks."""
        self.blocks += blocks

    @property
    def title(self) -> str:
        """The text of the first heading."""
        return next((block.text for block in self.blocks if isinstance(block, Heading)), "")

    def markdown(self, most: int | None = None) -> str:
        """Return the document in GitHub's Markdown. With ``most``, so many characters at most.

        Optional blocks then fill the room that the others leave: pictures first, then the jar as text, then listings of
        source, then listings of bytecode. If the rest alone is too long, texts are cut."""
        texts = [visible(_markdown(block)) for block in self.blocks]
        if most is None or _length(texts) <= most:
            return "\n\n".join(texts) + "\n"
        room = most - _NOTE
        spare = {at for at, block in enumerate(self.blocks) if _rank(block) is not None}
        left = room - _length([text for at, text in enumerate(texts) if at not in spare])
        kept = set()
        for at in sorted(spare, key=lambda at: (_rank(self.blocks[at]), at)):
            if len(texts[at]) + 2 <= left:
                kept.add(at)
                left -= len(texts[at]) + 2
        note = _left_out([self.blocks[at] for at in sorted(spare - kept)])
        if left < 0:
            _cut(self.blocks, texts, -left)
        carried = next((at for at in sorted(kept) if _rank(self.blocks[at]) == _CARRIED), len(texts))
        shown = [text for at, text in enumerate(texts) if at not in spare - kept and at < carried]
        shown += [note, *(text for at, text in enumerate(texts) if at in kept and at >= carried)]
        return "\n\n".join(filter(None, shown))[: most - 1] + "\n"

    def html(self) -> str:
        """Return the document as one file of HTML without references to anything else."""
        body = "\n".join(_html(block) for block in self.blocks)
        return html_page(self.title, visible(body), _STYLE)


TOO_LARGE = "The jar itself is too large for this text: attach it as a zip file."
"""Sentence in the place of a jar that the text does not carry."""

_NOTE = 400
"""Characters reserved for the sentences on omitted blocks."""


_PICTURE, _CARRIED, _SOURCE, _BYTECODE = range(4)
"""Ranks of optional blocks, last to be left out first."""


def _rank(block: Block) -> int | None:
    """Return the rank of an optional block; None for all others."""
    if not isinstance(block, CodeBlock) or not (block.title or block.language == MERMAID):
        return None
    if block.about:
        return _CARRIED
    return _PICTURE if not block.title else _SOURCE if block.language else _BYTECODE


def _left_out(blocks: Sequence[Block]) -> str:
    """Return the sentences on blocks for which there was no room."""
    ranks = list(map(_rank, blocks))
    listings = ranks.count(_SOURCE) + ranks.count(_BYTECODE)
    told = [f"{listings} listings are left out here for want of room: they are in the full report."] * bool(listings)
    told += [TOO_LARGE] * (_CARRIED in ranks)
    told += ["The picture of what is left is left out too."] * (_PICTURE in ranks)
    return " ".join(told)


def _cut(blocks: Sequence[Block], texts: list[str], over: int) -> None:
    """Cut listings that have to stay, the longest first, until ``over`` characters are gone."""
    for at in sorted(range(len(texts)), key=lambda at: -len(texts[at])):
        block = blocks[at]
        if over > 0 and isinstance(block, CodeBlock) and _rank(block) is None:
            before = len(texts[at])
            texts[at] = _markdown(replace(block, text=block.text[: max(0, len(block.text) - over - 40)] + "\n[...]"))
            over -= before - len(texts[at])


def _length(texts: Sequence[str]) -> int:
    """Return the number of characters of the texts and of their separators."""
    return sum(len(text) + 2 for text in texts if text)


def _markdown(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * level} {_plain(in_line(text))}"
        case Paragraph(text):
            return _plain(text)
        case CodeBlock(text, language, title, about):
            fence = "`" * max(3, 1 + _longest_run(text))
            listing = f"{fence}{language}\n{text.rstrip()}\n{fence}"
            inside = f"{_plain(about)}\n\n{listing}" if about else listing
            head = f"<details><summary><code>{xml_text(title)}</code></summary>"
            return f"{head}\n\n{inside}\n\n</details>" if title else listing
        case DocumentTable(rows):
            lines = [f"| {_cell(name)} | {_cell(value)} |" for name, value in rows]
            return "\n".join(["| | |", "|---|---|", *lines])
        case Bullets(items, numbered):
            marks = (f"{number}." for number in range(1, len(items) + 1)) if numbered else repeat("-")
            return "\n".join(f"{mark} {_code(in_line(item))}" for mark, item in zip(marks, items, strict=False))


def _html(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"<h{level}>{xml_text(text)}</h{level}>"
        case Paragraph(text):
            return f"<p>{html.escape(text)}</p>"
        case CodeBlock(language=language) if language == MERMAID:
            return ""  # the page draws none
        case CodeBlock(text, _, title, about):
            listing = f"<pre>{html.escape(text.rstrip())}</pre>"
            inside = f"<p>{html.escape(about)}</p>{listing}" if about else listing
            return f"<details><summary>{xml_text(title)}</summary>{inside}</details>" if title else listing
        case DocumentTable(rows):
            cells = (f"<tr><th>{xml_text(name)}</th><td>{html.escape(value)}</td></tr>" for name, value in rows)
            return f"<table>{''.join(cells)}</table>"
        case Bullets(items, numbered):
            tag = "ol" if numbered else "ul"
            return f"<{tag}>{''.join(f'<li><code>{xml_text(item)}</code></li>' for item in items)}</{tag}>"


def _plain(text: str) -> str:
    """Return a text in which Markdown sees nothing but text."""
    return re.sub(r"([\\`*_\[\]<>#|~])", r"\\\1", text)


def _cell(text: str) -> str:
    return _plain(text).replace("\n", " ")


def _code(text: str) -> str:
    fence = "`" * (1 + _longest_run(text))
    pad = " " if "`" in text else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def bullets(items: Iterable[str], limit: int, *, numbered: bool = False) -> list[Block]:
    """Return the first ``limit`` names as a list, and a line that tells how many more there are."""
    names = tuple(items)
    blocks: list[Block] = [Bullets(names[:limit], numbered)] if names else []
    if len(names) > limit:
        blocks.append(Paragraph(f"... and {len(names) - limit} more."))
    return blocks
