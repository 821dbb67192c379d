"""scripts/lock_model.py: python3 lock_model_test.py ROOT"""
import sys
import unittest
from dataclasses import replace

sys.path.insert(0, sys.argv.pop(1) + "/scripts")
from lock_model import (ACQUISITIONS, KATAGO_CELLS, SEED_CELLS, LockModel, LockSimulation, SlotModel, katago_table,  # noqa: E402
                        seed_table, slots)


def speed(model, cards, rate, acquisitions, seconds=2):
    return LockSimulation(model, cards, rate, acquisitions).run(seconds)[0]


class TheLockModel(unittest.TestCase):
    def test_without_a_lock_cards_simply_add_up(self):
        free = LockModel(hold=1e-6, hand_over=0, unlocked=0, shortfall=0)
        for cards in (1, 3):
            self.assertLess(abs(speed(free, cards, 25000, 1) / (cards * 25000) - 1), 0.06)

    def test_fast_cards_are_limited_by_hold_and_hand_over(self):
        # Always contended: a node costs the hold and a hand-over for each acquisition, backups hand over once a batch.
        model = LockModel(hold=4, hand_over=6, gather_share=0.5, unlocked=0, shortfall=0)
        for acquisitions in (1, 3):
            expected = 1e6 / (4 + acquisitions * 6)
            self.assertLess(abs(speed(model, 8, 1e9, acquisitions) / expected - 1), 0.08)

    def test_one_worker_never_waits_and_never_hands_over(self):
        model = LockModel(hold=4, hand_over=1000, unlocked=6, workers=1, shortfall=0)
        nps, waited = LockSimulation(model, 1, 1e9, 3).run(2)
        self.assertEqual(waited, 0)
        self.assertLess(abs(nps / 1e5 - 1), 0.02)

    def test_the_same_seed_gives_the_same_run(self):
        self.assertEqual(speed(LockModel(), 3, 53001, 1, 1), speed(LockModel(), 3, 53001, 1, 1))

    def test_every_figure_of_the_thread_is_met_but_the_one_that_jumps(self):
        # One half-precision card with the old lock switches between two regimes, so that a short run says nothing.
        for row in seed_table(LockModel(), seconds=20, seeds=1):
            if (row["build"], row["cards"], row["rate"]) == ("org", 1, 53001):
                continue
            self.assertLess(abs(row["error"]), 0.05, row)

    def test_fewer_acquisitions_are_what_helps(self):
        # The gain of lc0_mutex is that of the hand-overs: the hold is the same in both builds.
        cheap = replace(LockModel(), hand_over=0)
        self.assertLess(abs(speed(cheap, 3, 53001, ACQUISITIONS["org"]) / speed(cheap, 3, 53001, ACQUISITIONS["mutex"]) - 1),
                        0.03)
        self.assertGreater(speed(LockModel(), 3, 53001, 1), 2 * speed(LockModel(), 3, 53001, 3))

    def test_all_eight_figures_are_there(self):
        self.assertEqual(len(SEED_CELLS), 8)


class TheSlotModel(unittest.TestCase):
    def test_one_slot_takes_the_sum_of_its_times(self):
        nps, batch = slots(SlotModel(latency=3, position=1, think=4, slots=1), 1, 2000)
        self.assertEqual(batch, 1)
        self.assertLess(abs(nps / 125 - 1), 0.03)

    def test_speeds_of_the_issue_are_met(self):
        for row in katago_table(SlotModel(), 400):
            self.assertLess(abs(row["error"]), 0.06, row)
            self.assertLess(abs(row["model_batch"] / row["published_batch"] - 1), 0.1, row)
        self.assertEqual(len(KATAGO_CELLS), 4)

    def test_more_slots_keep_more_cards_busy(self):
        few, many = (slots(SlotModel(slots=n), 8, 200)[0] for n in (128, 1024))
        self.assertGreater(many, 1.5 * few)


if __name__ == "__main__":
    unittest.main()
