"""Numbers and sentences as a person reads them."""

import pytest

from app.text import sentences


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("It fails (exit code 1): once. As given too.", ["It fails (exit code 1): once.", "As given too."]),
        ("Run with JDK 17.0.15. --each makes two.", ["Run with JDK 17.0.15.", "--each makes two."]),
        (
            "Take --failures 'chosen A.java: bad. Stop'. Or not.",
            ["Take --failures 'chosen A.java: bad. Stop'.", "Or not."],
        ),
        ("Run by java (/usr/java-17). 24 failures.", ["Run by java (/usr/java-17).", "24 failures."]),
        ("That is javac's. It's so.", ["That is javac's.", "It's so."]),
        ("Said.\nTo repeat: cd x", ["Said.", "To repeat: cd x"]),
        ("", []),
    ],
)
def test_sentences_stand_one_by_one_and_a_text_in_quotes_stays_whole(text, lines):
    assert sentences(text) == lines
