"""How well a policy plays: mean cards, win rate and time a decision, over fresh deals.

    .venv/bin/python bench/strength.py --policy learned --games 10000 --seed 999
    .venv/bin/python bench/strength.py --policy expectimax:depth=2 --spells piggyback,free-wizard,advance-tower

A lost game counts as 90 cards. The same seed gives the same deals to every policy, on any number of processes.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from tqdm import tqdm

from solver.notation import parse_position, parse_spells
from solver.rules import WIN_CARDS
from solver.search.policy import parse_policy
from solver.search.simulate import LOST
from solver.search.situation import LOSS_CARDS

CHUNK = 20  # games


def play(policy: str, spells: str, seed: int, first: int, games: int) -> tuple[list[int], float]:
    position = parse_position("start-spells" if spells else "start")
    player = parse_policy(policy)
    player.play(position, seed, first, 1, parse_spells(spells))  # so that loading kernels is not measured
    begin = time.perf_counter()
    cards = player.play(position, seed, first, games, parse_spells(spells))
    return cards.tolist(), time.perf_counter() - begin


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--policy", default="learned")
    options.add_argument("--spells", default="")
    options.add_argument("--games", type=int, default=2000)
    options.add_argument("--seed", type=int, default=999)
    options.add_argument("--first", type=int, default=0, help="number of the first game")
    options.add_argument("--jobs", type=int, default=1)
    given = options.parse_args()
    chunk = max(CHUNK, given.games // 100)
    end = given.first + given.games
    with ProcessPoolExecutor(given.jobs) as pool:
        jobs = [
            pool.submit(play, given.policy, given.spells, given.seed, first, min(chunk, end - first))
            for first in range(given.first, end, chunk)
        ]
        parts = [job.result() for job in tqdm(jobs, disable=None)]
    cards = np.array([each for part, _ in parts for each in part])
    counted = np.where(cards == LOST, LOSS_CARDS, cards)
    seconds = sum(each for _, each in parts)
    error = counted.std(ddof=1) / len(counted) ** 0.5
    print(
        f"{given.policy} {given.spells or 'solo'}: {counted.mean():.2f} ± {error:.2f} cards, "
        f"{100 * np.mean(counted <= WIN_CARDS):.1f} % within {WIN_CARDS}, {100 * np.mean(cards == LOST):.2f} % lost, "
        f"{1000 * seconds / counted.sum():.3f} ms a decision, n = {len(counted)}, seed {given.seed}"
    )


if __name__ == "__main__":
    main()
