"""The checker of the plan must see each kind of fault that it is there for."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECKER = Path(__file__).resolve().parents[2] / "scripts/check_architecture.py"
CLEAN = {
    "src/FLOORS": "1 | src/mcts | base\n0 | libs/base |\n",
    "libs/base/exception.h": "#pragma once\n",
    "src/mcts/pick.h": '#pragma once\n#include "base/exception.h"\n',
    "src/mcts/pick.cc": '#include "mcts/pick.h"\n',
    "tests/mcts/pick_test.cc": "",
    "meson.build": "",
    "third_party/meson.build": "",
}


def check(changes):
    """Runs the checker over CLEAN with some files changed; returns (exit status, output)."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**CLEAN, **changes}.items():
            if text is not None:
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
        done = subprocess.run([sys.executable, CHECKER, folder], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr


class CheckArchitectureTest(unittest.TestCase):
    def expect_fault(self, changes, words):
        status, output = check(changes)
        self.assertEqual(status, 1, output)
        self.assertIn(words, output)

    def test_a_clean_tree_passes(self):
        self.assertEqual(check({})[0], 0)

    def test_an_include_that_runs_up_is_a_fault(self):
        self.expect_fault({"libs/base/exception.h": '#pragma once\n#include "mcts/pick.h"\n'}, "may not include")

    def test_a_circle_between_files_is_a_fault(self):
        self.expect_fault({"src/mcts/node.h": '#pragma once\n#include "mcts/pick.h"\n',
                           "src/mcts/pick.h": '#pragma once\n#include "mcts/node.h"\n'}, "circle")

    def test_a_lock_taken_elsewhere_is_a_fault(self):
        self.expect_fault({"src/mcts/pick.cc": "void F() { TreeWriteLock lock(mutex); }\n"}, "TreeWriteLock")

    def test_a_lock_as_a_parameter_is_fine(self):
        self.assertEqual(check({"src/mcts/pick.cc": "void F(const TreeWriteLock& lock);\n"})[0], 0)

    def test_a_conditional_in_code_is_a_fault(self):
        self.expect_fault({"src/mcts/pick.cc": "#ifdef CUDA\n#endif\n"}, "#if belongs")

    def test_a_long_file_is_a_fault(self):
        self.expect_fault({"src/mcts/pick.cc": "\n" * 601}, "601 lines")

    def test_a_source_without_a_test_is_a_fault(self):
        self.expect_fault({"tests/mcts/pick_test.cc": None}, "no pick_test.cc")

    def test_an_exemption_needs_a_reason(self):
        self.expect_fault({"tests/mcts/pick_test.cc": None, "tests/architecture/untested.txt": "src/mcts/pick.cc\n"},
                          "has no reason")

    def test_a_folder_without_a_floor_is_a_fault(self):
        self.expect_fault({"src/other/thing.h": "#pragma once\n"}, "no row in src/FLOORS")

    def test_fast_math_is_a_fault(self):
        self.expect_fault({"meson.build": "add_project_arguments('-ffast-math')\n"}, "not allowed")


if __name__ == "__main__":
    unittest.main()
