"""The classes and members that the window shows. The engine is asked for no others."""

from __future__ import annotations

from app.panels.form.run_form import RunForm
from app.panels.inspector import Inspector
from app.panels.tree.class_tree import ClassTree


class VisibleItems:
    """The visible items, read from the panels at the moment of the question."""

    def __init__(self, form: RunForm, tree: ClassTree, inspector: Inspector) -> None:
        self._form, self._tree, self._inspector = form, tree, inspector

    def class_path(self) -> list[str]:
        """Return the libraries of the input."""
        return self._form.library.paths

    def open_classes(self) -> list[int]:
        """Return the classes whose members the tree shows."""
        return self._tree.shown_members()

    def related_classes(self) -> list[int]:
        """Return the classes that the inspector names."""
        found = (self._tree.model.item_of(name) for name in self._inspector.classes())
        return [item for item in found if item >= 0]

    def code_kind(self) -> str:
        """Return the kind of listing in the inspector: ``bytecode``, ``source``, empty = none."""
        return self._inspector.kind
