"""The algorithms: generators that ask questions and do no input or output.

Read ``questions`` (what may be asked), ``bisection`` (where an interval is cut), ``spaces`` (what an element is),
``minimisers``, ``reducers``, then ``catalogue``.
"""
