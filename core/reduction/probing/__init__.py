"""Probes: who runs them, which answers are known already, how long a probe may take, and what is prepared meanwhile."""
