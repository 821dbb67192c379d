#!/usr/bin/env python3
"""Two queueing models of searches on several cards, as event simulations, and how close they come to published figures.

1. lc0 thread 147 (3 x Titan V): workers gather minibatches under a tree lock that is taken three times a pick (lc0_org)
   or once (lc0_mutex), and back up under one acquisition. One uncontended hold time a node and one cost of handing the
   lock to a thread that waits are to explain all eight figures.
2. KataGo issue 505 (8 x RTX 2080 Ti): 128 threads with a position each share the cards; a batch is what waits when a card
   is free, and costs a latency and a time for each position.

  scripts/lock_model.py              both tables
  scripts/lock_model.py --cards=8    also what model 1 says of that many cards
  scripts/lock_model.py --json       the same as JSON
"""
import argparse
import heapq
import json
import random
from collections import deque
from dataclasses import dataclass


class Events:
    """Moments in order; equal ones in the order in which they were added."""

    def __init__(self):
        self.heap, self.count = [], 0

    def add(self, when, what, who):
        self.count += 1
        heapq.heappush(self.heap, (when, self.count, what, who))

    def next(self):
        when, _, what, who = heapq.heappop(self.heap)
        return when, what, who


@dataclass
class LockModel:
    """Times in microseconds. Fitted to the eight figures of the thread, see docs/reports/lock-study.md."""
    hold: float = 2.63             # of the lock for a node, gather and backup together, when nobody waits
    hand_over: float = 7.9         # until a thread that waited for the lock goes on
    gather_share: float = 0.73     # of `hold`
    unlocked: float = 8.0          # for a node between gather and card: moves, planes
    minibatch: int = 1024          # of the command lines; also the most that a card takes at once
    shortfall: float = 0.52        # gathers end early: sizes are uniform between (1 - shortfall) and 1 times that
    workers: int = 6               # of the command lines


class LockSimulation:
    """A closed network: each worker gathers, prepares, waits for a card, backs up, for ever. The lock is first come, first
    served. A free card takes whole minibatches that wait, as many as fit."""

    def __init__(self, model, cards, rate, acquisitions, seed=1):
        # acquisitions: of a pick
        self.model, self.rate, self.acquisitions = model, rate, acquisitions
        self.random = random.Random(seed)
        self.events, self.now = Events(), 0.0
        self.lock_held, self.lock_queue = False, deque()
        self.free_cards, self.card_queue = cards, deque()
        workers = range(model.workers)
        self.size = [self.draw_size() for _ in workers]
        self.left = [size * acquisitions for size in self.size]  # acquisitions that this gather still needs
        self.backing_up = [False for _ in workers]
        self.asked = self.waited = 0
        for worker in workers:
            self.events.add(float(worker), self.ask, worker)

    def draw_size(self):
        return max(1, int(self.model.minibatch * (1 - self.model.shortfall * self.random.random())))

    def hold_of(self, worker):
        if self.backing_up[worker]:
            return self.model.hold * (1 - self.model.gather_share) * self.size[worker]
        return self.model.hold * self.model.gather_share / self.acquisitions

    def ask(self, worker):
        self.asked += 1
        if self.lock_held:
            self.waited += 1
            self.lock_queue.append(worker)
        else:
            self.lock_held = True
            self.events.add(self.now + self.hold_of(worker), self.release, worker)

    def release(self, worker):
        if self.lock_queue:
            following = self.lock_queue.popleft()
            self.events.add(self.now + self.model.hand_over + self.hold_of(following), self.release, following)
        else:
            self.lock_held = False
        if self.backing_up[worker]:
            self.positions += self.size[worker]
            self.backing_up[worker] = False
            self.size[worker] = self.draw_size()
            self.left[worker] = self.size[worker] * self.acquisitions
            self.ask(worker)
            return
        self.left[worker] -= 1
        if self.left[worker]:
            self.ask(worker)
        else:
            self.events.add(self.now + self.model.unlocked * self.size[worker], self.queue_for_card, worker)

    def queue_for_card(self, worker):
        self.card_queue.append(worker)
        self.start_cards()

    def start_cards(self):
        while self.free_cards and self.card_queue:
            group = [self.card_queue.popleft()]
            positions = self.size[group[0]]
            while self.card_queue and positions + self.size[self.card_queue[0]] <= self.model.minibatch:
                positions += self.size[self.card_queue[0]]
                group.append(self.card_queue.popleft())
            self.free_cards -= 1
            self.events.add(self.now + positions * 1e6 / self.rate, self.card_done, group)

    def card_done(self, group):
        self.free_cards += 1
        for worker in group:
            self.backing_up[worker] = True
            self.ask(worker)
        self.start_cards()

    def run(self, seconds):
        """Nodes a second from the start, and the share of acquisitions that waited."""
        self.positions = 0
        while True:
            when, what, who = self.events.next()
            if when > seconds * 1e6:
                return self.positions / seconds, self.waited / max(1, self.asked)
            self.now = when
            what(who)


# Build, cards, rate of a card, nodes/s of the thread. The rate of a card is the best figure for one.
SEED_CELLS = [("org", 1, 25488, 25488), ("org", 1, 53001, 48140), ("org", 3, 25488, 46024), ("org", 3, 53001, 39236),
              ("mutex", 1, 25488, 25460), ("mutex", 1, 53001, 53001), ("mutex", 3, 25488, 75047), ("mutex", 3, 53001, 103178)]
ACQUISITIONS = {"org": 3, "mutex": 1}


def seed_table(model, seconds, seeds):
    rows = []
    for build, cards, rate, published in SEED_CELLS:
        runs = [LockSimulation(model, cards, rate, ACQUISITIONS[build], seed).run(seconds) for seed in range(1, seeds + 1)]
        nps = sum(run[0] for run in runs) / len(runs)
        spread = (max(run[0] for run in runs) - min(run[0] for run in runs)) / published
        rows.append({"build": build, "cards": cards, "rate": rate, "published": published, "model": nps,
                     "error": nps / published - 1, "spread": spread, "waited_share": sum(run[1] for run in runs) / len(runs)})
    return rows


@dataclass
class SlotModel:
    """Milliseconds, fitted to KataGo issue 505."""
    latency: float = 4.35      # of a batch
    position: float = 0.468    # of each of its positions
    think: float = 9.35        # of a thread between two positions, in the mean
    slots: int = 128           # threads, each with one position in flight


def slots(model, cards, batches, seed=1):
    """(visits a second, mean batch)."""
    rng, events = random.Random(seed), Events()
    queue, free, now = deque(), cards, 0.0
    done = positions = 0
    began, done_before, positions_before = None, 0, 0
    for slot in range(model.slots):
        events.add(rng.uniform(0, 2 * model.think), "ready", slot)
    while done < batches * cards:
        now, what, who = events.next()
        if what == "ready":
            queue.append(who)
        else:
            free += 1
            done += 1
            positions += len(who)
            for slot in who:
                events.add(now + rng.uniform(0, 2 * model.think), "ready", slot)
        while free and queue:
            free -= 1
            events.add(now + model.latency + model.position * len(queue), "done", list(queue))
            queue.clear()
        if began is None and done >= batches * cards // 4:
            began, done_before, positions_before = now, done, positions
    positions -= positions_before
    return positions / (now - began) * 1e3, positions / (done - done_before)


KATAGO_CELLS = [(1, 1792, 58.8), (2, 3387, 31.3), (4, 5187, 13.5), (8, 6183, 5.98)]


def katago_table(model, batches):
    rows = []
    for cards, speed, batch in KATAGO_CELLS:
        modelled, mean = slots(model, cards, batches)
        rows.append({"cards": cards, "published": speed, "model": modelled, "error": modelled / speed - 1,
                     "published_batch": batch, "model_batch": mean})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20, help="simulated time of a run of model 1, as in the thread")
    parser.add_argument("--seeds", type=int, default=3, help="runs of which the mean is shown")
    parser.add_argument("--cards", type=int, default=0, help="also model 1 with so many cards")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    seed, katago = seed_table(LockModel(), options.seconds, options.seeds), katago_table(SlotModel(), 400)
    if options.json:
        print(json.dumps({"seed": seed, "katago": katago}, indent=1))
        return
    print("lc0 thread 147  cards    rate  published   model   error  spread  waited for the lock")
    for row in seed:
        print(f"lc0_{row['build']:10} {row['cards']:6} {row['rate']:7} {row['published']:10} {row['model']:7.0f} "
              f"{100 * row['error']:+6.1f}% {100 * row['spread']:6.1f}% {100 * row['waited_share']:19.0f}%")
    if options.cards:
        for build, acquisitions in ACQUISITIONS.items():
            for rate in (25488, 53001):
                nps, waited = LockSimulation(LockModel(), options.cards, rate, acquisitions).run(options.seconds)
                print(f"lc0_{build:10} {options.cards:6} {rate:7} {'-':>10} {nps:7.0f}       -       - {100 * waited:19.0f}%")
    print("\nKataGo 505      cards          published   model   error  batch published  model")
    for row in katago:
        print(f"               {row['cards']:6}         {row['published']:10} {row['model']:7.0f} "
              f"{100 * row['error']:+6.1f}% {row['published_batch']:16} {row['model_batch']:6.1f}")


if __name__ == "__main__":
    main()
