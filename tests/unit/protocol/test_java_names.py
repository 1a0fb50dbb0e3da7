"""Names as Java writes them, and what a person may write for an item."""

from __future__ import annotations

import pytest

from core.protocol.java_names import (
    artifact_names,
    find,
    forms,
    item_title,
    java_name,
    matcher,
    package_name,
    simple_name,
    type_name,
)
from tests.support.rows import rows

NAMES = (
    "org/jdom2/Verifier",
    "org/jdom2/Verifier.checkJDOMName:(Ljava/lang/String;)Ljava/lang/String;",
    "org/jdom2/Verifier.checkJDOMName:(Ljava/lang/String;)Ljava/lang/String;!code",
    "org/jdom2/Verifier.<init>:(I[[J)V",
    "org/jdom2/Verifier$Row.count:I[final]",
    "org/jdom2/Verifier[sig]",
    "a/B.get:()Ljava/lang/Object;",
    "a/B.get:()Ljava/lang/String;",
)


@pytest.mark.parametrize(
    ("internal", "java", "simple"),
    [
        ("a/b/C", "a.b.C", "C"),
        ("a/b/C$D$E", "a.b.C.D.E", "C.D.E"),
        ("a/b/C$1", "a.b.C.1", "C.1"),
        ("$a/$Proxy1", "$a.$Proxy1", "$Proxy1"),
        ("scala/Some$", "scala.Some$", "Some$"),
        ("a/Some$$Lambda$3", "a.Some$$Lambda.3", "Some$$Lambda.3"),
        ("C", "C", "C"),
    ],
)
def test_classes(internal: str, java: str, simple: str) -> None:
    assert java_name(internal) == java
    assert simple_name(internal) == simple


def test_packages_and_types() -> None:
    assert package_name("a/b") == "a.b"
    assert package_name("") == "(unnamed package)"
    assert type_name("[[La/b/C$D;") == "C.D[][]"
    assert type_name("La/b/C;", short=False) == "a.b.C"
    assert type_name("J") == "long"


def test_items_are_told_as_java_writes_them() -> None:
    assert [item_title(name) for name in NAMES] == [
        "org.jdom2.Verifier",
        "org.jdom2.Verifier.checkJDOMName(String)",
        "org.jdom2.Verifier.checkJDOMName(String), code",
        "org.jdom2.Verifier(int, long[][])",
        "org.jdom2.Verifier.Row.count, final",
        "org.jdom2.Verifier, sig",
        "a.B.get()",
        "a.B.get()",
    ]
    assert item_title("a/B$C is a subtype of java.util.List") == "a.B.C is a subtype of java.util.List"
    both = "a/B<a/C and a/C.put:(ILa/D;)V"
    assert item_title(both, short=True) == "B is a subtype of C and C.put(int, D)", "a fact that stands for two items"


@rows(
    ("text", "number"),
    [
        ("org/jdom2/Verifier", 0),
        ("org.jdom2.Verifier", 0),
        ("org.jdom2.Verifier.checkJDOMName(String)", 1),
        ("org.jdom2.Verifier.checkJDOMName(java.lang.String)", 1),
        ("org.jdom2.Verifier.checkJDOMName:(Ljava/lang/String;)Ljava/lang/String;", 1),
        ("org.jdom2.Verifier.checkJDOMName(String),code", 2),
        ("org.jdom2.Verifier(int,long[][])", 3),
        ("org.jdom2.Verifier.Row.count, final", 4),
        ("org.jdom2.Verifier$Row.count, final", 4),
        ("org/jdom2/Verifier[sig]", 5),
    ],
)
def test_an_item_is_found_by_any_of_its_forms(text: str, number: int) -> None:
    assert find(NAMES, text) == [NAMES[number]]


def test_what_java_does_not_tell_apart_is_several() -> None:
    assert find(NAMES, "a.B.get()") == list(NAMES[6:])
    assert find(NAMES, "a.B.set()") == []


def test_every_form_finds_its_item() -> None:
    for name in NAMES:
        assert all(name in find(NAMES, form) for form in forms(name))


@rows(
    ("pattern", "numbers"),
    [
        ("org.jdom2.Verifier", [0]),
        ("org/jdom2/Verifier", [0]),
        ("lib/x.jar!/org/jdom2/Verifier.class", [0]),
        ("org.jdom2.Verifier.checkJDOMName(String)*", [1, 2]),
        ("org.jdom2.Verifier.checkJDOMName:*", [1, 2]),
        ("org.jdom2.Verifier(int, long[][])", [3]),
        ("*[[]sig[]]", [5]),
        ("*[sig]", [5]),
        ("a.?.get*", [6, 7]),
    ],
)
def test_patterns(pattern: str, numbers: list[int]) -> None:
    wanted = matcher([pattern])
    assert [number for number, name in enumerate(NAMES) if wanted(name)] == numbers


def test_no_patterns_want_nothing() -> None:
    assert not any(map(matcher([]), NAMES))


def test_a_jar_is_called_by_its_artifact_if_that_tells_it_from_others() -> None:
    jars = ["lib/guava-33.0-jre.jar", "log4j-1.2-api-2.23.1.jar", "tool.jar", "a-1.0.jar", "a-2.0.jar", "-1.jar"]
    shown = ["guava", "log4j-1.2-api", "tool.jar", "a-1.0.jar", "a-2.0.jar", "-1.jar"]
    assert artifact_names(jars) == dict(zip(jars, shown, strict=True))
