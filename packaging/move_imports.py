"""Puts a module's imports of our packages inside ``jarlet``, for the package that is installed (``setup.py``)."""

from __future__ import annotations

import ast

INSIDE = ("app", "core", "resources")
"""Packages of the source tree that lie in ``jarlet`` where it is installed."""


class MoveError(Exception):
    """An import that cannot be moved: the text says where, and how to write it."""


def moved(source: str, name: str) -> str:
    """The source of a module with the imports of our packages put inside ``jarlet``. ``name`` is for messages."""
    lines = source.splitlines(keepends=True)
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names, word = [alias.name for alias in node.names], "import"
            inside = [one for one in names if one.partition(".")[0] in INSIDE]
            # "import core.x" is for what the module does: the name core would be another one
            tops = {one.partition(".")[0] for one in inside}
            used = any(isinstance(other, ast.Name) and other.id in tops for other in ast.walk(tree))
            if inside and (len(names) > 1 or used):
                raise MoveError(f"{name}:{node.lineno}: write 'from x import y' instead of 'import {names[0]}'")
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module is not None:
            names, word = [node.module], "from"
        else:
            continue
        if names[0].partition(".")[0] in INSIDE:
            line = lines[node.lineno - 1]
            at = len(line.encode()[: node.col_offset].decode())
            if not line[at:].startswith(f"{word} {names[0]}"):
                raise MoveError(f"{name}:{node.lineno}: write this import as '{word} {names[0]}', with single spaces")
            lines[node.lineno - 1] = f"{line[:at]}{word} jarlet.{line[at + len(word) + 1 :]}"
    return "".join(lines)
