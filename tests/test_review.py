"""Reviews: exact where brute force in fractions can say so, and accounts that add up for every kind of record."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import islice

import numpy as np
import pytest

import reference
from solver.errors import Refused
from solver.game import replay
from solver.move import Card
from solver.notation import Record, RecordTurn, parse_cards, parse_move, parse_position, parse_record, print_move
from solver.policy.names import parse_policy
from solver.policy.players import player_for
from solver.review import what_if
from solver.review.evaluator import Evaluator, Standard
from solver.review.ledger import Account, Decision
from solver.review.page import page
from solver.review.review import Played, played_of, review
from solver.review.words import lucks_of, point_words, sum_of, turning_points, verdict
from solver.rules import FACE_NUMBER, grade
from solver.search.situation import EVERY_CARD, Choice, Situation
from test_endgame import AGAIN, EXTRA, GROUPS, RULES, SEEDS, Brute, Node, brute_of, ended, situation, turns
from test_policy import BASE, ODD, start_of

# Exact games against brute force ----------------------------------------------------------------------------

EXACT = {  # groups of cases, and how many of those that brute force can do are compared
    "plain": 18, "die": 16, "refresh": 8, "triple": 8, "draw-two": 2, "extra-roll": 2, "retrieve-card": 2,
}  # fmt: skip


def chosen(brute: Brute, listed: dict[str, Fraction], dice: random.Random) -> str:
    """Anything, or the best."""
    names = sorted(listed)
    return dice.choice(names) if dice.random() < 0.5 else min(names, key=lambda name: brute.sign * listed[name])


class Expected:
    """What brute force says of a game that is played by chance: an account in fractions."""

    def __init__(self, brute: Brute, dice: random.Random) -> None:
        case = brute.case
        pool = tuple(sorted((*case.hand, *case.deck)))
        brute.left = 6_000
        self.start = brute.drawn(Node(case.position, (), pool, case.played), 3)
        node = Node(case.position, tuple(sorted(case.hand)), tuple(sorted(case.deck)), case.played)
        self.deal = brute.value(node) - self.start
        self.turns: list[RecordTurn] = []
        self.before: list[Fraction] = []
        self.losses: list[list[Fraction]] = []
        self.rolls: list[list[Fraction]] = []
        self.draws: list[Fraction | None] = []
        self.status = "playing"
        while self.status == "playing":
            node = self._turn(brute, node, dice)
        self.result = brute.lost() if self.status == "lost" else brute.won(node.played)

    def _turn(self, brute: Brute, node: Node, dice: random.Random) -> Node:
        self.before.append(brute.value(node))
        listed = brute.choices(node)
        name = chosen(brute, listed, dice)
        losses, rolls = [listed[name] - brute.best(listed.values())], []
        value, made = listed[name], ""
        while name in reference.MOST_ROLLS or name == AGAIN:
            face = made.partition("=")[0] or name
            made = f"{made}," if made else f"{face}="
            made += str(dice.randint(1, 6))
            last = f"{face}={made.rpartition('=')[2].rpartition(',')[2]}"
            listed = brute.on_table(node, last, made.count(",") + 1)
            rolls.append(brute.best(listed.values()) - value)
            name = chosen(brute, listed, dice)
            losses.append(listed[name] - brute.best(listed.values()))
            value = listed[name]
        text = name
        if name == EXTRA:
            roll = dice.randint(1, 6)
            listed = brute.turns(node, last, roll)
            rolls.append(brute.best(listed.values()) - value)
            text = dice.choice(sorted(listed))
            losses.append(listed[text] - brute.best(listed.values()))
            value = listed[text]
        words = text.split()
        if made:
            words[0] = made  # with all its rolls
        shown = last if made else "w1" if words[0] == "refresh" else words[0]
        found = turns(node.position, shown, brute.case.spells, brute.case.rules)
        after = next(after for written, after in found if written == text)
        self.status, kept, owed = ended(brute.case, node, text.split(), after)
        if self.status != "playing":  # what is drawn all the same, and written into a record
            limit = reference.option(RULES[brute.case.rules], "card_limit")
            owed = 2 if "+draw-two" in words else 0
            if self.status == "lost" and (limit is None or kept.played < limit):
                owed = max(owed, 3 - len(kept.hand))
        drawn = dice.sample(node.deck, min(owed, len(node.deck)))
        deck = list(node.deck)
        for card in drawn:
            deck.remove(card)
        following = kept._replace(hand=tuple(sorted((*kept.hand, *drawn))), deck=tuple(deck))
        self.turns.append(RecordTurn(parse_move(" ".join(words)), tuple(map(Card, drawn)), 0))
        self.losses.append(losses)
        self.rolls.append(rolls)
        self.draws.append(brute.value(following) - value if self.status == "playing" and owed else None)
        return following


@cache
def exact_game(group: str, seed: int) -> tuple[Brute, Expected] | None:
    brute = brute_of(group, seed)
    case = brute.case
    if len(case.hand) != 3 or len(case.deck) > 5 or case.within is not None:
        brute.case = case = case._replace(hand=case.hand[:3], deck=(*case.deck, *case.hand[3:])[:5], within=None)
    brute = Brute(case._replace(rolled=None))
    with suppress(OverflowError):
        return brute, Expected(brute, random.Random(f"{group} {seed}"))
    return None


def account_of(brute: Brute, expected: Expected) -> Account:
    case = brute.case
    known = situation(case)
    deck = list(known.deck)
    for card in known.hand:
        deck[FACE_NUMBER[card.face]] += 1
    start = replace(known, hand=(), deck=tuple(deck))
    return review(Played(start, known.hand, tuple(expected.turns)), Standard(loss_cards=case.loss))


@pytest.mark.parametrize("group", EXACT)
def test_exact_accounts_agree_with_brute_force(group):
    seeds = SEEDS[group][: GROUPS[group] // 2] if GROUPS[group] > 8 else range(60)
    games = list(islice((game for seed in seeds if (game := exact_game(group, seed)) is not None), EXACT[group]))
    assert len(games) == EXACT[group]
    for brute, expected in games:
        agree(account_of(brute, expected), expected)
    assert len(games) < 5 or {expected.status for _, expected in games} == {"won", "lost"}


def agree(account: Account, expected: Expected) -> None:
    """Every figure of an account, and that there is no drift."""

    def near(figures):
        return pytest.approx([float(each) for each in figures], abs=1e-9)

    assert all(turn.exact for turn in account.turns)
    assert [turn.expected for turn in account.turns] == near(expected.before)
    for turn, losses, rolls, draw in zip(account.turns, expected.losses, expected.rolls, expected.draws, strict=True):
        assert [each.loss for each in turn.decisions] == near(losses)
        assert [each.amount for each in turn.rolls] == near(rolls)
        assert ([] if turn.draw is None else [turn.draw.amount]) == near([] if draw is None else [draw])
    assert [turn.drift for turn in account.turns] == near([0] * len(account.turns))
    whole = [account.expected, account.deal.amount, account.result, account.drift, account.last_drift]
    assert whole == near([expected.start, expected.deal, expected.result, 0, 0])


# Records of every kind --------------------------------------------------------------------------------------

STARTS = {
    "solo": start_of(),
    "base spells": start_of(BASE),
    "odd spells": start_of(ODD),
    "online": start_of(("swap-towers", "movement-swap", "extra-roll"), "online"),
}
POLICIES = ("random", "greedy", "learned", "expectimax")
GAMES = 14  # of each policy and start
FEWER = {"base spells": 5, "odd spells": 3, "online": 2}  # where spells make many turns
QUICK = Standard(depth=1, games=2)


@cache
def record_of(policy: str, start: str, game: int) -> Record:
    return player_for(parse_policy(policy), STARTS[start], 11).record(game)


@cache
def quick(policy: str, start: str, game: int) -> Account:
    return review(played_of(record_of(policy, start, game)), QUICK)


def apart(account: Account) -> float:
    return account.expected + account.luck + account.losses + account.drift - account.result


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("policy", POLICIES)
def test_accounts_add_up(policy, start):
    for game in range(FEWER.get(start, GAMES)):
        account = quick(policy, start, game)
        assert abs(apart(account)) < 1e-9
        assert all(each.loss >= 0 and each.points >= 0 for turn in account.turns for each in turn.decisions)
        assert account.result == (account.end.discards if account.status == "won" else 90)
        assert len(account.turns) == len(record_of(policy, start, game).turns)
        *parts, total = [round(100 * amount) for _, amount in sum_of(account)]
        assert sum(parts) == total, "as it is printed"
        assert abs(parts[-1] / 100 - account.drift) < 0.03


@pytest.mark.parametrize(("policy", "start"), [("greedy", "solo"), ("random", "base spells"), ("learned", "online")])
def test_looking_further_adds_up_too_and_threads_change_nothing(policy, start):
    played = played_of(record_of(policy, start, 0))
    standard = Standard(depth=2, games=4)
    one, three = review(played, standard, jobs=1), review(played, standard, jobs=3)
    assert one == three
    assert abs(apart(one)) < 1e-9
    assert one.depth == 2


def test_clairvoyant_games_add_up():
    record = player_for(parse_policy("clairvoyant:width=100"), STARTS["solo"], 5).record(0)
    account = review(played_of(record), Standard(depth=2))
    assert abs(apart(account)) < 1e-9
    assert account.losses > 0, "a player that knows what comes plays what is not best for one who does not"


def test_who_plays_as_the_evaluator_does_gives_nothing_away():
    for game in range(GAMES):
        account = quick("learned", "solo", game)
        assert account.losses == pytest.approx(0, abs=1e-9)
        assert account.accuracy == 1


def test_luck_is_nothing_on_average():
    """Of cards and of dice, each within four standard errors; whoever plays."""
    for policy in ("greedy", "learned"):
        accounts = [quick(policy, start, game) for start in ("solo", "base spells")
                    for game in range(FEWER.get(start, GAMES))]  # fmt: skip
        accounts += [review(played_of(record_of(policy, "solo", game)), QUICK) for game in range(100, 150)]
        assert all(abs(apart(account)) < 1e-9 for account in accounts)
        for amounts in (
            np.array([account.luck_of_cards for account in accounts]),
            np.array([account.luck_of_dice for account in accounts]),
        ):
            assert abs(amounts.mean()) < 4 * amounts.std() / len(amounts) ** 0.5
            assert amounts.std() > 0.3


def test_better_players_give_away_less():
    lost = {policy: np.mean([quick(policy, "solo", game).losses for game in range(GAMES)]) for policy in POLICIES}
    assert lost["random"] > 3 * lost["greedy"] > 3 * lost["learned"]


def test_the_chance_to_be_done_in_time():
    account = quick("greedy", "solo", 1)
    for turn in account.turns:
        assert 0 <= turn.points <= turn.chance <= 1
    strict = review(played_of(record_of("greedy", "solo", 1)), replace(QUICK, within=20))
    assert strict.chance < account.chance
    assert [turn.loss for turn in strict.turns] == [turn.loss for turn in account.turns]


@pytest.mark.parametrize("start", ["solo", "base spells"])
def test_a_fault_is_what_playing_on_makes_of_it(start):
    """The same as `what-if` says over as many games; looking ahead alone thinks too badly of bad positions."""
    record = record_of("greedy", start, 2)
    standard = Standard(depth=2, games=30)
    account = review(played_of(record), standard)
    found = 0
    for turn in account.turns:
        for each in turn.decisions:
            if each.second_thought and each.played.move is not None and each.best.move is not None and not turn.rolls:
                other = what_if.what_if(record, turn.number, each.best.move, 30, standard)
                assert each.loss == pytest.approx(max(-other.difference.mean, 0.0))
                assert each.close == (each.loss < 2 * other.difference.error) or each.loss == 0
                found += 1
    assert found >= 3
    assert abs(apart(account)) < 1e-9


def test_a_game_thrown_away_gives_away_no_more_than_there_was():
    account = review(played_of(record_of("random", "solo", 0)), Standard(depth=1, games=30))
    assert 30 < account.losses < 100


# Labels and words -------------------------------------------------------------------------------------------


def decision(points: float, loss: float = 1.0, close: bool = False) -> Decision:
    best, played = Choice(20.0, Card("w1")), Choice(20.0 + loss, Card("w2"))
    known = Situation(parse_position("start"), parse_cards("w1,w2,w3"), EVERY_CARD)
    return Decision(known, best, played, loss, points, close, 5)


@pytest.mark.parametrize(
    ("points", "label"),
    [(0.0, ""), (0.049, ""), (0.05, "inaccuracy"), (0.0999, "inaccuracy"), (0.10, "mistake"), (0.149, "mistake"),
     (0.15, "blunder"), (1.0, "blunder")],
)  # fmt: skip
def test_labels(points, label):
    assert decision(points).label == label
    assert decision(points, close=True).label == "", "within the error nothing is called a fault"
    assert decision(points, close=True).is_fine


def test_turning_points_are_the_greatest():
    account = quick("greedy", "solo", 2)
    points = turning_points(account)
    sizes = [abs(point.amount) for point in points]
    assert sizes == sorted(sizes, reverse=True)
    lucks = [abs(each.amount) for turn in account.turns for each in lucks_of(turn)]
    assert max(lucks) in sizes or max(lucks) < sizes[-1]
    assert all(abs(point.amount) >= sizes[-1] for point in points)
    assert all(point_words(point) for point in points)
    losses = [each.loss for turn in account.turns for each in turn.decisions if not each.is_fine]
    assert max(losses) in [point.amount for point in points if point.luck is None] or max(losses) < sizes[-1]


@pytest.mark.parametrize(("policy", "start"), [(policy, start) for policy in POLICIES for start in STARTS])
def test_verdicts(policy, start):
    account = quick(policy, start, 3)
    sentences = verdict(account)
    assert len(sentences) == 4 + account.is_doubtful
    assert account.grade in sentences[0]
    assert f"{account.expected + account.luck:.1f} cards" in sentences[1]
    assert f"{account.fine} of {len(account.turns)} turns" in sentences[2]


def test_whether_the_last_unlucky_turn_mattered():
    account = next(quick("greedy", "solo", game) for game in range(GAMES)
                   if any(turn.luck >= 0.5 for turn in quick("greedy", "solo", game).turns))  # fmt: skip
    last = [turn for turn in account.turns if turn.luck >= 0.5][-1]
    sentence = verdict(account)[3]
    assert f"turn, {last.number} " in sentence
    same = grade(round(account.result - last.luck)) == account.grade
    assert ("did not matter" in sentence) == same


def test_a_game_in_progress():
    record = record_of("learned", "solo", 0)
    started = Record(record.position, record.hand, record.turns[:5])
    account = review(played_of(started), Standard(depth=2))
    assert account.status == "playing"
    assert account.grade == ""
    assert abs(apart(account)) < 1e-9
    assert "goes on" in verdict(account)[0]
    following = review(played_of(Record(record.position, record.hand, record.turns[:6])), Standard(depth=2))
    assert account.result == pytest.approx(following.turns[5].expected)


def test_a_game_that_has_only_begun():
    record = Record(parse_position("start"), parse_cards("w3,td2,w1t5"))
    account = review(played_of(record), Standard(depth=1))
    assert abs(apart(account)) < 1e-9
    assert not account.turns
    assert verdict(account)


@pytest.mark.parametrize("start", ["solo", "online"])
def test_the_last_draw_is_missing(start):
    """A game that stops before a draw is worth what is expected before it; all earlier turns are judged as ever."""
    record = record_of("learned", start, 0)
    *earlier, last = record.turns[:5]
    begun = replace(record, turns=record.turns[:5], result="")
    whole = review(played_of(begun), Standard(depth=2))
    stopped = review(played_of(replace(begun, turns=(*earlier, replace(last, drawn=())))), Standard(depth=2))
    assert stopped.turns[:4] == whole.turns[:4]
    assert stopped.turns[4].draw is None
    assert stopped.turns[4].decisions == whole.turns[4].decisions
    assert stopped.status == "playing"
    draw, before = whole.turns[4].draw, whole.result - whole.last_drift
    assert stopped.result == pytest.approx(before - draw.amount)
    assert stopped.expected + stopped.luck + stopped.losses + stopped.drift == pytest.approx(stopped.result)


def test_the_page_stands_alone():
    account = quick("greedy", "base spells", 2)
    text = page(account, "a <game> & more")
    assert "a &lt;game&gt; &amp; more" in text
    assert text.count('<article class="turn">') == len(account.turns)
    assert text.count("<svg") == len(account.turns) + 1
    outside = text.replace("http://www.w3.org/2000/svg", "")
    assert "http" not in outside
    assert "<script" not in text
    for each in verdict(account):
        assert each.split("(")[0][:40] in text


# What if ----------------------------------------------------------------------------------------------------


def test_the_same_move_makes_no_difference():
    record = record_of("greedy", "solo", 4)
    found = what_if.what_if(record, 3, record.turns[2].move, games=50)
    assert found.played == found.instead
    assert found.difference.mean == 0
    assert found.known == tuple(card for turn in record.turns[2:] for card in turn.drawn)


def test_known_cards_come_first():
    """With all that came known to the last card, only rolls are left to chance."""
    record = next(
        record_of("learned", "solo", game) for game in range(GAMES)
        if not any(turn.move.card.has_die for turn in record_of("learned", "solo", game).turns[-3:])
    )  # fmt: skip
    number = len(record.turns) - 1
    found = what_if.what_if(record, number, record.turns[number - 1].move, games=30)
    steps = list(replay(record))
    assert found.known == record.turns[number - 1].drawn
    assert found.played.with_these_cards.mean <= steps[-1].after.discards + 1


@pytest.mark.parametrize(
    ("turn", "move", "message"),
    [
        (0, "w3 W5", "from 1 to 2, not 0"),
        (3, "w3 W5", "from 1 to 2, not 3"),
        (1, "w1 W1", "was not in the hand"),
        (1, "w3 W9", "space 9 shows no wizard"),
        (2, "wd2", "was not in the hand"),
        (2, "td2=3,1 T1.1 +nudge-keep cw", "not open"),
    ],
)
def test_what_if_refuses(turn, move, message):
    record = parse_record(
        '[Mode "spells"]\n[Spells "piggyback,free-wizard,advance-tower"]\n[Hand "w3,td2,w1t5"]\n'
        "1. w3 W5 | w2t4\n2. td2=3,1 T1.1 | w4\n"
    )
    with pytest.raises(Refused, match=message):
        what_if.what_if(record, turn, what_if.parse_instead(move), games=2)


def test_a_die_card_alone_is_rolled_anew():
    record = parse_record('[Hand "w3,td2,w1t5"]\n1. w3 W5 | w2t4\n')
    found = what_if.what_if(record, 1, what_if.parse_instead("td2"), games=20)
    assert found.instead.name == "td2"
    named = what_if.what_if(record, 1, what_if.parse_instead("td2=3 T1.1"), games=20)
    assert named.instead.name == "td2=3 T1.1"
    for text in ("w3", "w9", "td2=3,1,1 T1.1", ""):
        with pytest.raises(Refused):
            what_if.parse_instead(text)


def test_draws_of_one_card_average_to_what_was_expected():
    record = record_of("greedy", "solo", 0)
    played = played_of(record)
    evaluator = Evaluator(played.start, Standard(depth=2))
    account = review(played, Standard(depth=2))
    turn = next(each for each in account.turns if each.draw is not None)
    after = review(played, Standard(depth=2)).turns[turn.number].before
    kept = list(after.hand)
    kept.remove(turn.draw.came[0])
    deck = list(after.deck)
    deck[FACE_NUMBER[turn.draw.came[0].face]] += 1
    before = replace(after, hand=tuple(kept), deck=tuple(deck))
    total = Fraction(0)
    for face, copies in enumerate(before.deck):
        if copies:
            drawn = (Card([name for name, number in FACE_NUMBER.items() if number == face][0]),)
            found = evaluator.draws(before, drawn)
            total += copies * Fraction(found.after)
    assert float(total / sum(before.deck)) == pytest.approx(found.before)
    assert print_move(turn.move)
