"""Results in the shape of their inputs. The jars of a class path are a folder, which is whole or not there: it is
written beside its place and exchanged with it.

``classpath.txt`` in the folder names the jars in their order. It also tells that the folder is ours: any other one is
never replaced.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from pathlib import Path

from core.archive.named_inputs import LIST, MADE, InputJar, is_class_path, listed_jars
from core.archive.packer import Packer, write_jar
from core.entries import Entries, beside
from core.errors import OutputError
from core.system.files import sweep_dead, sync_folder, write_whole
from core.system.removal import remove

_HERE, _EXCHANGE = -100, 2
"""Of Linux's ``renameat2``: paths begin at the current folder; two names exchange their contents."""


def write_jars(folder: Path, entries: Entries, packer: Packer | None = None) -> int:
    """Write the jars of a class path as the folder's only files. Return their bytes. Raise OutputError, also for a
    folder that has anything else."""
    real = Path(os.path.realpath(folder))
    refuse_other(folder)
    new = real.with_name(f".{real.name}.jarlet")
    sweep_dead(new)  # a writer was killed there
    refuse_other(new)
    files = (packer or Packer()).folded(entries)
    try:
        with OutputError.telling(f"{folder}: cannot be written"):
            remove(new)
            new.mkdir(parents=True)
            write_whole(new / LIST, "\n".join([MADE, *(name for name, _ in files), ""]).encode())
            size = sum(write_whole(new / name, data) for name, data in files)
            sync_folder(new)
            _put(new, real)
            sync_folder(real.parent)
            return size
    finally:
        remove(new)


def write_result(target: Path, entries: Entries, inputs: Sequence[InputJar], packer: Packer | None = None) -> None:
    """Write a result in the shape of its inputs: a jar; of a class path of several a folder with their files; of one
    that is no jar a file of its kind. Smaller text files stand beside it. Earlier content is replaced whole. Raise
    OutputError."""
    packer = packer or Packer()
    if not is_class_path(inputs):
        write_jar(target, entries, packer=packer, parents=True)
    elif len(inputs) > 1:
        write_jars(target, entries, packer)
    else:
        files = dict(packer.folded(entries))
        name = inputs[0].name
        write_whole(target, files[name] if name in files else packer.file(name, []), parents=True)
    for name, data in beside(entries):
        write_whole(place_beside(target, name), data)


def place_beside(target: Path, name: str) -> Path:
    """Return the place of a smaller text file beside a result."""
    return target.with_name(f"{target.stem}-{name.rpartition('/')[2]}")


def end_of(inputs: Sequence[InputJar]) -> str:
    """Return the end of the name of a result of some inputs: nothing for a folder."""
    if not is_class_path(inputs):
        return ".jar"
    return "" if len(inputs) > 1 else Path(inputs[0].name).suffix


def refuse_other(folder: Path) -> None:
    """Raise OutputError unless the folder is missing or empty, or has nothing but the output of :func:`write_jars`."""
    try:
        there = sorted(os.listdir(folder))
    except FileNotFoundError:
        return
    except NotADirectoryError:
        if not folder.exists():
            return  # a folder above is a file: the writer tells that
        raise OutputError(
            f"{folder}: this is a file, and the result of several inputs is a folder of jars. Name a folder, or add "
            "--merge for one jar."
        ) from None
    except OSError as error:
        raise OutputError(f"{folder}: cannot be read ({error.strerror or error}).") from error
    ours = listed_jars(folder)
    other = next((name for name in there if name not in (*ours, LIST) or not ours), None)
    if other is not None:
        raise OutputError(
            f"{folder}: this folder has files that Jarlet did not write ({other!r}), and they would be lost. Choose a "
            "new or an empty folder."
        )


def _put(new: Path, real: Path) -> None:
    """Give a folder its place; an earlier one there gets the other name. Without exchange there is a moment in which
    nothing is in the place."""
    if not real.exists():
        os.rename(new, real)
        return
    exchange = getattr(ctypes.CDLL(None), "renameat2", None)
    if exchange is None or exchange(_HERE, os.fsencode(new), _HERE, os.fsencode(real), _EXCHANGE):
        old = new.with_name(f"{new.name}.old")
        os.rename(real, old)
        os.rename(new, real)
        os.rename(old, new)
