#!/bin/sh
# Prints the errors that javac reports in what Procyon makes of a jar: one a line, without folders and
# line numbers, sorted. Use it with --preserve out, so that the same errors stay:
#
#   jarlet reduce app.jar --predicate '{file:procyon-javac.sh} {jar} [CLASSPATH]' --preserve out
#
# Exits with 125 (cannot tell) when a tool is missing, so that nothing is concluded from that.
set -u
jar=$1
classpath=${2:-}
command -v procyon >/dev/null || { echo "procyon is not installed (Debian: procyon-decompiler)" >&2; exit 125; }
command -v javac >/dev/null || { echo "javac is not installed (Debian: default-jdk-headless)" >&2; exit 125; }

export JAVA_TOOL_OPTIONS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto"
procyon -jar "$jar" -o sources >decompiled.log 2>&1
mkdir -p compiled sources
find sources -name '*.java' ! -name module-info.java ! -name package-info.java >list
[ -s list ] || exit 0
javac -J-Duser.language=en -proc:none -nowarn -Xmaxerrs 100000 -encoding UTF-8 -d compiled -cp "$classpath" @list \
    >compiled.log 2>&1
sed -n 's|^.*/\([^/]*\.java\):[0-9]*: error: |\1: |p' compiled.log | LC_ALL=C sort
exit 0
