"""Class files as text for OpenJDK's asmtools, which makes the same class files of it: jasm, or else jcod.

Read ``jasm``, ``jcod``.
"""
