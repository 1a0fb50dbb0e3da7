"""S: every part needs what holds it."""

from __future__ import annotations

from core.model.rules.base import JVM, Context, rule
from core.model.rules.one import One


@rule("S1", JVM, "a part needs the class or member that holds it")
def s1(context: Context, one: One) -> None:
    """Every item => its parent."""
    numbered = sorted((variable, part) for kind in one.kinds.values() for variable, part in kind)
    first = numbered[0][0] if numbered else 0
    for variable, part in numbered:
        context.builder.edge(variable, one.fact if part.parent < 0 else first + part.parent, "S1")
