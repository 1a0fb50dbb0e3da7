"""The pages of HTML that Jarlet writes, in a real browser: nothing in them acts or is loaded, whatever names say."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from core.batch.hunt_page import page_of
from core.batch.hunt_results import BugStatus, FoundBug, HuntResults, JarResult
from core.batch.looks import HuntedJar, KindSeen, Look
from core.html_page import html_page
from core.report.document import Bullets, CodeBlock, Document, DocumentTable, Heading, Paragraph
from tests.support.browser import Browser, needs_browser, opened

ROOT = Path(__file__).resolve().parents[2]

pytestmark = needs_browser

HOSTILE = (
    "<script>window.ran = 1</script>",
    '"><img src=x onerror="window.ran = 2">',
    "'><svg onload=window.ran=3>",
    "</td></table><style>* { display: none }</style>",
    "javascript:window.ran=4",
    "&lt;b&gt; &#x3c;script&#x3e;window.ran=5&#x3c;/script&#x3e;",
    "turned \u202e around \u2066 \x1b[31m \u0085 \ud800 end",
    "\u05d0\u05d1\u05d2.jar",
    "<!--",
    "</script><script>window.ran = 6</script>",
)
"""Names of jars, tools and failures that try to get out of the text."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with opened(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[tuple[str, list[str]]]:
    """The address of a server on this machine, and the paths that it was asked for."""
    paths: list[str] = []

    class Listening(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *words: object) -> None:
            paths.append(self.path)

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Listening, directory=str(tmp_path)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", paths
    finally:
        server.shutdown()
        server.server_close()


def written(folder: Path, text: str) -> Path:
    path = folder / "page.html"
    path.write_bytes(text.encode("utf-8"))
    return path


def hunted() -> HuntResults:
    """Results whose names are all hostile."""
    jars = [HuntedJar(name, Path("x.jar"), digest="0") for name in HOSTILE]
    seen = tuple((jar.name, number + 1) for number, jar in enumerate(jars))
    bugs = [
        FoundBug(f"tool-{number}", name, f"1.{number}{name}", jars[number], f"kind {name}", f"one {name}", seen=seen)
        for number, name in enumerate(HOSTILE)
    ]
    found = [
        replace(
            bug,
            status=status,
            classes=3 * number % 7,
            bytes=number * 100,
            folder=f"bugs/{bug.key}",
            note=bug.tool,
            issue=bug.tool,
            also=(bugs[0],),
        )
        for number, (bug, status) in enumerate(zip(bugs, [*BugStatus, *BugStatus], strict=False))
    ]
    look = Look("t", "1", (KindSeen("k", 2, "f", 3),), 3, HOSTILE, dict.fromkeys(HOSTILE, 4))
    looks = {HOSTILE[0]: look, HOSTILE[1]: Look("t", "1", problem=HOSTILE[2])}
    rows = [JarResult(jar, looks) for jar in jars]
    rows.append(JarResult(HuntedJar("bad.jar", Path("y.jar"), problem=HOSTILE[1]), {}))
    return HuntResults({HOSTILE[0]: HOSTILE[0], HOSTILE[1]: HOSTILE[1]}, tuple(rows), tuple(found), stopped=False)


def column(browser: Browser, number: int) -> list[str]:
    cells = f"table.sorted tbody tr td:nth-child({number})"
    found = browser.value(f"[...document.querySelector('table').querySelectorAll('{cells}')].map(c => c.innerText)")
    return [str(text) for text in found]


def test_hostile_names_stay_text_in_the_page_of_a_hunt_which_sorts(browser: Browser, tmp_path: Path) -> None:
    path = written(tmp_path, page_of(hunted()))
    browser.open(path)
    assert browser.requests == [path.as_uri()]
    assert browser.refused == []  # nothing of it needed to be refused: the names are text
    assert browser.value("typeof window.ran") == "undefined"
    assert browser.value("document.querySelectorAll('img, svg, iframe, object, embed, link').length") == 0
    assert browser.value("document.querySelectorAll('script').length") == 1
    assert browser.value("document.querySelectorAll('style').length") == 1
    names = column(browser, 3)
    assert names[0] == HOSTILE[0]
    assert names[5] == HOSTILE[5]
    assert names[6] == r"turned \u202e around \u2066 \x1b[31m \x85 \ud800 end"
    links = browser.value("[...document.querySelectorAll('a')].map(a => a.getAttribute('href'))")
    assert links == [f"bugs/tool-{number}/report.html" for number in range(len(HOSTILE))]

    sizes = [f"{number * 100:,}" for number in range(len(HOSTILE))]
    classes = [str(3 * number % 7) for number in range(len(HOSTILE))]
    assert column(browser, 7) == sizes
    browser.value("document.querySelectorAll('thead button')[5].click()")
    assert column(browser, 6) == sorted(classes, key=int)
    assert browser.value("document.querySelectorAll('thead th')[5].ariaSort") == "ascending"
    browser.value("document.querySelectorAll('thead button')[5].click()")
    assert column(browser, 6) == sorted(classes, key=int, reverse=True)
    browser.value("document.querySelectorAll('thead button')[6].click()")
    assert column(browser, 7) == sizes
    assert browser.value("document.querySelectorAll('thead th[aria-sort]').length") == 1
    assert browser.value("typeof window.ran") == "undefined"


def test_what_has_no_value_is_the_last_either_way(browser: Browser, tmp_path: Path) -> None:
    found = hunted()
    waiting = [replace(bug, bytes=None) if number % 2 else bug for number, bug in enumerate(found.bugs)]
    browser.open(written(tmp_path, page_of(replace(found, bugs=tuple(waiting)))))
    sizes = [f"{bug.bytes:,}" for bug in waiting if bug.bytes is not None]
    for shown in (sizes, sizes[::-1]):
        browser.value("document.querySelectorAll('thead button')[6].click()")
        assert column(browser, 7) == [*shown, *[""] * (len(waiting) - len(sizes))]


@pytest.mark.parametrize("width", [420, 760, 1000, 1400])
def test_nothing_is_cut_in_a_window_of_any_width(browser: Browser, tmp_path: Path, width: int) -> None:
    found = hunted()
    long = {"tool": "tool-with-a-long-name", "version": "1.12.0-beta", "kind": "k" * 300, "failure": "f" * 300}
    bugs = [replace(bug, **long) for bug in found.bugs]
    browser.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
    try:
        browser.open(written(tmp_path, page_of(replace(found, bugs=tuple(bugs)))))
        assert browser.value("document.documentElement.scrollWidth <= innerWidth")
        cut = "[...document.querySelectorAll('.frame')].filter(each => each.scrollWidth > each.clientWidth).length"
        assert browser.value(cut) == 0
        assert browser.value("[...document.querySelectorAll('td a')].every(each => each.offsetWidth > 0)")
    finally:
        browser.ask("Emulation.clearDeviceMetricsOverride")


def luminance(colour: str) -> float:
    red, green, blue = (int(part) for part in colour[colour.index("(") + 1 : -1].split(",")[:3])
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255


def test_the_page_is_dark_where_the_reader_wants_it(browser: Browser, tmp_path: Path) -> None:
    browser.open(written(tmp_path, page_of(hunted())))
    for dark in (False, True):
        browser.dark(dark)
        back, ink = (
            luminance(str(browser.value(f"getComputedStyle(document.body).{what}")))
            for what in ("backgroundColor", "color")
        )
        assert (back < 0.2 < 0.8 < ink) if dark else (ink < 0.2 < 0.8 < back)
    browser.dark(False)


def test_the_page_is_whole_without_scripts(browser: Browser, tmp_path: Path) -> None:
    path = written(tmp_path, page_of(hunted()))
    browser.ask("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(path)
        document = browser.ask("DOM.getDocument", depth=-1)["root"]["nodeId"]
        heads = browser.ask("DOM.querySelectorAll", nodeId=document, selector="thead th")["nodeIds"]
        rows = browser.ask("DOM.querySelectorAll", nodeId=document, selector="tbody tr")["nodeIds"]
        buttons = browser.ask("DOM.querySelectorAll", nodeId=document, selector="button")["nodeIds"]
        missing = len(HOSTILE) ** 2  # each of these jars misses all of these packages
        assert (len(heads), len(rows), len(buttons)) == (9 + 4 + 3, 2 * len(HOSTILE) + 1 + missing, 0)
    finally:
        browser.ask("Emulation.setScriptExecutionDisabled", value=False)


def test_the_policy_holds_where_a_name_did_get_out(
    browser: Browser, tmp_path: Path, asked: tuple[str, list[str]]
) -> None:
    address, paths = asked
    body = (
        "<script>window.ran = 1</script><img src=x onerror='window.ran = 2'><style>p { color: rgb(1, 2, 3) }</style>"
        f"<script src='{address}/script.js'></script><img src='{address}/picture.png'>"
        f"<link rel=stylesheet href='{address}/style.css'><link rel=prefetch href='{address}/prefetch'>"
        f"<iframe src='{address}/frame'></iframe><object data='{address}/object'></object>"
        f"<video src='{address}/video'></video><base href='{address}/'>"
        "<p id=p style='color: rgb(4, 5, 6)'>text</p><a id=a href='relative'>link</a>"
        f"<form id=f action='{address}/form'><input name=x></form>"
    )
    browser.open(written(tmp_path, html_page("t", body, "p { font-weight: 700 }", "window.ours = 1")))
    browser.value(f"fetch('{address}/fetch').catch(() => 0); document.getElementById('f').submit()")
    assert browser.value("window.ours") == 1
    assert browser.value("typeof window.ran") == "undefined"
    style = "getComputedStyle(document.getElementById('p'))"
    assert browser.value(f"[{style}.color, {style}.fontWeight]") == ["rgb(0, 0, 0)", "700"]
    assert str(browser.value("document.getElementById('a').href")).startswith("file:")
    assert len(browser.refused) >= 8
    assert paths == []


def test_a_bug_report_with_hostile_names_is_text_alone(browser: Browser, tmp_path: Path) -> None:
    document = Document()
    for text in HOSTILE:
        document.add(
            Heading(1, text), Paragraph(text), CodeBlock(text), CodeBlock(text, "java", text),
            DocumentTable(((text, text),)), Bullets((text,), numbered=False), CodeBlock(text, "sh", text, text),
        )  # fmt: skip
    path = written(tmp_path, document.html())
    browser.open(path)
    assert browser.requests == [path.as_uri()]
    assert browser.refused == []
    assert browser.value("typeof window.ran") == "undefined"
    assert browser.value("document.querySelectorAll('img, svg, script, iframe, a').length") == 0
    assert browser.value("document.querySelectorAll('h1').length") == len(HOSTILE)
    assert browser.value("document.querySelector('h1').innerText") == HOSTILE[0]
    assert browser.value("getComputedStyle(document.querySelector('pre')).borderRadius") == "6px"


def test_the_guide_has_its_pictures_and_loads_nothing(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "guide.html"
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    subprocess.run([sys.executable, ROOT / "packaging" / "guide.py", path], check=True, env=environment)
    browser.open(path)
    assert [url for url in browser.requests if not url.startswith("data:")] == [path.as_uri()]
    assert browser.refused == []
    widths = browser.value("[...document.images].map(image => image.naturalWidth)")
    assert widths
    assert all(width > 100 for width in widths)
    assert browser.value("getComputedStyle(document.body).maxWidth") == "864px"
