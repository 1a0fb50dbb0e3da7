"""One reduction: the driver answers an algorithm's questions with probes of the predicate."""
