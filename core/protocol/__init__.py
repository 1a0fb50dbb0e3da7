"""What the window, the command line and the engine share: events, commands, settings, names as Java writes them."""
