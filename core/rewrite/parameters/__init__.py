"""Parameters that no method reads and that each call pushes as a constant or a variable, taken out of the bytecode."""
