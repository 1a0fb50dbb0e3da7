"""One reduction: the driver answers an algorithm's questions with probes of the predicate.

Read ``driver``, ``phase_search`` and ``probing/prober`` first: how questions are answered. Then ``source`` and
``candidate_tester``: how a candidate is written.
"""
