"""What no rule may ask for: programs of which more goes than a careless rule would let go."""

from __future__ import annotations

import pytest

from core.archive.jar import read_jar
from core.library.library import open_library
from core.model import building
from core.model.item_model import ItemModel
from core.sets import members
from tests.support.rows import rows

PROGRAMS = {
    "erased": """class Box<T> { T f; void set(T t) { } java.util.List<T> all() { return null; } T get() { return f; } }
        class Use { static Object use(Box<String> b) { return b.get(); } static void idle(Box<String> b) { } }""",
    "lambda_": "class User { static Runnable use() { return () -> { }; } }",
    "sup": """class B { B(int i, long j) { } B() { } }
        class C extends B { int f; C(long j) { super(1, j); f = 2; } C() { f = 3; } C(int i) { this((long) i); } }""",
    "raw": "class Arg<T> { } class Plain<T> { java.util.List<T> f(Arg a, T t) { return null; } }",
}
SPARED = [
    # a body that reads no parameter needs no signature of its own, nor of the class
    ("erased", "Box.set:(Ljava/lang/Object;)V!code", ("Box.set:(Ljava/lang/Object;)V[sig]", "Box[sig]")),
    ("erased", "Box.get:()Ljava/lang/Object;!code", ("Box.get:()Ljava/lang/Object;[sig]", "Box[sig]")),
    ("erased", "Use.idle:(Lerased/Box;)V!code", ("Use.idle:(Lerased/Box;)V[sig]", "Box[sig]")),
    # no source names what makes lambdas
    ("lambda_", "User.use:()Ljava/lang/Runnable;!code", ("User[inner java/lang/invoke/MethodHandles$Lookup]",)),
    # without its superclass a constructor calls Object's
    ("sup", "C.<init>:(J)V!code", ("C<sup/B", "B", "B.<init>:(IJ)V")),
    ("sup", "C.<init>:()V!code", ("C<sup/B", "B", "B.<init>:()V")),
    ("sup", "C.<init>:(I)V!code", ("C<sup/B", "B", "B.<init>:(IJ)V")),
    # a class that is named without type arguments need not declare its type parameters
    ("raw", "Plain.f:(Lraw/Arg;Ljava/lang/Object;)Ljava/util/List;[sig]", ("Arg[sig]",)),
]  # fmt: skip


@pytest.fixture(scope="session")
def model(compile_java) -> ItemModel:
    classes = compile_java({f"{name}/Program.java": f"package {name};\n{text}\n" for name, text in PROGRAMS.items()})
    library = open_library()
    model = building.build(read_jar([classes]), library, "full", "src")
    library.close()
    return model


@rows(("program", "kept", "spared"), SPARED)
def test_the_least_sub_input_does_without(model, program, kept, spared):
    least = model.least([model.numbers[f"{program}/{kept}"]])
    names = {model.items[number].name for number in members(least)}
    assert names.isdisjoint(f"{program}/{name}" for name in spared)
    assert {f"{program}/{name}" for name in spared} <= model.numbers.keys()
