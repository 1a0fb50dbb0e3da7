"""Many jobs, in processes of their own, here or on a cluster: reductions that a file lists, and tools over many jars.

A job (``job.py``, ``looks.py``) is a task, which an executor runs in a process (``tasks.py``, ``worker.py``).
``hunt.py`` makes jobs in two stages; its folder is the journal.
"""
