"""What is tried next: the plan of a search, as code that reads like its description."""
