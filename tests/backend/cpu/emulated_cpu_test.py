#!/usr/bin/env python3
"""Runs isa_probe on emulated older CPUs: wide instructions in common code would die there of SIGILL.

Usage: emulated_cpu_test.py PROBE CPU ISA    (needs qemu-x86_64; skipped with status 77 without it, failed in CI)
"""
import os
import shutil
import subprocess
import sys


def main():
    probe, cpu, isa = sys.argv[1:]
    qemu = shutil.which("qemu-x86_64") or shutil.which("qemu-x86_64-static")
    if not qemu:
        print("qemu-x86_64 is missing; install it: apt-get install qemu-user")
        return 1 if os.environ.get("PLEXUS_CI") else 77
    run = subprocess.run([qemu, "-cpu", cpu, probe, isa], capture_output=True, text=True, timeout=240)
    print(run.stdout + run.stderr)
    if run.returncode < 0 or run.returncode > 128:
        print(f"killed by a signal on an emulated {cpu}: status {run.returncode}")
    return 1 if run.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
