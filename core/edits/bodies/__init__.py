"""Reduction inside of method bodies: the edits of a class, and the class with any of them.

Every result is well-formed. It passes the verifier if the class did, as far as that depends on this class alone: an
edit takes control flow away, or puts null or 0 in the place of a more special type.
"""

from __future__ import annotations
