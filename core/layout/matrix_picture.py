"""A dependency structure matrix as an SVG document: rows need columns, both in the same order."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.layout.labels import fit
from core.layout.picture import BASELINE, LETTER, MARGIN
from core.words import in_line, xml_text

CELL = 14.0
FONT = 10.0
_NAME = 190.0
"""Most room for the names of the rows; those of the columns are turned and have as much."""
_NOTE = 420.0
"""Room for the line below."""
_COUNTS_MOST = 80
"""Up to so many rows the numbers of edges stand in the cells."""

_STYLE = (
    ".paper{fill:#fff}.grid{fill:none;stroke:#dfe4ec;stroke-width:.6}.group{fill:#eef3fb;stroke:#b5c4e3}"
    ".self{fill:#c9d0dc}.down{fill:#3b62b0}.up{fill:#c04f00}"
    f"text{{font-size:{FONT:g}px;fill:#1c2333}}.gone{{fill:#8a909b;text-decoration:line-through}}"
    f".count{{font-size:{FONT - 2:g}px;fill:#fff;text-anchor:middle}}"
)


def matrix_svg(
    names: Sequence[str],
    cells: Sequence[Sequence[int]],
    groups: Sequence[Sequence[int]],
    gone: Collection[int] = (),
    title: str = "",
) -> str:
    """Return the picture of a matrix. ``names`` are those of the rows; ``cells`` are row, column and number of edges;
    ``groups`` are first row and number of rows of each cycle; ``gone`` are the rows of which nothing is left.
    """
    size, side = len(names), CELL * len(names)
    room = min(_NAME, max(map(len, names), default=0) * LETTER * FONT + 12)
    width = max(room + side, _NOTE) + 2 * MARGIN
    height = room + side + 2 * MARGIN + 24
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="{-MARGIN - room:.2f} {-MARGIN - room:.2f} {width:.2f} {height:.2f}" '
        f'font-family="DejaVu Sans, Verdana, sans-serif">',
        f"<title>{xml_text(title or 'Dependency matrix')}</title>",
        f"<style>{_STYLE}</style>",
        f'<rect class="paper" x="{-MARGIN - room:.2f}" y="{-MARGIN - room:.2f}" width="{width:.2f}" '
        f'height="{height:.2f}"/>',
    ]
    for first, count in groups:
        at, wide = CELL * first, CELL * count
        parts.append(f'<rect class="group" x="{at:g}" y="{at:g}" width="{wide:g}" height="{wide:g}"/>')
    lines = "".join(f"M0 {CELL * n:g}h{side:g}M{CELL * n:g} 0v{side:g}" for n in range(size + 1))
    parts.append(f'<path class="grid" d="{lines}"/>')
    parts.append(_squares("self", [(n, n) for n in range(size)]))
    parts.append(_squares("down", [(row, column) for row, column, _ in cells if column < row]))
    parts.append(_squares("up", [(row, column) for row, column, _ in cells if column > row]))
    if size <= _COUNTS_MOST:
        parts += [
            f'<text class="count" x="{CELL * (column + 0.5):g}" '
            f'y="{CELL * (row + 0.5) + BASELINE * (FONT - 2):.1f}">{count}</text>'
            for row, column, count in cells
            if count < 1000
        ]
    for number, name in enumerate(names):
        label = xml_text(fit(in_line(name), room - 6, LETTER * FONT))
        look = ' class="gone"' if number in gone else ""
        line = CELL * (number + 0.5) + BASELINE * FONT
        full = f"<title>{xml_text(name)}</title>"
        parts.append(f'<g>{full}<text{look} x="-6" y="{line:.1f}" text-anchor="end">{label}</text></g>')
        parts.append(f'<g>{full}<text{look} transform="translate({line:.1f} -6) rotate(-90)">{label}</text></g>')
    upward = sum(column > row for row, column, _ in cells)
    note = f"{size} rows, {len(cells)} cells, {upward} of them above the diagonal (in cycles). Rows need columns."
    parts.append(f'<text x="{-room:.2f}" y="{side + 24:.1f}">{note}</text>')
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def _squares(look: str, places: Sequence[tuple[int, int]]) -> str:
    wide = CELL - 2
    drawn = "".join(f"M{CELL * column + 1:g} {CELL * row + 1:g}h{wide:g}v{wide:g}h{-wide:g}z" for row, column in places)
    return f'<path class="{look}" d="{drawn}"/>' if drawn else ""
