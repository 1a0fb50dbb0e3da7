"""Names without room for them are cut at the limits of their words, and so that they can be told apart."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from app.engine.opened_jar import OpenedJar
from app.graph.scene.relations import Relation
from app.panels.answer_page import AnswerList, answer_model
from app.panels.lists.component_list import ComponentList
from app.panels.lists.row_table import Column, NameLook, RowTable
from app.shortening import TitleIndex, short_item, short_package, short_pair, without_middle
from app.widgets import ElidedLabel
from tests.support.gui_helpers import small_jar
from tests.support.rows import rows

METHOD = "org.h2.index.LinkedIndex.add(SessionLocal, SearchRow, boolean), code"


@rows(
    ("name", "letters", "shown"),
    [
        (METHOD, 80, METHOD),
        (METHOD, 60, "…LinkedIndex.add(SessionLocal, SearchRow, boolean), code"),
        (METHOD, 40, "…LinkedIndex.add(…boolean), code"),
        (METHOD, 20, "…LinkedIndex.add(…)"),
        (METHOD, 12, "…add(…)"),
        ("org.h2.command.dml.AlterTableAlterColumn", 25, "…AlterTableAlterColumn"),
        ("org.h2.command.Parser, inner org.h2.command.Parser.1", 30, "…inner org.h2.command.Parser.1"),
        ("ObjectDataType + 18", 14, "ObjectData…18"),
        ("Evaluator.call(Expression), code", 25, "Evaluator.call(…), code"),
        ("implements Comparable", 14, "implements Co…"),
        ("implements Comparable", 11, ""),
        ("implements java.util.Map.Entry", 20, "implements …Entry"),
        ("record component denominator", 24, "record component denomi…"),
        ("Interval", 4, ""),
    ],
)
def test_names_in_lists_lose_package_then_parameters(name: str, letters: int, shown: str) -> None:
    assert short_item(name, lambda words: len(words) <= letters) == shown


@pytest.mark.parametrize(
    ("letters", "shown"),
    [
        (80, "Derivative.operation(Operation) → Operation.left()"),
        (45, "Derivative.operation(Operation) → …left()"),
        (35, "Derivative.operation(…) → …left()"),
        (25, "…operation(…) → …left()"),
        (20, "… → Operation.left()"),
        (4, ""),
    ],
)
def test_of_two_names_the_first_goes_last(letters: int, shown: str) -> None:
    pair = "Derivative.operation(Operation) → Operation.left()"
    assert short_pair(pair, lambda words: len(words) <= letters) == shown


def test_the_name_of_a_jar_stays_before_its_package() -> None:
    name = "spring-web: org.springframework.*"
    assert short_package(name, lambda words: len(words) <= 40) == name
    assert short_package(name, lambda words: len(words) <= 30) == "spring-web: …springframework.*"
    assert short_package(name, lambda words: len(words) <= 14) == "spring-web: …*"
    name = "objenesis-3.3.jar: org.objenesis.instantiator.android"
    assert short_package(name, lambda words: len(words) <= 22) == "…instantiator.android", "the package tells more"
    for letters in range(60):
        shown = short_package("a.jar: org.b", lambda words, letters=letters: len(words) <= letters)  # type: ignore[misc]
        assert shown in ("", "a.jar: org.b") or "…" in shown, "what is left out is seen"


def test_of_a_sentence_the_last_words_go_first() -> None:
    pair = "Derivative.operation(Operation), code → Operation is a subtype of Expression"
    for letters, shown in ((46, "Derivative.operation(…), code → Operation is…"), (28, "…operation(…) → Operation…")):
        assert short_pair(pair, lambda words, letters=letters: len(words) <= letters) == shown  # type: ignore[misc]
    assert without_middle("Units.Defined", lambda words: len(words) <= 7) == "Units…"


def test_of_a_long_first_name_the_last_words_stay() -> None:
    pair = "Handler.isNamespaceAware(), code → Parser"
    assert short_pair(pair, lambda words: len(words) <= 27) == "…NamespaceAware() → Parser"


def test_packages_of_an_edge_stand_without_the_parents_of_both() -> None:
    jar = OpenedJar(small_jar()[0])
    said = [Relation(*titles, (0,), (1,)).sentence(jar) for titles in (("org.a.b.x", "org.a.b"), ("In.A", "In.B"))]
    assert said == ["b.x → b: 1 class dependency", "In.A → In.B: 1 class dependency"]


def test_the_words_that_tell_a_class_from_its_neighbours_stay() -> None:
    names = [f"Token.{kind}StringToken" for kind in ("Binary", "Character", "Unicode")]
    index = TitleIndex(names)

    def shown(name: str) -> str:
        return without_middle(name, lambda words: len(words) <= 15, index.only_one)

    assert len({shown(name) for name in names}) == 3


@pytest.mark.parametrize("letters", [0, 30, 700, 1500])
def test_a_long_name_is_measured_at_most_twice_per_word(letters: int) -> None:
    measured: list[str] = []

    def fits(words: str) -> bool:
        measured.append(words)
        return len(words) <= letters

    shown = without_middle("Word" * 400, fits)
    assert len(measured) <= 2 * 400
    assert len(shown) == max(0, 4 * ((letters - 1) // 4) + 1) if letters else not shown


def test_a_cell_shows_a_whole_word_and_its_column_is_measured_by_the_name(qtbot: QtBot) -> None:
    components = ComponentList()
    qtbot.addWidget(components)
    table = components.table
    look, option = NameLook(table), QStyleOptionViewItem()
    metrics = QFontMetrics(option.font)  # type: ignore[attr-defined]
    option.rect = QRect(0, 0, metrics.horizontalAdvance("…LinkedIndex.add(…), code") + 20, 20)  # type: ignore[attr-defined]
    option.widget = table  # type: ignore[attr-defined]
    assert look.cut(METHOD, option) == "…LinkedIndex.add(…), code"


def test_names_leave_room_for_the_sentence_beside_them(qtbot: QtBot) -> None:
    columns = (Column("Class", None), Column("Needed class", None), Column("Needs", 62), Column("Rules", None))
    rule = "code needs the methods it calls"
    table = RowTable(answer_model(AnswerList("", "", "", columns, [("Derivative", "Operation", 14, rule)])), "Edges")
    qtbot.addWidget(table)
    table.leave_room_for_last()
    table.show()
    for wide in (560, 1200):
        table.resize(wide, 200)
        sizes = [table.columnWidth(column) for column in range(4)]
        assert sizes[3] >= table.fontMetrics().horizontalAdvance(rule) + 8, "the sentence is whole"
        assert sizes[0] >= table.fontMetrics().horizontalAdvance("Derivative"), "and so are the names"
        assert sum(sizes) == table.viewport().width()


def test_a_sentence_is_cut_between_words(qtbot: QtBot) -> None:
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.set_text(
        "org.h2.command → org.h2.engine: 369 class dependencies (102 needs: code needs the methods it calls)"
    )
    whole = label.fontMetrics().horizontalAdvance(label.text())
    for wide in range(whole // 2 + 10, whole, 37):
        label.resize(wide, 20)
        before, _, after = label.shown().partition(" … ")
        assert label.text().startswith(f"{before} ")
        assert label.text().endswith(f" {after}")


def test_of_figures_no_word_is_cut(qtbot: QtBot) -> None:
    label = ElidedLabel(figures=True)
    qtbot.addWidget(label)
    label.set_text("6 packages, 9 dependencies")
    whole = label.fontMetrics().horizontalAdvance(label.text())
    seen = set()
    for wide in range(whole + 2):
        label.resize(wide, 20)
        seen.add(label.shown())
    assert seen == {"", "6 packages", "6 packages, 9 dependencies"}


def test_all_cells_are_whole_where_there_is_room_for_them(qtbot: QtBot) -> None:
    columns = (Column("Class or member", None), Column("Size", 90), Column("Because of", None), Column("Rule", None))
    row = ("sample.command.Evaluate.run(String), code", 140, "sample.eval.Evaluator", "code needs the classes it names")
    table = RowTable(answer_model(AnswerList("", "", "", columns, [row])), "What goes with it")
    qtbot.addWidget(table)
    look = NameLook(table)
    table.setItemDelegate(look)
    table.leave_room_for_last()
    table.resize(1000, 200)
    table.show()
    option = QStyleOptionViewItem()
    option.widget, option.font = table, table.font()  # type: ignore[attr-defined]
    for column in (0, 2):
        option.rect = QRect(0, 0, table.columnWidth(column), 20)  # type: ignore[attr-defined]
        assert look.cut(str(row[column]), option) == row[column]
