"""The main window: its parts, its commands, and what it shows when the engine reports something."""
