"""The answers to a window's questions: begin with :mod:`core.service.queries.desk`."""
