"""What is where in the drawn graph, as arrays. No painting."""
