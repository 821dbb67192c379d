#!/usr/bin/env python3
"""Runs `meson test` in one or more build folders and ends with the line "N passed, N failed, N skipped".

Every GoogleTest case counts as one test; any other meson test counts as one.
Usage: scripts/run_tests.py BUILD [BUILD ...] [--suite NAME ...] [--no-run] [-- meson arguments]
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


def run(build, suites, extra):
    results = build / "gtest-results"
    shutil.rmtree(results, ignore_errors=True)
    environment = dict(os.environ, GTEST_OUTPUT=f"xml:{results.resolve()}/")
    command = ["meson", "test", "-C", str(build), "--print-errorlogs", "--no-rebuild"]
    for suite in suites:
        command += ["--suite", suite]
    return subprocess.run(command + extra, env=environment, check=False).returncode


def count(build):
    """(passed, failed, skipped, names of failures) of the last run in `build`."""
    passed = failed = skipped = 0
    failures = []
    programs = {}
    for path in (build / "gtest-results").glob("*.xml"):
        programs[path.stem.split("_test")[0] + "_test" if "_test" in path.stem else path.stem] = path
        for case in ElementTree.parse(path).getroot().iter("testcase"):
            name = f"{case.get('classname')}.{case.get('name')}"
            if case.find("failure") is not None:
                failed += 1
                failures.append(f"{path.stem}: {name}")
            elif case.get("status") == "notrun" or case.get("result") == "skipped":
                skipped += 1
            else:
                passed += 1
    log = build / "meson-logs/testlog.json"
    for line in log.read_text().splitlines() if log.exists() else []:
        test = json.loads(line)
        program = Path(test["command"][0]).name
        result = test["result"]
        counted = program in programs
        if result in ("FAIL", "TIMEOUT", "ERROR", "INTERRUPT"):
            # A crash or a time-out leaves no report of its cases.
            if not counted or not any(f.startswith(program) for f in failures):
                failed += 1
                failures.append(f"{test['name']} ({result.lower()})")
        elif not counted:
            if result == "SKIP":
                skipped += 1
            else:
                passed += 1
    return passed, failed, skipped, failures


def main():
    arguments = sys.argv[1:]
    extra = []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, extra = arguments[:at], arguments[at + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="+", type=Path)
    parser.add_argument("--suite", action="append", default=[])
    parser.add_argument("--no-run", action="store_true", help="only add up what the last runs left behind")
    options = parser.parse_args(arguments)
    status = 0
    totals = [0, 0, 0]
    failures = []
    for build in options.build:
        if not options.no_run:
            status = run(build, options.suite, extra) or status
        passed, failed, skipped, names = count(build)
        totals = [totals[0] + passed, totals[1] + failed, totals[2] + skipped]
        failures += [f"{build}: {name}" for name in names]
    for failure in failures:
        print("FAILED", failure)
    if status and not totals[1]:
        totals[1] = 1
        print("FAILED: meson test ended with an error of its own")
    print(f"{totals[0]} passed, {totals[1]} failed, {totals[2]} skipped")
    return 1 if totals[1] or not totals[0] else 0


if __name__ == "__main__":
    sys.exit(main())
