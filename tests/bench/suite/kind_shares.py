"""Bytes and probes of each kind of rewriting, as shares of what there was before the first rewriting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from core.edits.programs.kinds import KINDS


class KindShare(NamedTuple):
    """The bytes that the probes of a kind took away, in those before the first rewriting; and their number, in the
    number of all probes before it.
    """

    bytes: float = 0.0
    probes: float = 0.0


def kind_shares(report: Mapping[str, Any]) -> dict[str, KindShare]:
    """Return the shares of the kinds that a run searched."""
    phases = report["phases"]
    before = list(takewhile(lambda phase: phase.get("name") not in KINDS, phases))
    if len(before) == len(phases):
        return {}
    first = phases[len(before)]
    size = max(1, first["bytes"] + first["gained"])
    probes = max(1, sum(phase["probes"] for phase in before))
    found = dict.fromkeys((phase["name"] for phase in phases if phase.get("name") in KINDS), KindShare())
    for phase in phases[len(before) :]:
        if phase.get("name") in found:
            known = found[phase["name"]]
            found[phase["name"]] = KindShare(
                known.bytes + phase["gained"] / size, known.probes + phase["probes"] / probes
            )
    return found


def mean_shares(runs: Sequence[Mapping[str, KindShare]]) -> dict[str, KindShare]:
    """Return the mean shares of all kinds, the largest share of the bytes first."""
    found = {}
    for name in KINDS:
        own = [run.get(name, KindShare()) for run in runs]
        count = max(1, len(own))
        found[name] = KindShare(sum(each.bytes for each in own) / count, sum(each.probes for each in own) / count)
    return dict(sorted(found.items(), key=lambda each: -each[1].bytes))


def kinds_table(means: Mapping[str, KindShare]) -> list[str]:
    """Return the mean shares as the lines of a table; nothing where no run was rewritten."""
    if not any(share.probes for share in means.values()):
        return []
    return [
        "",
        "Rewriting: mean share of the bytes before it that each kind took away, and its probes in those before:",
        "",
        "| kind | bytes | probes |",
        "|---|---:|---:|",
        *(f"| {name} | {share.bytes:.1%} | {share.probes:.1%} |" for name, share in means.items()),
    ]
