"""A page of HTML that loads nothing; only its own style and script act."""

from __future__ import annotations

import base64
import hashlib

from core.words import xml_text


def html_page(title: str, body: str, style: str, script: str = "", *, images: bool = False) -> str:
    """Return a page. Only this ``style`` and this ``script`` may act in it, whatever else gets into the ``body``; with
    ``images`` also pictures that the body carries as ``data:``. Nothing is loaded from anywhere.
    """
    policy = ["default-src 'none'", f"style-src {_source(style)}"]
    policy += [f"script-src {_source(script)}"] if script else []
    policy += ["img-src data:"] if images else []
    policy += ["base-uri 'none'", "form-action 'none'"]
    head = [
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{"; ".join(policy)}">',
        '<meta name="referrer" content="no-referrer">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{xml_text(title)}</title>",
        f"<style>{style}</style>",
    ]
    end = f"<script>{script}</script>\n" if script else ""
    lines = "\n".join(head)
    return f'<!doctype html>\n<html lang="en">\n<head>\n{lines}\n</head>\n<body>\n{body}\n{end}</body>\n</html>\n'


def _source(text: str) -> str:
    """Return the text's hash as a policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
