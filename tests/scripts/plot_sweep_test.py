"""scripts/plot_sweep.py on made-up sweeps: python3 plot_sweep_test.py ROOT"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop(1)).resolve()


def row(devices, nps, error=None, minibatch=0):
    result = {"combiner": "multiplexing", "devices": devices, "threads": 0, "minibatch": minibatch, "error": error}
    if error is None:
        busy = [{"busy_share": 0.9 + 0.01 * i} for i in range(devices)]
        result |= {"nps": nps, "efficiency": nps / (devices * 50000), "per_device": busy}
    return result


class PlotSweep(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def plot(self, *sweeps, arguments=()):
        paths = []
        for i, sweep in enumerate(sweeps):
            paths.append(self.folder / f"sweep{i}.json")
            paths[-1].write_text(sweep if isinstance(sweep, str) else json.dumps(sweep))
        return subprocess.run([sys.executable, ROOT / "scripts/plot_sweep.py", *paths, f"--out={self.folder / 'plot'}",
                               *arguments], capture_output=True, text=True, check=False)

    def test_draws_svg_and_png_of_what_worked(self):
        done = self.plot({"rows": [row(1, 50000), row(2, 98000), row(4, 0, "failed"), row(1, 40000, minibatch=64)]})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("minibatch 64", (self.folder / "plot.svg").read_text())
        self.assertEqual((self.folder / "plot.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_draws_several_sweeps_with_their_labels(self):
        done = self.plot({"rows": [row(1, 50000)]}, {"rows": [row(1, 60000), row(2, 99000)]},
                         arguments=["--labels=before,after"])
        self.assertEqual(done.returncode, 0, done.stderr)
        svg = (self.folder / "plot.svg").read_text()
        self.assertIn("before: ", svg)
        self.assertIn("after: ", svg)

    def test_the_same_numbers_make_the_same_drawing(self):
        sweep = {"rows": [row(1, 50000), row(2, 98000)]}
        self.plot(sweep)
        first = (self.folder / "plot.svg").read_text()
        self.plot(sweep)
        self.assertEqual((self.folder / "plot.svg").read_text(), first)

    def test_says_what_is_wrong_with_a_file(self):
        for bad in ("no json", "{}", '{"rows": []}', {"rows": [row(1, 0, "failed")]}):
            done = self.plot(bad)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("error: ", done.stderr)
            self.assertNotIn("Traceback", done.stderr)
        self.assertIn("2 labels for 1 files", self.plot("{}", arguments=["--labels=a,b"]).stderr)


if __name__ == "__main__":
    probe = subprocess.run([sys.executable, ROOT / "scripts/plot_sweep.py", "--help"], capture_output=True, text=True,
                           check=False)
    if "matplotlib is missing" in probe.stderr and not os.environ.get("PLEXUS_CI"):
        print(probe.stderr)
        sys.exit(77)
    unittest.main()
