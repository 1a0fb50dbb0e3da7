"""The package view: names of its cards, and how many there are."""

from __future__ import annotations

import numpy as np

from core.layout.nested import NestedView, nested_view, readable_view


def test_two_cards_of_one_name_say_their_parents() -> None:
    packages = ["a/internal", "a/console", "a/console/internal", "a/other"]
    view = nested_view(packages, [], [0, 1, 2, 3], ["/*", "a/*", "a/console/*"])
    assert {card.title for card in view.cards} == {"a.internal", "console", "console.internal", "other"}


def test_a_jar_is_called_by_its_artifact_and_open_with_its_package() -> None:
    packages = ["spring-web-6.1.jar!/org/web", "spring-web-6.1.jar!/org/http", "lib-1.0.jar!/a", "lib-2.0.jar!/a"]
    closed = nested_view(packages, [], [0, 1, 2, 3], ["/*"])
    assert {card.title for card in closed.cards} == {"spring-web", "lib-1.0.jar", "lib-2.0.jar"}
    opened = nested_view(packages, [], [0, 1, 2, 3], ["/*", "spring-web-6.1.jar!/org/*"])
    assert [card.title for card in opened.framed] == ["spring-web: org.*"]
    assert {card.title for card in opened.cards} == {"web", "http", "lib-1.0.jar", "lib-2.0.jar"}


def test_a_small_window_opens_fewer_groups() -> None:
    packages = [f"com/group{group}/package{one}" for group in range(9) for one in range(4)]
    alone = list(range(len(packages)))
    large = readable_view(packages, [], alone, (1400, 900))
    small = readable_view(packages, [], alone, (500, 300))
    assert len(large.cards) == len(packages), "there is room for all"
    assert 1 < len(small.cards) < len(packages)
    assert shown_whole(small, 500, 300) == 1
    tiny = readable_view(packages, [], alone, (40, 30))
    assert tiny.cards, "something is shown where nothing can be read"


def shown_whole(view: NestedView, wide: int, high: int) -> float:
    """Return the share of the cards that are large enough for their names, in a picture of this size."""
    corners = np.concatenate([view.rects[:, :4], view.frames])
    size = (corners[:, :2] + corners[:, 2:]).max(axis=0) - corners[:, :2].min(axis=0)
    shown = view.rects * min((wide - 56) / size[0], (high - 56) / size[1])
    letters = np.array([len(card.title) for card in view.cards])
    return float(((shown[:, 2] > 5 * letters) & (shown[:, 3] > 10)).mean())
