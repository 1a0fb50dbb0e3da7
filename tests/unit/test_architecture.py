"""The floors of the house: who may import whom (read from the source, so that no import hides in a function)."""

from __future__ import annotations

import ast
import itertools
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import networkx
import pytest

ROOT = Path(__file__).resolve().parents[2]

HOUSE = ("core", "jarlet", "app")
"""Top-level packages, from the ground up."""

MOST_FILES = 16
"""Files of a folder, beside its ``__init__``."""

EVERYWHERE = {
    "core.cancellation",
    "core.crash",
    "core.entries",
    "core.errors",
    "core.html_page",
    "core.outside_names",
    "core.remembered",
    "core.renaming",
    "core.sets",
    "core.user_folders",
    "core.values",
    "core.version",
    "core.words",
}
"""Plain words that every floor may use."""

FLOORS = (
    ("core.system",),
    ("core.protocol",),
    ("core.archive", "core.classfile"),
    ("core.code", "core.library"),
    ("core.edits", "core.parts"),
    ("core.model",),
    ("core.layout", "core.search", "core.predicate"),
    ("core.evidence", "core.cluster", "core.recompile", "core.assembler"),
    ("core.reduction",),
    ("core.plan", "core.store", "core.report"),
    ("core.check", "core.known"),
    ("core.service",),
    ("core.batch", "core.command_loop"),
)
"""The rooms of core, from the ground up: a room may import itself and those of lower floors."""

MAY_IMPORT = {
    room: {below for floor in FLOORS[:number] for below in floor}
    for number, floor in enumerate(FLOORS)
    for room in floor
} | {name: set() for name in EVERYWHERE}
"""Room -> the rooms below it. A room may always import itself."""

WINDOW = ("app.engine", "app.window", "app.theme", "app.graph", "app.panels", "app.dialogs", "app.bug")
"""Rooms of the window: what they share with the engine is the protocol."""

FILES = ("core.system.files.", "core.system.outputs.", "core.system.processes.python_child.")
"""How files are written and processes of ours started: the window writes pictures itself, as carefully as the engine,
and starts that."""

ONLY_IN = {
    "jawa": {"core.classfile.jawa_classes"},
    "platformdirs": {"core.user_folders"},
    "psutil": {"core.system.processes.measures"},
    "pygraphviz": {"core.layout.graphviz_worker"},
}
"""Packages that one module alone knows."""


def modules(folder: str) -> Iterator[tuple[str, Path]]:
    for path in sorted((ROOT / folder).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def statements(block: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Those of a block, and all within them: a twelfth of the nodes of a tree."""
    for each in block:
        yield each
        for name in ("body", "orelse", "handlers", "finalbody", "cases"):
            yield from statements(getattr(each, name, ()))


@cache
def imports(path: Path, module: str) -> tuple[tuple[int, str], ...]:
    """Line and full name of every module or member imported, wherever in the file."""
    package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    found = []
    for node in statements(tree(path).body):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            name = ".".join([*base, *([node.module] if node.module else [])])
            found += [(node.lineno, f"{name}.{alias.name}") for alias in node.names]
    return tuple(found)


def floor(name: str) -> str:
    return ".".join(name.split(".")[:2])


def everything(*folders: str) -> Iterator[tuple[str, str, str]]:
    """Module, imported name and ``file:line`` of each import."""
    for folder in folders:
        for module, path in modules(folder):
            for line, name in imports(path, module):
                yield module, name, f"{path.relative_to(ROOT)}:{line}"


def test_every_module_of_core_belongs_to_a_floor() -> None:
    unknown = {floor(module) for module, _ in modules("core")} - set(MAY_IMPORT) - {"core"}
    assert not unknown


def test_imports_within_core_point_down() -> None:
    wrong = [
        f"{where} imports {name}"
        for module, name, where in everything("core")
        if name.split(".")[0] == "core"
        and floor(name) not in MAY_IMPORT.get(floor(module), set()) | {floor(module)} | EVERYWHERE
    ]
    assert not wrong, "\n".join(wrong)


def test_below_the_service_settings_are_an_aim() -> None:
    # Sessions and batch files keep settings as they are written down.
    may = {"core.protocol", "core.store", "core.service", "core.batch"}
    wrong = [
        f"{where} imports {name}"
        for module, name, where in everything("core")
        if name.startswith(("core.protocol.settings.", "core.protocol.check_settings."))
        and floor(module) not in may
        and module != "core.command_loop"
    ]
    assert not wrong, "\n".join(wrong)


def imported_modules() -> Iterator[tuple[str, str]]:
    """Pairs of modules, of which the first imports the second."""
    known = {module for folder in HOUSE for module, _ in modules(folder)}
    for module, name, _ in everything(*HOUSE):
        target = name if name in known else name.rpartition(".")[0]
        if target in known and target != module:
            yield module, target


def test_no_files_import_each_other_in_a_circle() -> None:
    graph = networkx.DiGraph(imported_modules())
    circles = [sorted(part) for part in networkx.strongly_connected_components(graph) if len(part) > 1]
    assert not circles


def test_a_stem_stands_for_one_file_among_rooms_that_import_each_other() -> None:
    neighbours = {frozenset((floor(one), floor(other))) for one, other in imported_modules()}
    stems: dict[str, list[str]] = {}
    for folder in HOUSE:
        for module, path in modules(folder):
            if path.name not in ("__init__.py", "__main__.py"):
                stems.setdefault(path.stem, []).append(module)
    twice = [
        (one, other)
        for same in stems.values()
        for one, other in itertools.combinations(same, 2)
        if floor(one) == floor(other) or frozenset((floor(one), floor(other))) in neighbours
    ]
    assert not twice


def test_no_class_name_stands_for_two_things() -> None:
    homes: dict[str, list[str]] = {}
    for folder in HOUSE:
        for _, path in modules(folder):
            for node in tree(path).body:
                if isinstance(node, ast.ClassDef):
                    homes.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    assert not {name: where for name, where in homes.items() if len(where) > 1}


def test_no_folder_is_crowded() -> None:
    crowded = {
        str(folder.relative_to(ROOT)): count
        for top in HOUSE
        for folder in [ROOT / top, *(path for path in (ROOT / top).rglob("*") if path.is_dir())]
        if (count := sum(path.name != "__init__.py" for path in folder.glob("*.py"))) > MOST_FILES
    }
    assert not crowded


def test_every_folder_says_what_it_is_for() -> None:
    silent = [
        str(folder.relative_to(ROOT))
        for top in HOUSE
        for folder in [ROOT / top, *(path for path in (ROOT / top).rglob("*") if path.is_dir())]
        if any(folder.glob("*.py"))
        and not (folder / "README.md").exists()
        and not ast.get_docstring(tree(folder / "__init__.py"))
    ]
    assert not silent


def test_every_room_of_core_stands_in_its_readme() -> None:
    page = (ROOT / "core" / "README.md").read_text(encoding="utf-8")
    rooms = [f"{path.name}/" for path in (ROOT / "core").iterdir() if (path / "__init__.py").exists()]
    rooms += [path.name for path in (ROOT / "core").glob("*.py") if path.name != "__init__.py"]
    assert len(rooms) > 20
    assert [room for room in rooms if f"`{room}`" not in page] == []


def test_search_knows_nothing_of_the_rest_but_its_plain_settings() -> None:
    wrong = [
        f"{where} imports {name}"
        for module, name, where in everything("core")
        if floor(module) == "core.search"
        and not name.startswith(("core.search.", "core.sets.", "core.protocol.search_settings."))
        and name.split(".")[0] not in sys.stdlib_module_names
        and name.split(".")[0] not in {"networkx", "numpy", "pysat"}
    ]
    assert not wrong, "\n".join(wrong)


def test_core_knows_neither_qt_nor_app() -> None:
    wrong = [
        f"{where} imports {name}"
        for _, name, where in everything("core")
        if name.split(".")[0] in {"app", "jarlet", "PySide6", "shiboken6", "tests"}
    ]
    assert not wrong, "\n".join(wrong)


def test_the_python_interface_knows_neither_qt_nor_the_commands() -> None:
    wrong = [
        f"{where} imports {name}"
        for module, name, where in everything("jarlet")
        if name.split(".")[0] in {"app", "PySide6", "shiboken6", "tests"} and module != "jarlet.__main__"
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("package", ONLY_IN)
def test_one_module_alone_imports(package: str) -> None:
    users = {module for module, name, _ in everything("core", "app") if name.split(".")[0] == package}
    assert users == ONLY_IN[package]


def test_nobody_imports_the_graphviz_worker() -> None:
    # It is run as a process: see its docstring.
    assert not [where for _, name, where in everything("core", "app") if name.startswith("core.layout.graphviz_worker")]


def test_the_window_shares_the_protocol_alone_with_the_engine() -> None:
    wrong = [
        f"{where} imports {name}"
        for module, name, where in everything("app")
        if module.startswith(WINDOW)
        and name.split(".")[0] == "core"
        and floor(name) not in {"core.protocol", *EVERYWHERE}
        and not name.startswith(FILES)
    ]
    assert not wrong, "\n".join(wrong)


def test_the_window_names_no_engine_libraries() -> None:
    wrong = [
        f"{where} imports {name}"
        for _, name, where in everything("app")
        if name.split(".")[0] in {"pygraphviz", "pysat", "jawa"}
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("module", "forbidden"),
    [
        ("jarlet", ("core", "networkx", "numpy")),
        ("app.cli", ("PySide6", "shiboken6", "platformdirs", "psutil")),
        ("app.__main__", ("PySide6", "shiboken6", "pygraphviz", "pysat")),
        ("app.window.main_window", ("pygraphviz", "pysat")),
        ("core.service.engine", ("PySide6", "shiboken6", "pygraphviz")),
    ],
)
def test_importing_loads_nothing_forbidden(module: str, forbidden: tuple[str, ...]) -> None:
    code = f"import sys, {module}; print(*sorted(set({forbidden!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""


def test_access_flags_have_their_names_from_one_module() -> None:
    masks = (
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for _, path in modules("core")
        if re.search(r"access\W*&", path.read_text(encoding="utf-8"))
        for node in ast.walk(tree(path))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd)
        if isinstance(node.left, ast.Attribute | ast.Name) and ast.unparse(node.left).rpartition(".")[2] == "access"
        if isinstance(node.right, ast.Constant)
    )
    wrong = list(masks)
    assert not wrong


NO_BYTES = ("core.edits", "core.reduction", "core.plan", "core.model.rules")
"""Rooms that know nothing of the bytes of class files: those are read and written below."""


@pytest.mark.parametrize("room", NO_BYTES)
def test_a_room_above_the_bytes_of_class_files_reads_and_writes_none(room: str) -> None:
    found = []
    for _, path in modules(room.replace(".", "/")):
        for node in ast.walk(tree(path)):
            imported = isinstance(node, ast.Import) and any(each.name == "struct" for each in node.names)
            called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            name = node.func.attr if called else ""
            if imported or name == "from_bytes" or (name == "to_bytes" and node.args):
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert not found
