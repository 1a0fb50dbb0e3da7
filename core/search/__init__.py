"""The algorithms: generators that ask questions and do no input or output.

Read ``questions`` (what may be asked), ``serial`` and ``bisection`` (how questions are answered), ``spaces`` (what an
element is), ``minimisers``, ``reducers``, ``sites`` (several failures), then ``catalogue``.
"""
