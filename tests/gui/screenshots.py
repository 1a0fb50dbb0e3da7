"""Pictures of the window on its ways through exploring, reducing and exporting.

``python -m tests.gui.screenshots OUT [--theme NAME] [--readme] [--size 1680 1050] [--jar FILE]`` walks through the
sample and writes PNG files to the folder OUT; ``QT_SCALE_FACTOR=2`` makes them of twice the pixels. ``--readme`` writes
only those that the README shows. ``--jar`` looks at the answers of the explorer on that jar too, best one of hundreds
of classes. Needs no display.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QTabWidget, QWidget

import app.sample
from app.bug.dialogs import BugsDialog, SourceDialog
from app.dialogs.help import AboutDialog
from app.engine.run_state import EngineState, ItemState
from app.theme.theme import THEMES
from app.user_settings import UserSettings
from app.window.commands.leaving import ClosingDialog, StartingDialog
from app.window.main_window import MainWindow
from core.protocol.settings import Settings
from tests.support.patience import patience
from tests.support.pictures import few_colours, use_screen

SIZE = (1280, 800)
README_SIZE = (1440, 900)
README = ("reducing", "neighbourhood", "steps", "inspector", "bug")
RATIONAL = "sample/number/Rational"
SLOW = "sh -c 'sleep 0.15; exec java -XX:TieredStopAtLevel=1 -Xshare:auto -cp {jar} sample.Main'"


class Walk:
    """One walk; ``names`` are the pictures that are wanted, None = all."""

    def __init__(self, out: Path, theme: str, names: tuple[str, ...] | None, size: tuple[int, int] = SIZE) -> None:
        self._out, self._names = out, names
        self._folder = tempfile.TemporaryDirectory(prefix="jarlet-screenshots-")
        os.environ["XDG_STATE_HOME"] = self._folder.name
        settings = UserSettings(str(Path(self._folder.name) / "settings.ini"))
        settings.set_value("theme", theme)
        self.window = MainWindow(settings)
        self.window.commands.file.may_leave = lambda: True  # results of the walk go without a question
        self.window.resize(*size)
        self.window.show()

    def until(self, over: Callable[[], bool], what: str, alone: float = 120) -> None:
        """Waits; ends the program when it takes too long."""
        end = time.monotonic() + patience(alone)
        while not over():
            if time.monotonic() > end:
                sys.exit(f"waited in vain for {what}")
            QTest.qWait(20)

    def take(self, name: str, widget: QWidget | None = None, still: bool = True) -> None:
        """A picture of the window, or of one of its dialogs."""
        if self._names is not None and name not in self._names:
            return
        canvas = self.window.parts.graph.canvas
        if still:
            self.until(lambda: not canvas.flight.flying and not canvas._edges.painting, "the graph to stand still")
            QTest.qWait(250)
        picture = (widget or self.window).grab().toImage()
        picture = few_colours(picture) if self._names else picture
        if not picture.save(str(self._out / f"{name}.png"), "PNG", 0):
            sys.exit(f"{name}.png cannot be written to {self._out}")
        print(name, picture.width(), picture.height())

    def dialog(self, name: str, made: QDialog) -> None:
        """A picture of a dialog."""
        made.show()
        QTest.qWait(100)
        self.take(name, made, still=False)
        made.close()

    def menu(self, name: str, menu: QMenu) -> None:
        """A picture of a menu."""
        menu.popup(self.window.mapToGlobal(self.window.rect().topLeft()))
        QTest.qWait(100)
        self.take(name, menu, still=False)
        menu.close()

    def close(self) -> None:
        """Ends it all."""
        self.window.controller.shut_down()
        self.window.hide()
        self._folder.cleanup()

    def more(self, only: str | None, jar: str) -> None:
        """Look at the ends of reductions, and at answers of the explorer."""
        if only != "answers":
            self.ends()
        if only != "ends":
            self.answers(jar or str(app.sample.jar()), Path(jar).stem if jar else "sample")

    # -- the three ways -----------------------------------------------------------------

    def explore(self) -> None:
        """Open, look at all views, at a class, at its code."""
        window = self.window
        self.until(lambda: window.parts.run.form.algorithm.count() > 1, "the algorithms")
        self.take("empty", still=False)
        presets = window.parts.run.form.what.kind
        self.until(lambda: presets.count() > 2, "the presets")
        presets.showPopup()
        QTest.qWait(150)
        self.take("presets", presets.view().window(), still=False)
        presets.hidePopup()
        window.commands.file.open_sample()
        self.until(lambda: set(window.parts.graph.scenes) == {"packages", "components"}, "the sample")
        self.take("packages")
        window.parts.graph.folding.open_folder("sample/number")
        self.until(lambda: "sample/number" in window.parts.graph.canvas.scene.frame_names, "the opened package")
        self.take("package-open")
        item = window.parts.tree.model.item_of(RATIONAL)
        window.selection.select(item, None)
        for view in ("components", "force", "matrix"):
            window.parts.graph.show_view(view)
            self.until(lambda view=view: window.parts.graph.view == view, view)  # type: ignore[misc]
            self.take(view)
        window.parts.graph.navigation.focus(item)
        self.until(lambda: window.parts.graph.view == "focus", "the focus")
        self.take("focus")
        window.parts.graph.paths.begin(window.parts.tree.model.item_of("sample/shell/Shell"))
        window.parts.graph.paths.end(item)
        self.take("path")
        window.parts.graph.paths.clear()
        window.parts.search.focus()
        window.parts.search.field.setText("scale")
        QTest.qWait(200)
        self.take("search")
        window.parts.search.field.clear()
        window.parts.tree.tree.expand(window.parts.tree.model.index_of(item))
        self.until(lambda: window.parts.tree.model.members_loaded(item), "the members")
        window.pins.toggle(["sample/eval/Evaluator", f"{RATIONAL}.reciprocal:()Lsample/number/Rational;"])
        window.pins.toggle_first(["sample/unit/Unit"])
        window.parts.tree.select_item(item)
        window.parts.show_inspector()
        self.until(lambda: window.parts.inspector.needed_by.topLevelItemCount() > 2, "the ties")
        self.take("ties")
        window.pins.set_names([])

    def reduce(self) -> None:
        """Check, reduce, pause, look at the steps and the code."""
        window = self.window
        state = window.controller.state
        window.parts.graph.show_view("components")
        window.commands.reduce.check()
        self.until(lambda: not state.phase.busy, "the check")
        self.take("checked")
        # Without evidence: with it, the search is over before there is anything to see.
        window.parts.run.form.set_settings(Settings(
            predicate=SLOW, expect_exit=1, match="zero has no reciprocal", granularity="member", jobs=2, evidence=False
        ))  # fmt: skip
        window.parts.messages.hide()
        window.selection.select(-1, None)
        window.parts.tree.tree.scrollToTop()
        window.commands.reduce.start()
        window.parts.show_log(window.parts.question)
        self.until(lambda: len(state.steps) > 2 and state.counts()[ItemState.TRYING] > 4, "some steps")
        QTest.qWait(60)
        window.states.show_lists()  # they follow the graph a little later
        self.take("reducing", still=False)
        self.until(lambda: state.finished is not None, "the end", 1200)
        window.parts.show_log(window.parts.probes)
        window.parts.probes.table.selectRow(3)
        self.take("finished")
        window.parts.centre.show_graph()
        window.parts.messages.hide()
        window.parts.show_log(window.parts.steps)
        window.parts.steps.table.selectRow(1)
        selection = window.parts.steps.table.selectionModel()
        last = window.parts.steps.model.index(len(state.steps) - 1, 0)
        selection.select(last, selection.SelectionFlag.Select | selection.SelectionFlag.Rows)
        self.until(lambda: "removed" in window.parts.steps.words.toPlainText(), "the comparison")
        self.take("steps")
        window.parts.steps.now.click()
        window.parts.show_log(window.parts.failures)
        self.take("failures")
        item = window.parts.tree.model.item_of(RATIONAL)
        window.selection.select(item, None)
        window.parts.show_inspector()
        QTest.qWait(1500)
        self.take("states")
        window.actions_by_id["source"].trigger()
        self.until(lambda: bool(window.parts.centre.source.view.toPlainText()), "the source")
        QTest.qWait(1000)
        self.take("inspector")
        window.parts.centre.show_graph()
        window.parts.graph.navigation.focus(item)
        window.parts.show_log(window.parts.probes)
        self.until(lambda: window.parts.graph.view == "focus", "the focus")
        self.take("neighbourhood")
        window.parts.run.form.what.choose("procyon")
        self.take("preset")

    def beside(self) -> None:
        """The pages beside the graph: the bug in the source, which tools fail, the report."""
        window = self.window
        pages, dialog = window.parts.centre, window.commands.beside
        window.parts.messages.hide()
        window.parts.run.form.what.choose("")
        window.actions_by_id["bug"].trigger()
        bug = pages.bug
        self.until(lambda: bug.page is not None and bool(bug.page.files), "the source")
        self.until(lambda: bug.page is not None and bool(bug.page.files[0].right.strip()), "what is beside it")
        QTest.qWait(300)
        self.take("bug", still=False)
        reports = window.commands.report
        reports.show()
        assert reports.dialog is not None
        self.until(reports.dialog.report.copy.isEnabled, "the report")
        self.take("report", reports.dialog, still=False)
        reports.dialog.close()
        dialog.show_versions()
        assert dialog.versions is not None
        versions = dialog.versions
        self.until(lambda: "command" in versions.sentence.text(), "why no version is run")
        QTest.qWait(100)
        self.take("versions", dialog.versions, still=False)
        dialog.versions.close()
        window.actions_by_id["tools"].trigger()
        pages.tools.run.click()
        self.until(lambda: pages.tools.run.text() == "Run all tools", "the tools", 400)
        pages.tools.table.setCurrentIndex(pages.tools.model.index(1, 1))
        QTest.qWait(300)
        self.take("tools", still=False)
        pages.show_graph()

    def ends(self) -> None:
        """The end of a reduction that is sure, and of one that is in doubt."""
        window = self.window
        state = window.controller.state
        window.parts.graph.show_view("components")
        window.commands.file.open_sample()
        self.until(lambda: state.phase is EngineState.READY and state.finished is None, "the sample once more")
        for name, command in (
            ("end-good", Settings(**app.sample.predicate())),
            ("end-amber", Settings(predicate="true {jar}")),
        ):
            window.parts.run.form.set_settings(command)
            window.commands.reduce.start()
            self.until(lambda: not state.phase.busy and not window.parts.messages.isHidden(), name, 1200)
            QTest.qWait(1500)
            self.take(name, still=False)
            window.controller.state.finished = None
        table = [["bug", "failures", "jar"], ["1", "AssertionError: no such node; NullPointerException", "1.jar"],
                 ["2", "IllegalStateException at Frame.merge", "2.jar, 3.jar"]]  # fmt: skip
        self.dialog("bugs", BugsDialog("3 failures, 2 bugs.", table, window))
        found = SourceDialog(window)
        found.begin()
        self.dialog("source", found)

    def answers(self, jar: str, name: str) -> None:
        """The answers of the explorer: edges, cycles, what goes with a class, sizes, texts in the code."""
        window = self.window
        if jar:
            window.commands.file.open_paths([jar])
            self.until(lambda: state_of(window) == Path(jar).name, jar)
        window.parts.messages.hide()
        window.actions_by_id["packages"].trigger()
        self.until(lambda: window.parts.graph.view == "packages", "the packages")
        self.take(f"{name}-packages")
        canvas, scene = window.parts.graph.canvas, window.parts.graph.canvas.scene
        window.parts.inspector_dock.raise_()
        heaviest = int(np.argmax(scene.line_weight))
        canvas.edge_chosen.emit(heaviest)
        window.parts.graph.path_bar.listing.click()
        answers = window.parts.inspector.answers
        self.until(lambda: "between their parts" in answers.facts.text(), "the edges")
        QTest.qWait(800)
        self.take(f"{name}-edge")
        window.actions_by_id["cycles"].trigger()
        self.until(lambda: "ycle" in answers.title.text(), "the cycles")
        self.take(f"{name}-cycles")
        largest = int(np.argmax(np.where(window.controller.state.jar.is_class, window.controller.state.jar.sizes, 0)))  # type: ignore[union-attr]
        window.selection.select(largest)
        window.actions_by_id["goes_with"].trigger()
        self.until(lambda: "goes with" in answers.title.text() and answers.shown is not None, "what goes with it")
        QTest.qWait(500)
        self.take(f"{name}-goes-with")
        window.actions_by_id["treemap"].trigger()
        self.until(lambda: window.parts.graph.view == "treemap", "the sizes")
        self.take(f"{name}-treemap")
        window.actions_by_id["find_code"].trigger()
        window.parts.find.field.setText("null")
        QTest.keyClick(window.parts.find.field, Qt.Key.Key_Return)
        QTest.qWait(2000)
        self.take(f"{name}-find", still=False)
        window.parts.tree_dock.raise_()

    def export(self) -> None:
        """The menus and dialogs."""
        window = self.window
        for name, menu in window.menus.items():
            self.menu(f"menu-{name}", menu)
        preferences = window.preferences.dialog()
        self.dialog("preferences", preferences)
        tools = preferences.findChild(QTabWidget)
        assert isinstance(tools, QTabWidget)
        tools.setCurrentIndex(1)
        self.dialog("preferences-tools", preferences)
        self.dialog("starting", StartingDialog("step 4 of reduction 1", "12 classes, 13.7 kB", window))
        self.dialog("about", AboutDialog(window))
        self.dialog("closing", ClosingDialog("12 classes", True, window))
        window.commands.help.show_page("predicate")
        QTest.qWait(150)
        self.take("help", window.commands.help.pages, still=False)
        if window.commands.help.pages is not None:
            window.commands.help.pages.close()
        window.parts.messages.tell(
            "Unit cannot be dropped: Units.get(String) is kept; it needs Unit (a method needs the classes of its "
            "parameters and result, or has Object there).",
            "warning",
        )
        self.take("message")


def state_of(window: MainWindow) -> str:
    """Return the name of the jar that is drawn; empty while one is read."""
    state, graph = window.controller.state, window.parts.graph
    there = state.phase is EngineState.READY and "packages" in graph.scenes
    return Path(window.controller.paths[0]).name if there and window.controller.paths else ""


def main(arguments: list[str]) -> int:
    """Walks once."""
    parser = argparse.ArgumentParser(prog="python -m tests.gui.screenshots")
    parser.add_argument("out", type=Path)
    parser.add_argument("--theme", choices=THEMES, default="light")
    parser.add_argument("--readme", action="store_true")
    parser.add_argument("--jar", default="")
    parser.add_argument("--only", choices=("answers", "ends"))
    parser.add_argument("--size", type=int, nargs=2, metavar=("WIDTH", "HEIGHT"))
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="jarlet-screen-") as place:
        use_screen(Path(place))
        application = QApplication(sys.argv[:1])
    app.sample.jar()  # built where it is not
    QTimer.singleShot(2_400_000, lambda: os._exit(3))
    size = options.size or (README_SIZE if options.readme else SIZE)
    walk = Walk(options.out, options.theme, README if options.readme else None, tuple(size))
    try:
        if options.only is None:
            walk.explore()
            walk.reduce()
            walk.beside()
            walk.export()
        if not options.readme:
            walk.more(options.only, options.jar)
    finally:
        walk.close()
    application.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
