"""Reads the class files of a jar, those of a large one in several processes. The result does not depend on how many.

The processes are our own. Those of :class:`concurrent.futures.ProcessPoolExecutor` start slower, because a process
without a fork runs the caller's main module again, and keep no texts between chunks. On a busy machine with two cores,
one round: 2,090 classes of eclipse-jdt-core took 20.8 s here, 14.0 s in two processes of ours (0.55 s until both had
answered) and 34.1 s in two of the library's (1.26 s): ``tests/bench/results/libraries.md``.
"""

from __future__ import annotations

import pickle
import subprocess
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue

from core.archive.jar import Jar
from core.cancellation import cancellation_point
from core.classfile.outline import SharedNames
from core.model.cache.class_files import ClassFileCache
from core.model.reading.class_reading import ClassReading, read_class, send
from core.system.budget import Room
from core.system.interpreter import collector_paused
from core.system.processes.python_child import python_child
from core.system.processors import cores

Progress = Callable[[int, int], None]
Readings = list[tuple[int, ClassReading | str]]
"""For each class file its entry, and the facts or the reason why it could not be read."""

SPLIT_FROM = 1_500
"""Class files from which on several processes pay: each takes a tenth of a second to start."""
_CHUNK = 64
_BATCH = 1_000  # classes that are read before the garbage collector may run again


def read_classes(
    jar: Jar,
    granularity: str | None,
    progress: Progress | None = None,
    jobs: int | None = None,
    known: ClassFileCache | None = None,
) -> Readings:
    """Return all class files of a jar, in its order.

    ``granularity``: as in :func:`~core.model.reading.class_reading.read_class`. ``progress(done, total)`` is told now
    and then how many were read. ``jobs``: most processes for a large jar, by default one a processor; with 1 all
    happens here.
    ``known``: class files that need not be read again; the others are added.
    """
    entries = jar.classes()
    jobs = cores() if jobs is None else jobs
    read: dict[int, ClassReading | str] = {}
    if known is not None:
        for entry in entries:
            if (reading := known.reading(entry, jar.entries[entry].data)) is not None:
                read[entry] = reading
    new = [entry for entry in entries if entry not in read]
    if jobs > 1 and len(new) >= SPLIT_FROM:
        _read_elsewhere(jar, new, granularity, progress, jobs, read)
    names = SharedNames()
    room = Room(jar.title)
    for start in range(0, len(new), _BATCH):
        with collector_paused():
            for place in range(start, min(start + _BATCH, len(new))):
                if new[place] not in read:
                    room.check()
                    cancellation_point()
                    if progress and place % 100 == 0:
                        progress(place, len(new))
                    read[new[place]] = read_class(new[place], jar.entries[new[place]].data, granularity, names)
    if known is not None:
        for entry in new:
            known.learn(jar.entries[entry].data, read[entry])
    if progress:
        progress(len(new), len(new))
    return [(entry, read[entry]) for entry in entries]


def _read_elsewhere(
    jar: Jar,
    entries: Sequence[int],
    granularity: str | None,
    progress: Progress | None,
    jobs: int,
    found: dict[int, ClassReading | str],
) -> None:
    """Fill ``found`` with the readings of worker processes. The readings of a process that died are left open."""
    starts: SimpleQueue[int] = SimpleQueue()
    for start in range(0, len(entries), _CHUNK):
        starts.put(start)
    done: SimpleQueue[tuple[int, list[ClassReading | str]] | None] = SimpleQueue()

    def serve(process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(Exception):  # nothing left; or it died, and its classes are read here
            while True:
                start = starts.get_nowait()
                chunk = entries[start : start + _CHUNK]
                send(process.stdin, (granularity, [(entry, jar.entries[entry].data) for entry in chunk]))
                done.put((start, pickle.load(process.stdout)))
        done.put(None)

    processes = _started(min(jobs, starts.qsize()))
    threads = [threading.Thread(target=serve, args=(process,), daemon=True) for process in processes]
    try:
        for thread in threads:
            thread.start()
        running, read = len(threads), 0
        room = Room(jar.title)
        while running:
            cancellation_point()
            message = done.get()
            if message is None:
                running -= 1
                continue
            start, readings = message
            room.check()
            found.update(zip(entries[start : start + _CHUNK], readings, strict=False))
            read += len(readings)
            if progress:
                progress(read, len(entries))
    finally:
        for process in processes:
            process.kill()
            process.wait()
        for thread in threads:
            thread.join()
        for process in processes:
            for stream in (process.stdin, process.stdout):
                with suppress(OSError):  # bytes that the process no longer took
                    stream.close()  # type: ignore[union-attr]


def _started(count: int) -> list[subprocess.Popen[bytes]]:
    """Return worker processes, as many as could be started."""
    processes: list[subprocess.Popen[bytes]] = []
    with suppress(OSError):
        for _ in range(count):
            # a process of its own and no fork: whoever calls may have threads, and a window
            process = subprocess.Popen(
                python_child("core.model.reading.class_reading"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # not the terminal's business
            )
            processes.append(process)
    return processes
