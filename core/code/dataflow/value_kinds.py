"""Of what kind the value is that an instruction computes."""

from __future__ import annotations

from core.classfile import pool
from core.code.dataflow.locals import KINDS
from core.code.ops import NULL, Op
from core.code.types.symbols import LDC, LDC2_W, LDC_W, Symbols

_INT, _LONG, _FLOAT, _DOUBLE, _REFERENCE = KINDS
_TAGS = {pool.INTEGER: _INT, pool.LONG: _LONG, pool.FLOAT: _FLOAT, pool.DOUBLE: _DOUBLE}
_IN_TURN = (_INT, _LONG, _FLOAT, _DOUBLE, _REFERENCE)


def _kinds() -> dict[int, str]:
    found = {NULL: _REFERENCE} | dict.fromkeys((*range(0x02, 0x09), 0x10, 0x11), _INT)
    found |= {0x09: _LONG, 0x0A: _LONG, 0x0E: _DOUBLE, 0x0F: _DOUBLE} | dict.fromkeys((0x0B, 0x0C, 0x0D), _FLOAT)
    for place, kind in enumerate(_IN_TURN):
        loads = (0x15 + place, *range(0x1A + 4 * place, 0x1E + 4 * place), 0x2E + place)
        found |= dict.fromkeys(loads, kind)
        if place < 4:
            found |= dict.fromkeys(range(0x60 + place, 0x78, 4), kind)
        if place < 2:
            found |= dict.fromkeys((*range(0x78 + place, 0x7E, 2), *range(0x7E + place, 0x84, 2)), kind)
    found |= dict.fromkeys((0x33, 0x34, 0x35, *range(0x94, 0x99), 0x91, 0x92, 0x93, 0xBE, 0xC1), _INT)
    for place, opcode in enumerate(range(0x85, 0x91)):
        source, number = divmod(place, 3)
        found[opcode] = [kind for kind in _IN_TURN[:4] if kind != _IN_TURN[source]][number]
    return found | dict.fromkeys((0xBC, 0xBD, 0xC0, 0xC5), _REFERENCE)


_KINDS = _kinds()


def _names() -> dict[int, str]:
    found = dict(enumerate(["bipush", "sipush", "ldc", "ldc_w", "ldc2_w"], 0x10))
    found |= dict(
        zip(
            range(0x2E, 0x36),
            ["iaload", "laload", "faload", "daload", "aaload", "baload", "caload", "saload"],
            strict=True,
        )
    )
    for place, kind in enumerate("ilfda"):
        found |= dict.fromkeys((21 + place, *range(26 + 4 * place, 30 + 4 * place)), f"{kind}load")
    for place, what in enumerate(["add", "sub", "mul", "div", "rem", "neg"]):
        found |= {0x60 + 4 * place + number: kind + what for number, kind in enumerate("ilfd")}
    for place, what in enumerate(["shl", "shr", "ushr", "and", "or", "xor"]):
        found |= {0x78 + 2 * place + number: kind + what for number, kind in enumerate("il")}
    found |= dict(
        enumerate(
            ["i2l", "i2f", "i2d", "l2i", "l2f", "l2d", "f2i", "f2l", "f2d", "d2i", "d2l", "d2f", "i2b", "i2c", "i2s"],
            0x85,
        )
    )
    found |= dict(enumerate(["lcmp", "fcmpl", "fcmpg", "dcmpl", "dcmpg"], 0x94))
    found |= {0xBC: "newarray", 0xBD: "anewarray", 0xBE: "arraylength", 0xC0: "checkcast", 0xC1: "instanceof"}
    return found | {0xC5: "multianewarray"}


_NAMES = _names()


def computation(op: Op) -> str:
    """Return the mnemonic of an instruction that computes a value, its variable left aside (JVMS 6.5)."""
    return _NAMES.get(op.opcode, "constant")


def kind_pushed(op: Op, symbols: Symbols) -> str:
    """Return the descriptor of the kind of value that an instruction with ``inputs`` pushes."""
    if op.opcode not in (LDC, LDC_W, LDC2_W):
        return _KINDS[op.opcode]
    constant = symbols.places[op.key if op.key > 0 else ~op.key]
    assert constant is not None  # the flow has looked at it
    if constant[0] == pool.DYNAMIC:
        descriptor = str(symbols[op.opcode << 16 | (op.key if op.key > 0 else ~op.key)][5][3])
        return descriptor if descriptor in _IN_TURN else _REFERENCE if descriptor[0] in "L[" else _INT
    return _TAGS.get(constant[0], _REFERENCE)
