"""The program's version, for reports and ``--version``."""

VERSION = "0.3.0"
