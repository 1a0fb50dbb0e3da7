"""The algorithms: generators that ask questions and do no input or output.

Read ``questions`` (what may be asked), ``spaces`` (what an element is), ``minimisers``, ``reducers``, then
``catalogue``.
"""
