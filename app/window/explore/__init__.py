"""Answers to an explorer: what two sets have to do with each other, cycles and their cuts, what goes with a class.

Read ``relation_presenter`` first. ``explorer`` wires the presenters to the window.
"""
