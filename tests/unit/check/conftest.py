"""The state of a check of a small jar by a script."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.check.check_state import CheckState, RunContext, Wishes
from core.model import class_model
from core.protocol import events
from core.protocol.settings import Settings
from core.service.aims import aim_of
from core.system.stopwatch import Stopwatch
from tests.support.files import jar_of


@pytest.fixture(scope="module")
def jar(compile_java, tmp_path_factory) -> Path:
    folder = compile_java({"a/A.java": "package a; class A { public static void main(String[] words) {} }"})
    return jar_of(folder, tmp_path_factory.mktemp("check") / "a.jar")


@pytest.fixture
def state(jar, tmp_path):
    """``state(body, **wishes)``: a check of the jar by a script of that body."""

    def make(body: str, settings: Settings | None = None, **wishes) -> CheckState:
        script = tmp_path / "predicate.sh"
        script.write_text("#!/bin/sh\n" + body.replace("{log}", str(tmp_path / "log")))
        script.chmod(0o755)
        settings = settings or Settings(predicate=f"{script} {{jar}}")
        work = tmp_path / "work"
        work.mkdir()
        context = RunContext(work, threading.Event(), told.append, Stopwatch("check"))
        model = class_model.build(read_jar([jar]))
        aim = aim_of(settings)
        return CheckState(model, aim, aim.predicate(60.0), context, Wishes(**wishes))

    told: list[events.Event] = []
    return make
