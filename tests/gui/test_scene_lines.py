"""Lines of the package view by weight, both directions apart; names that are shortened still tell nodes apart."""

from __future__ import annotations

import numpy as np
from pytestqt.qtbot import QtBot

from app.graph.paint.edges import heads
from app.graph.paint.sprites import fitted
from app.graph.scene.weights import apart, strong, widths
from app.painting import letters
from app.shortening import TitleIndex, told_apart


def test_the_heaviest_lines_and_one_of_each_box_are_strong() -> None:
    source = np.repeat(np.arange(20), 19).astype(np.int32)
    target = np.array([b for a in range(20) for b in range(20) if a != b], np.int32)
    weight = (source * 100 + target).astype(np.int32)
    chosen = strong(source, target, weight, 20)
    assert chosen.sum() == 40
    assert set(source[chosen].tolist()) == set(range(20)), "no box seems to need nothing"
    assert set(target[chosen].tolist()) == set(range(20))
    assert chosen[np.argmax(weight)]


def test_few_lines_are_all_strong() -> None:
    line = np.array([0, 1], np.int32)
    assert strong(line, line[::-1].copy(), np.array([1, 900], np.int32), 2).all()


def test_the_width_grows_with_the_weight_to_a_limit() -> None:
    assert widths(np.array([1, 4, 16, 10**6], np.int32)).tolist() == [1.0, 2.0, 3.0, 4.5]


def test_both_directions_lie_side_by_side() -> None:
    lines = np.array([[0.0, 0, 100, 0], [100, 0, 0, 0], [0, 0, 0, 50]])
    moved = apart(lines, np.array([0, 1, 0], np.int32), np.array([1, 0, 2], np.int32))
    assert moved[0].tolist() == [0.0, 2.5, 100.0, 2.5]
    assert moved[1].tolist() == [100.0, -2.5, 0.0, -2.5]
    assert moved[2].tolist() == lines[2].tolist()


def test_heads_stand_at_the_ends() -> None:
    path = heads(np.array([[0.0, 0, 100, 0], [0, 0, 3, 0]]), curved=False, long=8.0)
    area = path.boundingRect()
    assert (area.left(), area.right()) == (92.0, 100.0)


def test_a_shortened_name_fits_one_node_alone(qtbot: QtBot) -> None:
    titles = ["MVMap.DecisionMaker", "RootReference.DecisionMaker", "Chunk.DecisionMaker", "MVMap"]
    index, metrics = TitleIndex(titles), letters(12)[1]
    for title in titles[:3]:
        room = metrics.horizontalAdvance(title) * 0.7
        shown, _ = fitted(title, 12, room, index=index)
        begin, _, end = shown.partition("…")
        assert [one for one in titles if one.startswith(begin) and one.endswith(end)] == [title]
        assert metrics.horizontalAdvance(shown) <= room + 4
    shown, _ = fitted(titles[0], 12, metrics.horizontalAdvance(titles[0]) * 0.7)
    assert shown.startswith("…"), "without others the end tells most"


def test_equal_titles_say_their_packages() -> None:
    assert told_apart(["Builder", "Builder", "Map"], ["a.b", "a.c", "a.b"]) == ["b.Builder", "c.Builder", "Map"]


def test_of_names_of_the_same_words_letters_tell_one_from_the_other(qtbot: QtBot) -> None:
    titles = ["ParseException", "ScanException", "Parser", "Scanner"]
    room = letters(12)[1].horizontalAdvance("ParseExcept…") + 4
    shown = [fitted(title, 12, room, index=TitleIndex(titles))[0] for title in titles]
    assert len(set(shown)) == 4
    assert shown[0].startswith("ParseExc")
    assert shown[2:] == titles[2:]
