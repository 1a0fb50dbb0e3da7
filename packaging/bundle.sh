#!/bin/sh
# Builds the bundle for machines without Python: packaging/bundle.sh WHEEL FOLDER
#
# FOLDER gets Jarlet.AppDir, laid out as AppImage wants it (AppRun, desktop file, icon, the program in usr/lib/jarlet), and
# the same as jarlet-VERSION-SYSTEM-MACHINE.tar.gz. appimagetool, where it is installed, makes one file of it.
# JaCoCo is in it, since the wheel has it.
# A JDK is not in it: the jars to reduce need the user's. PyInstaller is in requirements-packages.txt.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
wheel=$(readlink -f -- "$1")
out=$(mkdir -p "$2" && readlink -f -- "$2")
python=${JARLET_PYTHON:-$root/.venv/bin/python}
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT INT TERM

"$python" -m venv "$stage/venv"
pip="$stage/venv/bin/pip --quiet --disable-pip-version-check install --no-deps"
$pip --require-hashes -r "$root/packaging/requirements.txt"
$pip --require-hashes -r "$root/packaging/requirements-packages.txt"
$pip "$wheel"
if [ "$(uname -s)" = Linux ]; then
    "$stage/venv/bin/python" "$root/packaging/slim.py" \
        "$("$stage/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
fi
cd "$stage" # in a source tree its own packages would be taken
"$stage/venv/bin/python" -m PyInstaller --noconfirm --log-level WARN --distpath "$stage/dist" --workpath "$stage/work" \
    "$root/packaging/jarlet.spec" >"$out/bundle.log" 2>&1 || {
    tail -n 20 "$out/bundle.log" >&2
    echo "bundle: PyInstaller failed; the log is $out/bundle.log" >&2
    exit 1
}
app=$stage/Jarlet.AppDir
mkdir -p "$app/usr/lib" "$app/usr/share/applications" "$app/usr/share/metainfo"
mv "$stage/dist/jarlet" "$app/usr/lib/jarlet"
cp "$root/packaging/AppRun" "$app/AppRun"
cp "$root/packaging/jarlet.desktop" "$app/jarlet.desktop"
cp "$root/packaging/jarlet.desktop" "$app/usr/share/applications/jarlet.desktop"
cp "$root/packaging/jarlet.metainfo.xml" "$app/usr/share/metainfo/org.jarlet.Jarlet.metainfo.xml"
cp "$root/resources/icons/jarlet.svg" "$app/jarlet.svg"
ln -s jarlet.svg "$app/.DirIcon"
version=$("$stage/venv/bin/python" -c 'from jarlet.core.version import VERSION; print(VERSION)')
name=jarlet-$version-$(uname -s | tr 'A-Z' 'a-z')-$(uname -m)
rm -rf "$out/Jarlet.AppDir"
mv "$app" "$out/Jarlet.AppDir"
tar -C "$out" --owner=0 --group=0 -czf "$out/$name.tar.gz" Jarlet.AppDir
if command -v appimagetool >/dev/null 2>&1; then appimagetool "$out/Jarlet.AppDir" "$out/$name.AppImage"; fi
ls "$out/$name".*
