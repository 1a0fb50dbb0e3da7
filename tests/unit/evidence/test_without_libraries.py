"""Failures that may only show because a library of the input is missing."""

from __future__ import annotations

import shutil

from core.archive.jar import read_jar
from core.evidence.lack import without_libraries
from core.model import class_model


def test_the_failures_of_files_that_miss_a_library_are_in_doubt(compile_java) -> None:  # type: ignore[no-untyped-def]
    classes = compile_java({"org/own/A.java": "package org.own; class A { class In {} }"})
    model = class_model.build(read_jar([classes]))
    lib, bare = (
        "A.java: package org.lib does not exist",
        "B.java: cannot find symbol; symbol: class Type; location: package org",
    )
    after = "A.java: incompatible types: int cannot be converted to A"
    alone = "java.lang.NoClassDefFoundError: com/lib/X"
    ours = (
        "C.java: incompatible types: int cannot be converted to A",
        "C.java: package org.own does not exist",
        "C.java: package java.nothing does not exist",
        "C.java: cannot find symbol; symbol: class T; location: class A",
        "C.java: cannot find symbol; symbol: class A; location: package org.own",
    )
    assert without_libraries([lib, after, bare, alone, *ours], model) == {
        lib: ("org.lib",),
        after: ("org.lib",),
        bare: ("org.Type",),
        alone: ("com.lib",),
    }


def test_a_class_below_a_missing_one_that_is_no_subtype_is_in_doubt(compile_java, tmp_path) -> None:  # type: ignore[no-untyped-def]
    sources = {
        "lib/Base.java": "package lib; public class Base extends Exception {}",
        "p/Low.java": "package p; class Low extends Middle {}",
        "p/Middle.java": "package p; class Middle extends lib.Base {}",
        "p/Other.java": "package p; class Other {}",
    }
    shutil.copytree(compile_java(sources) / "p", tmp_path / "in" / "p")
    model = class_model.build(read_jar([tmp_path / "in"]))
    low, other = (f"A.java: incompatible types: {name} cannot be converted to Throwable" for name in ("Low", "Other"))
    assert without_libraries([low, other], model) == {low: ("lib.Base",)}
