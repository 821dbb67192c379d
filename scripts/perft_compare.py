#!/usr/bin/env python3
"""Measures `plexus perft DEPTH` against Stockfish's `go perft DEPTH`, side by side, one thread each.

Both engines count from the start position, in turn, --rounds times, so that other work on the machine hits both alike.
For plexus the time is the one it reports (--json, "time_ms"); for Stockfish the time from `go` to "Nodes searched",
with the process started and ready before. Exit status: 0 if the minimum and the median of plexus are not above those of
Stockfish, 1 if one is, 2 if something is missing or the counts differ.
"""
import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def fail(text):
    print(f"perft_compare: {text}", file=sys.stderr)
    sys.exit(2)


def find_stockfish(path):
    found = shutil.which(path) or shutil.which("stockfish", path="/usr/games:/usr/local/bin:/usr/bin")
    if not found:
        fail("stockfish is missing; install it (Debian: apt-get install stockfish) or give --stockfish=PATH")
    return found


def run_plexus(path, depth):
    """Seconds and nodes."""
    done = subprocess.run([path, "perft", str(depth), "--json"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        fail(f"{path} perft {depth} --json ended with status {done.returncode}: {done.stderr.strip()}")
    result = json.loads(done.stdout)
    return result["time_ms"] / 1000, result["nodes"]


class Stockfish:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.send("uci")
        self.read_until("uciok")
        self.send("isready")
        self.read_until("readyok")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def read_until(self, start):
        for line in self.process.stdout:
            if line.startswith(start):
                return line
        return fail(f"stockfish ended while waiting for {start}")

    def run(self, depth):
        """Seconds and nodes."""
        start = time.perf_counter()
        self.send(f"go perft {depth}")
        line = self.read_until("Nodes searched")
        return time.perf_counter() - start, int(line.split(":")[1])

    def quit(self):
        self.send("quit")
        self.process.wait(timeout=10)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plexus", nargs="?", default=str(ROOT / "build" / "plexus"))
    parser.add_argument("--stockfish", default="stockfish", help="name or path")
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args()
    if not pathlib.Path(args.plexus).is_file():
        fail(f"{args.plexus} does not exist; build it (meson setup build && ninja -C build) or give its path")

    stockfish = Stockfish(find_stockfish(args.stockfish))
    times = {"plexus": [], "stockfish": []}
    for _ in range(args.rounds):
        ours, our_nodes = run_plexus(args.plexus, args.depth)
        theirs, their_nodes = stockfish.run(args.depth)
        if our_nodes != their_nodes:
            fail(f"plexus counts {our_nodes} nodes, stockfish {their_nodes}")
        times["plexus"].append(ours)
        times["stockfish"].append(theirs)
    stockfish.quit()

    result = {"depth": args.depth, "rounds": args.rounds, "nodes": our_nodes}
    for name, function in (("minimum", min), ("median", statistics.median)):
        ours, theirs = function(times["plexus"]), function(times["stockfish"])
        result[f"plexus_{name}_s"], result[f"stockfish_{name}_s"] = round(ours, 5), round(theirs, 5)
        result[f"speed_ratio_{name}"] = round(theirs / ours, 3)
    slower = min(result["speed_ratio_minimum"], result["speed_ratio_median"]) < 1
    if args.json:
        print(json.dumps(result))
    else:
        print(f"perft {args.depth}, {our_nodes} nodes, {args.rounds} rounds in turn")
        for name in ("minimum", "median"):
            ours, theirs = result[f"plexus_{name}_s"], result[f"stockfish_{name}_s"]
            print(f"{name:>8}: plexus {ours:.4f} s ({our_nodes / ours / 1e6:.0f} M/s), stockfish {theirs:.4f} s "
                  f"({our_nodes / theirs / 1e6:.0f} M/s), plexus is {result[f'speed_ratio_{name}']:.2f} times as fast")
    sys.exit(1 if slower else 0)


if __name__ == "__main__":
    main()
