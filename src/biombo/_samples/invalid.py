"""Rows with unknown values, as the real files have them."""

from collections.abc import Iterator

import numpy as np

from biombo._samples.sampling import narrowest, random
from biombo._samples.visits import Block
from biombo._samples.world import AGES, RACES, World

_CONSOLIDATED = 0.1
"""The share of invalid rows that report a total, without any person; the others only lack the race."""


def with_invalid(blocks: Iterator[Block], world: World, seed: int, share: float) -> Iterator[Block]:
    """The blocks, with a value unknown in ``share`` of the rows; the others stay what they are without it."""
    codes = {"PA_MUNPCN": world.state.municipalities, "PA_IDADE": AGES, "PA_SEXO": 2}
    for number, block in enumerate(blocks):
        chance = random(seed, 3, world.state.number, number).random(len(block["PA_RACACOR"]))
        block["PA_RACACOR"][chance < share] = RACES
        for column, code in codes.items():
            block[column] = block[column].astype(narrowest(code + 1), copy=False)
            block[column][chance < share * _CONSOLIDATED] = np.uint16(code)
        yield block
