"""Variable orders: what is depended on comes first (GBR21, section 4.4 and its appendix)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.model.formula import Formula, Ints
from core.model.propagation import grouped, spans


def variable_order(formula: Formula, weights: Sequence[int] | None = None) -> list[int]:
    """Return all items in reverse post-order of the graph that has an arc from each conclusion to each premise of a
    clause.

    So each premise comes behind its conclusions, as far as there is no cycle; of a cycle of edges the first item in the
    order brings the others. Roots and arcs are taken in the order of items. With ``weights`` (bytes an item, at least 1
    each) they are taken from heavy to light instead, which brings heavy items late: the search drops them first.
    """
    sources, targets = _arcs(formula)
    if weights is None:
        roots = list(range(formula.variables))
    else:
        heavy = np.ones(formula.variables, dtype=np.int64)
        heavy[: formula.items] = np.maximum(np.asarray(weights, dtype=np.int64), 1)
        first = np.argsort(-heavy, kind="stable")
        roots = first.tolist()
        place = np.empty(len(first), dtype=np.int64)
        place[first] = np.arange(len(first))
        by_place = np.argsort(place[targets], kind="stable")
        sources, targets = sources[by_place], targets[by_place]
    finished = _post_order(roots, grouped(sources, targets, formula.variables))
    return [variable for variable in reversed(finished) if variable < formula.items]


def _arcs(formula: Formula) -> tuple[Ints, Ints]:
    """Return the arcs from conclusions to premises, ascending by the premise."""
    sources, targets = [formula.edges[:, 1]], [formula.edges[:, 0]]
    conclusions = grouped(spans(formula.conclusion_start), formula.conclusions, len(formula.clause_rules))
    owner = spans(formula.premise_start)
    repeats = np.diff(formula.conclusion_start)[owner]
    targets.append(np.repeat(formula.premises, repeats))
    flat = [head for clause in owner.tolist() for head in conclusions[clause]]
    sources.append(np.array(flat, dtype=np.int32))
    all_sources, all_targets = np.concatenate(sources), np.concatenate(targets)
    by_target = np.argsort(all_targets, kind="stable")
    return all_sources[by_target], all_targets[by_target]


def _post_order(roots: Sequence[int], following: Sequence[Sequence[int]]) -> list[int]:
    """Return the nodes as a depth-first walk leaves them."""
    seen = bytearray(len(following))
    finished: list[int] = []
    for root in roots:
        if seen[root]:
            continue
        seen[root] = 1
        stack = [root]
        walks = [iter(following[root])]
        while stack:
            for node in walks[-1]:
                if not seen[node]:
                    seen[node] = 1
                    stack.append(node)
                    walks.append(iter(following[node]))
                    break
            else:
                walks.pop()
                finished.append(stack.pop())
    return finished
