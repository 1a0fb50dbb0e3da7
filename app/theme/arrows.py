"""Small arrows for combo and spin boxes: a style sheet can only show them from files."""

from __future__ import annotations

from core.user_folders import cache_folder

_SHAPES = {"down": "M2 4 L6 8 L10 4", "up": "M2 8 L6 4 L10 8", "check": "M2 6.2 L4.8 9 L10 3.4"}
_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="12" height="12" viewBox="0 0 12 12">'
    '<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"/>'
    "</svg>"
)


def shape_svg(name: str) -> bytes:
    """Return a shape as a black drawing, to be tinted; empty if there is no such shape."""
    return _SVG.format(path=_SHAPES[name], colour="#000000").encode() if name in _SHAPES else b""


def arrow_files(colours: dict[str, str]) -> dict[str, str]:
    """Write an arrow of each shape in each named colour. Return the paths by ``shape_name``, with forward slashes.
    Return an empty table when nothing can be written: Qt's own arrows then have to do."""
    files = {}
    try:
        folder = cache_folder() / "arrows"
        folder.mkdir(parents=True, exist_ok=True)
        for name, colour in colours.items():
            for shape, path in _SHAPES.items():
                file = folder / f"{shape}-{colour.lstrip('#')}.svg"
                if not file.is_file():
                    file.write_text(_SVG.format(path=path, colour=colour), encoding="utf-8")
                files[f"{shape}_{name}"] = file.as_posix()
    except (OSError, RuntimeError):
        return {}
    return files
