"""Many machines: the connection to a Dask cluster, and probes of one reduction that run on its workers.

Read `connection`, then `probe_task` (the work of a worker) and `cluster_predicate` (the choice of workers, and the
questions to them).
"""
