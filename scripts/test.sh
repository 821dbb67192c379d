#!/usr/bin/env bash
# Installs what the tests need, builds, and passes all tests. Safe to run again.
#   scripts/test.sh            everything
#   scripts/test.sh --quick    unit tests only
# PLEXUS_SHARED names the folder of test data (default ../shared); tests that need it are skipped where it is missing,
# and fail in CI (CI=true).
set -euo pipefail
cd "$(dirname "$0")/.."
quick=false
for argument in "$@"; do
  case "$argument" in
    --quick) quick=true ;;
    *) sed -n '2,6p' "$0"; exit 2 ;;
  esac
done
options=(-Dgtest=enabled)
[ "${CI:-}" = true ] && options+=(-Dci=true)

echo "== 1/3 packages"
scripts/install_packages.sh test
scripts/setup_python.sh
echo "== 2/3 build"
scripts/build.sh build "${options[@]}"
echo "== 3/3 tests"
if $quick; then scripts/run_tests.py build --suite unit; else scripts/run_tests.py build; fi
