"""The package view: names of its cards."""

from __future__ import annotations

from core.layout.nested import nested_view


def test_two_cards_of_one_name_say_their_parents() -> None:
    packages = ["a/internal", "a/console", "a/console/internal", "a/other"]
    view = nested_view(packages, [], [0, 1, 2, 3], ["/*", "a/*", "a/console/*"])
    assert {card.title for card in view.cards} == {"a.internal", "console", "console.internal", "other"}
