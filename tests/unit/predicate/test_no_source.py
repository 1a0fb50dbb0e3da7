"""A decompiler that writes nothing has failed on each class, wherever the class lies in the archive."""

from __future__ import annotations

from pathlib import Path

from core.predicate.output import no_source
from tests.support.rows import rows


@rows("root", ["", "WEB-INF/classes/", "BOOT-INF/classes/"])
@rows(
    ("written", "told"),
    [
        ([], "no source for p.A\nno source for p.B\n"),
        (["p/A.java"], "no source for p.B\n"),
        (["deep/er/p/A.java", "classes/p/B.java"], ""),
        (["xp/A.java", "p/AB.java"], "no source for p.A\nno source for p.B\n"),
        (["p/A.java", "p/B.java empty"], "no source for p.B\n"),
    ],
)
def test_a_class_whose_source_is_nowhere_is_a_failure(tmp_path: Path, root: str, written: list[str], told: str) -> None:
    for name in written:
        path = tmp_path / name.removesuffix(" empty")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("" if name.endswith(" empty") else "class")
    entries = [(f"{root}p/{name}.class", b"") for name in ("A", "B", "A$Inner", "package-info")]
    assert (
        no_source.lines([*entries, ("a.jar!/q/C.class", b""), ("META-INF/versions/9/p/D.class", b"")], tmp_path) == told
    )
