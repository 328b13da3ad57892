"""The review of a game: every turn judged on its own, by as many threads as wanted, and then added up in order."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise

from solver.game import PLAYING, WON, State, draw, replay, turn
from solver.move import Card, Move
from solver.notation import Record, RecordTurn
from solver.policy.own import with_cards
from solver.referee import Referee
from solver.review.evaluator import USUAL, Draws, Evaluator, Standard, Verdict, stages_of
from solver.review.ledger import DEAL, DRAW, ROLL, Account, Luck, TurnAccount
from solver.search.situation import EVERY_CARD, Situation

Tick = Callable[[], None]


@dataclass(frozen=True)
class Played:
    """A game as it was played, from any start and any deck."""

    start: Situation  # without a hand
    hand: tuple[Card, ...]
    turns: tuple[RecordTurn, ...]


def played_of(record: Record) -> Played:
    """The game of a record; refused at its first line that the rules do not allow."""
    for _ in replay(record):
        pass
    start = Situation(record.position, (), EVERY_CARD, 0, record.spells, record.rules)
    return Played(start, record.hand, record.turns)


@dataclass(frozen=True)
class _Scene:
    """A turn with all that was known before it, and the game after it."""

    situation: Situation
    move: Move
    kept: Situation | None  # before the draw; None if there is none
    drawn: tuple[Card, ...]


def review(played: Played, standard: Standard = USUAL, jobs: int = 1, tick: Tick | None = None) -> Account:
    """The account of a game. `tick` is told of every turn that was judged."""
    scenes, end, last = _scenes(played)
    evaluator = Evaluator(played.start, standard)

    def judge(scene: _Scene) -> tuple[Verdict, Draws | None]:
        verdict = evaluator.turn(scene.situation, scene.move)
        # An exact verdict knows what was expected before the draw; what comes after it is told by the next turn.
        needed = scene.kept is not None and not verdict.exact
        draws = evaluator.draws(scene.kept, scene.drawn) if needed and scene.kept is not None else None
        if tick is not None:
            tick()
        return verdict, draws

    with ThreadPoolExecutor(jobs) as pool:
        try:
            opening = pool.submit(evaluator.opening, played.start, played.hand)
            judged = list(pool.map(judge, scenes))
            now = None
            if end.status == PLAYING:
                now = evaluator.now(last) if not end.owed else _before_draw(evaluator, last, end.owed, judged[-1][0])
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    deal = opening.result()
    final, final_chance = _final(end, standard) if now is None else now
    turns, believed = _turn_accounts(scenes, judged, deal.after, final)
    return Account(
        start=played.start,
        expected=deal.before,
        chance=evaluator.chance(deal.before, played.start.played),
        deal=Luck(DEAL, played.hand, deal.after - deal.before),
        turns=turns,
        end=end,
        result=final,
        final_chance=final_chance,
        last_drift=final - believed,
        within=standard.within,
        depth=standard.depth,
    )


def _final(end: State, standard: Standard) -> tuple[float, float]:
    """What a finished game came to, and whether that was in time."""
    result = standard.loss_cards if end.status != WON else end.discards
    return float(result), float(end.status == WON and end.discards <= standard.within)


def _turn_accounts(
    scenes: list[_Scene], judged: list[tuple[Verdict, Draws | None]], believed: float, final: float
) -> tuple[tuple[TurnAccount, ...], float]:
    """Every turn with its luck, and what was believed in the end; `believed` is what was after the deal."""
    turns: list[TurnAccount] = []
    following = [verdict.expected for verdict, _ in judged[1:]]
    for number, (scene, (verdict, draws)) in enumerate(zip(scenes, judged, strict=True), start=1):
        drift = verdict.expected - believed + sum(each.second_thought for each in verdict.decisions)
        believed = verdict.decisions[-1].played.value
        luck = None
        if scene.kept is not None:
            next_expected = following[number - 1] if number <= len(following) else final
            if draws is None:  # exact
                draws = Draws(believed, next_expected)
            drift += draws.before - believed
            luck = Luck(DRAW, scene.drawn, draws.after - draws.before)
            believed = draws.after
        turns.append(
            TurnAccount(
                number, scene.move, scene.situation, verdict.expected, verdict.chance, drift, verdict.decisions,
                _rolls(scene, verdict), luck, verdict.exact,
            )
        )  # fmt: skip
    return tuple(turns), believed


def _before_draw(evaluator: Evaluator, last: Situation, owed: int, verdict: Verdict) -> tuple[float, float]:
    """What is expected where a record stops before a draw, and the chance to be done in time."""
    value = verdict.decisions[-1].played.value if verdict.exact else evaluator.before_draw(last, owed)
    return value, evaluator.chance(value, last.played)


def _rolls(scene: _Scene, verdict: Verdict) -> tuple[Luck, ...]:
    """The luck of each roll: what is expected after it less what was expected of rolling."""
    found = []
    for (before, after), stage in zip(
        pairwise(verdict.decisions), stages_of(scene.situation, scene.move)[1:], strict=True
    ):
        card, new_roll = stage.situation.rolled, stage.situation.new_roll
        assert card is not None
        found.append(Luck(ROLL, (card,), after.best.value - before.played.value, new_roll))
    return tuple(found)


def _scenes(played: Played) -> tuple[list[_Scene], State, Situation]:
    """The turns; how the game stood at the end, and what was known then."""
    start = played.start
    referee = Referee(start.rules, start.spells)
    situation = with_cards(start, (), played.hand)
    state = State(start.position, played.hand, sum(situation.deck), start.played)
    scenes: list[_Scene] = []
    for each in played.turns:
        after = turn(referee, state, each.move)
        kept = replace(situation, position=after.position, hand=after.hand, played=after.discards)
        if after.owed and not each.drawn:  # a game broken off there
            return [*scenes, _Scene(situation, each.move, None, ())], after, kept
        state = draw(after, each.drawn)
        matters = after.owed > 0 and state.status == PLAYING
        scenes.append(_Scene(situation, each.move, kept if matters else None, each.drawn))
        situation = with_cards(kept, kept.hand, each.drawn)
    return scenes, state, situation
