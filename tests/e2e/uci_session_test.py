"""Sessions with the built engine: python3 uci_session_test.py PATH_OF_PLEXUS"""
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from engine_process import EngineProcess

BINARY = Path(sys.argv.pop(1)).resolve()
SHARED = Path(os.environ.get("PLEXUS_SHARED") or os.environ.get("PLEXUS_SHARED_DEFAULT") or "../shared")
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1"
FORCED_LOSS = "6k1/8/8/8/8/7r/r7/5K2 w - - 0 1"   # f1e1 loses in 1, f1g1 in 2


def legal_moves(*words):
    """By the engine's perft, which is proven against published counts."""
    fen = list(words) or ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]
    out = subprocess.run([BINARY, "perft", "1", *fen], capture_output=True, text=True, check=True).stdout
    return {line.split(":")[0] for line in out.splitlines() if ":" in line}


class UciSession(unittest.TestCase):
    def start(self, *arguments, **named):
        engine = EngineProcess(BINARY, "--backend=fake", *arguments, **named)
        self.addCleanup(engine.close)
        return engine

    def test_a_greeting_lists_every_option_with_a_default_in_range(self):
        engine = self.start()
        engine.send("uci")
        lines = engine.read_until("uciok")
        spins = [line.split() for line in lines if line.startswith("option") and " type spin " in line]
        self.assertGreater(len(spins), 5)
        for words in spins:
            default, low, high = (int(words[words.index(key) + 1]) for key in ("default", "min", "max"))
            self.assertTrue(low <= default <= high, " ".join(words))

    def test_a_burst_of_go_stop_position_gives_one_answer_a_go(self):
        engine = self.start()
        engine.ready()
        engine.send("position startpos", "go infinite", "stop", "position startpos moves e2e4", "go infinite", "stop", "isready")
        answers = [line for line in engine.read_until("readyok") if line.startswith("bestmove")]
        if len(answers) < 2:
            answers += engine.read_until("bestmove", count=2 - len(answers))
        moves = [line.split()[1] for line in answers if line.startswith("bestmove")]
        self.assertEqual(len(moves), 2)
        self.assertIn(moves[0], legal_moves())
        self.assertIn(moves[1], legal_moves("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"))

    def test_two_hundred_stops_before_the_first_node_all_answer(self):
        engine = self.start()
        engine.ready()
        legal = legal_moves()
        for _ in range(200):
            started = time.monotonic()
            move, _ = engine.best_move("go infinite", "stop")
            self.assertIn(move, legal)
            self.assertLess(time.monotonic() - started, 2.0)

    def test_stop_while_pondering_followed_at_once_by_a_new_go_never_hangs(self):
        engine = self.start()
        engine.ready()
        for _ in range(50):
            engine.send("position startpos moves e2e4 e7e5", "go ponder wtime 60000 btime 60000", "stop",
                        "position startpos moves d2d4 d7d5", "go movetime 20")
            engine.read_until("bestmove", count=2)
        engine.ready()

    def test_ponderhit_makes_the_clock_count_and_answers(self):
        engine = self.start()
        engine.ready()
        engine.send("position startpos moves e2e4 e7e5", "go ponder wtime 500 btime 500", "ponderhit")
        engine.read_until("bestmove", timeout=2.0)

    def test_quit_during_a_search_ends_with_status_zero(self):
        engine = self.start()
        engine.ready()
        engine.send("go infinite")
        self.assertEqual(engine.quit(), 0)

    def test_the_end_of_input_ends_the_engine(self):
        done = subprocess.run([BINARY, "--backend=fake"], input="position startpos\ngo nodes 50\n", text=True,
                              capture_output=True, timeout=20, check=False)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout.count("bestmove"), 1)

    def test_go_nodes_zero_and_depth_zero_answer_at_once(self):
        engine = self.start()
        for go in ("go nodes 0", "go depth 0", "go movetime 0", "go wtime 0 btime 0", "go wtime -5 btime -5", "go nodes 1"):
            self.assertIn(engine.best_move(go, timeout=5)[0], legal_moves(), go)

    def test_a_mate_in_one_is_played_and_reported(self):
        move, lines = self.start().best_move(f"position fen {MATE_IN_ONE}", "go movetime 5000")
        self.assertEqual(move, "e1e8")
        self.assertTrue(any("score mate 1" in line for line in lines), lines)

    def test_the_longer_of_two_forced_losses_is_chosen(self):
        # The first proof found counts, and it may be that of a slower mate.
        move, lines = self.start("--threads=1").best_move(f"position fen {FORCED_LOSS}", "go nodes 10000")
        self.assertEqual(move, "f1g1")
        self.assertTrue(any("score mate -2" in line or "score mate -3" in line for line in lines), lines)

    def test_an_info_line_with_a_pv_goes_before_the_answer_to_a_forced_move(self):
        moves = "h2h4 e7e5 h4h5 d7d5 h5h6 g8h6 g2g4 h6g4 f2f4 f8e7 f4e5 e7h4"
        move, lines = self.start().best_move(f"position startpos moves {moves}", "go nodes 1000")
        self.assertEqual(move, "h1h4")
        self.assertTrue(any(" pv h1h4" in line and " score " in line and "depth" in line for line in lines), lines)

    def test_bad_input_is_named_and_the_engine_lives(self):
        engine = self.start()
        for bad in ("position fen 4k3/8/8/8/8/8/8/8 w - - 0 1",
                    "position fen rnbqkbnr/pppppppp/8/8/8/N2NNNNN/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                    "position startpos moves a8a7", "position startpos moves e2e4 e2e4", "position", "position fen",
                    "setoption name NoSuchOption value 3", "setoption name Threads value 999999999",
                    "setoption name Threads value abc", "setoption name MultiPV value 0",
                    "setoption name Hash value 99999999999999999999", "no_such_command"):
            engine.send(bad, "isready")
            lines = engine.read_until("readyok")
            self.assertTrue(any(line.startswith("info string") for line in lines), f"{bad}: {lines}")
            self.assertIn(engine.best_move("position startpos", "go nodes 20")[0], legal_moves())

    def test_random_bytes_do_not_end_the_engine(self):
        engine = self.start()
        words = ["go", "position", "fen", "startpos", "moves", "setoption", "name", "value", "stop", "ponderhit", "isready",
                 "e2e4", "-1", "99999999999999999999", "infinite", "nodes", "depth", "ucinewgame", "\u00e9\u4e2d", "/", "w", "debug", "on"]
        generator = random.Random(7)
        for _ in range(300):
            engine.send(" ".join(generator.choices(words, k=generator.randrange(1, 8))), "stop")
        engine.send("stop", "position startpos", "isready")
        engine.read_until("readyok")
        self.assertEqual(engine.quit(timeout=5), 0)

    def test_a_missing_network_is_named_and_go_still_answers(self):
        engine = self.start()
        engine.send("setoption name Backend value cpu", "setoption name WeightsFile value /no/such/net.pb.gz", "isready")
        self.assertTrue(any("/no/such/net.pb.gz" in line for line in engine.read_until("readyok", timeout=60)))
        self.assertIn(engine.best_move("position startpos", "go nodes 20", timeout=60)[0], legal_moves())

    def test_the_config_file_beside_the_binary_is_found_from_another_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            binary = Path(folder) / "plexus"
            shutil.copy2(BINARY, binary)
            (Path(folder) / "plexus.config").write_text("# beside the binary\nmultipv=3\nbackend=fake\n")
            engine = EngineProcess(binary, cwd="/")
            self.addCleanup(engine.close)
            _, lines = engine.best_move("position startpos", "go nodes 200")
            self.assertTrue(any(" multipv 3 " in line for line in lines), lines)

    def test_a_network_is_found_behind_a_path_with_blanks(self):
        network = SHARED / "nets/tinygyal-8.pb"
        if not network.exists():
            self.assertFalse(os.environ.get("PLEXUS_CI"), f"{network} is missing; set PLEXUS_SHARED")
            self.skipTest(f"{network} is missing")
        with tempfile.TemporaryDirectory(prefix="with blanks \u00e9 ") as folder:
            path = Path(folder) / "my net.pb"
            shutil.copy2(network, path)
            engine = EngineProcess(BINARY, f"--weights={path}")
            self.addCleanup(engine.close)
            self.assertTrue(any("my net.pb" in line for line in engine.ready()))
            engine.send(f"setoption name WeightsFile value {path}")
            self.assertIn(engine.best_move("go nodes 20", timeout=60)[0], legal_moves())

    def test_castling_is_accepted_in_both_spellings_and_printed_as_the_variant_says(self):
        engine = self.start()
        fen = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
        for spelling in ("e1c1", "e1a1"):
            self.assertEqual(engine.best_move(fen, f"go nodes 50 searchmoves {spelling}")[0], "e1c1")
        engine.send("setoption name UCI_Chess960 value true")
        self.assertEqual(engine.best_move(fen, "go nodes 50 searchmoves e1a1")[0], "e1a1")

    def test_an_unknown_flag_ends_with_status_two(self):
        done = subprocess.run([BINARY, "--no-such-flag=1"], input="quit\n", text=True, capture_output=True, timeout=20,
                              check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("no-such-flag", done.stderr)

    def test_every_mode_has_help(self):
        for mode in ("perft", "evaluate", "describenet", "backendbench", "bench", "benchmark", "analyse"):
            done = subprocess.run([BINARY, mode, "--help"], text=True, capture_output=True, timeout=20, check=False)
            self.assertEqual(done.returncode, 0, f"{mode}: {done.stderr}")
            self.assertIn(mode, done.stdout)


if __name__ == "__main__":
    unittest.main()
