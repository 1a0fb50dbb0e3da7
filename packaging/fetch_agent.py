"""Fetches JaCoCo, as agent.txt pins it, for a package that carries it: packaging/fetch_agent.py FOLDER

The folder gets the jars and their licences. Nothing is written where a jar is not there or is another one: exit code 2,
with one sentence. Uses mvn where it is installed.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
from pathlib import Path

PACKAGING = Path(__file__).resolve().parent
sys.path.insert(0, str(PACKAGING.parent))

from core.predicate.maven import FetchError, fetch, file_name  # noqa: E402


def pins() -> dict[str, str]:
    """Return the SHA-256 of each jar, by coordinate."""
    lines = (PACKAGING / "agent.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split() for line in lines if not line.startswith("#"))


def main(words: list[str]) -> int:
    """Fetch into the folder that is named; return the exit code."""
    if len(words) != 1:
        print("usage: fetch_agent.py FOLDER", file=sys.stderr)
        return 2
    pinned, folder = pins(), Path(words[0])
    with tempfile.TemporaryDirectory(prefix="jarlet-agent-") as name:
        temporary = Path(name)
        try:
            fetch(tuple(pinned), temporary)
            for coordinate, wanted in pinned.items():
                data = (temporary / file_name(coordinate)).read_bytes()
                if hashlib.sha256(data).hexdigest() != wanted:
                    raise FetchError(f"{file_name(coordinate)} is not the file that agent.txt pins.")
        except (FetchError, OSError) as error:
            print(f"fetch_agent: {error}", file=sys.stderr)
            return 2
        folder.mkdir(parents=True, exist_ok=True)
        for path in (*temporary.iterdir(), *(PACKAGING / "licences").iterdir()):
            shutil.copyfile(path, folder / path.name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
