"""What "interesting" means: a command, its limits, and how its outcome is judged.

Read ``verdict``, ``condition``, ``command``, ``predicate``; then ``failures``, ``presets`` and ``tool_chain``.
"""
