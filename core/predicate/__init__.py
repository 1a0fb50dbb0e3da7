"""What "interesting" means: a command, its limits, and how its outcome is judged."""
