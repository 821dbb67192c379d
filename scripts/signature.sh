#!/usr/bin/env bash
# Prints the bench signature of each build folder and fails unless they are all the same, and the same as the "Bench:"
# line of the latest commit that has one.  Usage: scripts/signature.sh [BUILD ...]   (default: build)
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- build
expected=$(git log -n 200 --format=%B 2>/dev/null | sed -n 's/^Bench: *\([0-9a-fA-F]*\)$/\1/p' | head -n 1)
status=0
for build in "$@"; do
  signature=$("$build/plexus" bench 2>/dev/null | sed -n 's/^Signature: *//p')
  echo "$build: ${signature:-none}"
  if [ -z "$signature" ]; then
    echo "error: $build/plexus bench printed no signature" >&2
    status=1
  elif [ -z "$expected" ]; then
    expected=$signature
  elif [ "$signature" != "$expected" ]; then
    echo "error: $build differs from $expected (a change of search behaviour needs a new Bench line)" >&2
    status=1
  fi
done
exit $status
