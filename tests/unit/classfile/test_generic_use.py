"""What generic signatures lean on."""

from __future__ import annotations

import pytest

from core.classfile.format_error import ClassFormatError
from core.classfile.generic_use import GenericUse, generic_use


@pytest.mark.parametrize(
    ("signature", "applied", "free"),
    [
        ("TT;", (), ("T",)),
        ("[Ljava/util/Map<TK;*>;", ("java/util/Map",), ("K",)),
        ("Lp/Foo<**>.In<Lq/B;>;", ("p/Foo", "p/Foo$In"), ()),
        ("<T::Lp/C<-TT;>;>Lp/A<TT;>;Lp/I;", ("p/C", "p/A"), ()),
        ("<T:Ljava/lang/Object;>(ITT;)TU;^TE;", (), ("U", "E")),
    ],
)
def test_classes_with_type_arguments_and_variables_from_outside(signature, applied, free):
    use = generic_use(signature)
    assert (use.applied, use.free) == (applied, free)


def test_a_method():
    assert generic_use("<T:Ljava/lang/Object;>(ITT;Ljava/util/List<-TT;>;Lp/C<*>;[[I)Lp/D<Lq/B;>;") == GenericUse(
        applied=("java/util/List", "p/C", "p/D"),
        arguments=("q/B",),
        free=(),
        declared=("T",),
        bounds=("java/lang/Object",),
        variables=True,
        parameters=(False, False, True, False, False),
        told=True,
        takes_variable=True,
        gives_variable=False,
        takes_open=("p/C",),
        gives_open=(),
    )


def test_what_has_nothing_but_unknown_type_arguments():
    assert generic_use("(Lp/C<*>;Lp/D<*TT;>;Lp/C<-Lp/B;>;)Lp/E<**>;").takes_open == ("p/C",)
    assert generic_use("(Lp/C<*>;)Lp/E<**>;").gives_open == ("p/E",)
    assert generic_use("Lp/E<*>;").gives_open == ("p/E",)


def test_a_field_both_takes_and_gives():
    use = generic_use("Ljava/util/List<TT;>;")
    assert (use.told, use.takes_variable, use.gives_variable) == (True, True, True)
    assert not use.parameters
    assert not generic_use("Lp/C<**>;").told


def test_a_broken_one():
    with pytest.raises(ClassFormatError):
        generic_use("Lp/C<")
