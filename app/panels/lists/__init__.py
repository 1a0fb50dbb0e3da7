"""Lists beside the graph: components, failures, probes, accepted steps. All share ``row_table``: read it first."""
