"""Names and outputs of others within our own texts."""

from core.errors import InputError, NotInterestingError
from core.words import cut, did_you_mean, in_line, no_such, sentence, visible, with_times
from tests.support.rows import rows


@rows(
    ("text", "seen"),
    [
        ("a\x1b[2J\x1b]0;title\x07b", "a\\x1b[2J\\x1b]0;title\\x07b"),
        ("a\x9b31mb", "a\\x9b31mb"),
        ("one\rtwo\x08\x7f", "one\\rtwo\\x08\\x7f"),
        ("safe\u202egnp.exe\u2066\u200f", "safe\\u202egnp.exe\\u2066\\u200f"),
        ("half \ud83d of a pair, a byte \udcff", "half \\ud83d of a pair, a byte \\udcff"),
        ("invisible\u200b\ufeff\U000e0041", "invisible\\u200b\\ufeff\\U000e0041"),
        ("line\u2028end\x00", "line\\u2028end\\x00"),
        ("Grüße, 日本語\u3000\xa0\U0001f600", "Grüße, 日本語\u3000\xa0\U0001f600"),
    ],
)
def test_what_is_not_seen_as_itself_is_escaped(text, seen):
    assert visible(text) == in_line(text) == seen
    seen.encode()


def test_line_ends_and_tabs_stay_but_not_in_a_line():
    assert visible("a\r\n\tb\n") == "a\n\tb\n"
    assert in_line("a\r\n\tb") == "a\\r\\n\\tb"


def test_a_long_text_loses_its_middle():
    assert cut("x" * 10, 10) == "x" * 10
    assert cut("abcdefghij" * 10, 20) == "abcdefghij[... 80 characters ...]abcdefghij"


def test_sentences_do_not_fill_the_screen():
    path = "/start/" + "x/" * 20_000 + "end.jar"
    text = str(InputError(f"{path}: there is no such file. Check the path."))
    assert len(text) < 500
    assert text.startswith("/start/")
    assert text.endswith("end.jar: there is no such file. Check the path.")
    assert len(sentence("word " * 10_000)) < 8100
    assert str(InputError("a\x1b[1mb\udcff")) == "a\\x1b[1mb\\udcff"


def test_the_command_to_repeat_a_run_by_hand_is_whole():
    command = "java -cp " + ":".join(f"/lib/{number}.jar" for number in range(1000))
    assert command in str(NotInterestingError(f"Not interesting.\nTo repeat it by hand: {command}"))


def test_an_unknown_name_is_told_with_the_nearest_of_those_that_there_are():
    assert no_such("preset", "vinflower", ["cfr", "vineflower"]) == (
        "There is no preset 'vinflower': choose among cfr, vineflower. Did you mean vineflower?"
    )
    assert did_you_mean("FULL", ("class", "full")) == " Did you mean full?"
    assert did_you_mean("zzz", ("class", "full")) == ""


def test_a_name_that_came_several_times_is_listed_once() -> None:
    assert with_times([("A: ';' expected", 2), ("B: x", 1)]) == ["A: ';' expected (2 times)", "B: x"]
