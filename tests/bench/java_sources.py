"""Java source and assembler text of finished results: a row each, and the share of results that have them.

    python -m tests.bench.java_sources RESULT.jar ... [--seconds 60] [--assemble asmtools.jar]

Beside each jar lies its report (RESULT.json), which has the predicate. Of several failures in a result the chosen one
is meant, else the first. With ``--assemble`` no source is looked for: asmtools assemble each result's text, and the
predicate is run on what they make, for all failures.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event as Flag

from core.entries import Entries
from core.errors import JarletError
from core.library.jdks import choose_jdk
from core.protocol.settings import Settings
from core.service.reproducers.failing_result import AssemblerText, FailingResult

_SECONDS = 120.0
_PROGRAMS = {".jasm": "jasm", ".jcod": "jcoder"}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--assemble", type=Path)
    options = parser.parse_args(arguments)
    good = count = 0
    for jar in options.results:
        try:
            shown, words = _row(jar, options.seconds, options.assemble)
        except JarletError as error:
            print(f"| {jar.stem} | - | {' '.join(str(error).split())[:160]} |", flush=True)
            continue
        good, count = good + shown, count + 1
        print(f"| {jar.stem} | {words} |", flush=True)
    print(f"\n{good} of {count}")


def _row(jar: Path, seconds: float, asmtools: Path | None) -> tuple[bool, str]:
    report = json.loads(jar.with_suffix(".json").read_text())
    settings = Settings.from_json(report["settings"])
    with zipfile.ZipFile(jar) as archive:
        entries = [(name, archive.read(name)) for name in archive.namelist()]
    result = FailingResult(entries, settings if asmtools is not None else _one(settings, entries), Flag())
    try:
        if asmtools is not None:
            text = result.assembler(entries)
            made = assembled(text, asmtools)
            others = [(name, data) for name, data in entries if not name.endswith(".class")]
            shown = len(made) + len(others) == len(entries) and result.shows([*others, *made])
            kind = next(iter(text.texts)).rpartition(".")[2]
            same = dict(made) == {name: data for name, data in entries if name.endswith(".class")}
            told = "every byte" if same else f"without {', '.join(text.lost)}" if text.lost else "all attributes"
            return shown, f"{kind} | {'yes' if shown else 'no'} | {told}"
        found = result.source(seconds)
    finally:
        result.close()
    size = sum(len(data) for _, data in entries)
    if found.found is None:
        return False, f"{size} | no | {found.drafts} | {found.probes} | {found.seconds:.1f}"
    source = found.found
    how = f"{source.origin}, {source.repaired} repaired; {source.way.compiler} {' '.join(source.way.options)}"
    return True, f"{size} | {how} | {found.drafts} | {found.probes} | {found.seconds:.1f}"


def _one(settings: Settings, entries: Entries) -> Settings:
    """Return the settings that ask for the first failure alone, by the name that it has in the result."""
    if settings.failures is not None and settings.failures.startswith("chosen "):
        return settings
    shown = FailingResult(entries, replace(settings, failures="any"), Flag())
    shown.close()
    first = next(iter(sorted(shown.outcome.failures)), "")
    return replace(settings, failures=f"chosen {first}") if first else settings


def assembled(text: AssemblerText, asmtools: Path) -> list[tuple[str, bytes]]:
    """Return the class files that asmtools make of a text; fewer where they do not take one."""
    java = str(choose_jdk("", 0).jdk.java)
    found = []
    for name, words in text.texts.items():
        stem, _, ending = name.rpartition(".")
        with tempfile.TemporaryDirectory(prefix="jarlet-assembled-") as place:
            source, made = Path(place, f"source.{ending}"), Path(place, "made")
            source.write_text(words)
            made.mkdir()
            program = ["org.openjdk.asmtools.Main", _PROGRAMS[f".{ending}"], "-d", str(made), str(source)]
            subprocess.run(
                [java, "-XX:TieredStopAtLevel=1", "-cp", str(asmtools), *program],
                check=False, capture_output=True, timeout=_SECONDS,
            )  # fmt: skip
            files = list(made.rglob("*.class"))
            found += [(f"{stem}.class", file.read_bytes()) for file in files]
    return found


if __name__ == "__main__":
    main()
