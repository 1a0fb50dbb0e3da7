"""A jar within the text of an issue: base64, and the two commands that write the jar and show the failure."""

from __future__ import annotations

import base64
import hashlib
import textwrap
from collections.abc import Sequence

from core.report.document import TOO_LARGE, Attachment, Block, Paragraph
from core.report.reproduction import SMALL

_END = "END-OF-JAR"
_END_OF_SCRIPT = "END-OF-SCRIPT"
_WIDTH = 76
"""Characters of a line of base64."""

MOST = 60_000
"""Largest number of characters of base64 in a document: an issue tracker takes 65,536 of everything."""


def carried(jar: bytes, script: str, needs: Sequence[str], lacks: Sequence[str]) -> Block:
    """Return the block that carries a jar; for a jar above the limit a sentence.

    ``script`` is the shell script that shows the failure of the jar, with the jar and the files ``needs`` beside it.
    ``lacks`` are needed files that are not in the block: then it has no second command.
    """
    if 4 * len(jar) / 3 > MOST:
        return Paragraph(TOO_LARGE)
    text = base64.b64encode(jar).decode("ascii")
    lines = [f"base64 -d > {SMALL} << '{_END}'", *textwrap.wrap(text, _WIDTH), _END]
    if script and not lacks:
        lines += [f"sh << '{_END_OF_SCRIPT}'", *script.splitlines(), _END_OF_SCRIPT]
    about = f"{SMALL} has {len(jar):,} bytes, SHA-256 {hashlib.sha256(jar).hexdigest()}. "
    if lacks:
        about += f"The command writes it. To show the failure takes besides: {', '.join(lacks)}."
    else:
        about += "In an empty folder the first command writes it, and the second shows the failure. They need a JDK"
        about += f", and {', '.join(needs)}: in the same folder, or where Maven keeps it." if needs else "."
        about += _VARIABLES
    return Attachment(f"{SMALL} itself, to be unpacked by a command", about, "\n".join(lines))


_VARIABLES = " The variables at the second one's beginning name other places."
