"""The packages, built from this tree and used in a bare Debian 12 and 13: roots made by debootstrap, entered by chroot.

Needs root, debootstrap and the network for Debian's and Python's packages; without root or debootstrap it is skipped.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from core.predicate.releases.coordinate import Coordinate
from core.predicate.releases.maven import pinned
from core.predicate.tools import JACOCO

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
TOOLS = "jarlet/resources/tools/"
SUITES = {"bookworm": "3.11", "trixie": "3.13"}
"""Debian 12 and 13, and their Pythons."""

_NEEDED = (
    "default-jdk-headless xvfb xauth procps libcommons-codec-java libglib2.0-0 libgl1 libegl1 libxkbcommon0 "
    "libdbus-1-3 libfontconfig1 libxrender1 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 "
    "libxcb-xkb1 libxkbcommon-x11-0 libwayland-client0 libwayland-cursor0 libwayland-egl1 fonts-dejavu-core"
)
"""What a desktop with a JDK has. No Python: that comes with the package that wants it."""

SESSION = r"""
set -eu
jarlet=$1
work=$(mktemp -d)
cd "$work"
"$jarlet" --version
quick='--algorithm binary --granularity class --no-evidence -q'
"$jarlet" reduce --sample $quick -o sample.jar
"$jarlet" reduce /usr/share/java/commons-codec.jar $quick -o codec.jar \
    --predicate 'javap -cp {jar} org.apache.commons.codec.digest.Md5Crypt'
"$jarlet" graph sample.jar --format png -o graph.png
cut() { [ $? = 3 ]; } # the exit code of a search that its limit has ended, with a result
"$jarlet" reduce --sample --rename --report deep.html -o deep.jar --max-probes 80 >deep.txt || cut
cat >runs.sh <<'END'
java -cp "$1" org.apache.commons.codec.cli.Digest MD5 seven | grep -q ^bb3aec0fdcdbc297
END
"$jarlet" reduce /usr/share/java/commons-codec.jar -o program.jar --granularity member --max-probes 20 \
    --predicate 'sh {file:runs.sh} {jar}' 2>program.txt || cut
"$jarlet" rules | cat >rules.txt  # a pipe: the last block is there although the program ends by os._exit
"$jarlet" known add bugs.json deep.jar --issue 1
"$jarlet" known check bugs.json deep.jar | cat >known.txt
"$jarlet" reduce --help | cat >help.txt
"$jarlet" nonsense 2>&1 | cat >nonsense.txt
export XDG_STATE_HOME=$work/state
cat >window.sh <<'END'
"$1" --sample &
window=$!
for second in $(seq 120); do
    sleep 1
    pgrep -f 'core\.command_loop' >/dev/null && break
done
sleep 5
kill -0 $window && pgrep -f 'core\.command_loop' >/dev/null && echo 'the window is open'
kill $window
wait $window && echo 'the window is closed'
END
xvfb-run -a sh window.sh "$jarlet"
echo "left in $work"
"""

EVERY_MODULE = """
import importlib, pkgutil, sys
import jarlet
for one in pkgutil.walk_packages(jarlet.__path__, "jarlet."):
    if not one.name.startswith("jarlet.core.cluster.") and not one.name.endswith(".__main__"):
        importlib.import_module(one.name)
    print(one.name)
assert not {"core", "app", "resources"} & set(sys.modules)
"""
"""Imports whatever is installed, but the modules that need Dask, and tells its names."""


def modules_of_the_tree():
    """Return the modules of the source tree by their names, as an installed package has them inside ``jarlet``."""
    found = {path.relative_to(ROOT) for top in ("app", "core", "resources") for path in (ROOT / top).rglob("*.py")}
    found |= {path.relative_to(ROOT / "jarlet") for path in (ROOT / "jarlet").rglob("*.py")}
    names = {".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in found}
    return names - {"__init__"}


def named_by_the_code():
    """Return the files and folders below ``resources/`` that constants of the code's modules hold, from the root."""
    modules = [path.relative_to(ROOT).with_suffix("") for top in ("app", "core") for path in (ROOT / top).rglob("*.py")]
    names = [".".join(path.parts).removesuffix(".__init__") for path in modules if path.name != "__main__"]
    values = [value for name in names for value in vars(importlib.import_module(name)).values()]
    paths = [value for value in values if isinstance(value, Path) and value.is_relative_to(ROOT / "resources")]
    return {path.relative_to(ROOT).as_posix() for path in paths}


def lacking(files):
    """Return what of ``resources/`` a package with these files lacks, by names from ``jarlet/`` on: files that the
    repository tracks, but for the pictures of its documents, and what constants of the code name."""
    tracked = run("git", "-C", ROOT, "ls-files", "-z", "--", "resources", ":!resources/screenshots").split("\0")
    data = {name for name in tracked if name and not name.endswith(".py")}
    packed = {name.rpartition("/jarlet/resources/")[2] for name in files if "/jarlet/resources/" in name}
    packed |= {parent.as_posix() for name in packed for parent in Path(name).parents}
    return sorted(name for name in data | named_by_the_code() if name.removeprefix("resources/") not in packed)


def run(*command, **options):
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False, timeout=3600, **options
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def copy_tree(place):
    """Copy what the repository tracks, so that builds beside each other share no folder."""
    for name in filter(None, run("git", "-C", ROOT, "ls-files", "-z").split("\0")):
        if (ROOT / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, place / name)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built with the pinned tools."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "venv", folder / "tools")
    python = folder / "tools" / "bin" / "python"
    requirements = PACKAGING / "requirements-packages.txt"
    run(python, "-m", "pip", "install", "-q", "--no-deps", "--require-hashes", "-r", requirements)
    copy_tree(folder / "tree")
    run(python, "-m", "build", "--wheel", "--no-isolation", "-o", folder, folder / "tree")
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module", params=SUITES)
def suite(request):
    """The name of Debian's release."""
    return request.param


@pytest.fixture(scope="module")
def bare(suite, tmp_path_factory):
    """A root with Debian and what a desktop has."""
    if os.geteuid() or shutil.which("debootstrap") is None:
        pytest.skip("a bare root needs root and debootstrap")
    root = tmp_path_factory.mktemp("bare") / "root"
    lines = run("apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages").split()
    run("debootstrap", "--variant=minbase", suite, root, lines[0])
    (root / "etc" / "dpkg" / "dpkg.cfg.d" / "quick").write_text("force-unsafe-io\n")  # a power cut spoils a test only
    shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
    inside(root, "apt-get", "-qq", "update")
    inside(root, "apt-get", "-qq", "-y", "install", "--no-install-recommends", *_NEEDED.split())
    return root


def inside(root, *command):
    """Runs a command within the root, with processes, a /proc and a /dev/shm of its own."""
    script = (
        'mount -t proc proc "$0/proc"; mount -t tmpfs tmpfs "$0/dev/shm"; '
        'exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 '
        'DEBIAN_FRONTEND=noninteractive "$@"'
    )
    return run("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script, root, *command)


def use(root, jarlet):
    """A user's first hour, with this command; what came of it is looked at from outside."""
    (root / "tmp" / "session.sh").write_text(SESSION)
    told = inside(root, "sh", "/tmp/session.sh", jarlet)
    assert "the window is open" in told, told
    assert "the window is closed" in told, told
    work = root / told.rpartition("left in /")[2].strip()
    with zipfile.ZipFile(work / "sample.jar") as small:
        assert sum(name.endswith(".class") for name in small.namelist()) == 12
    with zipfile.ZipFile(work / "codec.jar") as small:
        assert "org/apache/commons/codec/digest/Md5Crypt.class" in small.namelist()
        assert sum(name.endswith(".class") for name in small.namelist()) < 20
    assert (work / "graph.png").read_bytes().startswith(b"\x89PNG")
    assert (work / "rules.txt").read_text() == run(sys.executable, "-m", "app", "rules", cwd=ROOT)
    assert (work / "known.txt").read_text().strip()
    for name, last in ("help.txt", "is written)."), ("nonsense.txt", "\n"), ("deep.html", "</html>\n"):
        assert (work / name).read_text().endswith(last + ("" if last.endswith("\n") else "\n")), name
    for name in "deep.jar", "deep.html", "deep.txt":
        assert (work / name).stat().st_size > 0, name
    told = (work / "program.txt").read_text()
    assert re.search(r"One watched run of the input: \d+ classes loaded, \d+ methods ran", told), told
    with zipfile.ZipFile(work / "program.jar") as small:
        assert "org/apache/commons/codec/cli/Digest.class" in small.namelist()
        assert sum(name.endswith(".class") for name in small.namelist()) < 20


def test_the_wheel_has_one_name(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        top = {name.partition("/")[0] for name in names if ".dist-info/" not in name}
        listed = archive.read(next(name for name in names if name.endswith("/top_level.txt"))).decode().split()
    assert top == {"jarlet"}
    assert listed == ["jarlet"]
    assert {"jarlet/py.typed", "jarlet/resources/sample/sample.jar", "jarlet/resources/help/start.md"} <= set(names)
    assert not [name for name in names if "screenshots" in name or "__pycache__" in name]


def test_the_wheel_carries_jacoco_unmodified_with_its_licence(wheel):
    with zipfile.ZipFile(wheel) as archive:
        found = {name.removeprefix(TOOLS): archive.read(name) for name in archive.namelist() if name.startswith(TOOLS)}
    jars = {Coordinate.parse(coordinate).file_name: pinned()[coordinate] for coordinate in JACOCO.maven}
    assert {name: hashlib.sha256(data).hexdigest() for name, data in found.items() if name in jars} == jars
    assert found["EPL-2.0.txt"].startswith(b"Eclipse Public License - v 2.0")
    assert set(found) == {*jars, "EPL-2.0.txt", "ASM.txt", "README.txt"}


def test_the_wheel_has_every_file_that_the_code_reads(wheel):
    assert {"resources/java/tool", "resources/checksums.txt", "resources/tools"} <= named_by_the_code()
    with zipfile.ZipFile(wheel) as archive:
        assert lacking(f"/{name}" for name in archive.namelist()) == []


@pytest.fixture(scope="module")
def installed(wheel, bare, suite):
    """The root, with the wheel in ``/opt/jarlet`` and all wheels that it needs in ``/tmp/wheels``."""
    inside(bare, "apt-get", "-qq", "-y", "install", "--no-install-recommends", "python3-venv")
    wheels = bare / "tmp" / "wheels"
    requirements = PACKAGING / "requirements.txt"
    # as Debian's Python wants them, whatever runs this test
    tags = ["any", "manylinux2014_x86_64", *(f"manylinux_2_{minor}_x86_64" for minor in (5, 12, 17, 27, 28, 34))]
    for_debian = ["--python-version", SUITES[suite], "--only-binary", ":all:"]
    for_debian += [word for tag in tags for word in ("--platform", tag)]
    run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", wheels, "-r", requirements, *for_debian)
    shutil.copy(wheel, wheels)
    inside(bare, "python3", "-m", "venv", "/opt/jarlet")
    inside(bare, "/opt/jarlet/bin/pip", "install", "-q", "--no-index", "--find-links", "/tmp/wheels", "jarlet")
    return bare


def test_the_wheel_in_a_bare_debian(installed, suite):
    use(installed, "/opt/jarlet/bin/jarlet")
    code = "import jarlet, sys; jar = jarlet.open(sys.argv[1]); print(jar.graph.number_of_nodes())"
    sample = f"/opt/jarlet/lib/python{SUITES[suite]}/site-packages/jarlet/resources/sample/sample.jar"
    assert inside(installed, "/opt/jarlet/bin/python", "-c", code, sample).strip() == "64"
    (installed / "tmp" / "every_module.py").write_text(EVERY_MODULE)
    told = inside(installed, "/opt/jarlet/bin/python", "-I", "/tmp/every_module.py").split()
    assert set(told) == {f"jarlet.{name}" for name in modules_of_the_tree()}


def test_the_debian_package_is_built_and_used_in_a_bare_debian(installed):
    inside(installed, "apt-get", "-qq", "-y", "install", "--no-install-recommends", "dpkg-dev")
    copy_tree(installed / "tmp" / "tree")
    (wheel,) = (installed / "tmp" / "wheels").glob("jarlet-*.whl")
    settings = ["PIP_NO_INDEX=1", "PIP_FIND_LINKS=/tmp/wheels", "JARLET_PYTHON=/opt/jarlet/bin/python"]
    build = ["sh", "/tmp/tree/packaging/deb.sh", f"/tmp/wheels/{wheel.name}", "/tmp/out"]
    inside(installed, "env", *settings, *build)
    (package,) = (installed / "tmp" / "out").glob("*.deb")
    inside(installed, "apt-get", "-qq", "-y", "install", "--no-install-recommends", f"/tmp/out/{package.name}")
    use(installed, "/usr/bin/jarlet")
    files = inside(installed, "dpkg", "-L", "jarlet").split()
    for file in (
        "/usr/share/applications/jarlet.desktop",
        "/usr/share/icons/hicolor/scalable/apps/jarlet.svg",
        "/usr/share/man/man1/jarlet.1.gz",
        "/usr/share/bash-completion/completions/jarlet",
        "/usr/share/zsh/vendor-completions/_jarlet",
        "/usr/share/metainfo/org.jarlet.Jarlet.metainfo.xml",
    ):
        assert file in files
    assert lacking(files) == []
    inside(installed, "dpkg", "--purge", "jarlet")
    assert not (installed / "usr" / "lib" / "jarlet").exists()


@pytest.fixture(scope="module")
def bundle(wheel, tmp_path_factory):
    """The bundle's archive, made by the Python of this test for all of Debian's releases."""
    folder = tmp_path_factory.mktemp("bundle")
    run("sh", PACKAGING / "bundle.sh", wheel, folder, env={**os.environ, "JARLET_PYTHON": sys.executable})
    return next(folder.glob("*.tar.gz"))


def test_the_bundle_has_every_file_that_the_code_reads(bundle):
    with tarfile.open(bundle) as archive:
        assert lacking(member.name for member in archive if member.isfile()) == []


def test_the_bundle_in_a_bare_debian(bundle, bare):
    run("tar", "-C", bare / "opt", "-xzf", bundle)
    use(bare, "/opt/Jarlet.AppDir/AppRun")
