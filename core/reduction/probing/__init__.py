"""Probes: who runs them, what is known of them already, how long they may take, and what is prepared meanwhile."""
