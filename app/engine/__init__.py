"""The window's side of the engine process: client, decoder, and the window's knowledge of jar and run."""
