"""``jarlet``: the window, or one of the commands that work without a display."""

from __future__ import annotations

import sys

from app import cli


def main() -> int:
    """Starts what the arguments ask for; the exit code."""
    return cli.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
