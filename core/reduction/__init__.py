"""One reduction: the driver answers an algorithm's questions with probes of the predicate.

Read ``driver`` and ``prober`` (how questions are answered), ``sources`` and ``candidate_tester`` (how a
candidate is written), ``phases`` and ``minimality`` (several searches in a row).
"""
