"""The bytes of a class file (JVMS 4): layout and names.

Read ``class_file``, ``instructions``, ``code_content``, ``outline``.
"""
