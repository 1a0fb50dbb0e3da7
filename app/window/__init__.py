"""The main window: its parts, its commands, and what it shows when the engine reports something.

Read ``layout`` (the widgets and their places), ``commands/actions`` (the table of all that can be done),
``main_window`` (who serves whom). ``commands/`` does what the user asks for, ``presenters/`` shows what the engine
reports; ``selection``, ``pins`` and ``bug_queue`` keep what both sides need.
"""
