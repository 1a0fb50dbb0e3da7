"""The page of a class as source or bytecode of the input, with line numbers; lines that are gone are struck out."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QButtonGroup, QLabel, QPushButton, QWidget

from app.bug.source_view import SourceView
from app.panels.code_view import declaration_line
from app.widgets import ElidedLabel, bar, column_of, made
from core.protocol import events
from core.protocol.java_names import item_title, split

KINDS = ("source", "bytecode")


class SourcePage(QWidget):
    """One class, in the engine's names. ``wanted``: its text is to be seen."""

    wanted = Signal()
    followed = Signal(str, str, str)
    """A word was followed: the line, the word, and the whole text."""

    def __init__(self) -> None:
        super().__init__()
        self._name = ""
        self._place, self._fresh = ("", ""), False
        """Member and line that are marked; ``_fresh``: they are to be scrolled to once the text is there."""
        self.title = made(ElidedLabel(), heading=True)
        self.tool = made(QLabel(), muted=True)
        self.view = SourceView("Code of the class")
        self.view.setToolTip("Ctrl + click on a name, or F12 at it, shows its declaration; Alt + Left leads back")
        self.view.followed.connect(lambda line, word: self.followed.emit(line, word, self.view.toPlainText()))
        self._kinds = QButtonGroup(self)
        for number, title in enumerate(("Source", "Bytecode")):
            self._kinds.addButton(made(QPushButton(title), checkable=True, segment=True, accessibleName=title), number)
        self._kinds.button(0).setChecked(True)
        self._kinds.idClicked.connect(self._chosen)
        column_of(bar(self.title, self.tool, *self._kinds.buttons()), (self.view, 1), owner=self, spacing=0)
        self.look_at("")

    @property
    def kind(self) -> str:
        """The kind of text that is chosen: one of KINDS."""
        return KINDS[self._kinds.checkedId()]

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.wanted.emit()

    def look_at(self, name: str) -> None:
        """Show another class or member; the text of another class comes later."""
        same_class = bool(name) and split(name)[0] == split(self._name)[0]
        self._name, self._place, self._fresh = name, (split(name)[1], ""), True
        self.title.set_text(item_title(split(name)[0]) if name else "Nothing is selected")
        if same_class:
            self._go_to_place()
        else:
            self._wait()

    def show_place(self, kind: str, line: str) -> None:
        """Show a line of the source, or the first line of bytecode with a text, behind the present member's head."""
        self._place, self._fresh = (split(self._name)[1], line), True
        if kind == self.kind:
            self._go_to_place()
        else:
            self._kinds.button(KINDS.index(kind)).click()

    def show_code(self, event: events.Listing) -> None:
        """Show the text of the class."""
        self.tool.setText(f"by {event.tool}" if event.tool else "")
        self.view.show_rows(event.text, event.numbers, (), event.problem or "No code.", event.gone)
        self._go_to_place()

    def _chosen(self) -> None:
        self._fresh = True
        self._wait()
        self.wanted.emit()

    def _wait(self) -> None:
        waiting = "Decompiling…" if self.kind == "source" else "Reading…"
        self.view.show_rows("", (), (), waiting if self._name else "Select a class in the tree or in the graph.")
        self.view.go_to(-1)

    def _go_to_place(self) -> None:
        """Go to the place that is wanted, if the text is there."""
        code = self.view.toPlainText()
        member, line = self._place
        if not code or not (member or line):
            return
        words = line.partition(": ")[2] if self.kind == "source" else line.replace(".", "/")
        owner = split(self._name)[0].rpartition("/")[2].rpartition("$")[2]
        member = member.replace("<init>", owner).replace("<clinit>", "static")
        begin = max(0, declaration_line(code, member)) if member else 0
        lines = code.lower().replace(".", "/").splitlines()
        wanted = words.lower().replace(".", "/")
        found = (at for at in range(begin, len(lines)) if wanted in lines[at])
        self.view.go_to(next(found, begin) if wanted else begin, self._fresh)
        self._fresh = False
