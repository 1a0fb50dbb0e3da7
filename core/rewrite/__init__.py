"""A class file written again without some of its parts."""
