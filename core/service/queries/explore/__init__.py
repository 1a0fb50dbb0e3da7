"""Answers to an explorer: class edges by weight, cycles with the edges that open them, what goes with an item."""
