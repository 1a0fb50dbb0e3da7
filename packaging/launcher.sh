#!/bin/sh
# The command jarlet of a source tree; packaging/setup.sh copies it to .venv/bin/jarlet.
# -P: the current directory is not searched, whatever lies there under the name app.
exec "$(dirname -- "$(readlink -f -- "$0")")/python" -P -m app "$@"
