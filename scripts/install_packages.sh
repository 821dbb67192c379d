#!/usr/bin/env bash
# Installs the Debian packages that Plexus needs; does nothing where they are there already.
#   scripts/install_packages.sh build   what the engine needs to build
#   scripts/install_packages.sh test    the same, and what its tests need
set -euo pipefail
cd "$(dirname "$0")/.."

build_packages=(g++ meson ninja-build pkg-config protobuf-compiler libprotobuf-dev zlib1g-dev nlohmann-json3-dev python3)
test_packages=(libgtest-dev libgmock-dev clang qemu-user stockfish python3-venv)

case "${1:-build}" in
  build) wanted=("${build_packages[@]}") ;;
  test) wanted=("${build_packages[@]}" "${test_packages[@]}") ;;
  *) sed -n '2,4p' "$0"; exit 2 ;;
esac

missing=()
for package in "${wanted[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if [ "${#missing[@]}" -eq 0 ]; then
  echo "packages: all ${#wanted[@]} are installed"
  exit 0
fi

echo "packages: installing ${missing[*]}"
if [ "$(id -u)" -eq 0 ]; then as_root=()
elif command -v sudo >/dev/null; then as_root=(sudo)
else
  echo "error: not root and no sudo. As root, run: apt-get install ${missing[*]}" >&2
  exit 1
fi
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
