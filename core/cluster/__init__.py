"""Many machines: the connection to a Dask cluster, and probes of one reduction that run on its workers.

Read `connection`, then `probe_task` (what a worker does), then `vetting` (which workers are asked) and
`cluster_predicate` (who asks).
"""
