"""Tables beside the graph: components, failures, probes, steps."""
