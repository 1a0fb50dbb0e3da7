"""The methods that the code of a class looks up, as a walk over the code of a program tells them."""

from __future__ import annotations

import pytest

from core.plan.class_code import OWN, ClassCode


@pytest.fixture
def found(compile_java):
    """Return the calls that look methods up, with the known values that they take, by the name of the method."""

    def read(source: str) -> dict[str, list[tuple[str, list[object]]]]:
        code = ClassCode((compile_java({"Looks.java": source}) / "Looks.class").read_bytes())
        calls = {member: code.lookups(member) for member in code.methods if member[0] != "<init>"}
        return {
            name: [(call, [each for each in taken if each is not None]) for call, taken in calls[name, descriptor]]
            for name, descriptor in calls
        }

    return read


@pytest.mark.parametrize("before", [0, 20, 118], ids=["next", "0x2a", "0xee"])
def test_a_method_lists_its_own_methods_only_if_it_asks_its_own_object(found, before: int) -> None:
    """The number of a variable may be any byte, that of the instruction that loads ``this`` too."""
    longs = "".join(f"long of{at}, " for at in range(before))
    source = f"""class Looks {{
    Object own() {{ return getClass().getMethods(); }}
    static Object first(Looks on) {{ return on.getClass().getMethods(); }}
    Object other({longs}int one, Object on) {{ return on.getClass().getMethods(); }} }}"""
    known = {"own": [("getMethods", [OWN])], "other": [("getMethods", [])], "first": [("getMethods", [])]}
    assert found(source) == known


def test_a_name_is_known_only_if_an_instruction_gives_it_to_the_call_on_every_way(found) -> None:
    source = """class Looks {
    interface Asks { Object of(Class<?> one, String name, Class<?>... types) throws Exception; }
    Object one(Object on, String other) throws Exception {
        System.out.println(other + "b");
        return on.getClass().getMethod("a", long.class, other.getClass()); }
    Object either(Object on, boolean first) throws Exception { return on.getClass().getMethod(first ? "a" : "b"); }
    Object kept(Object on) throws Exception { String name = "a"; return on.getClass().getMethod(name); }
    Object handle(Object on) throws Exception {
        Asks asks = Class::getMethod;
        return on.getClass().getMethod("a"); }
    Object find(java.lang.invoke.MethodHandles.Lookup in) throws Exception {
        return in.findVirtual(String.class, "a", java.lang.invoke.MethodType.methodType(int.class)); } }"""
    assert found(source) == {
        "one": [("getMethod", ["a"])],
        "either": [("getMethod", [])],
        "kept": [("getMethod", [])],
        "handle": [("getMethod", ["a"]), ("getMethod", [])],
        "find": [("findVirtual", ["a"])],
    }
