"""The protocol of window, command line and engine: events, commands, settings, names as Java writes them.

Read ``wire`` (how they travel), ``questions`` and ``events``; ``java_names`` and ``wording`` are for whoever talks to
people.
"""
