"""The operating system: files that are whole or absent, trees removed and processes ended whole."""
