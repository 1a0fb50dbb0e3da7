"""Answers to an explorer: class edges by weight, cycles with the edges that open them, the consequences of dropping an
item."""
