"""The jar as a tree of packages, classes and members."""
