#!/usr/bin/env bash
# Makes .venv with the Python packages of scripts/requirements.txt (for match.py, plots and the end-to-end tests).
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -x .venv/bin/python ] && [ .venv/ready -nt scripts/requirements.txt ]; then
  echo "python: .venv is ready"
  exit 0
fi
echo "python: installing $(grep -v '^#' scripts/requirements.txt | tr '\n' ' ')into .venv"
python3 -m venv .venv
.venv/bin/python -m pip install --quiet --disable-pip-version-check -r scripts/requirements.txt
touch .venv/ready
