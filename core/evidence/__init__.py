"""The evidence before a search: classes and members named in the failure, and executed code in a run of the full
input.

Evidence only suggests candidates. The predicate judges a suggested candidate like any other, so wrong evidence costs a
few probes and can never make a result wrong. Only `validity` decides something: the demand on every candidate, by the
failures of the full input.
"""
