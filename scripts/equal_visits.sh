#!/usr/bin/env bash
# What many visits in flight cost at equal visits: games of a search with as many workers and as large minibatches as
# eight devices want against one worker that evaluates one position at a time. The options that bound the visits in
# flight may be given behind the others.
#
#   scripts/equal_visits.sh --weights=FILE --openings=FILE [--games=1000] [--nodes=800] [--workers=17] [--json=FILE]
#                           [-- --in-flight-share=0.04 ...]
# Openings: PGN or EPD; as many different ones as pairs of games, or games repeat themselves.
set -euo pipefail
games=1000 nodes=800 workers=17 weights="" openings="" json=""
while [ $# -gt 0 ]; do
  case $1 in
    --games=*) games=${1#*=} ;;
    --nodes=*) nodes=${1#*=} ;;
    --workers=*) workers=${1#*=} ;;
    --weights=*) weights=$(realpath "${1#*=}") ;;
    --openings=*) openings=$(realpath "${1#*=}") ;;
    --json=*) json=$(realpath -m "${1#*=}") ;;
    --) shift; break ;;
    -h|--help) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "equal_visits: '$1' is unknown; see --help" >&2; exit 2 ;;
  esac
  shift
done
cd "$(dirname "$0")/.."
if [ -z "$weights" ] || [ -z "$openings" ]; then
  echo "equal_visits: give --weights=FILE and --openings=FILE; see --help" >&2
  exit 2
fi
scripts/setup_python.sh
# No search is cut short: visits are to be equal.
engine="build/plexus --weights=$weights --smart-pruning-factor=0"
exec .venv/bin/python scripts/match.py --games "$games" --nodes "$nodes" --openings "$openings" --concurrency 4 \
  ${json:+--json "$json"} \
  --engine "$engine --threads=$workers --minibatch-size=256 $*" --name "$workers workers of 256" \
  --engine "$engine --threads=1 --minibatch-size=1" --name "one worker of 1"
