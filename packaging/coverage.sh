#!/bin/sh
# Runs all tests but the slow ones under coverage.py and prints what they run of each module; then the modules below 80 % of lines,
# each with the reason of packaging/coverage_reasons.toml. Fails where one has no reason. Arguments go to pytest.
# coverage.py is no part of the set-up: it is installed into build/coverage.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
cd "$root"
python=$root/.venv/bin/python
place=$root/build/coverage
if [ ! -d "$place/coverage" ]; then
    "$python" -m pip --quiet --disable-pip-version-check install --no-deps --require-hashes --target "$place" \
        -r packaging/requirements-coverage.txt
fi
rm -rf build/coverage.d build/coverage.json && mkdir -p build/coverage.d
cat >build/coverage.rc <<RC
[run]
source = $root/app,$root/core,$root/jarlet
parallel = true
concurrency = thread
patch =
    _exit
    execv
data_file = $root/build/coverage.d/data
[report]
exclude_also =
    if TYPE_CHECKING:
    raise AssertionError
    \.\.\.$
RC
# Every Python that the tests start measures itself, whatever its folder and its PYTHONPATH: workers, engines, command
# lines. Those that are killed leave no data.
start=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/jarlet-coverage.pth
trap 'rm -f "$start"' EXIT
trap 'exit 130' INT TERM
printf 'import os, sys; %s and (sys.path.append(r"%s"), __import__("coverage").process_startup())\n' \
    'os.environ.get("COVERAGE_PROCESS_START")' "$place" >"$start"
failed=0
COVERAGE_PROCESS_START="$root/build/coverage.rc" "$python" -m pytest -n "${JOBS:-auto}" --dist loadfile -m "not slow" "$@" || failed=$?
export PYTHONPATH="$place"
"$python" -m coverage combine --quiet --rcfile=build/coverage.rc
"$python" -m coverage json --quiet --rcfile=build/coverage.rc -o build/coverage.json
if [ $failed -eq 0 ]; then "$python" packaging/coverage_report.py || failed=$?; else "$python" packaging/coverage_report.py; fi
exit $failed
