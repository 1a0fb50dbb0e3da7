"""Use cases of window and command line: open an input, check, reduce, export.

Read ``workspace`` (one opened input), ``preparation``, ``searching/reductions``, ``engine`` (the window's commands).
"""
