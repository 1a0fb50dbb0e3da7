"""What the operating system gives: trees that are removed whole, families of processes that are ended whole."""
