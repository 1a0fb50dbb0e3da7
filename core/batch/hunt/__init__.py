"""A hunt: tools are run on many jars, and each kind of failure is reduced once.

Read ``hunt_run.py`` first; ``hunt_process.py`` is what runs in processes, here or on a cluster.
"""
