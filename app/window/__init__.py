"""The main window: its parts, its commands, and its reactions to the engine's reports.

Read ``layout`` (the widgets and their places), ``commands/actions`` (the table of all actions), ``main_window`` (the
wiring of all parts). ``commands/`` carries out the user's actions, ``presenters/`` shows the engine's reports;
``selection``, ``pins`` and ``bug_queue`` keep the state that both sides need.
"""
