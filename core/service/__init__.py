"""Use cases: open an input, check, reduce, export; what window and command line both call.

Read ``workspace`` (one opened input), ``check``, ``reducer``, ``export``.
"""
