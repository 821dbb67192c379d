#!/usr/bin/env python3
"""Draws what `plexus benchmark --sweep --json=FILE` measured: nps against devices beside the linear line, scaling
efficiency, and how busy the devices were. Rows that failed are left out.

  scripts/plot_sweep.py sweep.json --out=sweep                    -> sweep.svg and sweep.png
  scripts/plot_sweep.py before.json after.json --labels=before,after --out=comparison

Needs the Python package `matplotlib`: scripts/setup_python.sh, then .venv/bin/python scripts/plot_sweep.py ...
"""
import argparse
import json
import os
import sys
from pathlib import Path

# With the project's packages, whichever Python was asked.
VENV = Path(__file__).resolve().parent.parent / ".venv/bin/python"
try:
    import matplotlib
except ImportError:
    if VENV.exists() and Path(sys.prefix).resolve() != VENV.parent.parent.resolve():
        os.execv(VENV, [str(VENV), *sys.argv])
    sys.exit("matplotlib is missing. Run scripts/setup_python.sh.")
matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "plexus"  # the same file from the same numbers
import matplotlib.pyplot as plt  # noqa: E402


def automatic(number):
    return str(number) if number else "auto"


def series_of(sweep, label):
    """Rows that differ only in the number of devices -> [(name, rows by devices)]."""
    series = {}
    for row in sweep["rows"]:
        if row["error"] is None:
            series.setdefault((row["combiner"], row["threads"], row["minibatch"]), []).append(row)
    result = []
    for (combiner, threads, minibatch), rows in series.items():
        name = f"{combiner}, threads {automatic(threads)}, minibatch {automatic(minibatch)}"
        rows.sort(key=lambda row: row["devices"])
        result.append((f"{label}: {name}" if label else name, rows))
    return result


def busy_share(row):
    """(mean, lowest, highest) of the devices, or None."""
    shares = [device["busy_share"] for device in row["per_device"]]
    return (sum(shares) / len(shares), min(shares), max(shares)) if shares else None


def draw(all_series, title):
    figure, (speed, efficiency, busy) = plt.subplots(1, 3, figsize=(13, 4.4))
    for name, rows in all_series:
        devices = [row["devices"] for row in rows]
        line, = speed.plot(devices, [row["nps"] for row in rows], "o-", label=name)
        if devices[0] == 1 and len(devices) > 1:
            ends = [1, devices[-1]]
            speed.plot(ends, [rows[0]["nps"] * n for n in ends], ":", color=line.get_color(), linewidth=1)
        known = [row for row in rows if row["efficiency"] is not None]
        efficiency.plot([row["devices"] for row in known], [100 * row["efficiency"] for row in known], "o-")
        shares = [(row["devices"], *busy_share(row)) for row in rows if busy_share(row)]
        if shares:
            x, mean, low, high = zip(*shares)
            busy.errorbar(x, [100 * m for m in mean], fmt="o-", capsize=3,
                          yerr=[[100 * (m - l) for m, l in zip(mean, low)],
                                [100 * (h - m) for m, h in zip(mean, high)]])
    speed.set_title("nodes per second (dotted: linear)")
    efficiency.set_title("efficiency against one device, %")
    efficiency.axhline(100, color="grey", linestyle=":", linewidth=1)
    busy.set_title("busy share of the devices, % (lowest to highest)")
    speed.set_ylim(bottom=0)
    efficiency.set_ylim(0, 110)
    busy.set_ylim(0, 105)
    ticks = sorted({row["devices"] for _, rows in all_series for row in rows})
    for axes in (speed, efficiency, busy):
        axes.set_xlabel("devices")
        axes.set_xticks(ticks)
        axes.grid(alpha=0.3)
    figure.suptitle(title)
    figure.legend(*speed.get_legend_handles_labels(), loc="lower center", ncols=2, fontsize=8)
    figure.tight_layout(rect=(0, 0.04 + 0.035 * ((len(all_series) + 1) // 2), 1, 1))
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sweeps", nargs="+", type=Path)
    parser.add_argument("--out", required=True, help="path without .svg and .png")
    parser.add_argument("--labels", default="", help="one a file, separated by commas")
    parser.add_argument("--title", default="")
    options = parser.parse_args()
    labels = options.labels.split(",") if options.labels else \
        [path.stem if len(options.sweeps) > 1 else "" for path in options.sweeps]
    if len(labels) != len(options.sweeps):
        sys.exit(f"error: {len(labels)} labels for {len(options.sweeps)} files. Give one for each.")
    all_series = []
    for path, label in zip(options.sweeps, labels):
        try:
            all_series += series_of(json.loads(path.read_text()), label)
        except (OSError, ValueError, KeyError, TypeError) as e:
            sys.exit(f"error: {path} is no sweep ({e!r}). Make one with plexus benchmark --sweep --json={path}")
    if not all_series:
        sys.exit("error: no configuration in these files worked; there is nothing to draw.")
    figure = draw(all_series, options.title)
    figure.savefig(options.out + ".svg", metadata={"Date": None})
    figure.savefig(options.out + ".png", dpi=120)
    print(f"{options.out}.svg {options.out}.png")


if __name__ == "__main__":
    main()
