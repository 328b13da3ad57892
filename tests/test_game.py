"""Games and their records: in lockstep with the reference engine, and what a record may not say."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import pytest

import reference
from solver.errors import Refused
from solver.game import LOST, PLAYING, WON, State, play, replay, start_of
from solver.move import Card
from solver.notation import (
    Record,
    RecordTurn,
    parse_card,
    parse_cards,
    parse_move,
    parse_position,
    parse_record,
    print_move,
    print_position,
    print_record,
)
from solver.referee import Referee
from solver.rules import PRESETS, RULEBOOK, SPELLS, SPELLS_IN_A_GAME

REFERENCE_RULES = {"rulebook": reference.RULEBOOK, "online": reference.ONLINE}
SEEDS = range(20)
HAND_SPELLS = ("draw-two", "retrieve-card")  # what changes hand and piles; refresh is an option


def faces(cards) -> list[str]:
    return sorted(card.face for card in cards)


def choose(dice: random.Random, choices: list[tuple[str, str]], home: int) -> str:
    """A random turn, often one that brings a wizard home and sometimes one that changes hand and piles."""
    entering = [text for text, after in choices if int(after.split()[1]) > home]
    special = [text for text, _ in choices if text.startswith("refresh") or text.endswith(HAND_SPELLS)]
    if entering and dice.random() < 0.8:
        return dice.choice(entering)
    if special and dice.random() < 0.15:
        return dice.choice(special)
    return dice.choice([text for text, _ in choices if not text.startswith("refresh")])


@cache
def played(seed: int) -> Record:
    """A whole game, both engines turn by turn; every third one is without spells."""
    dice = random.Random(seed)
    preset = ("rulebook", "online")[seed % 2]
    names = {spell.name for spell in dice.sample(SPELLS, SPELLS_IN_A_GAME)} if seed % 3 else set()
    if names and seed % 4 < 2:
        names = {*sorted(names)[:1], *HAND_SPELLS}
    spells = tuple(spell.name for spell in SPELLS if spell.name in names)
    word = "start-spells" if spells else "start"
    deck = [face for face, copies in reference.DECK.items() for _ in range(copies)]
    dice.shuffle(deck)
    game = reference.Game(
        word, deck[:3], deck[3:], spells, REFERENCE_RULES[preset], roll=lambda: dice.randint(1, 6)
    )
    rules = PRESETS[preset]
    referee = Referee(rules, spells)
    record = Record(parse_position(word, rules), parse_cards(",".join(game.hand)), (), spells, rules)
    state = start_of(record)
    turns = []
    while game.status == PLAYING:
        card = dice.choice(game.hand)
        for _ in range(dice.randint(1, reference.MOST_ROLLS[card]) if card in reference.MOST_ROLLS else 0):
            card = game.rolled(card)
        choices = game.legal(card)
        legal = referee.legal(state.position, parse_card(card))
        ours = sorted((print_move(turn.move), print_position(turn.position)) for turn in legal)
        assert ours == sorted(choices), (game.position, card, spells)
        text = choose(dice, choices, state.position.home)
        game.play(text)
        drawn = tuple(Card(face) for face in game.drawn)
        state = play(referee, state, parse_move(text), drawn)
        turns.append(RecordTurn(parse_move(text), drawn, 0))
        assert print_position(state.position) == game.position
        assert faces(state.hand) == sorted(game.hand)
        assert (state.pile, state.discards, state.status) == (len(game.draw_pile), game.discards, game.status)
    result = f"won {game.discards}" if game.status == WON else game.status
    return replace(record, turns=tuple(turns), result=result)


@pytest.mark.parametrize("seed", SEEDS)
def test_whole_games_in_lockstep(seed):
    record = played(seed)
    steps = list(replay(record))
    assert len(steps) == len(record.turns)
    assert [step.after.status for step in steps[:-1]] == [PLAYING] * (len(steps) - 1)
    assert steps[-1].after.status == record.result.split()[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_record_round_trip(seed):
    record = played(seed)
    text = print_record(record)
    again = parse_record(text)
    assert print_record(again) == text
    assert [(turn.move, turn.drawn) for turn in again.turns] == [(turn.move, turn.drawn) for turn in record.turns]
    assert replace(again, turns=(), result_line=0) == replace(record, turns=())
    assert len(list(replay(again))) == len(record.turns)
    assert len(list(replay(parse_record(text.upper().replace("START", "start"))))) == len(record.turns)


def test_the_games_went_everywhere():
    texts = [print_record(played(seed)) for seed in SEEDS]
    for what in ("refresh T", "+draw-two", "+retrieve-card", '"won', '"lost"', " - "):
        assert any(what in text for text in texts), what
    ends = [list(replay(played(seed)))[-1].after for seed in SEEDS]
    assert any(end.pile == 0 and end.status == LOST for end in ends)
    assert any(end.pile > 0 and end.discards >= 30 and end.status == LOST for end in ends)


# Hand and piles ---------------------------------------------------------------------------------------------

BOARD = "K/1/t/-/-/-/-/-/-/-/-/-/-/-/-/-"  # one wizard on space 1, 15 from the keep


def after(move: str, drawn: str | None, state: State, rules=RULEBOOK, spells=(*HAND_SPELLS, "close-keep")) -> State:
    cards = None if drawn is None else parse_cards(drawn) if drawn else ()
    return play(Referee(rules, spells), state, parse_move(move), cards)


def state_of(hand: str = "w1,w2,t3", pile: int = 50, bottles: str = "6/0", discards: int = 0) -> State:
    return State(parse_position(f"{BOARD} 0 {bottles}"), parse_cards(hand), pile, discards)


def test_a_plain_turn_draws_one():
    state = after("w1 W1", "w5", state_of())
    assert (faces(state.hand), state.pile, state.discards) == (["t3", "w2", "w5"], 49, 1)


def test_draw_two_makes_four_and_then_nothing_is_drawn():
    state = after("w1 W1 +draw-two", "w5,w4", state_of())
    assert (len(state.hand), state.pile, state.discards) == (4, 48, 1)
    state = after("w2 W2", "", state)
    assert (len(state.hand), state.pile, state.discards) == (3, 48, 2)


def test_retrieve_card_keeps_hand_and_pile():
    state = after("w1 W1 +retrieve-card", "", state_of())
    assert (faces(state.hand), state.pile, state.discards) == (["t3", "w1", "w2"], 50, 0)
    assert state.position.bottles.full == 5


def test_refresh_discards_the_whole_hand():
    state = after("refresh T2.1", "w5,w4,w3", state_of(), PRESETS["online"])
    assert (faces(state.hand), state.pile, state.discards) == (["w3", "w4", "w5"], 47, 3)
    with pytest.raises(Refused, match="no refresh"):
        after("refresh T2.1", "w5,w4,w3", state_of())
    with pytest.raises(Refused, match="not allowed"):
        after("refresh T2.1 +retrieve-card", "w5,w4,w3", state_of(), PRESETS["online"])


def test_refresh_with_draw_two_draws_three():
    state = after("refresh T2.1 +draw-two", "w5,w4,w3", state_of(), PRESETS["online"])
    assert (len(state.hand), state.pile, state.discards) == (3, 47, 3)


def test_card_limit():
    limited = replace(RULEBOOK, card_limit=30)
    assert after("w1 W1", "w5", state_of(discards=28), limited).status == PLAYING
    assert after("w1 W1", "", state_of(discards=29), limited).status == LOST
    assert after("w1 W1 +retrieve-card", "", state_of(discards=29), limited).status == PLAYING
    assert after("refresh T2.1", "", state_of(discards=28), PRESETS["online"]).status == LOST
    with pytest.raises(Refused, match="the game is lost with this turn, so nothing is drawn"):
        after("w1 W1", "w5", state_of(discards=29), limited)
    with pytest.raises(Refused, match="this turn draws no cards, and 1 is written"):
        after("w1 W1 +retrieve-card", "w5", state_of())


@pytest.mark.parametrize(
    ("move", "bottles", "reason"),
    [
        ("w1 +movement-swap W1", "6/0", "'w1' after movement-swap moves no wizard"),
        ("t3 +movement-swap T2.1", "6/0", "'t3' after movement-swap moves no tower"),
        ("w1 +movement-swap -", "6/0", "'w1' after movement-swap has one here"),
        ("w1 +movement-swap T2.1", "0/6", "'movement-swap' costs 1, and before the card no bottles are full"),
        ("w1 W1 +nudge-keep cw", "1/0", "'nudge-keep' costs 2, and 1 bottle is full"),
        ("w1 W1 +draw-two", "6/0", r"'draw-two' is not open \(open: nudge-keep, movement-swap\)"),
    ],
)
def test_why_a_spell_is_not_allowed(move, bottles, reason):
    with pytest.raises(Refused, match=reason):
        after(move, None, state_of(bottles=bottles), spells=("nudge-keep", "movement-swap"))


def test_a_refresh_is_listed_once_for_all_rolls():
    referee = Referee(PRESETS["online"], ("extra-roll", "close-keep"))
    position = parse_position(f"{BOARD} 0 6/0")
    moves = [print_move(turn.move) for turn in referee.legal(position, Card("wtd1"))]
    assert len(moves) == len(set(moves))
    assert moves[-2:] == ["refresh T2.1", "refresh T2.1 +close-keep"]
    assert "wtd1=6 +extra-roll=6 W1" in moves


@pytest.mark.parametrize(
    ("move", "pile", "drawn", "status"),
    [
        ("w1 W1", 2, "w5", PLAYING),
        ("w1 W1", 1, "w5", LOST),
        ("w1 W1 +draw-two", 3, "w5,w4", PLAYING),
        ("w1 W1 +draw-two", 2, "w5,w4", LOST),
        ("w1 W1 +draw-two", 1, "w5", LOST),
        ("w1 W1 +retrieve-card", 1, "", PLAYING),
        ("refresh T2.1", 4, "w5,w4,w3", PLAYING),
        ("refresh T2.1", 3, "w5,w4,w3", LOST),
        ("refresh T2.1", 2, "w5,w4", LOST),
    ],
)
def test_the_pile_runs_out(move, pile, drawn, status):
    rules = replace(RULEBOOK, refresh=True)
    state = after(move, drawn, state_of(pile=pile), rules)
    assert state.status == status
    game = reference.Game(
        print_position(state_of().position), ["w1", "w2", "t3"], ["w5", "w4", "w3", "w2"][:pile],
        (*HAND_SPELLS, "close-keep"), {"refresh": True},
    )  # fmt: skip
    game.play(move)
    assert (game.status, ",".join(game.drawn), len(game.draw_pile)) == (status, drawn, state.pile)


@pytest.mark.parametrize(("bottles", "status"), [("-", WON), ("0/0", WON), ("2/0", WON), ("2/1", PLAYING)])
def test_the_last_wizard_wins_unless_a_bottle_is_empty(bottles, status):
    position = parse_position(f"K{'/-' * 14}/1 11 {bottles}")
    state = after("w1 W15", None, State(position, parse_cards("w1,w2,t3"), 50))
    assert (state.status, state.discards, state.owed) == (status, 1, 0 if status == WON else 1)


# Records ----------------------------------------------------------------------------------------------------

HEAD = '[Mode "solo"]\n[Position "start"]\n[Hand "w3,td2,w1t5"]\n'


def refusal(text: str) -> str:
    with pytest.raises(Refused) as refused:
        list(replay(parse_record(text)))
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_form_of_a_record():
    record = parse_record(
        "# a comment\n"
        '[mode "Spells"]\n'
        '[Spells "piggyback,free-wizard,advance-tower"]  # three\n'
        "\n"
        '[Position "start-spells"]\n'
        '[Hand "w3,td2,w1t5"]\n'
        "1. w3 W5 | w2t4\n"
        "2.td2=3,1 T1.1 +advance-tower T4.1|w4 # here\n"
    )
    assert record.spells == ("advance-tower", "free-wizard", "piggyback")
    assert record.hand == (Card("w3"), Card("td2"), Card("w1t5"))
    assert record.rules == RULEBOOK
    assert record.result == ""
    assert [turn.line for turn in record.turns] == [7, 8]
    assert record.turns[1] == RecordTurn(parse_move("td2=3,1 T1.1 +advance-tower T4.1"), (Card("w4"),), 8)


def test_rules_tag_holds_what_differs_from_the_preset():
    record = parse_record(HEAD + "1. w3 W5 | w2\n")
    assert '[Rules "refresh=on, swap-towers=1"]\n' in print_record(
        replace(record, rules=replace(RULEBOOK, refresh=True, spell_costs={**RULEBOOK.spell_costs, "swap-towers": 1}))
    )
    assert "Rules" not in print_record(record)


def test_a_game_in_progress_may_lack_its_last_draw():
    steps = list(replay(parse_record(HEAD + "1. w3 W5 | w2\n2. w2 W3\n")))
    assert [(step.after.status, step.after.owed) for step in steps] == [(PLAYING, 0), (PLAYING, 1)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the record is empty"),
        ("# nothing\n\n", "the record is empty"),
        ("1. w3 W5 | w2\n", "the tag Hand is missing; expected one such as [Hand \"w3"),
        (HEAD + "w3 W5 | w2\n", "line 4: 'w3 W5 | w2' is no turn; expected '1. "),
        (HEAD + "2. w3 W5 | w2\n", "line 4: turn 1 was expected here, not turn 2"),
        (HEAD + "1. w3 W5 | w2\n3. w2 W5 | w2\n", "line 5: turn 2 was expected"),
        (HEAD + "1. w3 W55 | w2\n", "line 4: turn 1: move 'w3 W55': a space"),
        (HEAD + "1. w3 W5 | w9\n", "line 4: turn 1: card 1 of"),
        (HEAD + "1. w3 W5 | wd2=4\n", "line 4: turn 1: 'wd2=4' names a roll; expected 'wd2'"),
        (HEAD + '[Mood "solo"]\n', "line 4: 'Mood' is no tag"),
        (HEAD + "[Mode solo]\n", "line 4: '[Mode solo]' is no tag"),
        (HEAD + '[Mode "solo"]\n', "line 4: the tag Mode stands on line 1 already"),
        (HEAD + '1. w3 W5 | w2\n[Rules "online"]\n', "line 5: the tag Rules must stand before"),
        (HEAD + '[Rules "refresh=x"]\n', "line 4: Rules: refresh must be on or off"),
        (HEAD + '[Spells "piggyback"]\n', "line 4: Spells: a solo game has no spells"),
        (HEAD + '[Result "drawn"]\n', "line 4: Result: expected 'won N' or 'lost', not 'drawn'"),
        (HEAD.replace("solo", "duel"), "line 1: Mode: expected 'solo' or 'spells', not 'duel'"),
        (HEAD.replace("solo", "spells"), "the tag Spells is missing; expected one such as [Spells"),
        (HEAD.replace('"solo"]', '"spells"]\n[Spells ""]'), "line 2: Spells: a game with spells has 1 to 3 of them"),
        (
            HEAD.replace('"solo"]', '"spells"]\n[Spells "close-keep,draw-two,piggyback,fill-potion"]'),
            "line 2: Spells: a game with spells has 1 to 3 of them, not 4",
        ),
        (HEAD.replace("td2,", ""), "line 3: Hand: a game begins with 3 cards in the hand, and 'w3,w1t5' has 2"),
        (HEAD.replace("td2", "td2*2"), "line 3: Hand: a game begins with 3 cards"),
        (HEAD.replace('"start"', '"K/-"'), "line 2: Position: a board has 16 spaces"),
        (HEAD.replace("td2", "td2=1"), "line 3: Hand: 'td2=1' names a roll; expected 'td2'"),
        (HEAD.replace("td2", "td9"), "line 3: Hand: card 2 of"),
        (HEAD + '1. w3 W5 | w2\n[Result "lost"]\n2. w2 W5 | w2\n', "line 6: a turn after the result on line 5"),
    ],
)
def test_refused_forms(text, message):
    assert message in refusal(text)


@pytest.mark.parametrize(
    ("turns", "message"),
    [
        ("1. w4 W5 | w2\n", "line 4: turn 1: 'w4' is not in the hand (w3,td2,w1t5)"),
        ("1. w3 W5 | w2\n2. w3 W5 | w2\n", "line 5: turn 2: 'w3' is not in the hand"),
        ("1. w3 W12 | w2\n", "line 4: turn 1: 'w3 W12' is not allowed: space 12 shows no wizard"),
        ("1. w3 T1.1 | w2\n", "line 4: turn 1: 'w3 T1.1' is not allowed: 'w3' moves no tower"),
        ("1. w3 - | w2\n", "line 4: turn 1: 'w3 -' is not allowed: a move must be made"),
        ("1. td2=3 T1.2 | w2\n", "line 4: turn 1: 'td2=3 T1.2' is not allowed: space 1 has 1 tower"),
        ("1. w3 W5 +draw-two | w2,w2\n", "line 4: turn 1: 'w3 W5 +draw-two' is not allowed: the spell 'draw-two'"),
        ("1. refresh T1.1 | w2,w2,w1\n", "line 4: turn 1: 'refresh T1.1' is not allowed: these rules have no refresh"),
        ("1. w3 W5 | w2,w1\n", "line 4: turn 1: this turn draws 1 card, and 2 are written"),
        ("1. w3 W5\n2. w1t5 W5 | w1\n", "line 4: turn 1: this turn draws 1 card, and none is written"),
        ('1. w3 W5\n[Result "lost"]\n', "line 4: turn 1: this turn draws 1 card, and none is written"),
        ('1. w3 W5 | w2\n[Result "lost"]\n', "line 5: the result is 'lost', but the game is not over"),
        ('1. w3 W5 | w2\n[Result "won 1"]\n', "line 5: the result is 'won 1', but the game is not over"),
    ],
)
def test_refused_games(turns, message):
    assert message in refusal(HEAD + turns)


def test_five_copies_of_w1():
    text = HEAD.replace("w3,td2,w1t5", "w1*3") + "1. w1 W5 | w1\n2. w1 W6 | w1\n"
    assert refusal(text) == "line 5: turn 2: the deck has 4 'w1', and this is one more"
    hand = refusal(HEAD.replace("w3,td2", "wd3,wd3"))
    assert hand == "line 3: Hand: the deck has 1 'wd3', and this is one more"


def test_illegal_turn_17_names_its_line_and_turn():
    lines = print_record(played(0)).splitlines()
    line = next(number for number, text in enumerate(lines) if text.startswith("17. "))
    card = lines[line].split()[1]
    drawn = lines[line].partition("|")[2]
    lines[line] = f"17. {card} T15.9 |{drawn}"
    message = refusal("\n".join(lines))
    assert message.startswith(f"line {line + 1}: turn 17: '{card} T15.9' is not allowed: ")
    steps = replay(parse_record("\n".join(lines)))
    assert len([next(steps) for _ in range(16)]) == 16


WON_IN_ONE = f'[Mode "solo"]\n[Position "K{"/-" * 14}/1 11 -"]\n[Hand "w1,w2,t3"]\n1. w1 W15\n'


def test_results():
    assert [step.after.status for step in replay(parse_record(WON_IN_ONE + '[Result "won 1"]'))] == [WON]
    assert "line 5: the result is 'won 2', but the game is 'won 1'" in refusal(WON_IN_ONE + '[Result "won 2"]')
    assert "line 5: the result is 'lost', but the game is 'won 1'" in refusal(WON_IN_ONE + '[Result "lost"]')


def test_turns_after_the_end():
    assert "line 5: turn 2: the game is won already" in refusal(WON_IN_ONE + "2. w2 - | w3\n")
    over = "line 4: turn 1: the game is won with this turn, so nothing is drawn"
    assert over in refusal(WON_IN_ONE.rstrip() + " | w3\n")
    lost = next(played(seed) for seed in SEEDS if played(seed).result == LOST)
    more = replace(lost, turns=(*lost.turns, RecordTurn(parse_move("w1 W5"), (), 0)))
    assert f"turn {len(more.turns)}: the game is lost already" in refusal(print_record(more))
