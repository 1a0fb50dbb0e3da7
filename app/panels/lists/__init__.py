"""Lists beside the graph: components, failures, probes, accepted steps. ``row_table`` is what they share: read it first."""
