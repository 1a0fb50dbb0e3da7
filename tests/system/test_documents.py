"""What is made from the program itself for its readers: manual page, completions, the guide as one file; links."""

from __future__ import annotations

import argparse
import html.parser
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli import described, parsers
from app.dialogs.help import PAGES, title_of

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folder with manual page and completions."""
    folder = tmp_path_factory.mktemp("man")
    subprocess.run([sys.executable, ROOT / "packaging" / "man_page.py", folder], check=True)
    return folder


def commands_of(name):
    """The commands of a command, such as ``add`` of ``jarlet known``."""
    kinds = [action for action in parsers()[name]._actions if isinstance(action, argparse._SubParsersAction)]
    return kinds[0].choices


def test_the_manual_page_has_every_command_and_option(made):
    text = (made / "jarlet.1").read_text()
    inner = {f"{name} {word}": parser for name in ("known",) for word, parser in commands_of(name).items()}
    assert {"known add", "known check"} <= set(inner)
    for name, parser in (parsers() | inner).items():
        if name:
            assert f".SH JARLET {name.upper()}\n" in text
        for action in parser._actions:
            for option in action.option_strings:
                assert "\\fB" + option.replace("-", "\\-") + "\\fR" in text
    assert "==" not in text
    assert "%(" not in text


def test_the_synopsis_tells_what_may_be_left_out(made):
    text = (made / "jarlet.1").read_text().partition(".SH SYNOPSIS\n")[2].partition(".SH ")[0]
    plain = re.sub(r"\\f[BIR]|\n\.br", "", text).splitlines()
    for line in (
        "jarlet [options] [FILE ...]", "jarlet batch [options] FILE", "jarlet tools [options] INPUT ...",
        "jarlet why [options] INPUT ... [ITEM ...]", "jarlet known [options] WHAT ...",
    ):  # fmt: skip
        assert line in plain


@pytest.mark.skipif(shutil.which("man") is None and shutil.which("mandoc") is None, reason="nothing reads manual pages")
def test_a_reader_takes_the_manual_page(made):
    tool = ["mandoc"] if shutil.which("mandoc") else ["man", "--warnings", "-l"]
    environment = {**os.environ, "MANPAGER": "cat", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [*tool, made / "jarlet.1"],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
        stdin=subprocess.DEVNULL,
    )
    plain = re.sub(r".\x08|\x1b\[[0-9;]*m", "", done.stdout)
    assert "--granularity {class,member,full}" in plain
    assert done.stderr == ""


def completed(made, *words):
    """What bash offers for the last of the words."""
    run = 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _jarlet; printf "%s\n" "${COMPREPLY[@]}"'
    script = f". {made / 'jarlet.bash'}; {run}"
    done = subprocess.run(["bash", "-c", script, "bash", *words], capture_output=True, text=True, check=True, cwd=made)
    assert done.stderr == ""
    return done.stdout.split()


def test_bash_completes_commands_options_choices_and_files(made):
    assert set(completed(made, "jarlet", "")) >= set(described())
    assert completed(made, "jarlet", "red") == ["reduce"]
    assert completed(made, "jarlet", "reduce", "--gran") == ["--granularity"]
    assert completed(made, "jarlet", "reduce", "--granularity", "") == ["class", "member", "full"]
    assert completed(made, "jarlet", "known", "add", "--iss") == ["--issue"]
    assert completed(made, "jarlet", "reduce", "jarlet.b") == ["jarlet.bash"]


@pytest.mark.skipif(shutil.which("zsh") is None, reason="there is no zsh")
def test_zsh_can_read_its_completion(made):
    subprocess.run(["zsh", "-n", made / "_jarlet"], check=True)


def test_zsh_has_every_option(made):
    text = (made / "_jarlet").read_text()
    for parser in parsers().values():
        for action in parser._actions:
            assert all(f"'*{option}[" in text for option in action.option_strings if parser.prog != "jarlet")


class Reader(html.parser.HTMLParser):
    """Collects what a page has and checks that what is opened is closed."""

    def __init__(self):
        super().__init__()
        self.ids, self.links, self.headings, self.images, self.open = set(), [], [], [], []

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.ids.add(found.get("id"))
        if "href" in found:
            self.links.append(found["href"])
        if tag == "img":
            self.images.append(found["src"])
        if tag not in ("img", "meta", "br", "hr"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        """What is written <br/>."""

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "h2":
            self.headings.append(data)


def test_the_guide_is_one_file_with_every_page(tmp_path):
    target = tmp_path / "guide.html"
    subprocess.run([sys.executable, ROOT / "packaging" / "guide.py", target], check=True)
    reader = Reader()
    text = target.read_text(encoding="utf-8")
    reader.feed(text)
    assert reader.open == []
    assert [heading for heading in reader.headings if heading in map(title_of, PAGES)] == list(map(title_of, PAGES))
    assert all(link[1:] in reader.ids for link in reader.links if link.startswith("#"))
    assert not [link for link in reader.links if link.endswith(".md")]
    assert len(reader.images) >= 4
    assert all(image.startswith("data:") for image in reader.images)
    assert "{actions}" not in text
    assert "<pre>import jarlet\nimport networkx" in text


DOCUMENTS = sorted(
    str(page.relative_to(ROOT))
    for pages in ("*.md", "core/**/*.md", "app/**/*.md", "resources/**/*.md", "packaging/**/*.md", "tests/**/*.md")
    for page in ROOT.glob(pages)
)


def sections(page):
    """The names by which links lead to the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def test_links_between_documents_lead_somewhere():
    broken = []
    for name in DOCUMENTS:
        page = ROOT / name
        text = re.sub(r"`[^`]*`", "", page.read_text(encoding="utf-8"))
        for link in re.findall(r"\]\(([^)\s]+)\)|^\[\w+\]: (\S+)$", text, re.MULTILINE):
            target, _, section = (link[0] or link[1]).partition("#")
            there = page.parent / target if target else page
            if "://" not in target and not (there.exists() and (not section or section in sections(there))):
                broken.append(f"{name}: {target}#{section}")
    assert broken == []


def test_the_readme_is_short():
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 90


def test_the_page_of_measurements_is_a_page_to_read():
    text = (ROOT / "tests/bench/README.md").read_text(encoding="utf-8")
    words = text.split()
    assert len(text.splitlines()) <= 150
    assert len(words) <= 2500
    assert sum(bool(re.search(r"\d", word)) for word in words) <= 0.08 * len(words)
    assert max(map(len, text.splitlines())) <= 300


def test_the_papers_are_few():
    results = [page.read_text(encoding="utf-8") for page in (ROOT / "tests/bench/results").glob("*.md")]
    assert len(results) <= 20
    assert sum(len(page.split()) for page in results) <= 15_000
    assert len((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split()) <= 1300
    assert len((ROOT / "tests/README.md").read_text(encoding="utf-8").split()) <= 900


def test_an_entry_of_the_changelog_is_a_sentence():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    entries = re.findall(r"^\* (.*(?:\n  .*)*)", text, re.MULTILINE)
    assert len(entries) > 50
    assert [entry for entry in entries if len(entry.split()) > 30] == []
    last = text.split("\n## ")[1]
    assert len(last.split()) <= 1000, "the page of a release"
