"""The look of the window, light and dark.

Read ``theme`` (the colours), ``palette`` (how the application gets them), ``style`` (the style sheet), ``arrows`` and
``icons`` (drawings in the theme's colours).
"""
