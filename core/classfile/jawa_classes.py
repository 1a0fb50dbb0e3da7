"""jawa 2.2.0's classes, as far as they are used: the one module that imports jawa."""

from __future__ import annotations

from importlib.metadata import version as installed

from jawa.cf import ClassFile as JawaClassFile
from jawa.cf import ClassVersion
from jawa.fields import FieldTable
from jawa.methods import MethodTable
from jawa.util.bytecode import opcode_table

__all__ = ["ClassVersion", "FieldTable", "JawaClassFile", "MethodTable", "opcode_table"]

if installed("jawa") != "2.2.0":
    # Private names of jawa are used by those that import from here; another release may have renamed them.
    raise ImportError(f"Jarlet needs jawa 2.2.0, but {installed('jawa')} is installed: pip install jawa==2.2.0")
