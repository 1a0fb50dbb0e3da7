"""One reduction: the driver answers an algorithm's questions with probes of the predicate.

Read ``driver``, ``phase_search`` and ``probing/prober`` first: how questions are answered. Then ``elements`` and
``candidate_tester``: how a candidate is written.
"""
