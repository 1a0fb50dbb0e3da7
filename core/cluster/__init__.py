"""Many machines: the connection to a Dask cluster, and probes of one reduction that run on its workers.

Read `connection`, then `probe_task` (the work of a worker), `vetting` (the choice of workers) and `cluster_predicate`
(the questions to them).
"""
