"""The window's reactions to reports of the engine, one object per subject.

Read ``run_presenter`` (an input is opened, a reduction goes on), ``result_presenter`` (it ends); then the others in any
order. Each is given the widgets that it fills, and nothing else of the window.
"""
