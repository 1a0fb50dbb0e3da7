#!/bin/sh
# Builds the Debian package: packaging/deb.sh WHEEL FOLDER
#
# The package has a Python environment of its own in /usr/lib/jarlet, made of the wheel and the pinned wheels of
# packaging/requirements.txt, which Debian has not or not as new, without what slim.py leaves out. It runs on Debian's own
# Python and Qt's system libraries.
# Needs dpkg-dev, Debian's python3 with venv, and the network for the wheels (PIP_FIND_LINKS works too).
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
wheel=$(readlink -f -- "$1")
out=$(mkdir -p "$2" && readlink -f -- "$2")
python=${JARLET_DEB_PYTHON:-/usr/bin/python3}
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT INT TERM

tree=$stage/jarlet
mkdir -p "$tree"
cp -R "$root/packaging/debian" "$tree/debian"
cp "$root/README.md" "$root/CHANGELOG.md" "$root/SECURITY.md" "$tree/"
cp "$root/packaging/jarlet.desktop" "$root/packaging/jarlet.metainfo.xml" "$root/resources/icons/jarlet.svg" "$tree/"
cp "$root/packaging/requirements.txt" "$root/packaging/slim.py" "$wheel" "$tree/"
"${JARLET_PYTHON:-$root/.venv/bin/python}" "$root/packaging/man_page.py" "$tree/made"
if [ -e "$root/build/guide.html" ]; then cp "$root/build/guide.html" "$tree/made/"; fi

cd "$tree"
JARLET_DEB_PYTHON=$python dpkg-buildpackage --build=binary --no-sign --no-check-builddeps -d \
    >"$out/deb.log" 2>&1 || { tail -n 20 "$out/deb.log" >&2; echo "deb: dpkg-buildpackage failed; the log is $out/deb.log" >&2; exit 1; }
mv "$stage"/jarlet_*.deb "$out/"
ls "$out"/jarlet_*.deb
