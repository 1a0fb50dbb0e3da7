"""The report as an issue: never longer than a tracker takes, and the source stays before the bytecode."""

from core.report.document import CodeBlock, Document, Heading, Paragraph

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
