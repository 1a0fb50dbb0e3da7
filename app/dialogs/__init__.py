"""Dialogs: about, keyboard shortcuts, closing while a reduction runs."""
