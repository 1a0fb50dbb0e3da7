"""Type arguments and bounds in generic signatures."""

from __future__ import annotations

import pytest

from core.classfile.format_error import ClassFormatError
from core.classfile.generic_use import bounds, class_of, type_arguments
from core.classfile.signatures import class_names
from tests.support.rows import rows

ARGUMENTS = {
    "LG<La/B;TT;>;": [("G", 0, "La/B;"), ("G", 1, "TT;")],
    "LSuper<TT;[LA;+LB;*LC<LD;>;>;LI<LE;>;": [
        ("Super", 0, "TT;"),
        ("Super", 4, "LC;"),
        ("C", 0, "LD;"),
        ("I", 0, "LE;"),
    ],
    "<T:Ljava/lang/Object;V::Ljava/lang/Comparable<TV;>;>LX;": [("java/lang/Comparable", 0, "TV;")],
    "(LM<LK;LO<TT;>.In<LQ;>;>;ILN;)LR<LS;>;^TE;": [
        ("M", 0, "LK;"),
        ("O", 0, "TT;"),
        ("O$In", 0, "LQ;"),
        ("R", 0, "LS;"),
    ],
    "LA<LB<LC;>.D<LE;>.F;LG;>;": [("B", 0, "LC;"), ("B$D", 0, "LE;"), ("A", 1, "LG;")],
    "LA<[[I[LX;LZ;>;": [("A", 2, "LZ;")],
    "LA<-LB<LC;>;LD;>;": [("B", 0, "LC;"), ("A", 1, "LD;")],
    "[[LA<LB;>;": [("A", 0, "LB;")],
    "LA;": [],
    "TT;": [],
}


@rows("signature", ARGUMENTS)
def test_type_arguments(signature: str) -> None:
    assert list(type_arguments(signature)) == ARGUMENTS[signature]


def test_bounds_are_erased_and_variables_stand_for_theirs() -> None:
    declared = bounds("<T:La/B<TU;>;U:TT;V::LC;:LD<LE;>;W:>Ljava/lang/Object;".replace("W:>", "W:Ljava/lang/Object;>"))
    assert declared == (
        ("T", ("a/B",)),
        ("U", ("a/B",)),
        ("V", ("C", "D")),
        ("W", ("java/lang/Object",)),
    )
    assert bounds("LA<LB;>;") == ()


def test_erased() -> None:
    assert [class_of(text) for text in ("La/B;", "LA<TT;>.B;", "La/B<LX<LY;>.Z;>;", "LA<LB;>.C<LD;>.E;")] == [
        "a/B",
        "A$B",
        "a/B",
        "A$C$E",
    ]


@pytest.mark.parametrize("signature", ["LG<", "LG<LA;", "G<LA;>;", "LG<LA>;", "<T>LA;", ""])
def test_what_breaks_the_grammar_is_refused(signature: str) -> None:
    with pytest.raises(ClassFormatError):
        type_arguments(signature)


def test_signatures_take_time_and_memory_by_their_length() -> None:
    """Thousands of member classes of one another, and of generic classes within each other: no square of anything."""
    with pytest.raises(ClassFormatError, match="wrong at character"):
        class_names("La" + ".a" * 30_000 + ";")
    assert class_names("La" + ".b" * 5 + ";")[-1] == "a$b$b$b$b$b"
    deep = "La/B<" * 9_000 + "La/C<TT;>.D;" + ">;" * 9_000
    assert type_arguments(deep) == (("a/B", 0, "La/B;"), ("a/C", 0, "TT;"))
