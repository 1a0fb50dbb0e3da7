"""Files that the form and the table of bugs take: a program, a script, libraries, known bugs."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.panels.form.run_form import RunForm
from app.panels.message_bar import MessageBar
from app.window.commands.file_chooser import FileChooser

TEMPLATE = """#!/bin/sh
# Exit code 0: the failure is there. Another one: it is not. 125: cannot tell.
# $1 is the candidate, a jar. Replace the tool, and the text that only the failure writes.
java -jar /path/to/tool.jar "$1" >out.txt 2>&1
grep -q "NullPointerException" out.txt
"""
"""A script to start from."""


class FormFiles(QObject):
    """The commands that ask for files and put them into the form. Libraries are looked for beside the input, the
    others where the last one was."""

    form_wanted = Signal()
    """The form has to be seen: libraries are added there."""
    libraries_added = Signal()
    """Libraries that a run lacked are in the form."""
    known_chosen = Signal(str)
    """This file of known bugs is to be compared with the bugs of the queue."""

    def __init__(self, chooser: FileChooser, form: RunForm, messages: MessageBar) -> None:
        super().__init__(form)
        self._chooser, self._form, self._messages = chooser, form, messages
        form.what.program_wanted.connect(self.choose_program)
        form.what.script_wanted.connect(self.write_script)
        form.library.jars_wanted.connect(self.choose_libraries)

    def choose_program(self) -> None:
        """Ask for a program, and make it the command."""
        path = self._chooser.file("command", "Command that shows the failure", "All files (*)")
        if path:
            self._form.what.use_program(path)

    def write_script(self) -> None:
        """Ask where to, write a script to start from, and make it the command."""
        path, _ = self._chooser.target("command", "Script template", "check.sh", "Shell script (*.sh)")
        if not path:
            return
        script = Path(path)
        try:
            script.write_text(TEMPLATE, encoding="utf-8")
            script.chmod(0o755)
        except OSError as error:
            self._messages.tell(f"{path}: cannot be written ({error.strerror or error}).", "error", about="form")
            return
        self._form.what.use_program(path)

    def choose_libraries(self) -> bool:
        """Ask for libraries, and add them. Return True if any of them was not there."""
        beside = self._chooser.given()
        pattern = "Java archives (*.jar *.zip);;All files (*)"
        chosen = self._chooser.files(f"libraries/{beside}", "Libraries of the input", pattern, beside)
        return self._form.library.add(chosen)

    def add_libraries(self, jars: list[str]) -> None:
        """Add libraries that a run lacked; those that the user chooses if there are no ``jars``."""
        self.form_wanted.emit()
        if self._form.library.add(jars) if jars else self.choose_libraries():
            self.libraries_added.emit()

    def choose_known(self) -> None:
        """Ask for a file of known bugs."""
        path = self._chooser.file("known", "Known bugs", "Known bugs (*.json);;All files (*)")
        if path:
            self.known_chosen.emit(path)
