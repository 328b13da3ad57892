"""The player `random`: every choice is made by chance, so it shows what the game does by itself."""

from __future__ import annotations

from math import nan

import numpy as np

from solver import deal
from solver.engine.table import affordable
from solver.engine.turn import MAX_TURNS
from solver.jit import IntArray, kernel
from solver.notation import Record
from solver.policy.player import Games, moves_of, record_of
from solver.rules import DIE_SIDES, EXTRA_ROLL
from solver.search.expectimax import turns_of
from solver.search.outlook import CODE, REFRESHING, ROLLS, ROW, Aim, State, after_turn
from solver.search.outset import aim_of, before_deal
from solver.search.simulate import (
    GOES_ON,
    cards_of,
    draw,
    new_log,
    result_of,
    write_log,
)
from solver.search.situation import Objective, Situation

# Counters of chance for the player's own choices, apart from those of deck and die.
CHOICES = 1 << 28
CHOICES_A_TURN = 16
WHICH_CARD, WHICH_TURN, CAST = range(3)
ROLL_AGAIN = 3  # and on, one a roll


@kernel
def choose(key: np.uint64, turn: int, what: int, options: int) -> int:
    """One of so many options."""
    return deal.below(key, CHOICES + turn * CHOICES_A_TURN + what, options)


@kernel
def random_play(face: int, key: np.uint64, turn: int, seed: int, game: int) -> tuple[int, int]:
    """Roll a die card, again after the toss of a coin: how it fell, and how often it was rolled."""
    rolls = 0
    play = 0
    while rolls < ROLLS[face]:
        play = deal.roll(seed, game, turn, rolls) - 1
        rolls += 1
        if choose(key, turn, ROLL_AGAIN + rolls, 2) == 0:
            break
    return play, rolls


@kernel
def play_random_game(
    after: State, order: IntArray, seed: int, game: int, aim: Aim, rows: IntArray, log: IntArray
) -> int:
    """Play a game by chance: the cards, or LOST."""
    key = deal.game_key(seed, game)
    turn = 0
    while True:
        state = draw(after, order)
        turn += 1
        hand = cards_of(state.hand)
        count = 0
        face = REFRESHING
        rolls = 0
        if aim.refreshing.refresh:  # as likely as each of the cards, if a tower can move
            count = turns_of(state.a, state.b, REFRESHING, 0, aim, rows, 0)
        card = choose(key, turn, WHICH_CARD, len(hand) + (count > 0))
        if card < len(hand):
            face = hand[card]
            play, rolls = random_play(face, key, turn, seed, game)
            count = turns_of(state.a, state.b, face, play, aim, rows, 0)
            castable = ROLLS[face] > 0 and affordable(state.a, EXTRA_ROLL, aim.plain)
            if castable and choose(key, turn, CAST, count + 1) == count:  # the spell is one more option
                play = DIE_SIDES + deal.roll(seed, game, turn, ROLLS[face]) - 1
                count = turns_of(state.a, state.b, face, play, aim, rows, 0)
        row = rows[choose(key, turn, WHICH_TURN, count)]
        after = after_turn(state, row)
        write_log(log, turn, face, rolls, row[CODE])
        result = result_of(after, aim)
        if result != GOES_ON:
            return result


@kernel
def play_random_games(
    start: State, seed: int, first: int, aim: Aim, rows: IntArray, log: IntArray, out: IntArray
) -> None:
    """Play games by chance, one for each place of `out`, which gets the cards."""
    for number in range(len(out)):
        order = cards_of(start.deck)
        deal.shuffle(order, seed, first + number)
        out[number] = play_random_game(start, order, seed, first + number, aim, rows, log)


class RandomPlayer:
    """Plays whatever chance says."""

    expected = nan

    def __init__(self, start: Situation, seed: int) -> None:
        self.start = start
        self.seed = seed
        self._aim = aim_of(start, Objective())
        self._state = before_deal(start)
        self._rows = np.empty((MAX_TURNS, ROW), dtype=np.int64)
        self._log = new_log()

    def play(self, first: int, games: int) -> Games:
        """Play so many games, from number `first` on."""
        cards = np.empty(games, dtype=np.int64)
        play_random_games(self._state, self.seed, first, self._aim, self._rows, self._log, cards)
        return Games(cards, np.zeros(games))

    def record(self, game: int) -> Record:
        """Play one game and write down how it went."""
        self.play(game, 1)
        return record_of(self.start, self.seed, game, moves_of(self._log, self.seed, game))
