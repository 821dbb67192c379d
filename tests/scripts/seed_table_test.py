"""scripts/seed_table.sh, very short searches: python3 seed_table_test.py ROOT BUILD"""
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop(1)).resolve()
BUILD = Path(sys.argv.pop(1)).resolve()


def table(*arguments):
    return subprocess.run([ROOT / "scripts/seed_table.sh", f"--build={BUILD}", *arguments], capture_output=True,
                          text=True, check=False)


class SeedTable(unittest.TestCase):
    def test_every_command_line_of_the_thread_has_a_figure(self):
        done = table("--movetime=150", "--", "--config=")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = re.findall(r"^([13] fp(?:32|16)) +(\d+) +(\d+) +(\d+) +(\d+) +\(backend=", done.stdout, re.M)
        self.assertEqual([row[0] for row in rows], ["1 fp32", "1 fp16", "3 fp32", "3 fp16"])
        self.assertEqual([(int(row[1]), int(row[2])) for row in rows],
                         [(25488, 25460), (48140, 53001), (46024, 75047), (39236, 103178)])
        for row in rows:
            self.assertGreater(int(row[3]), 0)
            self.assertGreater(int(row[4]), 0)
        self.assertEqual(len(re.findall(r"\d\.\d\dx", done.stdout)), 8)

    def test_an_engine_that_cannot_search_is_no_figure(self):
        done = table("--movetime=150", "--", "--config=", "--backend=replay")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("failed: ", done.stdout)

    def test_bad_arguments_are_refused(self):
        self.assertIn("--movetime", table("--movetime=soon").stderr)
        self.assertEqual(table("--movetiem=5").returncode, 2)
        self.assertIn("scripts/build.sh", table("--build=/nonexistent").stderr)


if __name__ == "__main__":
    unittest.main()
