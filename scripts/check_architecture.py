#!/usr/bin/env python3
"""Proves the plan of the house: includes against src/FLOORS, no circles, file sizes, lock sites, no feature #if.

Usage: scripts/check_architecture.py [ROOT]
Prints one line a fault and exits 1 if there is any; prints a summary and exits 0 otherwise.
"""
import argparse
import re
import sys
from pathlib import Path

MAX_LINES = 600
SOURCE_SUFFIXES = {".h", ".cc", ".cu"}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
# Where the write lock of the tree may be constructed: the phases, a new root, one splice of freed blocks.
LOCK_SITES = {"src/mcts/worker.cc", "src/mcts/mcts_search.cc", "src/mcts/tree_gc.cc"}
LOCK_CONSTRUCTED = re.compile(r"\bTreeWriteLock\s+\w+\s*[({]|\bTreeWriteLock\s*[({]|TreeWriteLock>\s*\(")
# Files whose lines may choose by platform or compiler.
PREPROCESSOR_SITES = {"libs/base/annotations.h", "libs/base/mutex.cc", "libs/base/files.cc"}
CONDITIONAL = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif)\b", re.M)


def read_floors(root):
    """src/FLOORS -> (floor of each folder, folders it may include, in their path form)."""
    floors, allowed = {}, {}
    for line in (root / "src/FLOORS").read_text().splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        floor, folder, names = [part.strip() for part in line.split("|")]
        floors[folder] = int(floor)
        allowed[folder] = names.split()
    by_name = {folder.split("/")[-1]: folder for folder in floors}
    for folder, names in allowed.items():
        allowed[folder] = {by_name[name] for name in names}
    return floors, allowed


def home_of(path, floors):
    """The FLOORS row that a repository path belongs to, or None."""
    text = str(path)
    if text in floors:
        return text
    parts = text.split("/")
    for depth in range(len(parts) - 1, 0, -1):
        folder = "/".join(parts[:depth])
        if folder in floors:
            return folder
    return None


def resolve(include, root):
    for base in ("libs", "src"):
        if (root / base / include).is_file():
            return Path(base) / include
    # Generated headers have a folder but no file in the tree.
    for base in ("libs", "src"):
        if (root / base / include.split("/")[0]).is_dir():
            return Path(base) / include
    return None


def unit_of(path):
    return str(path.with_suffix(""))


def find_circle(edges):
    """One circle among units as a list of names, or None."""
    state, stack = {}, []

    def visit(node):
        state[node] = 1
        stack.append(node)
        for target in sorted(edges.get(node, ())):
            if state.get(target) == 1:
                return stack[stack.index(target):] + [target]
            if target not in state:
                circle = visit(target)
                if circle:
                    return circle
        stack.pop()
        state[node] = 2
        return None

    for node in sorted(edges):
        if node not in state:
            circle = visit(node)
            if circle:
                return circle
    return None


def check_includes(root, files, floors, allowed):
    faults, edges = [], {}
    for path in files:
        home = home_of(path, floors)
        if home is None:
            faults.append(f"{path}: its folder has no row in src/FLOORS")
            continue
        for include in INCLUDE.findall((root / path).read_text()):
            target = resolve(include, root)
            if target is None:
                faults.append(f'{path}: include "{include}" is neither under libs/ nor under src/')
                continue
            other = home_of(target, floors)
            if other != home and other not in allowed[home]:
                faults.append(f"{path}: {home} may not include {other} (see src/FLOORS)")
            if other != home and other is not None and floors[other] >= floors[home]:
                faults.append(f"{path}: include of {other} runs up or sideways")
            if unit_of(target) != unit_of(path):
                edges.setdefault(unit_of(path), set()).add(unit_of(target))
    circle = find_circle(edges)
    if circle:
        faults.append("circle: " + " -> ".join(circle))
    return faults


def check_text(root, files):
    faults = []
    for path in files:
        text = (root / path).read_text()
        lines = text.count("\n")
        if lines > MAX_LINES:
            faults.append(f"{path}: {lines} lines, at most {MAX_LINES}")
        if path.suffix == ".h" and "#pragma once" not in text:
            faults.append(f"{path}: no #pragma once")
        if str(path) not in PREPROCESSOR_SITES and CONDITIONAL.search(text):
            faults.append(f"{path}: #if belongs in the build, not in the code")
        if str(path).startswith("src/mcts/") and path.suffix == ".cc" and str(path) not in LOCK_SITES:
            if LOCK_CONSTRUCTED.search(re.sub(r"//.*", "", text)):
                faults.append(f"{path}: TreeWriteLock may be constructed only in {', '.join(sorted(LOCK_SITES))}")
        if "#include <mpi.h>" in text and str(path) != "libs/comm/mpi.cc":
            faults.append(f"{path}: only libs/comm/mpi.cc includes mpi.h")
        if re.search(r"#include\s+[<\"](cuda|cudnn|cublas)", text) and not str(path).startswith(
                ("src/backend/cudnn/", "libs/hostcuda/")):
            faults.append(f"{path}: CUDA headers belong under src/backend/cudnn and libs/hostcuda")
    return faults


def check_tests(root, files):
    """Every .cc has a test file of its name, or a line with a reason in tests/architecture/untested.txt."""
    exempt = {}
    listing = root / "tests/architecture/untested.txt"
    for line in listing.read_text().splitlines() if listing.exists() else []:
        if line.strip() and not line.startswith("#"):
            name, _, reason = line.partition(" ")
            exempt[name] = reason.strip()
    faults = [f"tests/architecture/untested.txt: {name} has no reason" for name, reason in exempt.items() if not reason]
    tests = {p.stem for p in (root / "tests").rglob("*_test.cc")}
    for path in files:
        if path.suffix != ".cc":
            continue
        tested = path.stem + "_test" in tests
        if not tested and str(path) not in exempt:
            faults.append(f"{path}: no {path.stem}_test.cc under tests/ and no line in tests/architecture/untested.txt")
        if tested and str(path) in exempt:
            faults.append(f"tests/architecture/untested.txt: {path} has a test now; remove the line")
    for name in exempt:
        if not (root / name).is_file():
            faults.append(f"tests/architecture/untested.txt: {name} does not exist")
    return faults


def check_build(root):
    faults = []
    for path in [root / "meson.build", *root.glob("libs/**/meson.build"), *root.glob("src/**/meson.build"),
                 *root.glob("tests/**/meson.build"), root / "third_party/meson.build"]:
        text = path.read_text()
        limit = 120 if path == root / "meson.build" else 100
        if text.count("\n") > limit:
            faults.append(f"{path.relative_to(root)}: more than {limit} lines")
        code = re.sub(r"#.*", "", text)
        for flag in ("ffast-math", "Ofast", "march=native", "ffinite-math-only"):
            if flag in code:
                faults.append(f"{path.relative_to(root)}: -{flag} is not allowed "
                              "(NaN must be seen; one binary serves every machine)")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", default=Path(__file__).resolve().parent.parent, type=Path)
    root = parser.parse_args().root.resolve()
    files = sorted(p.relative_to(root) for base in ("libs", "src") for p in (root / base).rglob("*")
                   if p.suffix in SOURCE_SUFFIXES and p.is_file())
    floors, allowed = read_floors(root)
    faults = [f"src/FLOORS: {folder} (floor {floors[folder]}) lists {other} (floor {floors[other]})"
              for folder in floors for other in allowed[folder]
              if floors[other] >= floors[folder]]
    faults += check_includes(root, files, floors, allowed)
    faults += check_text(root, files)
    faults += check_tests(root, files)
    faults += check_build(root)
    for fault in faults:
        print(fault)
    print(f"{len(files)} files, {len(floors)} folders, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
