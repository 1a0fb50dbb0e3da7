"""What the code of a class tells of the methods that it looks up."""

from __future__ import annotations

import pytest

from core.plan.class_code import ClassCode


@pytest.mark.parametrize("before", [0, 20, 118], ids=["next", "0x2a", "0xee"])
def test_a_method_lists_its_own_methods_only_if_it_asks_its_own_object(compile_java, before: int) -> None:
    """The number of a variable may be any byte, that of the instruction that loads ``this`` too."""
    longs = "".join(f"long of{at}, " for at in range(before))
    source = f"""class Lists {{
    Object own() {{ return getClass().getMethods(); }}
    Object other({longs}int one, Object on) {{ return on.getClass().getMethods(); }} }}"""
    code = ClassCode((compile_java({"Lists.java": source}) / "Lists.class").read_bytes())
    found = {name: code.lists_own((name, descriptor)) for name, descriptor in code.methods}
    assert found == {"<init>": False, "own": True, "other": False}
