"""Mutated class files through the whole model: ``python -m tests.bench.fuzz_model JAR --count N --seed S``.

Each round damages one class of the jar (bytes flipped, cut out, doubled or shuffled), builds the model and writes some
sub-inputs. A class must be analysed, or kept whole and reported; anything else is printed, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from dataclasses import replace

from core.archive.jar import Jar, read_jar
from core.batch.sampling import draw
from core.errors import InputError
from core.library.library import Library, open_library
from core.model import building


def mutate(data: bytes, dice: random.Random) -> bytes:
    """The bytes with some damage."""
    changed = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 5))):
        at, length = dice.randrange(len(changed)), dice.randrange(1, 9)
        match dice.randrange(4):
            case 0:
                changed[at] = dice.randrange(256)
            case 1:
                del changed[at : at + length]
            case 2:
                changed[at:at] = changed[at : at + length]
            case 3:
                piece = list(changed[at : at + length])
                dice.shuffle(piece)
                changed[at : at + length] = bytes(piece)
        if not changed:
            break
    return bytes(changed)


def one_round(jar: Jar, number: int, data: bytes, granularity: str, library: Library) -> None:
    """Builds the model of the jar with other bytes for an entry, and writes sub-inputs."""
    entries = list(jar.entries)
    entries[number] = replace(entries[number], data=data)
    try:
        model = building.build(replace(jar, entries=tuple(entries)), library, granularity)
    except InputError:
        return
    assert dict(model.entries(model.full))[entries[number].name] == data
    for kept in draw(model, 2, 0):
        model.entries(kept)


def main() -> int:
    """Runs the rounds; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jar")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    jar, library = read_jar([options.jar]), open_library()
    dice = random.Random(options.seed)
    failures, slowest = 0, 0.0
    for number in range(options.count):
        entry = dice.choice(jar.classes())
        data = mutate(jar.entries[entry].data, dice)
        start = time.process_time()
        try:
            one_round(jar, entry, data, dice.choice(("member", "full")), library)
        except Exception:
            failures += 1
            print(f"round {number}: {jar.entries[entry].name}", file=sys.stderr)
            traceback.print_exc(limit=-3)
        slowest = max(slowest, time.process_time() - start)
    print(f"{options.count} mutated classes, {failures} failures, slowest round {slowest:.2f} s")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
