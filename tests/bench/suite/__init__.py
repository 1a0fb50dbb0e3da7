"""Algorithms on lists of inputs: jars that break decompilers, programs that must still run, heuristics switched off."""
