"""Predicates in a resident JVM, which spares each probe the start of one."""
