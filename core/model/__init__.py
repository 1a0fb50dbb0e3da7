"""What can be removed from an input and what depends on what.

Read ``class_graph`` and ``class_model`` (whole classes), ``formula``, ``item_model`` and ``assembly`` (items below the
class), ``rules``, then ``model_logic`` (the formula as the algorithms see it) and ``writing``.
"""
