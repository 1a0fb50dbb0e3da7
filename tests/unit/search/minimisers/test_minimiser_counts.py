"""Numbers of tests that the list minimisers need: the simulation of WDD, and forms beside the textbook's."""

import json
import random
from itertools import pairwise
from pathlib import Path

import pytest

from core.search.minimisers.ddmin import complements_only, ddmin, wddmin, weighted_complements_only
from core.search.minimisers.probdd import cdd, probdd, wprobdd

ORACLES = json.loads((Path(__file__).parents[2] / "data" / "minimisers.json").read_text())


def balls(rng, n, total):
    weights = [1] * n
    for _ in range(total - n):
        weights[rng.randrange(n)] += 1
    return weights


def cuts(rng, n, total):
    places = [0, *sorted(rng.sample(range(1, total), n - 1)), total]
    return [end - start for start, end in pairwise(places)]


def count_tests(algorithm, needed):
    """Number of tests of a driver with a cache; only ``First`` is asked."""
    asked = {}
    answer, result = None, None
    while result is None:
        try:
            candidates = algorithm.send(answer).candidates
        except StopIteration as end:
            result = end.value
        else:
            verdicts = (asked.setdefault(candidate, needed.issubset(candidate)) for candidate in candidates)
            answer = next((index for index, yes in enumerate(verdicts) if yes), None)
    assert set(result) == needed
    return len(asked)


def simulated(longest, distribution, count):
    """Ratios of the tests of wddmin to those of ddmin (WDD, section IV-D)."""
    rng = random.Random(20240101)
    ratios = []
    while len(ratios) < count:
        n = rng.randint(2, longest)
        weights = distribution(rng, n, rng.randint(n, 10 * n))
        removable = rng.random()
        needed = {element for element in range(n) if rng.random() >= removable ** weights[element]}
        if needed:
            elements = tuple(range(n))
            textbook = count_tests(ddmin(elements), needed)
            # none where one element is left to try: equal
            ratios.append(count_tests(wddmin(elements, weights.__getitem__), needed) / textbook if textbook else 1.0)
    return ratios


@pytest.mark.slow
def test_wddmin_needs_fewer_tests_in_the_simulation_of_section_iv_d():
    count, means = 100, {}
    for figures in ORACLES["simulation"]["runs"]:
        longest, name = figures["n"][1], figures["weights"]
        mean = sum(simulated(longest, {"balls": balls, "cuts": cuts}[name], count)) / count
        # standard error of 2,000 lists -> of ``count``
        assert abs(mean - figures["mean_ratio"]) < 4 * figures["se"] * (2000 / count) ** 0.5
        means[longest, name] = mean
    assert all(mean < 1 for mean in means.values())
    assert means[100, "cuts"] < means[50, "cuts"]
    assert means[100, "balls"] < means[50, "balls"]
    assert means[100, "cuts"] < means[100, "balls"]
    assert means[50, "cuts"] < means[50, "balls"]


def test_the_cheaper_forms_need_about_half_the_tests_of_the_textbook_form():
    rng = random.Random(7)
    totals = dict.fromkeys(["ddmin", "complements", "weighted", "cdd", "probdd", "wprobdd"], 0)
    for _ in range(40):
        n = rng.randint(20, 80)
        weights = cuts(rng, n, 6 * n)
        needed = {e for e in range(n) if rng.random() >= 0.95 ** weights[e]} or {0}
        elements, weight = tuple(range(n)), weights.__getitem__
        totals["ddmin"] += count_tests(ddmin(elements), needed)
        totals["complements"] += count_tests(complements_only(elements), needed)
        totals["weighted"] += count_tests(weighted_complements_only(elements, weight), needed)
        totals["cdd"] += count_tests(cdd(elements, 0.25), needed)
        totals["probdd"] += count_tests(probdd(elements, 0.25), needed)
        totals["wprobdd"] += count_tests(wprobdd(elements, weight, 0.25), needed)
    share = {name: total / totals["ddmin"] for name, total in totals.items()}
    assert 0.35 < share["complements"] < 0.6
    assert 0.35 < share["weighted"] < 0.6
    assert all(share[name] < share["complements"] for name in ("cdd", "probdd", "wprobdd"))
    assert abs(share["cdd"] / share["probdd"] - 1) < 0.06
