"""What is tried next: the plan of a search, as code that reads like its description.

Read ``auto`` first, with ``prices``; then ``search_run`` (what an algorithm may do) and ``core.search.phases`` (what a
phase is). ``named`` and ``what_ran`` try what evidence suggests, by the steps of ``suggesting``.
"""
