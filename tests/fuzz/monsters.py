"""Class files that no compiler writes: as large, as deep, as tangled as the format allows."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable


class Maker:
    """Collects a constant pool, members and attributes; ``bytes`` is the class file."""

    def __init__(self, name: str, parent: str = "java/lang/Object", major: int = 49) -> None:
        self.pool: list[bytes] = []
        self.known: dict[bytes, int] = {}
        self.major = major
        self.this, self.parent = self.cls(name), self.cls(parent)
        self.interfaces: list[int] = []
        self.fields: list[bytes] = []
        self.methods: list[bytes] = []
        self.attributes: list[bytes] = []

    def add(self, constant: bytes) -> int:
        if constant not in self.known:
            self.pool.append(constant)
            self.known[constant] = len(self.pool)
        return self.known[constant]

    def text(self, text: str | bytes) -> int:
        raw = text if isinstance(text, bytes) else text.encode()
        return self.add(b"\1" + struct.pack(">H", len(raw)) + raw)

    def cls(self, name: str) -> int:
        return self.add(struct.pack(">BH", 7, self.text(name)))

    def attribute(self, name: str, data: bytes) -> bytes:
        return struct.pack(">HI", self.text(name), len(data)) + data

    def member(self, name: str, descriptor: str, *attributes: bytes, access: int = 9) -> bytes:
        head = struct.pack(">HHHH", access, self.text(name), self.text(descriptor), len(attributes))
        return head + b"".join(attributes)

    def method(self, name: str, descriptor: str, code: bytes, *attributes: bytes, handlers: bytes = b"") -> None:
        body = struct.pack(">HHI", 65535, 65535, len(code)) + code
        body += struct.pack(">H", len(handlers) // 8) + handlers
        body += struct.pack(">H", len(attributes)) + b"".join(attributes)
        self.methods.append(self.member(name, descriptor, self.attribute("Code", body)))

    def bytes(self) -> bytes:
        head = struct.pack(">IHHH", 0xCAFEBABE, 0, self.major, len(self.pool) + 1)
        parts = [head, *self.pool, struct.pack(">HHH", 0x21, self.this, self.parent)]
        parts.append(struct.pack(f">H{len(self.interfaces)}H", len(self.interfaces), *self.interfaces))
        for table in (self.fields, self.methods, self.attributes):
            parts += [struct.pack(">H", len(table)), *table]
        return b"".join(parts)


def full_pool(dice: random.Random) -> Maker:
    """65,534 constants, half of them classes that are nowhere."""
    maker = Maker("m/Pool")
    while len(maker.pool) < 65_500:
        maker.cls(f"nowhere/N{len(maker.pool)}")
    return maker


def branches(dice: random.Random) -> Maker:
    """A method of 64 kB in which every instruction is a branch to a random other one, with locals of many types."""
    maker = Maker("m/Branches")
    types = [maker.cls(name) for name in ("m/Pool", "java/util/ArrayList", "java/lang/Thread", "m/Cycle0")]
    code = bytearray()
    for local in range(0, 200):
        code += struct.pack(">BBHBB", 1, 192, dice.choice(types), 58, local)
    while len(code) < 64_000:
        kind = dice.randrange(4)
        if kind == 0:
            code += struct.pack(">BBHBB", 1, 192, dice.choice(types), 58, dice.randrange(200))
        else:
            near = range(max(0, len(code) - 30_000) // 6 + 1, min(64_000, len(code) + 30_000) // 6)
            code += struct.pack(">BBBhB", 0, 3, 153, 6 * dice.choice(near) - len(code) - 2, 0)
    code += b"\xb1"
    maker.method("m", "()V", bytes(code))
    return maker


def subroutines(dice: random.Random) -> Maker:
    """jsr to jsr to jsr: paths by the power of two."""
    maker, code = Maker("m/Subroutines", major=48), bytearray()
    for _ in range(3_000):
        code += struct.pack(">Bh", 168, 7) + struct.pack(">Bh", 168, 4) + b"\xb1"
        code += bytes((58, dice.randrange(50))) + struct.pack(">Bh", 168, -2) + bytes((169, dice.randrange(50)))
    maker.method("m", "()V", bytes(code[:65_000]))
    return maker


def handlers(dice: random.Random) -> Maker:
    """65,535 exception handlers over the whole of a method."""
    maker = Maker("m/Handlers")
    table = b"".join(
        struct.pack(">HHHH", dice.randrange(100), dice.randrange(100, 60_000), dice.randrange(60_000), 0)
        for _ in range(65_535)
    )
    maker.method("m", "()V", b"\0" * 60_000 + b"\xb1", handlers=table)
    return maker


def generics(dice: random.Random) -> Maker:
    """Signatures nested as deep as a text can be."""
    maker = Maker("m/Generics")
    deep = "La/B<" * 9_000 + "*" + ">;" * 9_000
    for number, signature in enumerate((deep, "[" * 65_000 + "I", "<T:" * 20_000, "La<" * 20_000, "L" + "a." * 30_000)):
        index = struct.pack(">H", maker.text(signature[:65_535]))
        attribute = maker.attribute("Signature", index)
        maker.fields.append(maker.member(f"f{number}", "Ljava/util/List;", attribute))
        maker.methods.append(maker.member(f"m{number}", "()Ljava/util/List;", attribute, access=0x401))
    maker.attributes.append(maker.attribute("Signature", struct.pack(">H", maker.text(deep))))
    return maker


def annotations(dice: random.Random) -> Maker:
    """Annotations within annotations, 20,000 deep."""
    maker = Maker("m/Annotations")
    kind, name = maker.text("Lm/A;"), maker.text("v")
    depth = 20_000
    data = struct.pack(">H", 1) + struct.pack(">HHHB", kind, 1, name, 0x40) * depth + struct.pack(">HH", kind, 0)
    maker.attributes.append(maker.attribute("RuntimeVisibleAnnotations", data))
    arrays = (
        struct.pack(">HHHH", 1, kind, 1, name) + struct.pack(">BH", 0x5B, 1) * depth + struct.pack(">BH", 0x73, name)
    )
    maker.methods.append(maker.member("a", "()V", maker.attribute("RuntimeVisibleAnnotations", arrays), access=0x401))
    return maker


def members(dice: random.Random) -> Maker:
    """As many fields, methods and interfaces as can be."""
    maker = Maker("m/Members")
    maker.interfaces = [maker.cls(f"nowhere/I{number}") for number in range(5_000)]
    for number in range(12_000):
        maker.fields.append(maker.member(f"f{number}", "I"))
        maker.methods.append(maker.member(f"f{number}", "()V", access=0x109))
    return maker


def arguments(dice: random.Random) -> Maker:
    """Descriptors as long as they may be, called again and again with the most arguments."""
    maker = Maker("m/Arguments")
    for number in range(5):
        kinds = [f"Lm/{'x' * 200}{argument};" for argument in range(250)]
        descriptor = f"({''.join(kinds)})V"
        maker.methods.append(maker.member(f"m{number}", descriptor, access=0x109))
        pair = struct.pack(">BHH", 12, maker.text(f"m{number}"), maker.text(descriptor))
        call = maker.add(struct.pack(">BHH", 10, maker.this, maker.add(pair)))
        maker.method(f"c{number}", "()V", (b"\1" * 250 + struct.pack(">BH", 184, call)) * 250 + b"\xb1")
    return maker


def cycle(dice: random.Random) -> Maker:
    """A class that is its own superclass and interface."""
    maker = Maker("m/Cycle0", "m/Cycle0")
    maker.interfaces = [maker.this, maker.this]
    return maker


def deep_name(dice: random.Random) -> Maker:
    """A class whose name, not its entry's, is 32,000 packages deep."""
    return Maker("a/" * 32_000 + "B")


def switches(dice: random.Random) -> Maker:
    """tableswitch with as many rows as the code has room for."""
    maker, rows = Maker("m/Switches"), 12_000
    end = struct.pack(">i", 15 + 4 * rows)
    table = struct.pack(">BBxx", 3, 170) + end + struct.pack(">ii", 0, rows - 1) + end * rows + b"\xb1"
    maker.method("m", "()V", table)
    return maker


def wrong_switches(dice: random.Random) -> Maker:
    """Bounds for which no code has room."""
    maker = Maker("m/WrongSwitches")
    maker.method("n", "()V", struct.pack(">BBxxiii", 3, 170, 4, -(2**31), 2**31 - 1) + b"\xb1" * 40)
    maker.method("o", "()V", struct.pack(">BBxxii", 3, 171, 4, 2**31 - 1) + b"\xb1" * 40)
    return maker


ALL: tuple[Callable[[random.Random], Maker], ...] = (
    full_pool, branches, subroutines, handlers, generics, annotations, members, arguments, cycle, deep_name, switches,
    wrong_switches,
)  # fmt: skip
