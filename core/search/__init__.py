"""The algorithms: generators that ask questions and do no input or output.

Read ``questions`` (the questions), ``serial`` and ``bisection`` (the order of the candidates within a question),
``spaces`` (the elements), ``minimisers``, ``reducers``, ``sites`` (several failures), then ``phases``. The algorithms
have their names in ``core.plan.catalogue``.
"""
