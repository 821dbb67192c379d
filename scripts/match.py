#!/usr/bin/env python3
"""Plays games between two UCI engines and says who is stronger.

Games come in pairs with the same opening and colours exchanged. Every move is checked against an independent rule book
(python-chess); clocks are kept here, so that an engine that oversteps its time loses on time.

  scripts/match.py --engine build/plexus --engine stockfish --games 20 --tc 10+0.1 --pgn games.pgn
  scripts/match.py --engine build/plexus --option1 Threads=1 --engine build/plexus --option2 Threads=2 --nodes 800

Needs the Python package `chess`: scripts/setup_python.sh, then .venv/bin/python scripts/match.py ...
"""
import argparse
import asyncio
import json
import math
import os
import random
import shlex
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

try:
    import chess
    import chess.engine
    import chess.pgn
except ImportError:
    sys.exit("python-chess is missing. Run scripts/setup_python.sh, then use .venv/bin/python.")

# A few quiet, balanced lines, used when no opening file is given.
DEFAULT_OPENINGS = [
    "", "e2e4 e7e5 g1f3 b8c6", "d2d4 d7d5 c2c4 e7e6", "e2e4 c7c5 g1f3 d7d6", "d2d4 g8f6 c2c4 g7g6",
    "c2c4 e7e5 b1c3 g8f6", "e2e4 e7e6 d2d4 d7d5", "g1f3 d7d5 g2g3 g8f6", "e2e4 c7c6 d2d4 d7d5", "d2d4 f7f5 g2g3 g8f6",
]


@dataclass
class Player:
    command: list
    options: dict
    name: str = ""


@dataclass
class Tally:
    wins: int = 0
    draws: int = 0
    losses: int = 0
    faults: list = field(default_factory=list)


class Fault(Exception):
    """An engine broke the rules of the match; `loser` is its colour."""

    def __init__(self, loser, reason):
        super().__init__(reason)
        self.loser, self.reason = loser, reason


def parse_time_control(text):
    base, _, increment = text.partition("+")
    return float(base), float(increment or 0)


def read_openings(path):
    """Start boards from EPD (a FEN a line) or PGN."""
    if path is None:
        boards = []
        for line in DEFAULT_OPENINGS:
            board = chess.Board()
            for move in line.split():
                board.push_uci(move)
            boards.append(board)
        return boards
    boards = []
    if path.suffix == ".pgn":
        with open(path, encoding="utf-8", errors="replace") as stream:
            while (game := chess.pgn.read_game(stream)) is not None:
                boards.append(game.end().board())
    else:
        for line in path.read_text().splitlines():
            if line.strip() and not line.startswith("#"):
                board, _ = chess.Board.from_epd(line) if ";" in line or len(line.split()) < 6 else (chess.Board(line), None)
                boards.append(board)
    if not boards:
        sys.exit(f"{path} holds no openings")
    return boards


class Clocks:
    def __init__(self, arguments):
        self.fixed = arguments.tc is None
        self.margin = arguments.margin_ms / 1000
        if not self.fixed:
            base, self.increment = parse_time_control(arguments.tc)
            self.left = {chess.WHITE: base, chess.BLACK: base}
        self.movetime = arguments.movetime / 1000 if arguments.movetime else None
        self.nodes = arguments.nodes

    def limit(self):
        if not self.fixed:
            return chess.engine.Limit(white_clock=self.left[chess.WHITE], black_clock=self.left[chess.BLACK],
                                      white_inc=self.increment, black_inc=self.increment)
        return chess.engine.Limit(time=self.movetime, nodes=self.nodes)

    def spend(self, color, seconds):
        if self.fixed:
            if self.movetime and seconds > self.movetime + max(self.margin, 1.0):
                raise Fault(color, f"took {seconds:.3f} s of {self.movetime:.3f} s")
            return
        self.left[color] -= seconds
        if self.left[color] < -self.margin:
            raise Fault(color, f"lost on time by {-self.left[color] * 1000:.0f} ms")
        self.left[color] = max(self.left[color], 0.001) + self.increment


def play_game(start, engines, arguments, round_number):
    """Plays one game; engines = {colour: (Player, SimpleEngine)}. Returns (result, reason, pgn game, fault or None)."""
    board = start.copy()
    clocks = Clocks(arguments)
    game_id = object()
    fault = None
    comments = []
    try:
        while not board.is_game_over(claim_draw=True) and board.ply() < arguments.max_plies:
            color = board.turn
            player, engine = engines[color]
            started = time.perf_counter()
            try:
                answer = engine.play(board, clocks.limit(), game=game_id, info=chess.engine.INFO_SCORE)
            except chess.engine.EngineError as error:
                raise Fault(color, f"broke the protocol: {error}") from error
            except (asyncio.TimeoutError, chess.engine.EngineTerminatedError) as error:
                raise Fault(color, f"died or hung: {error!r}") from error
            elapsed = time.perf_counter() - started
            clocks.spend(color, elapsed)
            if answer.move is None or answer.move not in board.legal_moves:
                raise Fault(color, f"played an illegal move: {answer.move}")
            score = answer.info.get("score")
            comments.append(f"{score.relative if score else '-'} {elapsed:.2f}s")
            board.push(answer.move)
        outcome = board.outcome(claim_draw=True)
        result = outcome.result() if outcome else "1/2-1/2"
        reason = outcome.termination.name.lower() if outcome else "length limit"
    except Fault as error:
        fault = f"game {round_number}: {engines[error.loser][0].name} ({'white' if error.loser else 'black'}) {error.reason}"
        result = "0-1" if error.loser == chess.WHITE else "1-0"
        reason = error.reason
    game = chess.pgn.Game.from_board(board)
    game.headers.update({"Event": "plexus match", "Round": str(round_number), "Result": result, "Termination": reason,
                         "White": engines[chess.WHITE][0].name, "Black": engines[chess.BLACK][0].name,
                         "TimeControl": arguments.tc or "-", "Date": time.strftime("%Y.%m.%d")})
    for node, comment in zip(list(game.mainline())[len(start.move_stack):], comments):
        node.comment = comment
    return result, reason, game, fault


def elo_of(score):
    score = min(max(score, 1e-6), 1 - 1e-6)
    return -400 * math.log10(1 / score - 1)


def statistics(tally):
    """Score, Elo and its 95 % error from the spread of single games, and likelihood of superiority."""
    games = tally.wins + tally.draws + tally.losses
    if not games:
        return {"games": 0}
    score = (tally.wins + tally.draws / 2) / games
    variance = (tally.wins * (1 - score) ** 2 + tally.draws * (0.5 - score) ** 2 + tally.losses * score ** 2) / games
    error = 1.96 * math.sqrt(variance / games)
    decided = tally.wins + tally.losses
    los = 0.5 * (1 + math.erf((tally.wins - tally.losses) / math.sqrt(2 * decided))) if decided else 0.5
    return {"games": games, "wins": tally.wins, "draws": tally.draws, "losses": tally.losses, "score": round(score, 4),
            "elo": round(elo_of(score), 1), "elo_low": round(elo_of(score - error), 1),
            "elo_high": round(elo_of(score + error), 1), "los": round(los, 4)}


def start_engine(player, arguments):
    engine = chess.engine.SimpleEngine.popen_uci(player.command, timeout=arguments.timeout)
    player.name = player.name or engine.id.get("name", player.command[0])
    known = {name: value for name, value in player.options.items()
             if name not in ("Ponder", "MultiPV", "UCI_Chess960")}
    engine.configure(known)
    return engine


class Match:
    def __init__(self, arguments, players, openings):
        self.arguments, self.players, self.openings = arguments, players, openings
        self.tally, self.lock = Tally(), Lock()
        self.pgn = open(arguments.pgn, "w", encoding="utf-8") if arguments.pgn else None

    def run_pair(self, number):
        engines = [start_engine(player, self.arguments) for player in self.players]
        try:
            opening = self.openings[number % len(self.openings)]
            for leg in range(2):
                round_number = 2 * number + leg + 1
                if round_number > self.arguments.games:
                    return
                white = leg
                sides = {chess.WHITE: (self.players[white], engines[white]),
                         chess.BLACK: (self.players[1 - white], engines[1 - white])}
                self.record(round_number, white, *play_game(opening, sides, self.arguments, round_number))
        finally:
            for engine in engines:
                try:
                    engine.quit()
                except (chess.engine.EngineError, asyncio.TimeoutError):
                    engine.close()

    def record(self, round_number, white, result, reason, game, fault):
        with self.lock:
            if result == "1/2-1/2":
                self.tally.draws += 1
            elif (result == "1-0") == (white == 0):
                self.tally.wins += 1
            else:
                self.tally.losses += 1
            if fault:
                self.tally.faults.append(fault)
            if self.pgn:
                print(game, file=self.pgn, end="\n\n", flush=True)
            figures = statistics(self.tally)
            print(f"game {round_number}: {result} ({reason}) | {self.players[0].name}: +{figures['wins']} "
                  f"={figures['draws']} -{figures['losses']}  Elo {figures['elo']:+.1f} "
                  f"[{figures['elo_low']:+.1f}, {figures['elo_high']:+.1f}]", flush=True)


def command_of(text):
    """The words of a command line; the program is also looked for where Debian keeps games."""
    words = shlex.split(text)
    path = os.environ.get("PATH", "") + os.pathsep + "/usr/games"
    found = shutil.which(words[0], path=path)
    if found is None:
        sys.exit(f"engine '{words[0]}' was not found. Give its path, or install it (apt-get install stockfish).")
    return [found] + words[1:]


def read_options(pairs):
    options = {}
    for pair in pairs:
        name, separator, value = pair.partition("=")
        if not separator:
            sys.exit(f"option '{pair}' is not NAME=VALUE")
        options[name] = value
    return options


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", action="append", required=True, help="command line of an engine; give it twice")
    parser.add_argument("--name", action="append", default=[], help="name of the first, then of the second engine")
    parser.add_argument("--option1", action="append", default=[], metavar="NAME=VALUE", help="UCI option of engine 1")
    parser.add_argument("--option2", action="append", default=[], metavar="NAME=VALUE", help="UCI option of engine 2")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--tc", help="seconds+increment, for example 10+0.1")
    parser.add_argument("--movetime", type=int, help="milliseconds a move")
    parser.add_argument("--nodes", type=int, help="nodes a move")
    parser.add_argument("--openings", type=Path, help="EPD or PGN file (default: ten built-in lines)")
    parser.add_argument("--seed", type=int, default=1, help="order of the openings; 0 keeps the file's order")
    parser.add_argument("--concurrency", type=int, default=1, help="pairs of games at once")
    parser.add_argument("--max-plies", type=int, default=600, help="then the game is a draw")
    parser.add_argument("--margin-ms", type=int, default=0, help="overstepping the clock by this much is forgiven")
    parser.add_argument("--timeout", type=float, default=60, help="seconds until an engine that is silent is given up")
    parser.add_argument("--pgn", type=Path)
    parser.add_argument("--json", type=Path, help="write the result as one JSON object")
    parser.add_argument("--require-clean", action="store_true", help="exit 1 if any game ended by a fault of an engine")
    arguments = parser.parse_args()
    if len(arguments.engine) != 2:
        parser.error("give --engine exactly twice")
    if sum(x is not None for x in (arguments.tc, arguments.movetime, arguments.nodes)) != 1:
        parser.error("give exactly one of --tc, --movetime, --nodes")
    options = [read_options(arguments.option1), read_options(arguments.option2)]
    names = arguments.name + [""] * 2
    players = [Player(command_of(command), options[i], names[i]) for i, command in enumerate(arguments.engine)]
    openings = read_openings(arguments.openings)
    if arguments.seed:
        random.Random(arguments.seed).shuffle(openings)
    match = Match(arguments, players, openings)
    with ThreadPoolExecutor(arguments.concurrency) as pool:
        list(pool.map(match.run_pair, range((arguments.games + 1) // 2)))
    figures = statistics(match.tally) | {"engines": [p.name for p in players], "faults": match.tally.faults}
    for fault in match.tally.faults:
        print("FAULT", fault)
    print(json.dumps(figures))
    if arguments.json:
        arguments.json.write_text(json.dumps(figures) + "\n")
    return 1 if arguments.require_clean and match.tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
