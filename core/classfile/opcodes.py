"""The opcodes (JVMS 6.5): their names as jawa has them, and their effect on the stack."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from core.classfile.jawa_classes import opcode_table

MNEMONICS = {opcode: str(row["mnemonic"]) for opcode, row in opcode_table.items() if isinstance(opcode, int)}

KINDS = ("I", "J", "F", "D", "Lnull;")
"""Descriptors of the five kinds of values, in the order of the opcodes; any reference is one."""
_LETTERS = "IJFDA"
_TABLE = """
00 >; 01 >A; 02-08 >I; 09-0a >J; 0b-0d >F; 0e-0f >D; 10-11 >I
15 >I; 16 >J; 17 >F; 18 >D; 19 >A; 1a-1d >I; 1e-21 >J; 22-25 >F; 26-29 >D; 2a-2d >A
2e AI>I; 2f AI>J; 30 AI>F; 31 AI>D; 32 AI>A; 33-35 AI>I
36 I>; 37 J>; 38 F>; 39 D>; 3a A>; 3b-3e I>; 3f-42 J>; 43-46 F>; 47-4a D>; 4b-4e A>
4f AII>; 50 AIJ>; 51 AIF>; 52 AID>; 53 AIA>; 54-56 AII>
57 0>; 58 01>; 59 0>00; 5a 01>101; 5b 012>2012; 5c 01>0101; 5d 012>12012; 5e 0123>230123; 5f 01>10
60 II>I; 61 JJ>J; 62 FF>F; 63 DD>D; 64 II>I; 65 JJ>J; 66 FF>F; 67 DD>D; 68 II>I; 69 JJ>J; 6a FF>F; 6b DD>D
6c II>I; 6d JJ>J; 6e FF>F; 6f DD>D; 70 II>I; 71 JJ>J; 72 FF>F; 73 DD>D; 74 I>I; 75 J>J; 76 F>F; 77 D>D
78 II>I; 79 JI>J; 7a II>I; 7b JI>J; 7c II>I; 7d JI>J; 7e II>I; 7f JJ>J; 80 II>I; 81 JJ>J; 82 II>I; 83 JJ>J; 84 >
85 I>J; 86 I>F; 87 I>D; 88 J>I; 89 J>F; 8a J>D; 8b F>I; 8c F>J; 8d F>D; 8e D>I; 8f D>J; 90 D>F; 91-93 I>I
94 JJ>I; 95-96 FF>I; 97-98 DD>I; 99-9e I>; 9f-a4 II>; a5-a6 AA>; a7 >; aa-ab I>
ac I>; ad J>; ae F>; af D>; b0 A>; b1 >; bb >A; bc-bd I>A; be A>I; bf A>; c0 A>A; c1 A>I; c2-c3 A>
c5 I>A; c6-c7 A>; c8 >
"""
"""Opcodes with the values that each takes, the lowest first, and puts back. Letters are the kinds of values, A a
reference; digits are slots of any kind. Left out is what a constant tells; of ``multianewarray`` one count stands for
all."""


class StackEffect(NamedTuple):
    """The values that an instruction takes from the stack and puts on it, a letter or digit each."""

    taken: str
    given: str

    @property
    def kind(self) -> str:
        """The kind of the value that is put on the stack."""
        return KINDS[_LETTERS.index(self.given)]


def opcodes_in(words: Iterable[str]) -> Iterator[int]:
    """Yield the opcodes that words name: ``57``, or ``5a-5f`` for several."""
    for word in words:
        first, _, last = word.partition("-")
        yield from range(int(first, 16), int(last or first, 16) + 1)


def _effects() -> Iterator[tuple[int, StackEffect]]:
    for row in _TABLE.replace("\n", ";").strip(";").split(";"):
        *words, effect = row.split()
        for opcode in opcodes_in(words):
            yield opcode, StackEffect(*effect.split(">"))


EFFECTS = dict(_effects())
"""Effects by opcode."""
SHUFFLES = {
    opcode: (len(taken), tuple(map(int, given))) for opcode, (taken, given) in EFFECTS.items() if given.isdigit()
}
"""``dup`` ... ``swap``: number of the taken slots, and the order of the slots put back, 0 for the lowest."""


def slots_in(values: str) -> int:
    """Return the slots of the values of an effect."""
    return len(values) + values.count("J") + values.count("D")


def kind_of(descriptor: str) -> str:
    """Return the kind of a value of a type: what the machine computes as int is one kind (JVMS 2.11.1)."""
    return KINDS[0] if descriptor in ("B", "C", "S", "Z") else descriptor if descriptor in KINDS else KINDS[-1]
