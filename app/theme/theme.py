"""The colours of the light and the dark appearance, both also with high contrast, those of the graph among them.

The states' colours are those of Okabe and Ito, which the colour-blind can tell apart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Theme:
    """All colours of one appearance, as ``#rrggbb``."""

    name: str
    window: str
    surface: str
    """Cards, fields, lists."""
    canvas: str
    text: str
    muted: str
    """Secondary text: still 4.5 : 1 on ``surface`` and ``window``."""
    line: str
    """Borders between surfaces."""
    button: str
    accent: str
    on_accent: str
    selected: str
    """Background of a selected row."""
    kept: str
    needed: str
    so_far: str
    """Colour of items needed so far: paler than ``needed``."""
    trying: str
    gone: str
    gone_line: str
    idle: str
    """Nodes before any run, too small for an outline."""
    on_kept: str
    on_needed: str
    on_trying: str
    on_gone: str
    edge: str
    edge_gone: str
    hull: str
    hull_line: str
    needs: str
    """Edges from the selected class."""
    needed_by: str
    """Edges to the selected class."""
    found: str
    """Ring around the hits of the search."""
    good: str
    bad: str
    warn: str

    @property
    def dark(self) -> bool:
        """Return True if text is light on dark."""
        return self.name in ("dark", "contrast-dark")

    @property
    def disabled(self) -> str:
        """The colour of words and signs that cannot be used now: paler than ``muted``, and still legible."""
        pairs = zip(bytes.fromhex(self.muted[1:]), bytes.fromhex(self.gone_line[1:]), strict=True)
        return "#" + "".join(f"{(one + other) // 2:02x}" for one, other in pairs)

    @property
    def contrast(self) -> bool:
        """Return True if everything stands out as far as it can."""
        return self.name.startswith("contrast")


LIGHT = Theme(
    name="light",
    window="#f3f4f6",
    surface="#ffffff",
    canvas="#fbfcfd",
    text="#1b2330",
    muted="#5a6577",
    line="#d5dae1",
    button="#fdfdfe",
    accent="#0b62a8",
    on_accent="#ffffff",
    selected="#d8e8f7",
    kept="#0072b2",
    needed="#009e73",
    so_far="#c4ebdd",
    trying="#e69f00",
    gone="#eef0f3",
    gone_line="#b6bec9",
    idle="#9dbcd9",
    on_kept="#ffffff",
    on_needed="#001d15",
    on_trying="#221700",
    on_gone="#5f6a7a",
    edge="#c3cbd6",
    edge_gone="#eaedf1",
    hull="#e9f1f9",
    hull_line="#a9c4de",
    needs="#d55e00",
    needed_by="#5e3db3",
    found="#cc2f9a",
    good="#00724f",
    bad="#b3261e",
    warn="#8a5300",
)

DARK = Theme(
    name="dark",
    window="#1d2127",
    surface="#262b33",
    canvas="#171b20",
    text="#e6e9ee",
    muted="#aeb8c5",
    line="#3a424d",
    button="#303640",
    accent="#56b4e9",
    on_accent="#06121c",
    selected="#2b4a63",
    kept="#56b4e9",
    needed="#1fbf92",
    so_far="#1d4a40",
    trying="#f0b429",
    gone="#20252c",
    gone_line="#4d5765",
    idle="#4a6d8c",
    on_kept="#04121c",
    on_needed="#00140e",
    on_trying="#221700",
    on_gone="#97a1af",
    edge="#46505d",
    edge_gone="#262c34",
    hull="#202a35",
    hull_line="#41607c",
    needs="#ff8c42",
    needed_by="#b9a2ff",
    found="#ff79d1",
    good="#4fd6aa",
    bad="#ff8a80",
    warn="#f3c04b",
)

CONTRAST = replace(
    LIGHT,
    name="contrast",
    window="#ffffff",
    canvas="#ffffff",
    text="#000000",
    muted="#262b33",
    line="#68717e",
    button="#ffffff",
    accent="#00427a",
    selected="#c3ddf7",
    kept="#005a8f",
    so_far="#a5e8ce",
    gone="#e4e7eb",
    gone_line="#636c79",
    idle="#5c86ae",
    on_gone="#3f4752",
    edge="#6d7783",
    edge_gone="#c3c8cf",
    hull="#e3eefa",
    hull_line="#2f6697",
    needs="#a34700",
    needed_by="#46219c",
    found="#a3107a",
    good="#00533a",
    bad="#8f140d",
    warn="#633b00",
)

CONTRAST_DARK = replace(
    DARK,
    name="contrast-dark",
    window="#000000",
    surface="#000000",
    canvas="#000000",
    text="#ffffff",
    muted="#e3e7ec",
    line="#8a94a1",
    button="#14181d",
    accent="#7cc9ff",
    on_accent="#000000",
    selected="#004173",
    so_far="#004a36",
    gone="#262c34",
    gone_line="#96a0ad",
    idle="#6f97bb",
    on_gone="#c6cdd6",
    edge="#8a94a1",
    edge_gone="#3d444e",
    hull="#0c1c2b",
    hull_line="#84b6e0",
)

THEMES = {theme.name: theme for theme in (LIGHT, DARK, CONTRAST, CONTRAST_DARK)}
