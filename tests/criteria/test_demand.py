"""What the kernel is asked to check."""

from math import log2

import numpy as np
import polars as pl
import pytest
from refusal import refused

import biombo as bb
from biombo._criteria import demand

DATA = bb.read(pl.DataFrame({"s": list("aaab"), "t": list("abcd")}))


def test_the_largest_k_counts_and_everything_else_is_a_rule() -> None:
    asked = demand(
        DATA,
        [
            bb.KAnonymity(2),
            bb.KAnonymity(5),
            bb.LDiversity(3, kind="entropy", column="t"),
            bb.LDiversity(2, kind="recursive", c=4, column="s"),
            bb.Leakage(0.1, column="s"),
            bb.Leakage(2, form="multiplicative", column="t"),
            bb.Vulnerability(0.5, over="table", column="t"),
        ],
    )
    assert asked.k == 5
    assert [target.name for target in asked.targets] == ["t", "s"]
    assert [(rule.target, rule.kind, rule.bound, rule.tail) for rule in asked.rules] == [
        (0, "entropy", log2(3), 0),
        (1, "recursive", 4, 2),
        (1, "top-share", pytest.approx(0.85), 0),
        (0, "top-share", 0.5, 0),
    ]
    assert [(bound.target, bound.highest) for bound in asked.table] == [(0, 0.5)]


def test_a_criterion_on_every_sensitive_column_is_one_rule_for_each() -> None:
    asked = demand(DATA, bb.LDiversity(2), sensitive=["s", "t"])
    assert (asked.k, [rule.target for rule in asked.rules]) == (1, [0, 1])


def test_priors_are_those_of_the_rows_that_count() -> None:
    keep = np.array([True, False, False, True])
    assert demand(DATA, bb.Leakage(0.1), sensitive="s", keep=keep).rules[0].bound == pytest.approx(0.6)


def test_nobody_is_right_more_than_always() -> None:
    assert demand(DATA, bb.Leakage(0.9), sensitive="s").rules[0].bound == 1


def test_there_must_be_a_sensitive_column_to_ask_about() -> None:
    with refused("criteria.no-sensitive"):
        demand(DATA, bb.LDiversity(2))
