"""A session on disk: what a reduction needs to be resumed after whatever ended it.

Read ``session``, ``session_manifest`` (what it began with), ``journal`` (its verdicts), ``accepted_steps``,
``salvage``.
"""
