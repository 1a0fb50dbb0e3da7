#!/bin/sh
# Runs the fast tests under coverage.py and prints what they run of each module, those below 80 % of lines at the end.
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
source = app,core,jarlet
parallel = true
concurrency = thread
data_file = $root/build/coverage.d/data
[report]
exclude_also =
    if TYPE_CHECKING:
    raise AssertionError
    \.\.\.\$
RC
# Every Python that the tests start measures itself: workers, engines, command lines.
printf 'import coverage\n\ncoverage.process_startup()\n' >"$place/sitecustomize.py"
export PYTHONPATH="$place${PYTHONPATH:+:$PYTHONPATH}"
failed=0
COVERAGE_PROCESS_START="$root/build/coverage.rc" "$python" -m pytest -n "${JOBS:-auto}" --dist loadfile "$@" || failed=$?
"$python" -m coverage combine --quiet --rcfile=build/coverage.rc
"$python" -m coverage json --quiet --rcfile=build/coverage.rc -o build/coverage.json
"$python" - <<'PY'
import json
report = json.load(open("build/coverage.json", encoding="utf-8"))
rows = [(found["summary"]["percent_covered"], name, found["summary"]["num_statements"]) for name, found in report["files"].items()]
for share, name, lines in sorted(rows, key=lambda row: row[1]):
    print(f"{share:5.1f} %  {lines:5}  {name}")
print(f"{report['totals']['percent_covered']:5.1f} %  {report['totals']['num_statements']:5}  all")
low = sorted(row for row in rows if row[0] < 80)
print(f"below 80 %: {len(low)}")
for share, name, lines in low:
    print(f"{share:5.1f} %  {lines:5}  {name}")
PY
exit $failed
