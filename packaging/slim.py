"""Leaves out of installed packages what Jarlet never loads: packaging/slim.py SITE-PACKAGES

The Debian package and the bundle are made of what this leaves. Of PySide6 stay the modules that Jarlet's code imports,
the plug-ins that draw a window on X, Wayland or nothing, and the libraries that these need: no QML, Quick, Network,
Designer or translations (the window speaks English only), none of the developers' tools. Of the other packages go
tests, type stubs and what is compiled against. Needs objdump (binutils), as dpkg-dev and PyInstaller do.
"""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

LIBRARIES = frozenset(
    ("Core", "Gui", "Widgets", "Svg", "DBus", "OpenGL", "XcbQpa", "WaylandClient", "WlShellIntegration")
)
"""Those of Qt that the modules and plug-ins which stay may need; a plug-in that needs another one goes."""
KINDS = frozenset((
    "platforms", "platformthemes", "platforminputcontexts", "iconengines", "imageformats", "xcbglintegrations",
    "wayland-decoration-client", "wayland-graphics-integration-client", "wayland-shell-integration",
))  # fmt: skip
"""Kinds of plug-ins that a window may load."""
LEFT_OUT = ("tests", "include")
"""Folders of any package but PySide6 that nothing of it imports."""


class SlimError(Exception):
    """Something that would be left out is needed."""


def main(words: list[str]) -> int:
    """Does it to a folder of installed packages; the exit code."""
    if len(words) != 1:
        print("usage: slim.py SITE-PACKAGES", file=sys.stderr)
        return 2
    site = Path(words[0])
    before = size_of(site)
    try:
        slim_qt(site / "PySide6", modules_of(site / "jarlet"))
    except SlimError as error:
        print(f"slim: {error}", file=sys.stderr)
        return 1
    slim_others(site)
    print(f"{site}: {before / 1e6:.0f} MB, now {size_of(site) / 1e6:.0f} MB")
    return 0


def modules_of(package: Path) -> set[str]:
    """The modules of PySide6 that code imports: ``QtCore`` and so on."""
    found = set()
    for file in package.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.ImportFrom) and node.module == "PySide6":
                found |= {alias.name for alias in node.names if alias.name.startswith("Qt")}
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("PySide6."):
                found.add(str(node.module).split(".")[1])
            elif isinstance(node, ast.Import):
                found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("PySide6.")}
    return found


def slim_qt(pyside: Path, modules: set[str]) -> None:
    """Leaves of PySide6 what these modules need. Raises SlimError where that is more than :data:`LIBRARIES`."""
    qt = pyside / "Qt"
    loaded = [pyside / f"{module}.abi3.so" for module in sorted(modules)]
    libraries = {file.name: file for file in (*(qt / "lib").iterdir(), *pyside.glob("libpyside6*.so*"))}
    beyond = sorted(_qt_names(_needed(loaded, libraries)) - LIBRARIES)
    if beyond:
        raise SlimError(f"{', '.join(sorted(modules))} need {', '.join(beyond)} of Qt: name them in LIBRARIES.")
    for plugin in sorted((qt / "plugins").rglob("*.so")):
        needs = {name for name in needed_by(plugin) if name.startswith("libQt6")}
        known = {name for name in needs if name in libraries}
        if plugin.parent.name in KINDS and known == needs and _qt_names(_needed([plugin], libraries)) <= LIBRARIES:
            loaded.append(plugin)
    kept = {*loaded, *(libraries[name] for name in _needed(loaded, libraries))}
    for file in pyside.rglob("*"):
        own = file.suffix in (".py", ".pyc") and file.relative_to(pyside).parts[0] not in ("scripts", "Qt")
        if (file.is_symlink() or file.is_file()) and file not in kept and not own:
            file.unlink()
    shutil.rmtree(pyside / "scripts", ignore_errors=True)
    _drop_empty(pyside)


def slim_others(site: Path) -> None:
    """Leaves out tests, stubs of types, headers and static libraries of all packages."""
    for package in site.iterdir():
        if package.is_dir() and package.name != "jarlet" and not package.name.endswith(".dist-info"):
            for folder in [path for path in package.rglob("*") if path.is_dir() and path.name in LEFT_OUT]:
                shutil.rmtree(folder, ignore_errors=True)
            for file in [path for path in package.rglob("*") if path.suffix in (".pyi", ".a", ".lib")]:
                file.unlink()


def needed_by(file: Path) -> Iterator[str]:
    """The libraries that a library names."""
    done = subprocess.run(["objdump", "-p", file], capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        words = line.split()
        if words[:1] == ["NEEDED"]:
            yield words[1]


def size_of(folder: Path) -> int:
    """Bytes of all files below a folder."""
    return sum(file.lstat().st_size for file in folder.rglob("*") if not file.is_dir())


def _needed(files: Iterable[Path], libraries: dict[str, Path]) -> set[str]:
    """Those of the libraries that the files need, by way of others too."""
    found: set[str] = set()
    left = list(files)
    while left:
        new = {name for name in needed_by(left.pop()) if name in libraries} - found
        found |= new
        left += [libraries[name] for name in new]
    return found


def _qt_names(names: Iterable[str]) -> set[str]:
    return {name.removeprefix("libQt6").partition(".")[0] for name in names if name.startswith("libQt6")}


def _drop_empty(folder: Path) -> None:
    for path in sorted((path for path in folder.rglob("*") if path.is_dir()), reverse=True):
        if not any(path.iterdir()):
            path.rmdir()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
