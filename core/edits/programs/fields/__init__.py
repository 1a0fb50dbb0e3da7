"""Fields that become local variables or parameters: the edits, and what they do to code and descriptors."""
