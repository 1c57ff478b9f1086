"""Marks dealt to records in their order are those that each record finds by its turn."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from biombo._engine import Dealing, dealt_marks, hand_marks

HANDS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 9), st.integers(0, 6)), max_size=8).map(sorted)


@st.composite
def dealings(draw: st.DrawFn) -> tuple[Dealing, np.ndarray, np.ndarray]:
    """Hands for piles, the piles of some records, and an order of these."""
    hands = draw(HANDS)
    piles = np.array(draw(st.lists(st.integers(-1, 5), max_size=30)), np.int64)
    to, mark, count = (np.array([hand[place] for hand in hands], np.int64) for place in range(3))
    order = np.array(draw(st.permutations(range(len(piles)))), np.intp)
    return Dealing(pile=piles, to=to, mark=mark, count=count), piles, order


def dealt_plainly(dealing: Dealing, piles: np.ndarray, order: np.ndarray) -> list[int]:
    """The cards of a hand go to the records of its pile one by one."""
    cards: dict[int, list[int]] = {}
    for pile, mark, count in zip(dealing.to, dealing.mark, dealing.count, strict=True):
        cards.setdefault(pile, []).extend([mark] * count)
    marks = [-1] * len(piles)
    for record in order:
        if of_pile := cards.get(piles[record]):
            marks[record] = of_pile.pop(0)
    return marks


def turns(piles: np.ndarray, order: np.ndarray) -> np.ndarray:
    """By record: how many of its pile come before it."""
    seen: dict[int, int] = {}
    found = np.zeros(len(piles), np.int64)
    for record in order:
        found[record] = seen[piles[record]] = seen.get(piles[record], -1) + 1
    return found


@given(dealings())
def test_marks_are_dealt_one_by_one(case) -> None:
    assert dealt_marks(*case).tolist() == dealt_plainly(*case)


@given(dealings())
def test_each_record_finds_its_mark_by_its_turn_alone(case) -> None:
    """So that records of a pile may be in several places."""
    dealing, piles, order = case
    turn, marks = turns(piles, order), dealt_marks(*case)
    apart = [int(hand_marks(dealing, piles[[n]], turn[[n]])[0]) for n in range(len(piles))]

    assert hand_marks(dealing, piles, turn).tolist() == apart == marks.tolist()
