"""Uses of types by the code of a method: abstract interpretation of instructions (JVMS 4.10, 6.5).

Read ``stack_types``, ``interpreter``, ``frame_walk`` (code with frames), ``fixpoint`` (without), then ``code_facts``.
"""
