"""Class files written instruction by instruction, for code that no compiler makes."""

from __future__ import annotations

import struct

from core.classfile.class_file import parse
from core.code.types.code_facts import CodeFacts, CodeReader

UTF8, CLASS, FIELD, METHOD, INTERFACE_METHOD, NAME_AND_TYPE = 1, 7, 9, 10, 11, 12
HANDLE, TYPE, DYNAMIC, INVOKE_DYNAMIC = 15, 16, 17, 18
SAME, FULL = b"\0", b"\xff"


class Maker:
    """A class file, piece by piece. Constants are made once and told by their numbers."""

    def __init__(self, major: int = 52, name: str = "t/T", parent: str = "java/lang/Object") -> None:
        self.major = major
        self.pool: list[bytes] = []
        self.head = self.cls(name), self.cls(parent)
        self.methods: list[bytes] = []

    def add(self, constant: bytes) -> int:
        if constant not in self.pool:
            self.pool.append(constant)
        return self.pool.index(constant) + 1

    def utf8(self, text: str) -> int:
        return self.add(b"\1" + struct.pack(">H", len(text)) + text.encode())

    def cls(self, name: str) -> int:
        return self.add(struct.pack(">BH", CLASS, self.utf8(name)))

    def pair(self, name: str, descriptor: str) -> int:
        return self.add(struct.pack(">BHH", NAME_AND_TYPE, self.utf8(name), self.utf8(descriptor)))

    def ref(self, owner: str, name: str, descriptor: str, tag: int = METHOD) -> int:
        return self.add(struct.pack(">BHH", tag, self.cls(owner), self.pair(name, descriptor)))

    def dynamic(self, bootstrap: int, name: str, descriptor: str, tag: int = INVOKE_DYNAMIC) -> int:
        return self.add(struct.pack(">BHH", tag, bootstrap, self.pair(name, descriptor)))

    def method(
        self,
        descriptor: str,
        code: bytes,
        *,
        name: str = "m",
        access: int = 9,
        variables: int = 10,
        handlers: tuple[tuple[int, int, int, int], ...] = (),
        frames: bytes | None = None,
    ) -> None:
        body = struct.pack(">HHI", 20, variables, len(code)) + code + struct.pack(">H", len(handlers))
        body += b"".join(struct.pack(">HHHH", *row) for row in handlers)
        if frames is None:
            body += b"\0\0"
        else:
            body += struct.pack(">HHI", 1, self.utf8("StackMapTable"), len(frames)) + frames
        head = struct.pack(">HHHH", access, self.utf8(name), self.utf8(descriptor), 1)
        self.methods.append(head + struct.pack(">HI", self.utf8("Code"), len(body)) + body)

    def build(self) -> bytes:
        methods = struct.pack(">H", len(self.methods)) + b"".join(self.methods)
        head = struct.pack(">IHHH", 0xCAFEBABE, 0, self.major, len(self.pool) + 1)
        return head + b"".join(self.pool) + struct.pack(">HHHHH", 0x21, *self.head, 0, 0) + methods + b"\0\0"

    def facts(self) -> CodeFacts:
        cf = parse(self.build())
        return CodeReader(cf).facts(cf.methods._table[-1])


def u2(number: int) -> bytes:
    return struct.pack(">H", number)


def frames(*rows: bytes) -> bytes:
    return u2(len(rows)) + b"".join(rows)


def one_stack(delta: int, index: int) -> bytes:
    return bytes([64 + delta, 7]) + u2(index)
