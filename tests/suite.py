"""The positions of the perft suite: the corners of the rules, by name."""

NINE_HIGH = "-/-/-/-/-/-/r1tr2trtrtr3/-/-/-/-/K/-/-/-/- 2 2/2"
SUITE = {
    # name: (position, cards, spells, rules)
    "start": ("start", "w2t4,w3,t2", "", ""),
    "every board spell": (
        "-/2r1/t1/-/1/rtK/-/2r2/-/t/1/-/-/r1t/-/r 1 4/2", "w1t5",
        "advance-wizard,headwind-wizard,advance-tower,headwind-tower,swap-towers,nudge-keep,free-wizard,piggyback,"
        "fill-potion,movement-swap,close-keep", "",
    ),
    "two turns of spells": ("-/2r1/t1/-/-/rtK/-/-/-/-/-/-/-/-/-/- 1 3/2", "w1t5,t2",
                            "advance-wizard,free-wizard,swap-towers,movement-swap,nudge-keep", ""),
    "nine-high stack": (NINE_HIGH, "w5t1,t4,w3", "", ""),
    "nine-high stack with spells": (NINE_HIGH, "w5t1", "free-wizard,headwind-tower,swap-towers,nudge-keep", ""),
    "keep on a stack": ("-/-/1/2/-/rt1rK/-/-/-/2t/-/-/-/-/-/- 3 -", "t2,w3,w2t2", "", ""),
    "full surfaces": ("K/6/r6/-/-/-/-/-/-/-/-/-/-/-/-/- 0 -", "w1,w1t1,w2t2,w1", "", ""),
    "full but for one": ("K/5/r6/-/-/-/-/-/-/-/-/-/-/-/-/- 0 2/0", "w1,w1t1", "piggyback,free-wizard", ""),
    "no shield free": ("1/1/K/-/1/-/-/-/1/-/-/-/1/-/-/- 5 -", "w1,w2,w1t5,w2", "", ""),
    "wrap-around": ("K/-/-/-/-/-/-/-/-/-/-/-/1r/t1/r2/rt3 0 0/3", "w1t5,w4t2,t3", "", ""),
    "wrap-around with headwind": ("r1/K/t/-/-/-/-/-/-/-/-/-/-/-/2/r1 0 6/0", "w4t2,t3",
                                  "headwind-wizard,headwind-tower", ""),
    "goal on the way": ("-/-/K/-/-/-/-/-/-/-/-/-/-/-/1/1 10 -", "w3,w4,wtd1=5,w2", "", ""),
    "home, with an empty bottle": ("-/-/K/-/r/-/-/-/-/-/-/-/-/-/-/- 12 2/1", "t1,w2", "fill-potion", ""),
    "already the goal": ("K/-/-/-/-/-/-/-/-/-/-/-/-/-/-/- 12 -", "w1", "", ""),
    "nothing can move": ("K/-/-/-/-/-/-/-/-/-/-/-/-/1r/-/- 0 1/1", "w3,w2t2", "close-keep", ""),
    "online": ("start-spells", "wd2=4,2", "swap-towers,free-wizard,piggyback,movement-swap", "online"),
    "refresh and costs": ("start-spells", "t3,w1", "swap-towers,free-wizard", "refresh=on, swap-towers=0"),
    "fewer towers": ("K/r2/-/t1/-/-/2/-/-/-/-/-/-/-/-/- 0 -", "w1t1,w2t2,w3t3,w4t4", "", ""),
}  # fmt: skip
