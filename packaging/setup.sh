#!/bin/sh
# Makes a fresh clone ready to run: system packages, .venv, Python packages, the command jarlet.
#
#   packaging/setup.sh          what the program needs
#   packaging/setup.sh --test   also what its tests need
#
# Installs Debian packages when it may (root, or sudo without a password); otherwise it prints the
# one line to run and ends with exit code 1. Fetches JaCoCo, which tells what a run uses; without it, it says so and goes
# on: Jarlet does without, with larger results for programs that must run.
# Does nothing when nothing changed. Can be interrupted at any place: the next call begins again where it must.
# PYTHON=... names the Python to use; JARLET_SKIP_SYSTEM=1 leaves the system packages alone.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
cd "$root"
venv=$root/.venv
python=${PYTHON:-python3}
with_tests=no
case ${1-} in
    '') ;;
    --test) with_tests=yes ;;
    *) echo "setup: unknown option $1 (there is only --test)" >&2; exit 2 ;;
esac

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# Of two set-ups at once (make -j, two terminals) the second waits for the first.
mkdir -p build
if have flock && [ -z "${JARLET_SETUP_LOCKED-}" ]; then
    export JARLET_SETUP_LOCKED=1
    exec flock build/setup.lock sh "$0" "$@"
fi

# ---- 1. the system -------------------------------------------------------------------------

# look_at_python: sets python_state to missing, old, no-venv or good, and python to its own path
# (what PATH names may be a slow wrapper).
look_at_python() {
    python_state=missing
    if have "$python"; then
        python_state=$("$python" -c 'if True:
            import sys
            if sys.version_info < (3, 11):
                sys.exit(print("old"))
            try:
                import ensurepip, venv
            except ImportError:
                sys.exit(print("no-venv"))
            print("good", sys.executable)' 2>/dev/null) || python_state=missing
        case $python_state in "good "*) python=${python_state#good }; python_state=good ;; esac
    fi
}

jdk_is_new_enough() {
    # "javac 17.0.15"; a JDK 8 says "javac 1.8.0"
    compiler=javac
    if [ -n "${JAVA_HOME-}" ] && [ -x "$JAVA_HOME/bin/javac" ]; then compiler=$JAVA_HOME/bin/javac; fi
    have "$compiler" && have java || return 1
    # Asking it starts a virtual machine: remember which compiler was good.
    compiler=$(readlink -f "$(command -v "$compiler")")
    if [ "$(cat build/setup.javac 2>/dev/null)" = "$compiler" ]; then return 0; fi
    version=$("$compiler" -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p' | head -n 1)
    [ "${version:-0}" -ge 17 ] && printf '%s\n' "$compiler" >build/setup.javac
}

# Qt: drawing anywhere, then X, then Wayland. libxrender1 is for Graphviz in pygraphviz' wheel.
qt_packages='libglib2.0-0 libgl1 libegl1 libxkbcommon0 libdbus-1-3 libfontconfig1 libxrender1
    libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libxcb-xkb1 libxkbcommon-x11-0
    libwayland-client0 libwayland-cursor0 libwayland-egl1 fonts-dejavu-core'
test_packages='unzip xvfb xauth procyon-decompiler libcommons-codec-java chromium-headless-shell'

wanted_packages() {
    case $python_state in
        missing | old) printf '%s\n' python3 python3-venv ;;
        no-venv) echo python3-venv ;;
    esac
    jdk_is_new_enough || echo default-jdk-headless
    # shellcheck disable=SC2086 # lists of words
    printf '%s\n' $qt_packages
    # shellcheck disable=SC2086
    if [ "$with_tests" = yes ]; then printf '%s\n' $test_packages; fi
}

# missing_packages NAMES: those that are not installed. Debian 13 renamed some: NAMEt64 counts too.
missing_packages() {
    # shellcheck disable=SC2016,SC2046,SC2086
    wanted=$(printf '%s\n' $1)
    # shellcheck disable=SC2016,SC2046,SC2086
    installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' $wanted $(printf '%st64 ' $wanted) 2>/dev/null |
        sed -n 's/^ii *//p' | sed 's/t64$//')
    printf '%s\n' "$wanted" | grep -vxF "$installed" | tr '\n' ' '
}

# Sets as_root to the words that give apt-get the right to install; fails where this user has no such right.
look_at_root() {
    as_root=''
    [ "$(id -u)" -ne 0 ] || return 0
    as_root='sudo -n'
    have sudo && sudo -n true 2>/dev/null
}

# install_packages NAMES
install_packages() {
    # shellcheck disable=SC2086
    set -- $1
    say "installing $*"
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=300 \
        -o Dpkg::Use-Pty=0 install --no-install-recommends "$@" >build/apt.log 2>&1 </dev/null
}

install_what_is_missing() {
    missing=$(missing_packages "$(wanted_packages)")
    if [ -z "$missing" ]; then return 0; fi
    if ! look_at_root; then
        say "some packages are missing and this user may not install them. Please run, then repeat:"
        say "  sudo apt-get install --no-install-recommends $missing"
        exit 1
    fi
    # An update that fails for one source of many is no reason to give up: the install decides.
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 update >build/apt.log 2>&1 ||
        say "apt-get update reported a problem; going on with the lists that are there"
    if ! install_packages "$missing"; then
        tail -n 15 build/apt.log >&2
        fail "apt-get could not install these packages; the whole log is build/apt.log"
    fi
}

look_at_python
if [ -n "${JARLET_SKIP_SYSTEM-}" ]; then
    :
elif have dpkg-query && have apt-get; then
    install_what_is_missing
else
    lacking=''
    if [ "$with_tests" = yes ]; then
        for program in Xvfb xauth; do have "$program" || lacking="$lacking $program"; done
    fi
    jdk_is_new_enough || lacking="$lacking JDK-17-or-later(java,javac)"
    [ "$python_state" = good ] || lacking="$lacking Python-3.11-or-later(with-venv)"
    if [ -n "$lacking" ]; then fail "this is no Debian; please install:$lacking"; fi
fi

[ "$python_state" = good ] || look_at_python # it may have been installed just now
case $python_state in
    missing) fail "$python is not there: install Python 3.11 or later, or name it: make setup PYTHON=/path/to/python3" ;;
    old) fail "$python is older than Python 3.11. Name another one: make setup PYTHON=/path/to/python3" ;;
    no-venv) fail "$python has no venv and ensurepip: install python3-venv or use another Python" ;;
esac
jdk_is_new_enough || fail "a JDK 17 or later (java and javac) is needed: install one or set JAVA_HOME"

# ---- 2. Python -------------------------------------------------------------------------------

# These would send the packages elsewhere than into .venv, or other packages into it.
unset PYTHONHOME PYTHONPATH PIP_TARGET PIP_PREFIX PIP_ROOT PIP_USER PIP_REQUIREMENT PIP_CONSTRAINT || true

marks=$venv/jarlet-setup
half_done=$marks/installing

# A package that was cut off in the middle of its installation cannot be repaired by pip: begin anew.
if [ -e "$half_done" ] || { [ -e "$venv" ] && ! "$venv/bin/python" -c '' 2>/dev/null; }; then
    say "the last set-up was interrupted or its Python is gone: making .venv anew"
    rm -rf "$venv"
fi

# mark NAME FILE...: what NAME's stamp must hold, so that nothing need be done.
mark() {
    shift
    { echo "$root"; "$venv/bin/python" -V; cat "$@"; } | cksum
}

# install NAME FILE...: Python packages of requirements files, unless that is done. They are compiled while the next ones are
# installed, and on all processors: pip has one. Half of their code is tests of their own, or what nobody imports.
install() {
    stamp=$marks/$1
    if [ -e "$stamp" ] && [ "$(cat "$stamp")" = "$(mark "$@")" ]; then return 0; fi
    name=$1
    shift
    say "installing Python packages of $*: they are downloaded, which takes some minutes"
    : >"$half_done"
    # shellcheck disable=SC2046 # no name of a file has spaces
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --no-compile \
        --require-hashes --no-deps $(printf -- '-r %s ' "$@") ||
        fail "pip could not install the packages of $* (is there a network? pip's message is above)"
    { "$venv/bin/python" -m compileall -q -j 0 -x '/site-packages/(.*/tests|mypyc?|pip|pygments)/' "$venv/lib" \
        >/dev/null 2>&1 || true; } & # some hold code of other Pythons
    mark "$name" "$@" >"$stamp.new"
    mv "$stamp.new" "$stamp"
    rm -f "$half_done"
}

if [ ! -e "$venv/bin/python" ]; then
    say "making .venv with $("$python" -V)"
    rm -rf "$venv"
    mkdir -p "$marks"
    : >"$half_done"
    "$python" -m venv "$venv" || fail "$python -m venv failed"
    rm -f "$half_done"
fi
mkdir -p "$marks"
install requirements packaging/requirements.txt
if [ "$with_tests" = yes ]; then
    install requirements-test packaging/requirements-dev.txt packaging/requirements-dask.txt
fi

# ---- 3. the program ----------------------------------------------------------------------------

# A path file instead of an editable install: works without a network and without setuptools.
site=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
if [ "$(cat "$site/jarlet.pth" 2>/dev/null)" != "$root" ]; then
    printf '%s\n' "$root" >"$site/jarlet.pth.new"
    mv "$site/jarlet.pth.new" "$site/jarlet.pth"
fi
if ! cmp -s packaging/launcher.sh "$venv/bin/jarlet"; then
    cp packaging/launcher.sh "$venv/bin/jarlet.new"
    chmod 755 "$venv/bin/jarlet.new"
    mv "$venv/bin/jarlet.new" "$venv/bin/jarlet"
fi

# The program starts faster where Python need not compile it anew (PYTHONDONTWRITEBYTECODE would have it so).
"$venv/bin/python" -m compileall -q -j 0 app core resources >/dev/null 2>&1 || true

wait

# As --fetch gets what a preset needs, unless it is there.
sentence=$("$venv/bin/python" -c 'from core.evidence.agents import fetch; print(fetch() or "")')
if [ -n "$sentence" ]; then say "$sentence"; fi
