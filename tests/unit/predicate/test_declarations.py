"""The declaration that a line of a decompiled source is part of, as decompilers lay such sources out."""

from __future__ import annotations

import pytest

from core.predicate.output.declarations import FailurePlace, SourceDeclaration, SourceFile, places
from tests.support.rows import rows

TEXT = """\
/*
 * Decompiled with a tool.
 */
package app;

import java.util.List;

@Deprecated
public class Outer<T>
extends Base
implements Runnable {
    private static final List<String> NAMES = List.of("a");
    private int[] sizes;

    static {
        System.out.println(NAMES);
    }

    {
        this.sizes = null;
    }

    /* synthetic */ Outer(String name) {
        super(name);
    }

    @Override
    @SuppressWarnings(value={"unchecked"})
    public void run() {
        Runnable inner = new Runnable(){

            @Override
            public void run() {
                ** GOTO lbl5
            }
        };
        if (inner != null) {
            inner.run();
        } else {
            return;
        }
lbl7:
        // 2 sources
        while (true) {
            class Local {
                int seen;
            }
        }
    }

    public <U> U wrapped(
        String first,
        int second
    ) throws IllegalStateException {
        return null;
    }

    static enum Kind {
        ONE(1) {

            int more() {
                return 2;
            }
        },
        TWO(2);

        private Kind(int number) {
            this.number = number;
        }
    }

    protected record Pair(int left, int right) {
        public interface Deep {
            public int left(int of);
        }
    }
}
"""
LINES = TEXT.splitlines()


@rows(
    ("shown", "types", "member"),
    [
        ('List.of("a")', "Outer", "NAMES"),
        ("private int[] sizes", "Outer", "sizes"),
        ("System.out", "Outer", "<clinit>"),
        ("this.sizes", "Outer", "<init>"),
        ("super(name)", "Outer", "<init>"),
        ("/* synthetic */", "Outer", "<init>"),
        ("@SuppressWarnings", "Outer", "run"),
        ("** GOTO", "Outer", "run"),
        ("} else {", "Outer", "run"),
        ("lbl7:", "Outer", "run"),
        ("// 2 sources", "Outer", "run"),
        ("int seen", "Outer", "run"),
        ("int second", "Outer", "wrapped"),
        (") throws", "Outer", "wrapped"),
        ("return null", "Outer", "wrapped"),
        ("return 2", "Outer.Kind", "ONE"),
        ("this.number", "Outer.Kind", "<init>"),
        ("int left, int right", "Outer.Pair", ""),
        ("int left(int of)", "Outer.Pair.Deep", "left"),
        ("implements Runnable", "Outer", ""),
        ("import java", "", ""),
    ],
)
def test_a_line_belongs_to_the_member_around_it(shown: str, types: str, member: str) -> None:
    (number,) = (number for number, line in enumerate(LINES, 1) if shown in line)
    expected = SourceDeclaration(tuple(types.split(".")) if types else (), member)
    assert SourceFile(TEXT).declaration_at(number) == expected


@pytest.mark.parametrize("line", [-3, 0, len(LINES) + 1, len(LINES) + 1000])
def test_lines_outside_of_the_file_belong_to_nothing(line: int) -> None:
    assert SourceFile(TEXT).declaration_at(line).member == ""
    assert SourceFile("").declaration_at(line) == SourceDeclaration(())


def test_places_are_told_by_the_names_of_the_errors() -> None:
    output = (
        "sources/app/Outer.java:36: error: illegal start of expression\n    ** GOTO lbl5\n    ^\n"
        "sources/app/Outer.java:36: error: illegal start of expression\n    ** GOTO lbl5\n     ^\n"
        "sources/app/Gone.java:3: error: ';' expected\n  x\n  ^\n"
        "error: no file\n1 error\n"
    )
    asked = []

    def text_of(path: str) -> str:
        asked.append(path)
        return TEXT if path == "sources/app/Outer.java" else ""

    found = places(output, text_of)
    here = SourceDeclaration(("Outer",), "run")
    outer, *others = found
    assert outer == FailurePlace("Outer.java: illegal start of expression; at *", "sources/app/Outer.java", here)
    assert [(each.path, each.declaration) for each in others] == [
        (path, SourceDeclaration(())) for path in ("sources/app/Gone.java", "")
    ], "a file that is gone, and none"
    assert asked == ["sources/app/Outer.java", "sources/app/Gone.java", ""]
