"""What a maintainer can take into a repository: Java source of a result, assembler text, a test of their own suite."""
