"""Decompiled sources are made once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Event as Flag

import pytest

from core.predicate import presets
from core.predicate.several.decompiling import DecompiledSources, SourceTool
from core.service import source_memory
from core.service.source_memory import Material, SourceMemory

ENTRIES = [("A.class", b"a")]


def test_sources_are_made_once_for_each_candidate_tool_and_class_path(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def decompile(tool: SourceTool, *_: object) -> DecompiledSources:
        made.append("compiled" if tool.compiled else "plain")
        return DecompiledSources(f"number {len(made)}")

    monkeypatch.setattr(source_memory, "decompile", decompile)
    cancel = Flag()
    memory = SourceMemory()
    plain = SourceTool(presets.find("cfr"))
    compiled = replace(plain, compiled=True)
    first = memory.made(compiled, Material(ENTRIES, ()))
    assert memory.made(plain, Material(ENTRIES, ())) is memory.made(compiled, Material(ENTRIES, ())) is first
    assert memory.made(plain, Material([("A.class", b"b")], ())) is not first
    assert memory.made(compiled, Material([("A.class", b"b")], ())).title == "number 3", (
        "the plain ones have no errors of javac"
    )
    assert memory.made(plain, Material(ENTRIES, [Path("lib.jar")])) is not first
    assert made == ["compiled", "plain", "compiled", "plain"]
    cancel.set()
    assert memory.made(plain, Material([("A.class", b"c")], ()), cancel) is not memory.made(
        plain, Material([("A.class", b"c")], ())
    )
