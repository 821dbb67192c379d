#!/usr/bin/env bash
# Measures the eight configurations of lc0 thread 147 (mutex optimization for multi-GPU) and prints ours beside that
# table: position startpos, go movetime 20000.
#   scripts/seed_table.sh [--movetime=MS] [--build=DIR] [-- OPTIONS OF THE ENGINE, such as --weights=FILE]
# Where the build has the CUDA part the command lines run as they stand; elsewhere `cudnn` becomes
# `sim,profile=titan-v-fp32` and `cudnnfp16` becomes `sim,profile=titan-v-fp16`: a simulated card of the speed that the
# thread reports for one. Figures of lc0_org and lc0_mutex are data of that thread (3 x Titan V, network 395).
set -euo pipefail
cd "$(dirname "$0")/.."
movetime=20000
build=build
while [ $# -gt 0 ]; do
  case "$1" in
    --movetime=*) movetime=${1#*=} ;;
    --build=*) build=${1#*=} ;;
    --) shift; break ;;
    *) sed -n '2,8p' "$0"; exit 2 ;;
  esac
  shift
done
[[ $movetime =~ ^[1-9][0-9]*$ ]] || { echo "error: --movetime is milliseconds, not \"$movetime\"" >&2; exit 2; }
engine=$build/plexus
[ -x "$engine" ] || { echo "error: no $engine. Run scripts/build.sh $build" >&2; exit 1; }

kind=hardware
if "$engine" uci --help | grep -q '^cudnn:.*not available'; then kind=simulated; fi

translate() {  # the backend options for this machine
  if [ "$kind" = hardware ]; then echo "$1"; return; fi
  sed -e 's/backend=cudnnfp16/backend=sim,profile=titan-v-fp16/g' -e 's/backend=cudnn,/backend=sim,profile=titan-v-fp32,/g' <<<"$1"
}

# Visits a second of the last report of one search, or "failed: why".
measure() {
  local line nps=
  coproc PLEXUS { exec "$engine" "$@" 2>&1; }
  local pid=$PLEXUS_PID in=${PLEXUS[1]} out=${PLEXUS[0]}
  printf 'position startpos\ngo movetime %s\n' "$movetime" >&"$in"
  while read -r line <&"$out"; do
    case "$line" in
      "info string cannot load: "*) nps="failed: ${line#*load: }"; break ;;
      "info string "*"failed"*) nps="failed: ${line#info string }"; break ;;
      info*" nps "*) nps=${line#* nps }; nps=${nps%% *} ;;
      bestmove*) break ;;
    esac
  done
  printf 'quit\n' >&"$in" || true
  cat <&"$out" >/dev/null || true
  wait "$pid" || true
  echo "${nps:-failed: no answer}"
}

one_cudnn='(backend=cudnn,gpu=0)'
one_fp16='(backend=cudnnfp16,gpu=0)'
three_cudnn='(backend=cudnn,gpu=0),(backend=cudnn,gpu=1),(backend=cudnn,gpu=2)'
three_fp16='(backend=cudnnfp16,gpu=0),(backend=cudnnfp16,gpu=1),(backend=cudnnfp16,gpu=2)'

echo "plexus -t 6 --minibatch-size=1024 --backend=multiplexing --backend-opts=..., go movetime $movetime, $kind cards"
echo
printf '%-12s %10s %10s %10s %10s   %s\n' "cards" "lc0_org" "lc0_mutex" "plexus" "automatic" "--backend-opts"
row() {  # cards, figures of the thread, options
  local options ours automatic
  options=$(translate "$4")
  ours=$(measure -t 6 --minibatch-size=1024 --backend=multiplexing "--backend-opts=$options" "${extra[@]}")
  automatic=$(measure --backend=multiplexing "--backend-opts=$options" "${extra[@]}")
  printf '%-12s %10s %10s %10s %10s   %s\n' "$1" "$2" "$3" "$ours" "$automatic" "$options"
  results+=("$ours" "$automatic")
}
extra=("$@")
results=()
row "1 fp32" 25488 25460 "$one_cudnn"
row "1 fp16" 48140 53001 "$one_fp16"
row "3 fp32" 46024 75047 "$three_cudnn"
row "3 fp16" 39236 103178 "$three_fp16"
echo
scaling() {  # three cards, one card
  if [[ $1 =~ ^[0-9]+$ && $2 =~ ^[1-9][0-9]*$ ]]; then awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2fx", a / b }'; else echo "-"; fi
}
printf '%-12s %10s %10s %10s %10s\n' "fp32 3 : 1" 1.81x 2.95x "$(scaling "${results[4]}" "${results[0]}")" "$(scaling "${results[5]}" "${results[1]}")"
printf '%-12s %10s %10s %10s %10s\n' "fp16 3 : 1" 0.82x 1.95x "$(scaling "${results[6]}" "${results[2]}")" "$(scaling "${results[7]}" "${results[3]}")"
echo "(automatic: the same without -t and --minibatch-size)"
for result in "${results[@]}"; do [[ $result =~ ^[0-9]+$ ]] || exit 1; done
