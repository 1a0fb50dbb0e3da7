"""Evidence of several failures, which need more than they name, and of places in sources, with real commands."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from core.protocol import events
from core.service.workspace import Workspace
from tests.support.evidence import reduce_with_evidence
from tests.support.files import jar_of


@pytest.fixture
def reduce(tmp_path: Path):
    """``reduce(command, folder=None, path=jar, **settings)``: evidence that was told, workspace, all events."""
    return partial(reduce_with_evidence, tmp_path / "work")


def test_of_failures_without_names_none_is_lacking(reduce, compile_java, tmp_path) -> None:
    names = ["one.First", *(f"rest.Other{number}" for number in range(30))]
    body = "{ public int of(int a) { return a; } }"
    parts = [name.split(".") for name in names]
    classes = compile_java({f"{p}/{n}.java": f"package {p}; public class {n} {body}" for p, n in parts}, "-g:none")
    has = "unzip -l {jar} | grep -q "
    command = f"sh -c '{has}F[i]rst.class && {has}Oth[e]r17.class && echo one.First fails && exit 1; exit 0'"
    jar = jar_of(classes, tmp_path / "unnamed.jar")
    found, *_ = reduce(command, path=jar, preserve=frozenset({"exit"}), max_probes=20)
    assert found[0].message.startswith("The failure names 1 class")
    assert [each["interesting"] for each in found[0].candidates] == [False] * len(found[0].candidates)
    assert not [each for each in found if each.message.startswith("What these lacked")]


@pytest.fixture
def reduce_errors(reduce, compile_java: Callable[..., Path], tmp_path: Path):
    """Reduces 48 classes, eight of which have errors as long as one of their methods is there, one of these only beside
    a ninth class, and two of them twice."""
    body = "{ int none; public int of(int a) { return a; } public int other(int a) { return a + none; } }"
    names = [*(f"First{number}" for number in range(8)), *(f"Other{number}" for number in range(40))]
    classes = compile_java({f"p/{name}.java": f"package p; public class {name} {body}" for name in names}, "-g:none")
    jar, script = jar_of(classes, tmp_path / "errors.jar"), tmp_path / "check.sh"
    script.write_text(
        "unzip -qo $1 -d made; fails=0\n"
        "have=$(cd made/p && grep -l other First*.class)\n"
        "for n in 0 1 2 3 4 5 6 7; do\n"
        "  case $have in *First$n.class*) ;; *) continue;; esac\n"
        "  [ $n != 3 ] || [ -e made/p/Other17.class ] || continue\n"
        "  echo p/First$n.java:1: error: no good; fails=1\n"
        "  [ $n -lt 6 ] || echo p/First$n.java:2: error: no good\n"
        "done\nexit $fails\n"
    )

    def run(folder: Path | None = None, **settings: object):
        more: dict[str, object] = {"failures_as": "javac", "failures": "same", "max_probes": 120} | settings
        return reduce(f"sh {script} {{jar}}", folder, path=jar, **more)

    return run


def checked_side_by_side(found: list[events.Evidence], workspace: Workspace, told: list[events.Event]) -> None:
    """Eight places are searched in shared probes, and a ninth class is kept."""
    each = found[0]
    assert each.message == "The failures show in 8 places; each was searched on its own, in the same probes."
    assert each.after < 0.25 * each.before
    kept = {name.removeprefix("p/").removesuffix(".class") for name, _ in workspace.entries}
    assert kept == {*(f"First{number}" for number in range(8)), "Other17"}
    assert sum(isinstance(event, events.Probed) for event in told) < 100


def test_errors_in_several_source_files_are_searched_side_by_side(reduce_errors) -> None:
    checked_side_by_side(*reduce_errors(jobs=2))


def test_gbr_searches_errors_in_several_source_files_side_by_side(reduce_errors) -> None:
    _, workspace, told = reduce_errors(algorithm="gbr")
    kept = {name.removeprefix("p/").removesuffix(".class") for name, _ in workspace.entries}
    assert kept == {*(f"First{number}" for number in range(8)), "Other17"}
    assert sum(isinstance(event, events.Probed) for event in told) < 50


@pytest.mark.slow
@pytest.mark.parametrize("probes", [3, 12, 30])
def test_a_search_side_by_side_that_goes_on_asks_the_same(reduce_errors, tmp_path: Path, probes: int) -> None:
    def run(events_: list[events.Event]) -> int:
        return sum(isinstance(event, events.Probed) and event.origin == "run" for event in events_)

    found, workspace, asked = reduce_errors()
    checked_side_by_side(found, workspace, asked)
    wanted = list(workspace.entries)
    _, _, before = reduce_errors(tmp_path / "session.jarlet", max_probes=probes)
    _, workspace, after = reduce_errors(tmp_path / "session.jarlet", max_probes=None)
    assert list(workspace.entries) == wanted
    assert run(before) + run(after) == run(asked)


BIG = "package app;\npublic class Big {{\n{}\n    int broken(int a) {{\n        return a;\n    }}\n}}\n".format(
    "\n".join(f"    int other{n}(int a) {{ return a + {n}; }}" for n in range(30))
)


@pytest.fixture
def big(compile_java: Callable[..., Path], tmp_path: Path) -> Path:
    """A jar with one class of many methods."""
    return jar_of(compile_java({"app/Big.java": BIG}, "-g:none"), tmp_path / "big.jar")


def test_the_member_around_the_line_of_an_error_in_a_source_that_was_left_comes_first(
    reduce, big: Path, tmp_path: Path
) -> None:
    source = tmp_path / "Big.java"
    source.write_text(BIG.replace("return a;", "** GOTO a;"))
    line = source.read_text().split("\n").index("        ** GOTO a;") + 1
    said = tmp_path / "said.txt"  # as javac 17 says it
    said.write_text(
        f"sources/app/Big.java:{line}: error: illegal start of expression\n        ** GOTO a;\n        ^\n1 error\n"
    )
    script = tmp_path / "check.sh"
    script.write_text(
        "unzip -q $1 -d classes && grep -aq broken classes/app/Big.class && mkdir -p sources/app || exit 0\n"
        f"cp {source} sources/app && cat {said} >&2 && exit 1\n"
    )
    found, workspace, _ = reduce(f"sh {script} {{jar}}", path=big, failures_as="javac", max_probes=4)
    assert found[0].message == "The failure names 1 class of the input and 1 member."
    assert found[0].candidates[0]["title"] == "app.Big.broken"
    assert found[0].candidates[0]["interesting"]
    assert b"broken" in workspace.entries[0][1]
    assert b"other7" not in workspace.entries[0][1]


@pytest.mark.parametrize("reading", [None, "none"])
def test_a_comment_of_a_decompiler_in_a_source_leads_to_its_method(
    big: Path, reduce: Callable[..., Any], tmp_path: Path, reading: str | None
) -> None:
    source = tmp_path / "Big.java"
    source.write_text(BIG.replace("return a;", "// $VF: Couldn't be decompiled"))
    script = tmp_path / "check.sh"
    script.write_text(f"unzip -q $1 -d classes && grep -aq broken classes/app/Big.class && cp {source} .\n")
    found, workspace, _ = reduce(f"sh {script} {{jar}}", path=big, failures_as=reading, max_probes=4)
    if reading is None:
        assert found[0].message == "The failure names 1 class of the input and 1 member."
        assert found[0].candidates[0]["title"] == "app.Big.broken"
        assert b"other7" not in workspace.entries[0][1]
    assert bool([event for event in found if event.kind == "failure"]) is (reading is None)


_TOOL = """
import java.util.*; import java.util.jar.*;
public class Tool {
    public static void main(String[] words) throws Exception {
        try (JarFile jar = new JarFile(words[0])) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                try (java.io.InputStream in = jar.getInputStream(entry)) {
                    String text = new String(in.readAllBytes(), "ISO-8859-1");
                    if (text.contains("odd")) HOW
                }
            }
        }
    }
}
"""


@pytest.mark.parametrize(
    "how",
    [
        "throw new IllegalStateException();",
        'System.err.println("error: bad file " + entry);',
        'new Error("caught").toString();',
    ],
)
def test_a_tool_is_heard_whose_output_the_script_throws_away(
    jacoco, reduce, compile_java: Callable[..., Path], tmp_path: Path, how: str
) -> None:
    names = {n: "odd" if n == 17 else "of" for n in range(40)}
    input_ = compile_java(
        {f"p/C{n}.java": f"package p; public class C{n} {{ void {m}() {{ }} }}" for n, m in names.items()}
    )
    tool = compile_java({"Tool.java": _TOOL.replace("HOW", how)})
    script = tmp_path / "silent.sh"
    script.write_text(f'java -cp {tool} Tool "$1" >/dev/null 2>&1\nunzip -p "$1" | grep -aq [o]dd\n')
    command, jar = f"sh {script} {{jar}}", jar_of(input_, tmp_path / "in.jar")
    found, workspace, _ = reduce(command, tmp_path / "s.jarlet", path=jar, max_probes=1)
    again, *_ = reduce(command, tmp_path / "s.jarlet", path=jar, max_probes=1)
    assert again == found, "a search that goes on asks the same"
    assert found[1].candidates[0]["title"] == "p.C17"
    assert found[1].candidates[0]["interesting"]
    assert [name for name, _ in workspace.entries if name.endswith(".class")] == ["p/C17.class"]
