"""The window's side of the engine process: client, decoder, and what the window knows of jar and run."""
