"""What the operating system gives: files that are whole or not there, trees removed and processes ended whole."""
