#!/usr/bin/env python3
"""Compares the legal moves of `plexus perft` with python-chess over random games of standard chess and Chess960.

For every position: the moves, and how many replies each has. Needs the PyPI package `chess`
(scripts/setup_python.sh installs it). Exit status 1 at the first difference.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys

try:
    import chess
except ImportError:
    sys.exit("perft_differential: python-chess is missing; run scripts/setup_python.sh and use .venv/bin/python")

ROOT = pathlib.Path(__file__).resolve().parent.parent


def counts_of_plexus(path, fen):
    command = [path, "perft", "2", fen, "--json", "--chess960"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"perft_differential: {' '.join(command)} failed: {done.stderr.strip()}")
    return json.loads(done.stdout)["moves"]


def counts_of_python(board):
    counts = {}
    for move in list(board.legal_moves):
        name = board.uci(move, chess960=True)
        board.push(move)
        counts[name] = board.legal_moves.count()
        board.pop()
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plexus", nargs="?", default=str(ROOT / "build" / "plexus"))
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--plies", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    positions = 0
    for game in range(args.games):
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if game % 2 else chess.Board()
        board.chess960 = True
        for _ in range(args.plies):
            fen = board.fen(en_passant="fen")
            ours, theirs = counts_of_plexus(args.plexus, fen), counts_of_python(board)
            if ours != theirs:
                differing = {m: (ours.get(m), theirs.get(m)) for m in {*ours, *theirs} if ours.get(m) != theirs.get(m)}
                sys.exit(f"perft_differential: {fen}: plexus and python-chess differ: {differing}")
            positions += 1
            if not theirs:
                break
            moves = list(board.legal_moves)
            # Castling is rare in random games: take every other chance.
            castling = [move for move in moves if board.is_castling(move)]
            board.push(rng.choice(castling if castling and rng.random() < 0.5 else moves))
    print(f"{positions} positions of {args.games} games agree")


if __name__ == "__main__":
    main()
