"""The plan of a search: the order of phases and suggestions, and the prices of probes.

Read ``auto`` first, with ``prices``; then ``plan_run`` (the calls that an algorithm may make) and
``core.search.phases`` (the definition of a phase). ``what_ran`` tries the suggestions of evidence, by the steps of
``suggesting``. ``catalogue`` has all algorithms.
"""
