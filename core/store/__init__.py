"""A session on disk: everything that a reduction needs to be resumed after any end.

Read ``session``, ``session_manifest`` (what it began with), ``journal`` (its verdicts), ``accepted_steps``,
``salvage``.
"""
