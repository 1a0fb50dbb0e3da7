"""Fetch JaCoCo, as resources/checksums.txt pins it, for a package that carries it: packaging/fetch_agent.py FOLDER

The folder gets the jars and their licences. Nothing is written where a jar is not there or is another one: exit code 2,
with one sentence.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

PACKAGING = Path(__file__).resolve().parent
sys.path.insert(0, str(PACKAGING.parent))

from core.errors import JarletError  # noqa: E402
from core.predicate.releases.maven import fetch  # noqa: E402
from core.predicate.tools import JACOCO  # noqa: E402


def main(words: list[str]) -> int:
    """Fetch into the folder that is named; return the exit code."""
    if len(words) != 1:
        print("usage: fetch_agent.py FOLDER", file=sys.stderr)
        return 2
    folder = Path(words[0])
    with tempfile.TemporaryDirectory(prefix="jarlet-agent-") as name:
        temporary = Path(name)
        try:
            fetch(JACOCO.maven, temporary)
        except (JarletError, OSError) as error:
            print(f"fetch_agent: {error}", file=sys.stderr)
            return 2
        folder.mkdir(parents=True, exist_ok=True)
        for path in (*temporary.iterdir(), *(PACKAGING / "licences").iterdir()):
            shutil.copyfile(path, folder / path.name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
