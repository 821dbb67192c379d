#!/usr/bin/env bash
# Configures (once) and builds. Usage: scripts/build.sh [DIR [meson options ...]]   (default DIR: build)
# CC and CXX choose the compiler of a new DIR; ccache is used where it is installed.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=${1:-build}
shift || true

if [ ! -f "$dir/build.ninja" ]; then
  if command -v ccache >/dev/null; then
    export CC="ccache ${CC:-gcc}" CXX="ccache ${CXX:-g++}"
  fi
  echo "build: configuring $dir $*"
  meson setup "$dir" "$@" >"$dir.setup.log" 2>&1 || { cat "$dir.setup.log"; exit 1; }
  mv "$dir.setup.log" "$dir/setup.log"
elif [ $# -gt 0 ]; then
  meson configure "$dir" "$@"
fi
echo "build: compiling $dir"
ninja -C "$dir" --quiet
