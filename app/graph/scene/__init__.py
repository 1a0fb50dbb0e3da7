"""The places in the drawn graph, as arrays. No painting."""
