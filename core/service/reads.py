"""The files that a reduction reads besides its settings: none may be overwritten."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from core.archive.jar_folders import end_of, place_beside, refuse_other
from core.archive.named_inputs import InputJar
from core.archive.packer import OURS
from core.predicate.aim import Aim
from core.store.names_file import MADE, names_place
from core.system.outputs import Origin, Output

_BETWEEN = re.compile(r"[\s:=,;|&<>()'\"]+")
_MARKED = re.compile(r"\{file:([^{}]*)\}")

LIBRARY, PREDICATE = "a library of the input", "a file of the predicate"


def result_output(path: Path, what: str, inputs: Sequence[InputJar], *, parents: bool = False) -> Output:
    """Return the output of a result in the shape of its inputs; with ``parents`` its folder is made. Raise OutputError
    for a folder that has other files."""
    if end_of(inputs):
        return Output(path, what, parents=parents, ours=OURS)
    refuse_other(path)
    return Output(path, what, folder=True)


def result_outputs(
    path: Path, what: str, inputs: Sequence[InputJar], renamed: bool, lines: Iterable[Path], *, parents: bool = False
) -> list[Output]:
    """Return all outputs of a result: itself and, beside it, the old names and the smaller text files ``lines``. A text
    file has no mark of ours: it may be replaced only where the result is there too. Raise OutputError."""
    outputs = [result_output(path, what, inputs, parents=parents)]
    if renamed:
        outputs.append(Output(names_place(path), f"the old names of {path.name}", parents=parents, ours=MADE))
    ours = re.compile(b"" if path.exists() else b"(?!)")
    return [
        *outputs,
        *(
            Output(place_beside(path, file.name), f"the lines of {file.name}", parents=parents, ours=ours)
            for file in lines
        ),
    ]


def report_output(path: Path, what: str, *, parents: bool = False) -> Output:
    """Return the output of a report or a graph: each has Jarlet's name in it."""
    return Output(path, what, parents=parents, ours=re.compile(b"[Jj]arlet"))


def inputs_read(paths: Iterable[str | Path], class_path: str | Sequence[str | Path] = ()) -> list[Origin]:
    """Return the input and its libraries (a list, or one text with colons) as origins."""
    libraries = class_path.split(os.pathsep) if isinstance(class_path, str) else class_path
    found = [Origin(Path(path)) for path in paths]
    return found + [Origin(Path(path), LIBRARY) for path in libraries if str(path)]


def all_read(paths: Iterable[str | Path], aim: Aim, base: Path | None = None) -> list[Origin]:
    """Return everything that a reduction reads. Relative paths of the predicate begin at ``base``, else the current
    folder.
    """
    place = base or Path.cwd()
    of_predicate = [*_of_command(aim.command, place), *_of_preset(aim, place)]
    of_predicate += aim.lines
    of_predicate += [place / name] if (name := aim.stored["trials"]) else []
    return inputs_read(paths, aim.class_path) + [Origin(path, PREDICATE) for path in of_predicate]


def _of_command(text: str, base: Path) -> Iterator[Path]:
    """Yield the files of a command: its program, marked files and folders, and words that are or contain the name of a
    file (``--log=FILE``, ``sh -c 'FILE ...'``).
    """
    for match in _MARKED.finditer(text):
        yield base / Path(match[1]).expanduser()
    words: list[str] = []
    with suppress(ValueError):
        words = shlex.split(_MARKED.sub("", text))
    for word in words[:1]:
        program = shutil.which(word) if "/" not in word else None
        if program is not None:
            yield Path(program)
    yield from _files(words, base)


def _of_preset(aim: Aim, base: Path) -> Iterator[Path]:
    """Yield the preset's own file, and the files and folders named by its settings."""
    if aim.preset is None:
        return
    if aim.preset.file is not None:
        yield aim.preset.file
    kinds = {setting.name: setting.kind for setting in aim.preset.settings}
    for name, value in aim.options.items():
        if kinds.get(name) == "files":
            yield from (base / Path(part).expanduser() for part in str(value).split(os.pathsep) if part)
        else:
            words = [str(value)]
            with suppress(ValueError):
                words = shlex.split(str(value))
            yield from _files(words, base)


def _files(words: Iterable[str], base: Path) -> Iterator[Path]:
    for word in words:
        for piece in {word, *_BETWEEN.split(word)}:
            with suppress(OSError, ValueError, RuntimeError):
                path = base / Path(piece).expanduser()
                if piece and path.is_file():
                    yield path
