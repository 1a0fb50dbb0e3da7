"""S: every part needs its parent."""

from __future__ import annotations

from core.model.rules.base import JVM, rule
from core.model.rules.class_items import ClassItems
from core.model.rules.context import Context


@rule("S1", JVM, "a part needs the class or member that holds it")
def s1(context: Context, one: ClassItems) -> None:
    """Every item => its parent."""
    first = one.parts[0][0] if one.parts else 0
    for variable, part in one.parts:
        context.edge(variable, one.fact if part.parent < 0 else first + part.parent)
