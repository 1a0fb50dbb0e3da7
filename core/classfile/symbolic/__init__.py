"""A class file as a tree: of pieces that can be left out, or with symbols in the place of pool indexes."""
