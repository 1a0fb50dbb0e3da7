"""The measurements of ``jarlet bench``."""
