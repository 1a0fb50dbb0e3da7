"""Answers to an explorer: relations between two sets, cycles and their cuts, the classes that go with a class.

Read ``relation_presenter`` first. ``explorer`` wires the presenters to the window.
"""
