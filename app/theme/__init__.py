"""The look of the window, light and dark.

Read ``theme`` (the colours), ``style`` (the style sheet), ``icons`` (drawings in the theme's colours).
"""
