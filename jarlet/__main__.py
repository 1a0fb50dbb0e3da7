"""``python -m jarlet``: the same as the command ``jarlet``."""

from __future__ import annotations

import sys

from app.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
