#!/usr/bin/env python3
"""Runs the lock study (tests/bench/lock_study.cc) over its grid; writes the table and the plot of
docs/reports/lock-study.md. One command for all of it: scripts/lock_study.sh.

  .venv/bin/python scripts/lock_study.py --out=DIR            runs; DIR/lock-study.{json,md,svg}
  .venv/bin/python scripts/lock_study.py --out=DIR --no-run   table and plot from DIR/lock-study.json

Needs the Python package `matplotlib`: scripts/setup_python.sh.
"""
import argparse
import io
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GRANULARITIES = {"level": "every level", "visit": "one per pick", "batch": "one per gather"}
MUTEXES = {"shared": "std::shared_mutex", "exclusive": "std::mutex", "tree": "TreeMutex"}
# Positions/s of a card, minibatch, workers.
LOADS = [(53000, 256, "6"), (53000, 256, "2N+1"), (53000, 1024, "2N+1"), (25460, 256, "2N+1")]


def workers_of(kind, cards):
    return 6 if kind == "6" else 2 * cards + 1


def run(program, prefix, milliseconds, timed, **parameters):
    command = [*prefix, str(program), f"--milliseconds={milliseconds}"] + [f"--{k}={v}" for k, v in parameters.items()]
    if timed:
        command.append("--timed")
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def measure(options):
    """Each configuration several times for the median speed, and once with clocks for the times under the lock."""
    prefix = shlex.split(options.prefix)
    grid = [(load, cards, granularity, mutex) for load in LOADS for cards in options.cards for granularity in GRANULARITIES
            for mutex in MUTEXES]
    results = []
    for number, ((rate, minibatch, kind), cards, granularity, mutex) in enumerate(grid, 1):
        parameters = {"granularity": granularity, "mutex": mutex, "cards": cards, "rate": rate, "minibatch": minibatch,
                      "workers": workers_of(kind, cards)}
        runs = [run(options.program, prefix, options.milliseconds, False, **parameters) for _ in range(options.repeats)]
        runs.sort(key=lambda r: r["nps"])
        result = runs[len(runs) // 2]
        result["nps_lowest"], result["nps_highest"] = runs[0]["nps"], runs[-1]["nps"]
        timed = run(options.program, prefix, options.milliseconds, True, **parameters)
        result["worker_rule"] = kind
        for key in ("held_us_per_visit", "wait_us_per_visit"):
            result[key] = timed[key]
        results.append(result)
        print(f"[{number}/{len(grid)}] {parameters}: {result['nps']:.0f} nps", file=sys.stderr)
    return results


def table(results):
    """Markdown: a table for each load and worker rule; nps in thousands, share of what the cards can do."""
    lines = []
    for rate, minibatch, kind in LOADS:
        rows = [r for r in results if (r["rate"], r["minibatch"], r["worker_rule"]) == (rate, minibatch, kind)]
        cards = sorted({r["cards"] for r in rows})
        if not rows:
            continue
        most = cards[-1]
        lines += [f"**Cards of {rate:,}/s, minibatch {minibatch}, {kind} workers** (nps in thousands; share of linear)", "",
                  "| lock | mutex | " + " | ".join(f"{n} card{'s' * (n > 1)}" for n in cards) +
                  f" | locks a batch ({most}) | held us a node ({most}) | wait us a node ({most}) | CPU us a node ({most}) |",
                  "|---" * (6 + len(cards)) + "|"]
        for granularity, name in GRANULARITIES.items():
            for mutex, type_name in MUTEXES.items():
                mine = {r["cards"]: r for r in rows if (r["granularity"], r["mutex"]) == (granularity, mutex)}
                cells = [f"{mine[n]['nps'] / 1e3:.1f} ({100 * mine[n]['nps'] / (n * rate):.0f}%)" for n in cards]
                last = mine[most]
                lines.append(f"| {name} | `{type_name}` | " + " | ".join(cells) +
                             f" | {last['acquisitions_per_batch']:.0f} | {last['held_us_per_visit']:.2f} | "
                             f"{last['wait_us_per_visit']:.2f} | {last['cpu_us_per_visit']:.2f} |")
        lines.append("")
    return "\n".join(lines)


def plot(results, path):
    try:
        import matplotlib
    except ImportError:
        sys.exit("matplotlib is missing. Run scripts/setup_python.sh, then use .venv/bin/python.")
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "plexus"
    matplotlib.rcParams["svg.fonttype"] = "none"  # text as text: a small file
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(2, 2, figsize=(11, 8), sharex=True)
    colours = {"level": "tab:red", "visit": "tab:orange", "batch": "tab:green"}
    styles = {"shared": "o:", "exclusive": "s--", "tree": "^-"}
    for ax, (rate, minibatch, kind) in zip(axes.flat, LOADS):
        for granularity, name in GRANULARITIES.items():
            for mutex, type_name in MUTEXES.items():
                rows = sorted((r for r in results if (r["rate"], r["minibatch"], r["worker_rule"], r["granularity"],
                                                      r["mutex"]) == (rate, minibatch, kind, granularity, mutex)),
                              key=lambda r: r["cards"])
                ax.plot([r["cards"] for r in rows], [r["nps"] / 1e3 for r in rows], styles[mutex],
                        color=colours[granularity], label=f"{name}, {type_name}", markersize=4, linewidth=1.2)
        cards = sorted({r["cards"] for r in results})
        ax.plot(cards, [n * rate / 1e3 for n in cards], color="grey", linewidth=0.8, label="linear")
        ax.set_title(f"{rate:,}/s a card, minibatch {minibatch}, {kind} workers", fontsize=9)
        ax.set_ylim(bottom=0)
        ax.grid(alpha=0.3)
        ax.set_xticks(cards)
    for ax in axes[1]:
        ax.set_xlabel("cards")
    for ax in axes[:, 0]:
        ax.set_ylabel("thousand nodes a second")
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="lower center", ncols=4, fontsize=8)
    figure.tight_layout(rect=(0, 0.07, 1, 1))
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None})
    # Indentation and comments are a third of it.
    path.write_text(re.sub(r"\n\s+", "\n", re.sub(r"<!--.*?-->", "", buffer.getvalue(), flags=re.S)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=ROOT / "build/tests/bench/lock_study")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--milliseconds", type=int, default=300, help="of a run")
    parser.add_argument("--repeats", type=int, default=3, help="runs of a configuration, of which the median counts")
    parser.add_argument("--cards", type=lambda text: [int(n) for n in text.split(",")], default=[1, 2, 3, 4, 8])
    parser.add_argument("--prefix", default="", help="put before each run, such as 'nice -n -5'")
    parser.add_argument("--no-run", action="store_true")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    data = options.out / "lock-study.json"
    if not options.no_run:
        data.write_text(json.dumps(measure(options), indent=1))
    results = json.loads(data.read_text())
    (options.out / "lock-study.md").write_text(table(results))
    plot(results, options.out / "lock-study.svg")
    print(f"{data} {options.out / 'lock-study.md'} {options.out / 'lock-study.svg'}")


if __name__ == "__main__":
    main()
