"""The bytes of a class file (JVMS 4): what stands where, and what it names.

Read ``class_file``, ``instructions``, ``code_content``, ``outline``.
"""
