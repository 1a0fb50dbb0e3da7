"""What the code of a method does with types: abstract interpretation of instructions (JVMS 4.10, 6.5)."""
