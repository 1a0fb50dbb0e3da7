"""The removable items of an input, and the dependencies between the items.

Read ``class_graph`` and ``class_model`` (whole classes), ``formula``, ``item_model`` and ``assembly`` (items below the
class), ``rules``, then ``model_logic`` (the formula as the algorithms see it) and ``writing``.
"""
