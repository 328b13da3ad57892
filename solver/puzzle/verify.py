"""Proving what a puzzle claims, in the words of problemists."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from solver.errors import Refused
from solver.notation import print_cards, print_move
from solver.puzzle.file import Faults, Puzzle, place
from solver.search.answer import Answer, Verdict
from solver.search.cards import check_rolls
from solver.search.plan import Effort, Progress, best_plan
from solver.search.problem import Problem


class Claim(NamedTuple):
    """One claim: what is said, what came of it, and what is true instead or why nothing is known."""

    text: str
    verdict: Verdict
    remark: str = ""


@dataclass(frozen=True)
class Report:
    """All that was proved about a puzzle."""

    claims: tuple[Claim, ...]
    answer: Answer
    remarks: tuple[str, ...]  # what a problemist calls it

    @property
    def proved(self) -> bool:
        """Whether every claim holds."""
        return all(claim.verdict is Verdict.PROVED for claim in self.claims)


def problem_of(puzzle: Puzzle, name: str = "") -> Problem:
    """The task that a puzzle sets; refused if it cannot be one."""
    try:
        return Problem(
            puzzle.position,
            puzzle.hand,
            puzzle.draw,
            spells=puzzle.spells,
            rules=puzzle.rules,
            goal=puzzle.goal,
        )
    except Refused as reason:
        raise Faults([place(name, puzzle.lines.get(_culprit(puzzle))) + str(reason) if name else str(reason)]) from None


def _culprit(puzzle: Puzzle) -> str:
    """The key that keeps a puzzle from being a task."""
    for key, cards in (("hand", puzzle.hand), ("draw", (*puzzle.hand, *puzzle.draw))):
        try:
            check_rolls(cards)
        except Refused:
            return key
    if "retrieve-card" in puzzle.spells and puzzle.rules.spell_costs["retrieve-card"] == 0:
        return "spells"
    return "goal" if puzzle.goal is not None else "position"


def verify(puzzle: Puzzle, effort: Effort | None = None, progress: Progress | None = None, name: str = "") -> Report:
    """Prove or refute each claim of a puzzle. The search looks within its cards, and no further."""
    problem = problem_of(puzzle, name)
    answer = best_plan(problem, puzzle.within, effort, progress=progress)
    checks = [_solvable(puzzle, answer)]
    if puzzle.claims.cards is not None:
        checks.append(_cards(puzzle.claims.cards, answer))
    if puzzle.claims.solutions is not None:
        checks.append(_solutions(puzzle.claims.solutions, answer))
    if puzzle.claims.key is not None:
        checks.append(_key(print_move(puzzle.claims.key), answer))
    return Report(tuple(checks), answer, tuple(remarks(puzzle, answer)))


def _unknown(text: str, answer: Answer) -> Claim:
    known = f"at least {answer.lower_bound} cards" + (f", at most {answer.cards}" if answer.cards is not None else "")
    verdict = Verdict.UNDECIDED if answer.verdict is Verdict.PROVED else answer.verdict
    return Claim(text, verdict, f"stopped by {answer.limit}; {known}")


def _when_decided(
    text: str, answer: Answer, check: Callable[[int], tuple[bool, str]], about_lines: bool = False
) -> Claim:
    """A claim about the fewest cards, or about the lines: open while they are not known, false if there are none."""
    if answer.verdict is Verdict.REFUTED:
        return Claim(text, Verdict.REFUTED, "there is no solution")
    if answer.verdict is not Verdict.PROVED or answer.cards is None or (about_lines and not answer.counted):
        return _unknown(text, answer)
    holds, remark = check(answer.cards)
    return Claim(text, Verdict.PROVED if holds else Verdict.REFUTED, "" if holds else remark)


def _solvable(puzzle: Puzzle, answer: Answer) -> Claim:
    text = "solvable" if puzzle.within is None else f"solvable within {puzzle.within}"
    if answer.cards is not None:  # a line found is proof enough, whether or not it is the shortest
        return Claim(text, Verdict.PROVED)
    return _when_decided(text, answer, lambda _: (True, ""))


def _cards(claimed: int, answer: Answer) -> Claim:
    text = f"cards = {claimed}"
    if answer.verdict not in (Verdict.PROVED, Verdict.REFUTED):
        if answer.cards is not None and answer.cards < claimed:
            return Claim(text, Verdict.REFUTED, f"short: solvable in {answer.cards}")
        if answer.lower_bound > claimed:
            return Claim(text, Verdict.REFUTED, f"it takes at least {answer.lower_bound}")
    return _when_decided(
        text,
        answer,
        lambda cards: (cards == claimed, f"short: solvable in {cards}" if cards < claimed else f"it takes {cards}"),
    )


def _solutions(claimed: int, answer: Answer) -> Claim:
    return _when_decided(
        f"solutions = {claimed}",
        answer,
        lambda _: (answer.solutions == claimed, f"there are {answer.solutions:,}"),
        about_lines=True,
    )


def _key(claimed: str, answer: Answer) -> Claim:
    keys = [print_move(key.move) for key in answer.keys]

    def check(_: int) -> tuple[bool, str]:
        if claimed not in keys:
            return False, f"it does not keep to the shortest; {_some(keys)} {'does' if len(keys) == 1 else 'do'}"
        others = [key for key in keys if key != claimed]
        return not others, f"cooked: {_some(others)} as well"

    return _when_decided(f"key = {claimed}", answer, check, about_lines=True)


def _some(keys: list[str]) -> str:
    return ", ".join(keys[:3]) + (f" and {len(keys) - 3} more" if len(keys) > 3 else "")


def remarks(puzzle: Puzzle, answer: Answer) -> list[str]:
    """What problemists would say of a puzzle: sound, cooked, dual, transposed, short, idle cards."""
    if answer.cards is None or not answer.counted:
        return []
    said = []
    stated = puzzle.claims.cards or puzzle.within
    if stated is not None and answer.cards < stated:
        said.append(f"short: solvable in {answer.cards}, not {stated}")
    if len(answer.keys) > 1:
        said.append(f"cooked: {len(answer.keys)} first moves keep to the shortest")
    elif answer.endings > 1:
        said.append(f"dual: {answer.solutions:,} lines after the key, with {answer.endings:,} different ends")
    elif answer.solutions > 1:
        said.append(f"transposed: {answer.solutions:,} lines after the key, all with the same end")
    sound = not said or (len(said) == 1 and said[0].startswith("transposed"))
    if answer.idle:
        said.append(f"idle: {print_cards(answer.idle)} {'is' if len(answer.idle) == 1 else 'are'} never played")
    return ["sound", *said] if sound else said
