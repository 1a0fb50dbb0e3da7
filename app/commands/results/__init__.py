"""Commands on the result of a reduction."""
