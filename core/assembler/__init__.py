"""Class files as text that OpenJDK's asmtools turn into the same class files: jasm, and jcod where jasm cannot say it.

Read ``jasm``, ``jcod``.
"""
