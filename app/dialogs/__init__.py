"""Dialogs: preferences, sessions, help, and questions before a result goes."""
