"""Builds the package: ``core``, ``app`` and ``resources`` are placed inside ``jarlet``, its only top-level name.

In the source tree they lie beside it and import each other by their own names. Here each file's imports get
``jarlet.`` before these names, by the syntax tree, so that nothing else on a machine is ever taken for them.
Everything else about the package is in ``pyproject.toml``.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "packaging"))

from move_imports import INSIDE, moved  # noqa: E402

SAMPLE = ("jarlet", "resources", "sample", "sample.jar")
AGENT = ("jarlet", "resources", "tools")
"""Folder of JaCoCo's jars, where :meth:`core.predicate.tools.Tool.find` looks."""


class BuildInside(build_py):  # type: ignore[misc]
    """Copies modules with their imports moved. Adds the sample where there is a JDK to compile it, and JaCoCo where a
    Maven repository can be reached."""

    def run(self) -> None:
        if self.editable_mode:
            raise SystemExit("jarlet: there is no editable installation: a source tree runs as it is ('make setup').")
        super().run()
        sample = Path(self.build_lib).joinpath(*SAMPLE)
        done = subprocess.run([sys.executable, ROOT / "packaging" / "build_sample.py", "-o", sample], check=False)
        if done.returncode:
            print("jarlet: built without the sample", file=sys.stderr)
        agent = Path(self.build_lib).joinpath(*AGENT)
        done = subprocess.run([sys.executable, ROOT / "packaging" / "fetch_agent.py", agent], check=False)
        if done.returncode:
            print("jarlet: built without JaCoCo", file=sys.stderr)

    def build_module(self, module: str, module_file: str, package: str) -> Any:
        made = super().build_module(module, module_file, package)
        target = Path(made[0])
        target.write_text(moved(Path(module_file).read_text(encoding="utf-8"), module_file), encoding="utf-8")
        return made


def _forget_old_builds() -> None:
    """Files that have gone since would be packed again."""
    shutil.rmtree(ROOT / "build" / "lib", ignore_errors=True)


_forget_old_builds()
setup(
    packages=["jarlet", *(f"jarlet.{name}" for name in find_packages(include=[f"{top}*" for top in INSIDE]))],
    package_dir={"jarlet": "jarlet"} | {f"jarlet.{name}": name for name in INSIDE},
    package_data={"jarlet": ["py.typed"], "jarlet.resources": ["**/*"]},
    exclude_package_data={"jarlet.resources": ["screenshots/*", "**/*.md~", "__pycache__/*"]},
    cmdclass={"build_py": BuildInside},
)
