"""The definition of "interesting": a command, its limits, and the judgement of its outcome.

Read ``verdict``, ``condition``, ``command``, ``predicate``; then ``failures``, ``presets`` and ``tool_chain``.
"""
