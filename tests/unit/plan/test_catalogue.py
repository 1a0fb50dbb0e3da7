"""The catalogue: what the modules of minimisers and reducers declare."""

import subprocess
import sys
from pathlib import Path

import pytest

from core.plan.catalogue import CATALOGUE, DEFAULT, find

ROOT = Path(__file__).resolve().parents[3]

TOY = """
from core.search.questions import Algorithm
from core.search.spaces.class_spaces import Classes, SearchProblem, Space
from core.search.specs import Level, Options, algorithm, phase

@algorithm("toy", "A toy", "Keeps all.")
@phase("classes", Level.CLASSES)
def TOY(problem: SearchProblem, options: Options) -> tuple[Space, Algorithm]:
    return Classes(problem), iter(())
"""


def test_the_default_comes_first():
    assert next(iter(CATALOGUE)) == DEFAULT
    assert all(spec.title and spec.explanation.endswith(".") and spec.phases for spec in CATALOGUE.values())


def test_spaces_and_minimisers_are_joined_by_name():
    assert [phase.name for phase in find("closures/wprobdd").phases] == ["closures"]
    with pytest.raises(LookupError, match="choose among auto, gbr"):
        find("closures/luck")


def test_one_file_in_a_room_is_all_that_an_algorithm_takes(tmp_path):
    (tmp_path / "toy.py").write_text(TOY)
    code = (
        "from core.search import reducers; "
        f"reducers.__path__.append({str(tmp_path)!r}); "
        "from core.plan.catalogue import CATALOGUE; print(list(CATALOGUE)[-1], CATALOGUE['toy'].phases[0].name)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["toy", "classes"]
