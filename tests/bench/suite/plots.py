"""Plots as SVG: what is left over time (GBR21, Figure 8), how many cases get how small (JR19, Figure 9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

Points = Sequence[tuple[float, float]]

_COLOURS = (
    *("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf"),
    *("#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#000000"),
)
_DASHES = ("", "7 3", "2 3")
_WIDTH, _HEIGHT = 860, 460
_LEFT, _TOP, _RIGHT, _BOTTOM = 64, 34, 170, 52
_TICKS = 5
_BAR = 22
"""Height of a bar with the space around it, in pixels."""


def over(timelines: Mapping[str, Sequence[Points]], end: float, unit: str) -> str:
    """Return the mean share of bytes left against seconds or probes, a line an algorithm. A timeline has what was left
    when, in order; after its last step that stays, and before its first all is left."""
    lines = {name: mean_steps(runs, end) for name, runs in timelines.items() if runs}
    return _plot(lines, end, f"Mean share of bytes left by {unit}", unit, "bytes left")


def frequency(shares: Mapping[str, Sequence[float]]) -> str:
    """Return a plot of the share of cases that end with at most so many of their bytes, one line per algorithm."""
    lines = {}
    for name, values in shares.items():
        steps: list[tuple[float, float]] = [(0.0, 0.0)]
        for number, value in enumerate(sorted(values), 1):
            steps += [(value, steps[-1][1]), (value, number / len(values))]
        lines[name] = [*steps, (1.0, 1.0)]
    return _plot(lines, 1.0, "Cases by what is left", "share of bytes left", "share of cases")


def bars(means: Mapping[str, float]) -> str:
    """Return the mean share of each kind as bars: of the bytes before rewriting, those that the kind took away."""
    most = max([*means.values(), 0.01])
    height = 2 * _BAR + _BAR * len(means)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" '
        'font-size="12">',
        f'<text x="{_LEFT}" y="{_BAR - 8}" font-weight="bold">Share of the bytes before rewriting, by kind</text>',
    ]
    for number, (name, share) in enumerate(sorted(means.items(), key=lambda each: -each[1]), 1):
        wide, at = round((_WIDTH - 3 * _RIGHT) * share / most, 1), _BAR * number
        parts += [
            f'<text x="{_RIGHT - 8}" y="{at + 15}" text-anchor="end">{escape(name)}</text>',
            f'<rect x="{_RIGHT}" y="{at + 3}" width="{wide}" height="{_BAR - 6}" fill="{_COLOURS[0]}"/>',
            f'<text x="{_RIGHT + wide + 8}" y="{at + 15}">{share:.1%}</text>',
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def mean_steps(runs: Sequence[Points], end: float) -> list[tuple[float, float]]:
    """Return the mean of step functions that begin at 1, as corner points from 0 to ``end``."""
    times = sorted({at for run in runs for at, _ in run if at <= end})
    left = [1.0] * len(runs)
    places = [0] * len(runs)
    points = [(0.0, 1.0)]
    for time in times:
        for number, run in enumerate(runs):
            while places[number] < len(run) and run[places[number]][0] <= time:
                left[number] = run[places[number]][1]
                places[number] += 1
        points += [(time, points[-1][1]), (time, sum(left) / len(left))]
    return [*points, (end, points[-1][1])]


def _plot(lines: Mapping[str, Points], right: float, title: str, across: str, up: str) -> str:
    wide, high = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def x(value: float) -> float:
        return round(_LEFT + wide * value / right, 1)

    def y(value: float) -> float:
        return round(_TOP + high * (1 - value), 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
        'font-size="12">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="20" font-size="14">{escape(title)}</text>',
    ]
    for tick in range(_TICKS + 1):
        share = tick / _TICKS
        label = f"{share * right:g}" if right != 1 else f"{share:.0%}"
        parts += [
            f'<path d="M{x(share * right)} {_TOP}V{_TOP + high}M{_LEFT} {y(share)}H{_LEFT + wide}" stroke="#dddddd"/>',
            f'<text x="{x(share * right)}" y="{_TOP + high + 18}" text-anchor="middle">{label}</text>',
            f'<text x="{_LEFT - 8}" y="{y(share) + 4}" text-anchor="end">{share:.0%}</text>',
        ]
    parts += [
        f'<text x="{_LEFT + wide / 2}" y="{_HEIGHT - 12}" text-anchor="middle">{escape(across)}</text>',
        f'<text transform="translate(16 {_TOP + high / 2}) rotate(-90)" text-anchor="middle">{escape(up)}</text>',
    ]
    for number, (name, points) in enumerate(lines.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        dash = _DASHES[number % len(_DASHES)]
        style = f'stroke="{colour}" stroke-width="2" fill="none"' + (f' stroke-dasharray="{dash}"' if dash else "")
        path = " ".join(f"{x(min(at, right))},{y(share)}" for at, share in points)
        at = _TOP + 10 + 18 * number
        parts += [
            f'<polyline points="{path}" {style}/>',
            f'<path d="M{_LEFT + wide + 14} {at}h26" {style}/>',
            f'<text x="{_LEFT + wide + 46}" y="{at + 4}">{escape(name)}</text>',
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"
