"""Code that never ran: where it may go in one step with all the other such code, and where it stays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core.archive.jar import read_jar
from core.classfile.class_file import parse
from core.evidence.clues import Ran
from core.evidence.dead import DeadCode
from core.model import class_model
from core.reduction.edit_elements import EditElements

SOURCE = """package demo;
public class Work implements Runnable {
    Throwable caught;
    public void run() { try { work(); } catch (RuntimeException e) { caught = e; } }
    void walk() { try { work(); } catch (RuntimeException e) { caught = e; } }
    static void work() { System.out.println("works"); }
}"""


def test_a_thread_keeps_what_it_does_when_it_fails(compile_java: Callable[..., Path]) -> None:
    model = class_model.build(read_jar([compile_java({"demo/Work.java": SOURCE})]))
    run, walk = ("demo/Work", "run", "()V"), ("demo/Work", "walk", "()V")
    handlers = ((6, 12),)  # from the handler's first instruction to the return
    dead = DeadCode(
        model, Ran(frozenset({"demo/Work"}), frozenset({"demo/Work"}), dead={run: handlers, walk: handlers})
    )
    (data, _, edits), *_ = EditElements(model.jar, {}).edits()
    names = [method.name_text for method in parse(data).methods]
    assert {names[edits[place].method] for place in dead.of(data, list(edits))} == {"walk"}
    assert dead.methods == 1
