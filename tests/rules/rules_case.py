"""What a test of a rule is made of.

In the names of items ``%`` stands for the case's package with a slash, in Java texts with a dot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class Break(Protocol):
    """How a sub-input breaks that the model without the rule allows."""

    expected: str


@dataclass(frozen=True)
class Machine:
    """The virtual machine refuses it when it loads, verifies, links or resolves (the referee's findings, which
    has the machine judge reflection too). ``expected``: words of a finding."""

    expected: str


@dataclass(frozen=True)
class Probe:
    """A program that looks at the classes throws something. ``body``: Java that may use ``type("C")``."""

    body: str
    expected: str
    """Words of the throwable, as a regular expression: JDKs differ."""


@dataclass(frozen=True)
class Client:
    """Java source of the same package that does not compile against it."""

    source: str
    expected: str
    """Words of the compiler's error."""


@dataclass(frozen=True)
class NotShown:
    """Nothing that we can run notices. ``expected``: why."""

    expected: str


@dataclass(frozen=True)
class Case:
    """A program in which ``rule``, and no other, makes what is kept need something."""

    rule: str
    name: str
    """The package, lower case; unique."""
    source: str
    """Java, without the package line; further packages as in ``more``."""
    keep: tuple[str, ...]
    needs: tuple[str, ...]
    """Needed by ``keep`` with all rules, not one of them without the rule."""
    breaks: Break
    granularity: str = "member"
    validity: str = "jvm"
    hide: tuple[str, ...] = ()
    """Classes whose InnerClasses attribute is made unknown, since another rule reads it."""
    nowhere: tuple[str, ...] = ()
    """Classes that the model is not given; the judges are."""
    avoid: tuple[str, ...] = ()
    """Taken last where there is a choice; the needs are what is left without these."""
    shows: str = ""
    """Words of the finding that the whole program shows already."""
    more: tuple[tuple[str, str], ...] = ()
    """Sources of packages below: name of the package below, Java without the package line."""

    def item(self, text: str) -> str:
        """A name of an item, in full."""
        return text.replace("%", f"{self.name}/")

    def java(self, text: str) -> str:
        """A Java text, in full."""
        return text.replace("%", f"{self.name}.")

    @property
    def sources(self) -> dict[str, str]:
        """File names and Java sources."""
        files = {f"{self.name}/Program.java": f"package {self.name};\n{self.java(self.source)}\n"}
        for below, text in self.more:
            files[f"{self.name}/{below}/Program.java"] = f"package {self.name}.{below};\n{self.java(text)}\n"
        return {name: text for name, text in files.items() if text.count("\n") > 1 and text.split("\n", 1)[1].strip()}
