"""A jar of many classes: those of Debian's Java packages, joined, the first class of each name.

``python -m tests.bench.joined OUT.jar [--classes 50000] [--folder DIR]`` downloads packages until there are so many.
"""

from __future__ import annotations

import argparse
import zipfile
from pathlib import Path

from core.archive.packer import write_jar
from tests.bench.suite.corpus import Store

PACKAGES = (
    "kotlin", "jruby", "scala-library", "groovy", "jython", "libicu4j-java", "libopenjfx-java", "libfop-java",
    "libbcprov-java", "libtomcat9-java", "libeclipse-jdt-core-java", "libderby-java", "libgradle-core-java",
    "libnetty-java", "libjetty9-java", "libclojure-java", "libguava-java", "libh2-java", "libhsqldb-java",
    "libspring-core-java", "libspring-context-java", "libxalan2-java", "libxerces2-java", "libsaxon-java",
    "libcommons-lang3-java", "liblucene9-java", "libbatik-java", "libjackson2-databind-java", "libmaven3-core-java",
    "libscala-compiler-java", "scala", "libantlr4-runtime-java", "libhibernate-core-java", "libjaxb-java",
)  # fmt: skip
"""The large ones first."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--classes", type=int, default=50_000)
    parser.add_argument("--folder", type=Path, default=Path("build/joined"))
    options = parser.parse_args()
    store = Store(options.folder)
    found: dict[str, bytes] = {}
    for package in PACKAGES:
        if len(found) >= options.classes:
            break
        try:
            store.unpack(package)
        except Exception as error:  # one package less
            print(f"{package}: {str(error)[:120]}")
            continue
        before = len(found)
        for jar in sorted(path for path in store.root.rglob("*.jar") if path.is_file() and not path.is_symlink()):
            _add(jar, found, options.classes)
        print(f"{package}: {len(found) - before} classes, {len(found)} in all", flush=True)
    write_jar(options.out, sorted(found.items()))


def _add(jar: Path, found: dict[str, bytes], most: int) -> None:
    try:
        with zipfile.ZipFile(jar) as archive:
            for name in archive.namelist():
                wanted = name.endswith(".class") and not name.startswith("META-INF/") and "module-info" not in name
                if wanted and name not in found and len(found) < most:
                    found[name] = archive.read(name)
    except zipfile.BadZipFile:
        print(f"{jar}: not a zip")


if __name__ == "__main__":
    main()
