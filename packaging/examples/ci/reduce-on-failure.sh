#!/bin/sh
# Runs a test on a jar; when it fails, leaves a reduced jar that fails in the same way.
#
#   reduce-on-failure.sh JAR 'COMMAND {jar}'
#
# The folder jarlet-artifact ($ARTIFACT) then has small.jar, report.md and session.jarlet. The exit code is the test's.
# $MATCH: a regular expression of the failure; without it exit code and standard error must stay.
# $SECONDS_LIMIT: the time that the reduction may take (900). $JARLET: the command (jarlet). $JOBS: probes at a time (2).
set -u

jar=$1
command=$2
artifact=${ARTIFACT:-jarlet-artifact}
jarlet=${JARLET:-jarlet}

# {jar} stands for the candidate; here it is the jar itself
# shellcheck disable=SC2016
test_line=$(printf '%s' "$command" | sed 's/{jar}/"$JARLET_JAR"/g')
JARLET_JAR=$(readlink -f -- "$jar") sh -c "$test_line"
code=$?
[ "$code" -ne 0 ] || exit 0

echo "reduce-on-failure: the test failed with exit code $code; reducing $jar" >&2
mkdir -p "$artifact"
if [ -n "${MATCH-}" ]; then
    set -- --match "$MATCH" --expect-exit "$code"
else
    set -- --preserve exit,err
fi
"$jarlet" reduce "$jar" --predicate "$command" "$@" --jobs "${JOBS:-2}" --time-limit "${SECONDS_LIMIT:-900}" \
    -o "$artifact/small.jar" --report "$artifact/report.md" --session "$artifact/session.jarlet" >&2
case $? in
    0 | 3) echo "reduce-on-failure: $artifact/small.jar fails in the same way" >&2 ;;
    1) echo "reduce-on-failure: the failure does not repeat itself, so nothing was reduced" >&2 ;;
    *) echo "reduce-on-failure: jarlet could not reduce it; its message is above" >&2 ;;
esac
exit "$code"
