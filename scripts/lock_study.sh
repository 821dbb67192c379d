#!/usr/bin/env bash
# The whole lock study of docs/reports/lock-study.md: builds, runs the queueing models and the programs, draws. About a quarter
# of an hour on an otherwise idle machine. Usage: scripts/lock_study.sh [OUT [options of lock_study.py]]   (default lock-study)
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-lock-study}
shift || true
scripts/setup_python.sh
scripts/build.sh build -Dgtest=enabled
mkdir -p "$out"
echo "== queueing models"
.venv/bin/python scripts/lock_model.py --seeds=12 --cards=8 | tee "$out/lock-model.txt"
echo "== real threads on a real tree"
.venv/bin/python scripts/lock_study.py --out="$out" "$@"
