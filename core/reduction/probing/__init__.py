"""Probes: their workers, the known answers, their time limit, and the preparation of the next ones."""
