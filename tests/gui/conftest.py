"""The real window with the real engine, off screen; nothing may be left running after a test."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QTimer
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.engine import event_decoder
from app.engine.client import EngineClient
from app.engine.controller import Controller
from app.engine.opened_jar import OpenedJar
from app.engine.run_state import RunState
from app.graph.scene.cells import Cells
from app.graph.scene.scene import Scene
from app.graph.view import GraphView
from app.panels.message_bar import MessageBar
from app.user_settings import UserSettings
from app.window.commands.leaving import LeavingDialog
from app.window.main_window import MainWindow
from core.model.class_model import ClassModel
from core.protocol import events
from core.protocol.commands import LayOut
from core.service.queries.layouts import granted
from core.service.workspace import Workspace
from tests.support.decompilers import decompilers as decompilers
from tests.support.decompilers import hide
from tests.support.decompilers import no_decompiler as no_decompiler
from tests.support.engine_nursery import ForkedEngine, Nursery
from tests.support.gui_helpers import small_jar, thread_names
from tests.support.patience import patience
from tests.support.run_events import apply

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))


def child_processes() -> set[int]:
    """Living processes that this one started."""
    found: set[int] = set()
    for task in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError):  # a thread that ended meanwhile
            found.update(int(word) for word in (task / "children").read_text().split())
    return found


@pytest.fixture(autouse=True)
def forked_engines(nursery: Nursery, monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines of windows come from the nursery."""
    nursery.start()
    monkeypatch.setattr(EngineClient, "starter", ForkedEngine)


@pytest.fixture(autouse=True)
def _nothing_left_running(own_places: None, forked_engines: None, no_decompiler: None) -> Iterator[None]:
    before, readers = child_processes(), thread_names().count("Reader")
    yield
    deadline = time.monotonic() + patience()
    while (child_processes() - before or thread_names().count("Reader") > readers) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not child_processes() - before, "a process was left behind"
    assert thread_names().count("Reader") <= readers, "a thread was left behind"


def undress() -> None:
    """Delete the widgets that were closed, and take the theme off."""
    application = QApplication.instance()
    if isinstance(application, QApplication):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        if application.property("theme") is not None:
            application.setProperty("theme", None)
            application.setStyleSheet("")
            application.setPalette(QPalette())


@pytest.fixture(autouse=True)
def _no_widget_is_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """Widgets of a test end with it, and so does its theme: each window is built as the first of a program is.

    A widget that is closed is deleted by the next event loop, and until then it is styled with all others. A window
    takes twice the time to build where there is a style sheet: each widget that gets a parent is styled anew.
    """
    yield
    if "kept_window" not in request.fixturenames:
        undress()


@pytest.fixture(autouse=True)
def _results_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is asked whether a result may go says yes; a test that asks puts the question back."""
    monkeypatch.setattr(LeavingDialog, "answer", lambda _: "go")


@pytest.fixture(scope="session")
def sample_jar(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample, built from its sources."""
    import build_sample

    if build_sample.is_fresh(build_sample.JAR):
        return Path(build_sample.JAR)
    jar = tmp_path_factory.mktemp("sample") / "sample.jar"
    build_sample.build(jar)
    return jar


class PatientBot(QtBot):
    """A bot whose waits end by what they wait for: a deadline only ends what will never come, on any machine."""

    def waitUntil(self, callback: Callable[[], object]) -> None:
        """Wait in one event loop: pytest-qt makes a loop and two timers for each look, half a millisecond in all."""
        __tracebackhide__ = True
        deadline = time.monotonic() + patience()
        loop, next_look = QEventLoop(), QTimer(singleShot=True, interval=10)
        errors: list[Exception] = []

        def look() -> None:
            late = time.monotonic() > deadline
            try:
                held = callback()
                if held not in (None, True, False):
                    raise TypeError(f"neither true nor false: {held!r}")
                if late and held is False:
                    raise TimeoutError("It has not come.")
            except Exception as error:
                held = False
                if late or not isinstance(error, AssertionError):
                    errors.append(error)
            if errors or held is not False:
                loop.quit()
            else:
                next_look.start()

        next_look.timeout.connect(look)
        look()
        if next_look.isActive():
            loop.exec()
        if errors:
            raise errors[0]

    def waitSignal(self, signal: object, **more: Any) -> Any:
        return super().waitSignal(signal, timeout=int(patience() * 1000), **more)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """pytest-qt's, with patience."""
    return PatientBot(request)


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> MainWindow:
    """A fresh main window with settings of its own, shown."""
    made = MainWindow(UserSettings(str(tmp_path / "settings.ini")))
    # before pytest-qt closes it: a reduction under way would make it ask
    qtbot.addWidget(made, before_close_func=lambda _: made.controller.shut_down())
    made.resize(1280, 800)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture(scope="module")
def kept_window(qapp: QApplication, nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """One window for all tests of a module that look at a jar: each opens its jar anew (:func:`reopened`).

    To build a window and to start its engine costs more than most looks. All tests of such a module take it.
    """
    place = tmp_path_factory.mktemp("kept")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(place / "state"))
        hide(patch)
        patch.setattr(EngineClient, "starter", ForkedEngine)
        made = MainWindow(UserSettings(str(place / "settings.ini")))
        made.resize(1280, 800)
        made.show()
        deadline = time.monotonic() + patience()
        while "Reader" not in thread_names() and time.monotonic() < deadline:
            time.sleep(0.02)  # its thread is none that the first test leaves behind
        yield made
        patch.setattr(LeavingDialog, "answer", lambda _: "go")
        made.close()
    undress()


@pytest.fixture(scope="session")
def sample_lines(sample_jar: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[ClassModel, list[bytes]]:
    """The sample's model, and what an engine writes about it: that it is open, and its two first layouts."""
    told: list[events.Event] = []
    model = Workspace(told.append, tmp_path_factory.mktemp("workspace")).open([str(sample_jar)])
    opened = next(event for event in told if isinstance(event, events.Opened))
    layouts = [granted(model, LayOut(view)) for view in ("packages", "components")]
    return model, [events.to_line(event).encode() for event in (opened, *layouts)]


@pytest.fixture
def view(qtbot: QtBot, sample_lines: tuple[ClassModel, list[bytes]]) -> GraphView:
    """The graph of the sample; what it asks for comes at once, from the real layouts."""
    made = GraphView()
    qtbot.addWidget(made)
    made.resize(1000, 700)
    model, lines = sample_lines
    opened: OpenedJar | None = None

    def take(line: bytes) -> None:
        nonlocal opened
        message = event_decoder.decode(line, opened)
        if isinstance(message, Cells):
            made.matrix_presenter.set_cells(message)
        elif isinstance(message, Scene):
            made.set_scene(message)
        else:
            assert isinstance(message, OpenedJar)
            opened = message
            made.set_jar(message)

    def answer(wish: LayOut) -> None:
        take(events.to_line(granted(model, wish)).encode())

    take(lines[0])
    made.stage.layout_wanted.connect(answer)
    for line in lines[1:]:
        take(line)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def controller(qtbot: QtBot) -> Iterator[Controller]:
    """With a small input and without an engine."""
    made = Controller()
    apply(made.state, small_jar()[0])
    made.paths = ["/jars/small.jar"]
    yield made
    made.shut_down()


@pytest.fixture
def state(controller: Controller) -> RunState:
    return controller.state


@pytest.fixture
def messages(qtbot: QtBot) -> MessageBar:
    made = MessageBar()
    qtbot.addWidget(made)
    return made
