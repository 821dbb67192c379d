#!/usr/bin/env bash
# From nothing to a search: installs packages, builds, and searches two positions with the built-in network.
# Safe to run again. Takes a few minutes the first time (about two of them compile).
set -euo pipefail
cd "$(dirname "$0")/.."
echo "== 1/3 packages"
scripts/install_packages.sh build
echo "== 2/3 build"
scripts/build.sh build -Dgtest=disabled
echo "== 3/3 a search with the built-in network"
build/plexus analyse --movetime 2000
echo "   a mate in two, proven by the tree:"
build/plexus analyse --movetime 2000 --fen "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
cat <<'TEXT'

Plexus is ready: build/plexus
  in a chess GUI         add build/plexus as a UCI engine
  with a real network    build/plexus analyse --weights=FILE.pb.gz
  how fast is it?        build/plexus benchmark --movetime=1000
  everything else        build/plexus help
TEXT
