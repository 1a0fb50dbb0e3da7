"""The frame of every page: a policy that names the page's own style and script by their hashes, and nothing else."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

from core.html_page import html_page
from core.report.document import Document, Heading

ROOT = Path(__file__).resolve().parents[3]


def policy(page: str) -> dict[str, str]:
    (content,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    return dict(part.strip().split(" ", 1) for part in content.split(";"))


def source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_the_policy_allows_the_own_style_and_script_alone() -> None:
    shut = {"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'"}
    plain = html_page("<t>", "<p>x</p>", "p {}")
    assert policy(plain) == {**shut, "style-src": source("p {}")}
    assert "<title>&lt;t&gt;</title>" in plain
    assert "<script" not in plain
    both = html_page("t", "", "p {}", "run()")
    assert policy(both) == {
        **shut,
        "style-src": source("p {}"),
        "script-src": source("run()"),
    }
    # the policy comes before anything that it is to hold for
    assert both.index("Content-Security-Policy") < both.index("<title>") < both.index("<style>")


def test_a_report_has_no_script_and_no_pictures() -> None:
    document = Document()
    document.add(Heading(1, "title"))
    assert policy(document.html()).keys() == {"default-src", "style-src", "base-uri", "form-action"}


def test_no_other_module_writes_a_page_of_its_own() -> None:
    places = [path for top in ("core", "app", "jarlet", "packaging") for path in (ROOT / top).rglob("*.py")]
    found = [path for path in places if re.search(r"<html|<!doctype", path.read_text(encoding="utf-8"), re.IGNORECASE)]
    assert [path.relative_to(ROOT).as_posix() for path in found] == ["core/html_page.py"]
