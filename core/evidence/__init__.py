"""What is known before the search: what the failure's own words name, and what ran when the full input was run.

Evidence suggests candidates and nothing else: every candidate is judged by the predicate as any other is, so wrong
evidence costs a few probes, and can never make a result wrong.
"""
