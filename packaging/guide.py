#!/usr/bin/env python3
"""Makes the user guide one HTML file: the help pages of the window in their order, with pictures inside.

``.venv/bin/python packaging/guide.py FILE``. Markdown is read by Qt, as in the window; what is Qt's own in the HTML is
taken out, so that the page looks like its reader wants it.
"""

from __future__ import annotations

import base64
import os
import re
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtGui import QGuiApplication, QTextDocument  # noqa: E402

from app.dialogs.help import PAGES, page, title_of  # noqa: E402
from app.window.commands.actions import ACTIONS  # noqa: E402
from core.html_page import html_page  # noqa: E402
from core.version import VERSION  # noqa: E402

PICTURES = {
    "start": ("reducing", "A reduction under way: what is kept, needed, tried and gone"),
    "results": ("steps", "Two accepted steps compared"),
    "graph": ("neighbourhood", "The neighbourhood of a class"),
    "trouble": ("inspector", "A class before and after"),
}
"""Page -> the picture under its heading, and what it shows."""

_STYLE = """
body { margin: 0 auto; max-width: 54rem; padding: 1rem 1.5rem 4rem; font: 16px/1.55 system-ui, sans-serif; }
h1, h2, h3 { line-height: 1.25; margin-top: 2.2em; } h1 { margin-top: 1em; }
pre { overflow-x: auto; padding: .8em 1em; } code, pre { font-size: .9em; }
pre, code { background: rgba(128, 128, 128, .13); border-radius: 4px; } pre code { background: none; }
table { border-collapse: collapse; } td, th { border-bottom: 1px solid rgba(128, 128, 128, .4); 
padding: .3em .8em .3em 0; text-align: left; vertical-align: top; } img { max-width: 100%; } figure { margin: 1.5em 0; }
figcaption { font-size: .9em; opacity: .8; } nav ol { columns: 2 16em; } table { display: block; overflow-x: auto; }
code { overflow-wrap: anywhere; } pre code { overflow-wrap: normal; }
@media (prefers-color-scheme: dark) { body { background: #16181b; color: #e2e4e8; } a { color: #8ab4f8; } }
"""


def body(markdown: str) -> str:
    """The HTML of a page, without head and without Qt's own styles."""
    document = QTextDocument()
    document.setMarkdown(markdown)
    html = re.sub(r"^.*?<body[^>]*>|</body>.*$", "", document.toHtml(), flags=re.DOTALL)
    html = re.sub(r"""<span style="[^"]*font-family:'[^"]*mono[^"]*">(.*?)</span>""", r"<code>\1</code>", html)
    html = re.sub(r'<span style="[^"]*font-weight:[67]00;[^"]*">(.*?)</span>', r"<strong>\1</strong>", html)
    html = re.sub(r'<span style="[^"]*font-style:italic;[^"]*">(.*?)</span>', r"<em>\1</em>", html)
    html = re.sub(
        r"<pre[^>]*>.*?</pre>", lambda match: re.sub(r"</?code>|<br ?/>", "", match[0]), html, flags=re.DOTALL
    )
    html = re.sub(r"(<h[1-6][^>]*>)<strong>(.*?)</strong>(</h)", r"\1\2\3", html)
    html = re.sub(r"</?span[^>]*>", "", html)
    html = re.sub(r"</pre>\s*<pre[^>]*>", "\n", html)  # Qt makes one of each line
    html = re.sub(r'<(\w+)(?: (?:style|class|align|border|cellspacing|cellpadding|type)="[^"]*")+', r"<\1", html)
    return re.sub(r"<td>\s*<p>(.*?)</p></td>", r"<td>\1</td>", html, flags=re.DOTALL)


def _picture(name: str) -> str:
    file, words = PICTURES[name]
    data = base64.b64encode((ROOT / "resources" / "screenshots" / f"{file}.png").read_bytes()).decode()
    image = f'<img alt="{escape(words)}" src="data:image/png;base64,{data}">'
    return f"<figure>{image}<figcaption>{escape(words)}</figcaption></figure>"


def _section(name: str) -> str:
    words = page(name)
    if name == "shortcuts":
        rows = (
            f"| {entry.text.replace('&', '').rstrip('…')} | {entry.shortcut} |" for entry in ACTIONS if entry.shortcut
        )
        words = words.replace("{actions}", "\n".join(["| Action | Keys |", "| --- | --- |", *rows]))
    html = re.sub(r"<(/?)h([12])>", lambda match: f"<{match[1]}h{int(match[2]) + 1}>", body(words))
    html = re.sub(r'href="(\w+)\.md"', r'href="#\1"', html)
    if name in PICTURES:
        html = html.replace("</h2>", f"</h2>{_picture(name)}", 1)
    return f'<section id="{name}">{html}</section>'


def guide() -> str:
    """The whole file."""
    items = "".join(f'<li><a href="#{name}">{escape(title_of(name))}</a></li>' for name in PAGES)
    sections = "\n".join(map(_section, PAGES))
    title = f"Jarlet {VERSION}: user guide"
    body = f"<h1>{title}</h1>\n<nav><ol>{items}</ol></nav>\n{sections}"
    return html_page(title, body, _STYLE, images=True)


def main(arguments: list[str]) -> int:
    """Writes the file; the exit code."""
    if len(arguments) != 1:
        print("guide: name a file", file=sys.stderr)
        return 2
    application = QGuiApplication.instance() or QGuiApplication(sys.argv[:1])
    target = Path(arguments[0])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(guide(), encoding="utf-8")
    del application
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
