"""What the operating system gives: files that are whole or not there, and places that may be written to."""
