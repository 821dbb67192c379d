#!/usr/bin/env bash
# clang-format over the files that differ from a commit (default HEAD). Usage: scripts/format.sh [COMMIT | --all]
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-HEAD}" = --all ]; then list=(git ls-files); else list=(git diff --name-only --diff-filter=d "${1:-HEAD}"); fi
"${list[@]}" -- '*.h' '*.cc' '*.cu' | xargs -r clang-format -i
