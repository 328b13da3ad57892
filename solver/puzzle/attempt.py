"""An attempt at a puzzle: what was played so far, what can be played now, and the puzzle that is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from solver.errors import Refused
from solver.move import Card, Move
from solver.notation import parse_move
from solver.policy.options import Option
from solver.position import Position
from solver.puzzle.file import Claims, Puzzle
from solver.puzzle.verify import problem_of
from solver.search.cards import Hand
from solver.search.problem import Problem


@dataclass(frozen=True)
class Attempt:
    """Where an attempt stands."""

    puzzle: Puzzle
    moves: tuple[Move, ...]
    position: Position
    hand: tuple[Card, ...]
    draw: tuple[Card, ...]
    discards: int
    solved: bool
    options: tuple[Option, ...]  # every turn that can be played now; none when it is over

    @property
    def rest(self) -> Puzzle:
        """The puzzle that is left: is it still solvable?"""
        within = None if self.puzzle.within is None else self.puzzle.within - self.discards
        left = replace(self.puzzle, position=self.position, hand=self.hand, draw=self.draw, within=within)
        return replace(left, claims=Claims(), lines={})


def attempt(puzzle: Puzzle, moves: Sequence[str]) -> Attempt:
    """Play some moves in a puzzle; the first that cannot be played is refused with its number."""
    problem = problem_of(puzzle)
    cards, state, position = problem.cards, problem.cards.states[0], puzzle.position
    played: list[Move] = []
    solved = False
    for number, text in enumerate(moves, start=1):
        try:
            move = parse_move(text)
            if solved:
                raise Refused("the puzzle is solved already")
            following = cards.after(number, state, move)
            if following is None:
                raise Refused(f"'{text.strip()}' is not possible with this hand")
            position = problem.referee.play(position, move)
        except Refused as reason:
            raise Refused(f"move {number}: {reason}") from None
        state = following
        played.append(move)
        solved = problem.meets_goal(position)
    discards = cards.discards(state)
    done = solved or not state.cards or discards >= min(puzzle.within or problem.most_cards, problem.most_cards)
    options = [] if done else _options(problem, position, state, len(played) + 1)
    rest = cards.draw[state.drawn :]
    return Attempt(puzzle, tuple(played), position, state.cards, rest, discards, solved, tuple(options))


def _options(problem: Problem, position: Position, state: Hand, turn: int) -> list[Option]:
    """Every turn with a card of the hand as it falls; the refresh, which is found with each of them, once and last."""
    found: list[Option] = []
    refreshes: dict[Move, Option] = {}
    for option in problem.cards.options_of(state, turn):
        for move, after in problem.referee.legal(position, option.card):
            if move.card is None:
                refreshes[move] = Option(None, move, after)
            elif move.new_roll == option.new_roll:
                found.append(Option(option.card, move, after))
    return [*found, *refreshes.values()]
