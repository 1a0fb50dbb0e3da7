"""The code of a method as blocks, with the types of its values.

Read ``ops``, ``blocks``, ``flow``, ``change`` (the blocks after edits), ``body_layout`` and ``code_attribute`` (bytes
again), then ``method_code``, which strings them together.
"""
