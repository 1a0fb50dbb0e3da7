"""Decompiled sources side by side: where their members are, and which lines belong together."""
