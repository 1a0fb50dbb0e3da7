"""How numbers look on the screen."""

from __future__ import annotations

_UNITS = ("B", "kB", "MB", "GB")


def count(number: int) -> str:
    """``12345`` as ``12,345``."""
    return f"{number:,}"


def plural(number: int, one: str, many: str = "") -> str:
    """``1 class``, ``2 classes``: ``many`` defaults to ``one`` + s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def size(octets: float) -> str:
    """A number of bytes with a unit, three significant places: ``1.2 MB``."""
    value = float(octets)
    for unit in _UNITS:
        if value < 1000 or unit == _UNITS[-1]:
            digits = 0 if unit == "B" or value >= 100 else 1
            return f"{value:.{digits}f} {unit}"
        value /= 1000
    raise AssertionError("unreachable: the last unit always returns")


def share(part: float, whole: float) -> str:
    """``38.1 %``; ``0 %`` of nothing."""
    return f"{100 * part / whole:.1f} %" if whole else "0 %"


def seconds(duration: float) -> str:
    """A duration that a person reads at a glance: ``84 ms``, ``3.2 s``, ``4 min 10 s``."""
    if duration < 0.9995:
        return f"{duration * 1000:.0f} ms"
    if duration < 59.95:
        return f"{duration:.1f} s"
    minutes, rest = divmod(round(duration), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    return f"{minutes // 60} h {minutes % 60:02d} min"
