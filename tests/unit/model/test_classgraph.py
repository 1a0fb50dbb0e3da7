"""The class graph: edges, components, closures; odd inputs; what other programs read of it."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import networkx as nx
import pytest

from core.archive.entry_names import kind_of
from core.archive.jar import Entry, Jar, read_jar
from core.classfile.class_file import parse
from core.model import graph_export
from core.model.class_graph import ClassGraph, ClassNode, build
from core.words import in_line, visible

# Seed 000, Figure 2: seventeen classes, and the closure of each.
SEED_EDGES = [
    [], [2, 4, 7], [1, 7], [1, 7], [7], [3, 5, 6], [4, 5, 7], [], [7, 9, 10, 11, 12], [10], [8], [13], [13],
    [7, 10, 14], [8, 10, 13], [7, 8, 10, 12, 13, 16], [7, 12, 13, 15],
]  # fmt: skip
SEED_CLOSURES = {
    (7, 8, 9, 10, 11, 12, 13, 14, 15, 16): [15, 16],
    (7, 8, 9, 10, 11, 12, 13, 14): [8, 9, 10, 11, 12, 13, 14],
    (1, 2, 3, 4, 5, 6, 7): [5, 6],
    (1, 2, 3, 4, 7): [3],
    (1, 2, 4, 7): [1, 2],
    (4, 7): [4],
    (7,): [7],
    (0,): [0],
}


def jar_of(files: dict[str, bytes]) -> Jar:
    return Jar((Path("x.jar"),), "x.jar", tuple(Entry(n, d, kind_of(n)) for n, d in files.items()))


def compiled(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in sorted(folder.rglob("*.class"))}


def plain(edges: list[list[int]], names: list[str] | None = None) -> ClassGraph:
    """A graph without class files."""
    names = names or [f"p/K{number}" for number in range(len(edges))]
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(edges)))
    graph.add_edges_from((source, target) for source, targets in enumerate(edges) for target in targets)
    nodes = [
        ClassNode(number, name, name.rpartition("/")[0], 10, None, (), 0, (61, 0), 0, 0)
        for number, name in enumerate(names)
    ]
    return ClassGraph(tuple(nodes), graph, (), {})


@pytest.fixture(scope="session")
def seed(compile_java) -> ClassGraph:
    sources = {
        f"K{number}.java": f"class K{number} {{ {' '.join(f'K{other} k{other};' for other in others)} }}"
        for number, others in enumerate(SEED_EDGES)
    }
    files = compiled(compile_java(sources))
    return build(jar_of({f"K{number}.class": files[f"K{number}.class"] for number in range(17)}))


def test_seed_edges(seed: ClassGraph) -> None:
    assert [node.name for node in seed.nodes] == [f"K{number}" for number in range(17)]
    expected = [sorted(set(others) - {number}) for number, others in enumerate(SEED_EDGES)]
    assert [sorted(seed.graph[number]) for number in range(17)] == expected
    assert seed.problems == ()
    assert seed.unresolved == {}


def test_seed_closures(seed: ClassGraph) -> None:
    masks = seed.closures()
    assert len(masks) == len(seed.components) == 8
    for closure, members in SEED_CLOSURES.items():
        for node in members:
            assert seed.closure(node) == set(closure)
            assert seed.components[seed.component_of[node]] == tuple(members)
            assert masks[seed.component_of[node]] == sum(1 << other for other in closure)


def check_components(graph: ClassGraph) -> None:
    """Against networkx, which finds components in another way."""
    assert {frozenset(part) for part in graph.components} == {
        frozenset(part) for part in nx.kosaraju_strongly_connected_components(graph.graph)
    }
    assert all(list(part) == sorted(part) for part in graph.components)
    of = graph.component_of
    assert all(of[source] <= of[target] for source, target in graph.graph.edges)
    condensed = graph.condensation()
    assert set(condensed) == set(range(len(graph.components)))
    assert set(condensed.edges) == {(of[a], of[b]) for a, b in graph.graph.edges if of[a] != of[b]}
    for part, mask in zip(graph.components, graph.closures(), strict=True):
        assert mask == sum(1 << node for node in graph.closure(part[0]))


def test_components_of_random_graphs() -> None:
    source = random.Random(1)
    for _ in range(60):
        size = source.randint(1, 40)
        edges = [source.sample(range(size), source.randint(0, min(3, size))) for _ in range(size)]
        graph = plain(edges)
        check_components(graph)
        shuffled = plain([source.sample(targets, len(targets)) for targets in edges])
        assert graph.components == shuffled.components


def test_components_of_a_long_chain() -> None:
    size = 5_000
    graph = plain([[node + 1] for node in range(size - 1)] + [[0]])
    assert graph.components == (tuple(range(size)),)
    graph = plain([[node + 1] for node in range(size - 1)] + [[]])
    assert len(graph.components) == size
    assert graph.closures()[size // 2] == (1 << size) - (1 << size // 2)


def test_real_classes(zoo: Path) -> None:
    told = []
    jar = read_jar([zoo])
    graph = build(jar, lambda done, total: told.append((done, total)))
    assert told[0] == (0, len(jar.classes()))
    assert told[-1] == (len(jar.classes()),) * 2
    check_components(graph)
    node = graph.nodes[graph.index["zoo/Zoo$Point"]]
    cf = parse(jar.entries[node.entry].data)
    assert jar.entries[node.entry].name == "zoo/Zoo$Point.class"
    assert (node.name, node.package, node.superclass) == ("zoo/Zoo$Point", "zoo", "java/lang/Record")
    data = jar.entries[node.entry].data
    assert (node.bytes, node.access, node.version) == (len(data), cf.access, (int.from_bytes(data[6:8], "big"), 0))
    assert (node.fields, node.methods) == (2, len(cf.methods))
    assert graph.unresolved == {}
    assert [node.entry for node in graph.nodes] == sorted(node.entry for node in graph.nodes)
    outer, record = graph.index["zoo/Zoo"], graph.index["zoo/Zoo$Point"]
    assert graph.component_of[outer] == graph.component_of[record]


def test_classes_that_are_missing(zoo: Path) -> None:
    files = compiled(zoo)
    del files["zoo/Cell.class"], files["zoo/Anon.class"]
    graph = build(jar_of(files))
    names = {name: [graph.nodes[node].name for node in nodes] for name, nodes in graph.unresolved.items()}
    assert names == {"zoo/Anon": ["zoo/Zoo$1"], "zoo/Cell": ["zoo/Zoo$Point", "zoo/Zoo"]}


def test_classes_that_cannot_be_read(zoo: Path) -> None:
    files = compiled(zoo)
    whole = build(jar_of(files))
    files["zoo/Cell.class"] = files["zoo/Cell.class"][:-3]
    files["zoo/Empty.class"] = b""
    position = list(files).index("zoo/Cell.class")
    graph = build(jar_of(files))
    assert [entry for entry, _ in graph.problems] == [position, len(files) - 1]
    assert "cut off" in graph.problems[0][1]
    assert len(graph.nodes) == len(whole.nodes) - 1


def test_multi_release_copies(compile_java) -> None:
    files = compiled(
        compile_java({"p/A.java": "package p; class A { B b; }", "p/B.java": "package p; class B { A a; }"})
    )
    a, b = files["p/A.class"], files["p/B.class"]
    graph = build(jar_of({"META-INF/versions/9/p/A.class": a, "p/A.class": a, "p/B.class": b, "x/A.class": a}))
    assert [node.name for node in graph.nodes] == ["META-INF/versions/9/p/A", "p/A", "p/B", "x/A"]
    assert [node.package for node in graph.nodes] == ["p"] * 4
    assert set(graph.graph.edges) == {(0, 1), (0, 2), (1, 2), (2, 1), (3, 1), (3, 2)}
    only = build(jar_of({"META-INF/versions/9/p/A.class": a, "p/B.class": b}))
    assert [node.name for node in only.nodes] == ["p/A", "p/B"]
    web = build(jar_of({"lib/p/A.class": a, "WEB-INF/classes/p/A.class": a, "WEB-INF/classes/p/B.class": b}))
    assert [node.name for node in web.nodes] == ["lib/p/A", "p/A", "p/B"]


def test_a_copy_needs_the_base_of_its_own_jar(compile_java) -> None:
    files = compiled(compile_java({"p/A.java": "package p; class A { B b; }", "p/B.java": "package p; class B {}"}))
    a, b = files["p/A.class"], files["p/B.class"]
    inside = {"p/A.class": a, "META-INF/versions/9/p/A.class": a, "p/B.class": b}
    graph = build(jar_of({f"{jar}.jar!/{name}": data for jar in "xy" for name, data in inside.items()}))
    assert set(graph.graph.edges) == {(0, 2), (1, 0), (1, 2), (3, 2), (4, 3), (4, 2)}, "others see the first of both"


def test_names_stay_unique(compile_java) -> None:
    """A copy at the place of another class must not take that class's name."""
    files = compiled(
        compile_java({"p/A.java": "package p; class A { B b; }", "p/B.java": "package p; class B { A a; }"})
    )
    a, b = files["p/A.class"], files["p/B.class"]
    graph = build(jar_of({"p/A.class": a, "p/B.class": a, "q/B.class": b}))
    assert [node.name for node in graph.nodes] == ["p/A", "p/B'", "p/B"]
    assert len(graph.index) == 3


# --- for other programs -----------------------------------------------------------------------------------------

NASTY = [
    'p/"quoted"',
    "p/back\\slash\\n",
    "q/\u65e5\u672c\U0001f600",
    "q/\0\x1b\x7f",
    "q/\ud800\u202e\u2066\ufffe\x9b",
    "r/<&amp;]]>",
    "plain\\",
]
NASTY_EDGES = [[1, 2], [0], [3], [4], [5], [6], []]


@pytest.fixture
def nasty() -> ClassGraph:
    return plain(NASTY_EDGES, NASTY)


def test_json(nasty: ClassGraph, seed: ClassGraph) -> None:
    whole = json.loads(json.dumps(graph_export.to_json(nasty)))
    assert [item["name"] for item in whole["classes"]] == NASTY
    assert [[b for a, b in whole["edges"] if a == node] for node in range(7)] == NASTY_EDGES
    assert whole["components"][0] == [0, 1]
    assert [item["component"] for item in whole["classes"]] == list(nasty.component_of)
    whole = json.loads(json.dumps(graph_export.to_json(seed)))
    assert len(whole["components"]) == 8
    assert whole["classes"][3]["superclass"] == "java/lang/Object"
    assert all(a < b for a, b in whole["component_edges"])


SVG = "{http://www.w3.org/2000/svg}"
DRAW = """
import sys, pygraphviz
graph = pygraphviz.AGraph(string=sys.stdin.buffer.read().decode())
sys.stdout.buffer.write(graph.draw(format="svg", prog="dot"))
"""


def drawn(dot: str, kind: str) -> dict[str, str]:
    """What Graphviz draws: name and text of each ``node``, ``cluster`` or ``edge``.

    In a process of its own, since pygraphviz and Qt do not go together.
    """
    run = subprocess.run([sys.executable, "-c", DRAW], input=dot.encode(), capture_output=True, check=True)
    groups = [group for group in ET.fromstring(run.stdout).iter(f"{SVG}g") if group.get("class") == kind]
    return {
        group.findtext(f"{SVG}title", ""): "".join(text.text or "" for text in group.iter(f"{SVG}text"))
        for group in groups
    }


def test_dot_as_graphviz_draws_it(nasty: ClassGraph) -> None:
    dot = graph_export.to_dot(nasty)
    shown = [in_line(name).replace("/", ".") for name in NASTY]
    assert drawn(dot, "node") == {f"n{number}": name for number, name in enumerate(shown)}
    assert len(drawn(dot, "edge")) == sum(map(len, NASTY_EDGES))


def test_dot_components_and_packages(nasty: ClassGraph, seed: ClassGraph) -> None:
    dot = graph_export.to_dot(seed, components=True)
    large = [f"cluster_{number}" for number, part in enumerate(seed.components) if len(part) > 1]
    assert sorted(drawn(dot, "cluster")) == sorted(large)
    assert len(drawn(dot, "node")) == 17
    packages = graph_export.to_dot(nasty, packages=True)
    assert sorted(drawn(packages, "node").values()) == ["(unnamed package)", "p", "q", "r"]
    assert "p1 -> p2 [label=1, weight=1];" in packages


def test_graphml(nasty: ClassGraph) -> None:
    again = nx.read_graphml(io.BytesIO(graph_export.to_graphml(nasty, components=True)), node_type=int)
    assert set(again.edges) == set(nasty.graph.edges)
    assert [again.nodes[node]["name"] for node in range(7)] == [in_line(name) for name in NASTY]
    assert [again.nodes[node]["component"] for node in range(7)] == list(nasty.component_of)
    assert again.nodes[0]["component_size"] == 2
    bare = nx.read_graphml(io.BytesIO(graph_export.to_graphml(nasty)), node_type=int)
    assert "component" not in bare.nodes[0]
    assert bare.nodes[0]["bytes"] == 10
    packages = nx.read_graphml(io.BytesIO(graph_export.to_graphml(nasty, packages=True)), node_type=int)
    assert [packages.nodes[n]["name"] for n in sorted(packages)] == ["p", "q", "r", "(unnamed package)"]
    assert [packages.nodes[n]["classes"] for n in sorted(packages)] == [2, 3, 1, 1]
    assert packages.edges[1, 2]["weight"] == 1
    assert packages.nodes[1]["inner"] == 2


@pytest.mark.parametrize("packages", [False, True])
def test_exports_have_nothing_that_is_not_seen_as_itself(packages: bool) -> None:
    hostile = plain([[]], ["p\u202e\x1b/\ud800\u2066\ufffe\x9b"])
    for data in (
        graph_export.to_graphml(hostile, packages=packages),
        graph_export.to_dot(hostile, packages=packages).encode(),
    ):
        text = data.decode()
        assert visible(text) == text
        assert r"\u202e" in text


def test_exports_are_the_same_each_time(zoo: Path) -> None:
    one, two = (build(read_jar([zoo])) for _ in range(2))
    assert one == two or one.graph.edges == two.graph.edges
    for options in ({}, {"components": True}, {"packages": True}):
        assert graph_export.to_dot(one, **options) == graph_export.to_dot(two, **options)
        assert graph_export.to_graphml(one, **options) == graph_export.to_graphml(two, **options)
    assert json.dumps(graph_export.to_json(one)) == json.dumps(graph_export.to_json(two))
