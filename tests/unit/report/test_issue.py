"""The report as an issue: never longer than a tracker takes, and the source stays before the bytecode."""

import base64
import random

import pytest

from core.library.jdk import find_jdk
from core.predicate.failure_kinds import FailureKinds
from core.protocol.settings import Settings
from core.report.bug_report import _abstract, _confirmed, _held, _listings, _nearest, _rewritten
from core.report.document import MERMAID, TOO_LARGE, Bullets, CodeBlock, Document, Heading, Paragraph
from core.report.failure_words import FAILING, RUNNING, failure_lists, words_of
from core.report.reproduction import carried
from core.service.aims import aim_of

MOST = 65_000


def long_document() -> Document:
    document = Document()
    document.add(Heading(1, "Failure"), Paragraph("What fails."), CodeBlock("./reproduce.sh", "sh"))
    document.add(*(CodeBlock(f"class A{number} {{}}\n" * 200, "java", f"A{number}.java") for number in range(12)))
    document.add(*(CodeBlock("0: aload_0\n" * 1500, "", f"A{number}") for number in range(12)))
    return document


def test_an_issue_leaves_bytecode_out_before_source():
    document = long_document()
    assert len(document.markdown()) > 2 * MOST
    issue = document.markdown(MOST)
    assert len(issue) <= MOST
    assert "A11.java" in issue
    assert "aload_0" in issue  # as many as there is room for
    assert "listings are left out here" in issue
    assert issue.count("<details>") == issue.count("</details>")


def test_one_text_that_is_too_long_is_cut():
    document = Document()
    document.add(Heading(1, "Failure"), CodeBlock("x" * 200_000))
    issue = document.markdown(MOST)
    assert len(issue) <= MOST
    assert issue.count("```") == 2


def test_a_short_report_is_left_as_it_is():
    document = Document()
    document.add(Heading(1, "Failure"), Paragraph("Short."))
    assert document.markdown(MOST) == document.markdown()


def carrying(size: int) -> Document:
    """A long document with a picture and a jar of so many bytes, which cannot be compressed further."""
    document = long_document()
    document.add(CodeBlock("graph LR", MERMAID), carried(random.Random(1).randbytes(size), "true", (), ()))
    return document


def test_the_jar_goes_before_listings_and_stays_whole():
    issue = carrying(30_000).markdown(MOST)
    assert len(issue) <= MOST
    text = issue.partition("<< 'END-OF-JAR'\n")[2].partition("\nEND-OF-JAR")[0]
    assert base64.b64decode(text) == random.Random(1).randbytes(30_000)
    assert issue.rstrip().endswith("</details>")
    assert issue.index("listings are left out here") < issue.index("END-OF-JAR")
    assert "```mermaid\ngraph LR\n```" in issue


def test_a_jar_for_which_there_is_no_room_is_left_out_and_the_text_says_so():
    document = carrying(40_000)
    document.add(CodeBlock("y" * 20_000))
    issue = document.markdown(MOST)
    assert len(issue) <= MOST
    assert "END-OF-JAR" not in issue
    assert TOO_LARGE in issue
    assert "```mermaid" in issue
    assert carried(bytes(50_000), "true", (), ()) == Paragraph(TOO_LARGE)


def test_without_room_for_it_the_picture_goes_too():
    document = Document()
    document.add(
        CodeBlock("y" * 64_000), CodeBlock("graph LR\n" + "  a --> b\n" * 200, MERMAID), carried(b"1" * 900, "", (), ())
    )
    issue = document.markdown(MOST)
    assert len(issue) <= MOST
    assert "```mermaid" not in issue
    assert "END-OF-JAR" not in issue
    assert "y" * 64_000 in issue
    assert issue.endswith(f"{TOO_LARGE} The picture of what is left is left out too.\n")


def test_the_edits_of_the_whole_program_are_told():
    assert _rewritten(["One is no longer a nested class", "Two has no generic types any more"]) == (
        "Besides, classes were rewritten: One is no longer a nested class; Two has no generic types any more."
    )
    assert _rewritten([str(number) for number in range(50)]).endswith("; 39 and 10 more.")
    assert _rewritten([]) == "No class was rewritten besides."
    assert "may have rewritten" in _rewritten(None)


@pytest.mark.parametrize(
    ("settings", "code", "words"),
    [
        (Settings(predicate="java -jar {jar}", preserve=frozenset({"exit", "out"})), 0, RUNNING),
        (Settings(predicate="java -jar {jar}", preserve=frozenset({"exit", "out"})), 1, FAILING),
        (Settings(predicate="java -jar {jar}", preserve=frozenset({"exit"}), match="Error"), 0, FAILING),
        (Settings(predicate="java -jar {jar}", preserve=frozenset({"exit"}), failures_as="traces"), 0, FAILING),
        (Settings(predicate="java -jar {jar}"), 0, FAILING),
        (Settings("", preset="procyon"), 0, FAILING),
    ],
)
def test_a_program_that_runs_as_before_is_called_no_failure(settings, code, words):
    size = {"bytes": 100, "classes": 2}
    report = {
        "settings": settings.to_json(), "final": {"exit": code, "failures": ["A"]},
        "input": {**size, "paths": ["a.jar"]}, "output": {"bytes": 50, "classes": 1},
    }  # fmt: skip
    found = words_of(aim_of(settings).condition, code)
    assert found is words
    runs = "with which the command runs as with the full input."
    assert _abstract(report, found).endswith(runs if words is RUNNING else "that shows the same failure.")


def test_the_failure_that_held_the_search_is_told():
    held = {"failure": "A.java: cannot find symbol", "bytes": 1300, "together": True, "demand": "kinds but A"}
    others = "1,300 bytes had the other kinds of failures"
    renamed = {"failures": ["B.java: cannot find symbol"]}
    assert _held({"held": [held, held], "final": renamed}) == [("Held by", f"A.java: cannot find symbol: {others}")]
    both = {"failures": ["B.java: x", "A.java: cannot find symbol"]}
    assert _held({"held": [held], "final": both}) == [("Held by", f"failure 2: {others}")]
    assert _held({"held": [], "final": both}) == []


def test_the_nearest_inputs_lack_failures_by_the_names_of_the_result() -> None:
    """The search's own reason names the failures as the full input has them: of classes that were renamed or merged."""
    final = ["Small.java: variable x is already defined in method m()", "Small.java: ';' expected"]
    reason = "failures that are gone: Large.java: variable offset is already defined in method read(int)"
    near = [{"change": "without p.Small, sig", "along": [], "detail": reason, "failures": final[1:]}]
    report = {"final": {"failures": final}, "nearest": near}
    _, _, table = _nearest(report, FailureKinds(frozenset({"p/Small"})).of_name, FAILING)
    assert table.rows == (("without p.Small, generic signature", "without failure 1"),)
    _, listed = failure_lists(report["final"])
    assert listed == Bullets(tuple(final), numbered=True)
    document = Document()
    document.add(listed)
    assert document.markdown().splitlines()[:2] == [f"1. `{final[0]}`", f"2. `{final[1]}`"]
    assert document.html().count("<ol>") == 1
    alone = {"final": {"failures": final[:1]}, "nearest": [{**near[0], "jar": "nearest/1.jar"}]}
    _, told, changes = _nearest(alone, FailureKinds(frozenset({"p/Small"})).of_name, FAILING)
    assert "the failure was gone." in told.text
    assert changes == Bullets(("without p.Small, generic signature: nearest/1.jar",), numbered=False)


def test_failures_that_were_not_looked_for_stand_apart_and_end_no_neighbour() -> None:
    wanted, made, lost = "A.java: ';' expected; at *", "A.java: x", "A.java: package org.lib does not exist"
    final = {"failures": [wanted, made, lost, wanted], "new": [made], "of_libraries": [lost]}
    _, listed, beside, new, libraries, of_libraries = failure_lists(final)
    assert listed.items == (f"{wanted} (2 times)",)
    assert "the full input does not show" in beside.text
    assert new.items == (made,)
    assert "missing libraries" in libraries.text
    assert of_libraries.items == (lost,)
    near = [{"change": "without A.f", "along": [], "detail": "", "failures": [wanted]}]
    assert _nearest({"final": final, "nearest": near}, FailureKinds().of_name, FAILING) == []


@pytest.mark.parametrize(("debug", "listed"), [("-g:vars", True), ("-g:none", False), ("-g", False)])
def test_names_of_variables_that_a_search_left_are_listed(compile_java, debug, listed) -> None:
    text = "class A { int twice(int offset) { return offset + offset; } }"
    data = (compile_java({"A.java": text}, debug) / "A.class").read_bytes()
    blocks = _listings([("A.class", data)], find_jdk())
    assert "iadd" in blocks[-1].text
    assert ("offset" in blocks[-1].text) == listed


def test_a_result_that_was_not_run_once_more_is_said_to_be_so() -> None:
    assert _confirmed({"final_interesting": 0, "final_checks": 0}) == "the result was not run once more"
    assert _confirmed({"final_interesting": 1, "final_checks": 2}) == "1 of 2 final probes were interesting"


def test_names_that_rewriting_has_changed_are_told_as_they_are_in_the_result() -> None:
    old, new, same = "Large.java: ';' expected", "Small.java: ';' expected", "A.java: x"
    *_, told, in_result = failure_lists({"failures": [old, old, same], "shown": [new, new, same]})
    assert "names of the full input" in told.text
    assert in_result.items == (f"{new} (2 times)",)
    title, listed = failure_lists({"failures": [same], "shown": [same]})
    assert title.text == "The failures by name:"
    assert listed.items == (same,)
