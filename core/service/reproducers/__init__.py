"""Files for a maintainer's repository: Java source of a result, assembler text, a test of the project's own suite."""
