"""The heuristics that ``python -m tests.bench.suite ablation`` switches off one by one, and how.

A setting is a module, a name in this module, and the source of the value without which the heuristic has no effect.
Constants that bound time or memory alone are not here, nor what decides only what free workers try ahead.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.code.edit import EditKind
from core.protocol.run_words import REWRITINGS

Setting = tuple[str, str, str]


@dataclass(frozen=True)
class Heuristic:
    """A heuristic, the number of its decision note, and the settings that switch the heuristic off."""

    name: str
    note: str
    settings: tuple[Setting, ...]


def _one(name: str, note: str, module: str, constant: str, value: str) -> Heuristic:
    return Heuristic(name, note, ((module, constant, value),))


def _rewriting(kind: str) -> Heuristic:
    """Return the heuristic that a plan has a kind of rewriting."""
    without = f"lambda names, of_plan=chosen: of_plan(names) - {{{kind!r}}}"
    return _one(f"rewriting {kind}", "038", "core.plan.rewritings", "chosen", without)


def _edit(kind: EditKind) -> Heuristic:
    """Return the heuristic that a method offers a kind of edits."""
    without = f"lambda *method, all_=offers: [each for each in all_(*method) if each.kind is not EditKind.{kind.name}]"
    return _one(f"edit {kind.value}", "020", "core.edits.bodies.offers", "offers", without)


_PLAN, _SEARCH, _REDUCERS = "core.plan", "core.search", "core.search.reducers"
_ITEMS = f"{_REDUCERS}.needed_items"

HEURISTICS = (
    _one("freed items", "017", _ITEMS, "_FREED", "-1.0"),
    _one("forecast", "011", _ITEMS, "_DOUBT", "-1.0"),
    _one("unused shares", "012", _ITEMS, "_EXPECTED_UNUSED", "_EXPECTED"),
    _one("used shares", "012", _ITEMS, "_EXPECTED_USED", "_EXPECTED"),
    _one("fading", "013", f"{_SEARCH}.search_history", "_FADED", "1.0"),
    _one("learned sizes", "013", f"{_SEARCH}.search_history", "_TYPICAL", "1e9"),
    _one("learned chances", "013", f"{_SEARCH}.priors", "_STRENGTH", "1e9"),
    Heuristic(
        "chances by size",
        "013",
        (
            (f"{_SEARCH}.priors", "magnitude", "lambda weight: 0"),
            (f"{_SEARCH}.priors", "magnitudes", "lambda weights: np.zeros(len(weights), dtype=np.int64)"),
        ),
    ),
    _one("falling prices", "007", f"{_PLAN}.prices", "PRICES", "PRICES[-1:] * len(PRICES)"),
    _one("price after rewriting", "007", f"{_PLAN}.prices", "AFTER_REWRITING", "PRICES[-1]"),
    _one("least worth", "007", f"{_PLAN}.prices", "LEAST_WORTH", "1e-9"),
    _one("unneeded at once", "018", f"{_REDUCERS}.gbr", "_WORTH", "2.0"),
    _one("likely halves", "023", "core.search.bisection", "Likely", "lambda *late: Bisection()"),
    _one("failure names", "001", f"{_PLAN}.suggesting", "try_failure_names", "lambda run, evidence, granularity: None"),
    _one("joint search", "005", "core.evidence.failure_sites", "failure_sites", "lambda *report: None"),
    _one("apart", "006", f"{_SEARCH}.sites", "_MANY", "10**9"),
    _one("apart unsure", "006", f"{_REDUCERS}.by_site", "_UNSURE", "10**9"),
    _one("lacking steps", "004", f"{_REDUCERS}.joint_search", "_FIRST_STEP", "1e9"),
    _one("parameters", "021", f"{_REDUCERS}.by_halves", "_WORTH_OF_PARAMETERS", "2.0"),
    _one("rewriting", "038", f"{_PLAN}.auto", "_rewrite", "lambda run, price: 0"),
    _one("alternatives", "022", f"{_REDUCERS}.valid_minimal", "_ALTERNATIVES", "1"),
    _one("one-minimal window", "009", f"{_PLAN}.prices", "_WINDOW", "10**9"),
    _one("fruitless", "009", f"{_PLAN}.prices", "FRUITLESS", "Patience(10**9, 0.0)"),
    _one("what ran", "001", f"{_PLAN}.what_ran", "try_what_ran", "lambda run, evidence, granularity: None"),
    Heuristic(  # the forecast decides where no watched run has told that most is needed
        "what ran with forecast",
        "011",
        (
            (f"{_PLAN}.what_ran", "try_what_ran", "lambda run, evidence, granularity: None"),
            (_ITEMS, "_DOUBT", "-1.0"),
        ),
    ),
    _one("enough named", "001", f"{_PLAN}.auto", "_ENOUGH", "0.0"),
    _one("watched again", "002", f"{_PLAN}.what_ran", "_SMALLER", "0.0"),
    _one("watched among bodies", "002", f"{_PLAN}.what_ran", "_GONE", "2.0"),
    _one("dead code", "003", f"{_PLAN}.suggesting", "cut_dead", "lambda run, dead: 0"),
    _one("dead code halves", "003", f"{_PLAN}.suggesting", "_MOST_CUTS", "1"),
    _one("calls", "054", f"{_SEARCH}.tree_chunks", "_chunks", "lambda problem, called, failed: []"),
    _one("nearly all calls", "054", f"{_SEARCH}.tree_chunks", "_MOST", "1.0"),
    _one("surplus", "012", f"{_PLAN}.suggesting", "drop_surplus", "lambda run, suggest: False"),
    _one("price of hanging", "014", f"{_SEARCH}.beliefs", "HANG", "0.0"),
    _one("hanging elsewhere", "014", f"{_SEARCH}.priors", "_HANG_STRENGTH", "1e9"),
    *map(_rewriting, REWRITINGS),
    *map(_edit, EditKind),
)


def chosen(names: list[str]) -> list[Heuristic]:
    """Return the heuristics of these names, all where no name is given. Raises UsageError for an unknown name."""
    from core.errors import UsageError

    known = {each.name: each for each in HEURISTICS}
    for name in names:
        if name not in known:
            raise UsageError(f"There is no heuristic {name!r}: choose among {', '.join(known)}.")
    return [known[name] for name in names] or list(HEURISTICS)
