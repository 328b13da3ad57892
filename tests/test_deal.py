"""The generator against plain integers, and its uniformity."""

from collections import Counter

from solver import deal
from solver.rules import FACES

MASK = 2**64 - 1
STEP = 0x9E3779B97F4A7C15


def mix(x):
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def below(key, counter, bound):
    attempt = 0
    while True:
        product = (mix((key + (counter * 256 + attempt + 1) * STEP) & MASK) >> 32) * bound
        if product % 2**32 >= 2**32 % bound:
            return product >> 32
        attempt += 1


def key_of(seed, game):
    return mix((mix((seed + STEP) & MASK) + game * STEP + STEP) & MASK)


def plain_deck(seed, game):
    cards = [number for number, face in enumerate(FACES) for _ in range(face.copies)]
    for place in range(89):
        other = place + below(key_of(seed, game), place, 90 - place)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def chi_square(counts, expected):
    return sum((count - expected) ** 2 / expected for count in counts)


def test_known_answers_of_splitmix64():
    # the first outputs of SplitMix64 seeded with 0, as published with the generator
    assert [mix(STEP * i & MASK) for i in (1, 2, 3)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_kernels_agree_with_plain_integers():
    for seed, game in ((0, 0), (7, 0), (7, 1), (2**63 - 1, 2**63 - 1), (123456789, 99999999)):
        assert deal.deck(seed, game).tolist() == plain_deck(seed, game)
        for turn in (1, 2, 87):
            for number in range(4):
                expected = 1 + below(key_of(seed, game), 2**20 + turn * 16 + number, 6)
                assert deal.roll(seed, game, turn, number) == expected


def test_a_deal_never_changes():
    """Frozen: published results name seeds, and must stay repeatable."""
    names = [FACES[card].name for card in deal.deck(7, 0)[:6]]
    assert names == ["w1t5", "t1", "w3t3", "wtd1", "wtd1", "w1t1"]
    assert [deal.roll(7, 0, 1, number) for number in range(5)] == [1, 5, 5, 6, 6]


def test_every_deck_is_the_whole_deck():
    for game in range(50):
        assert sorted(deal.deck(3, game).tolist()) == deal.SORTED_DECK.tolist()


def test_rolls_are_uniform():
    rolls = Counter(deal.roll(11, game, turn, k) for game in range(1000) for turn in range(1, 21) for k in range(3))
    assert sorted(rolls) == [1, 2, 3, 4, 5, 6]
    assert chi_square(rolls.values(), 10_000) < 25.7  # 5 degrees of freedom, p = 0.0001
    pairs = Counter(
        (deal.roll(12, game, 1, 0), deal.roll(12, game, 1, 1), deal.roll(12, game, 2, 0)) for game in range(43_200)
    )
    assert chi_square([pairs[key] for key in pairs], 200) + 200 * (216 - len(pairs)) < 300  # 215 degrees, p = 0.0001


def test_every_card_is_as_likely_in_every_place():
    games = 9_000
    for place in (0, 1, 44, 89):
        counts = Counter(int(deal.deck(5, game)[place]) for game in range(games))
        statistic = sum(
            (counts[number] - games * face.copies / 90) ** 2 / (games * face.copies / 90)
            for number, face in enumerate(FACES)
        )
        assert statistic < 54  # 22 degrees of freedom, p = 0.00016
