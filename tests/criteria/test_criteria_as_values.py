"""Criteria as values: what they accept, how they are written, how they are worded."""

import pickle
from typing import Any

import pytest
import yaml
from refusal import refused

import biombo as bb

HIERARCHY = bb.Hierarchy.by_hand({"lung": ["flu", "asthma"], "belly": ["colic"]})
EVERY_KIND = [
    bb.KAnonymity(5),
    bb.KAnonymity(2, quasi=["age", "sex"]),
    bb.LDiversity(2),
    bb.LDiversity(2.5, kind="entropy"),
    bb.LDiversity(3, kind="recursive", c=0.5, column="disease"),
    bb.TCloseness(0.2),
    bb.TCloseness(0.2, kind="ordered", column="income"),
    bb.TCloseness(1, kind="hierarchical", hierarchy=HIERARCHY),
    bb.Vulnerability(0.5),
    bb.Vulnerability(0.5, over="table"),
    bb.Leakage(0.1),
    bb.Leakage(1.5, form="multiplicative", over="table", column="disease", quasi=["age"]),
    bb.Deassociation(0.5),
    bb.Deassociation(0.5, values=["HIV", ""], column="disease"),
    bb.BetaLikeness(2),
    bb.BetaLikeness(2, kind="basic", column="disease"),
    bb.DeltaDisclosure(1.5),
    bb.KMap(5, population=1000),
    bb.Presence(0.2, population=1000),
    bb.Presence(0.2, population=1000, over="table"),
    bb.AverageRisk(0.05),
    bb.Uniqueness(0),
    bb.PopulationUniqueness(0.01, population=1000, model="zayatz", quasi=["age"]),
]


@pytest.mark.parametrize("criterion", EVERY_KIND, ids=str)
def test_a_criterion_survives_yaml_and_pickle(criterion: bb.Criterion) -> None:
    tree = yaml.safe_load(yaml.safe_dump(criterion.to_tree()))
    assert bb.Criterion.from_tree(tree) == criterion
    assert pickle.loads(pickle.dumps(criterion)) == criterion


def test_what_is_as_by_default_is_left_out() -> None:
    assert [criterion.to_tree() for criterion in EVERY_KIND] == [
        {"k-anonymity": {"k": 5}},
        {"k-anonymity": {"k": 2, "quasi": ["age", "sex"]}},
        {"l-diversity": {"l": 2}},
        {"l-diversity": {"l": 2.5, "kind": "entropy"}},
        {"l-diversity": {"l": 3, "kind": "recursive", "c": 0.5, "column": "disease"}},
        {"t-closeness": {"t": 0.2}},
        {"t-closeness": {"t": 0.2, "kind": "ordered", "column": "income"}},
        {"t-closeness": {"t": 1, "kind": "hierarchical", "hierarchy": HIERARCHY.to_tree()}},
        {"vulnerability": {"max": 0.5}},
        {"vulnerability": {"max": 0.5, "over": "table"}},
        {"leakage": {"max": 0.1}},
        {
            "leakage": {
                "max": 1.5,
                "form": "multiplicative",
                "over": "table",
                "column": "disease",
                "quasi": ["age"],
            }
        },
        {"deassociation": {"alpha": 0.5}},
        {"deassociation": {"alpha": 0.5, "values": ["HIV", ""], "column": "disease"}},
        {"beta-likeness": {"beta": 2}},
        {"beta-likeness": {"beta": 2, "kind": "basic", "column": "disease"}},
        {"delta-disclosure": {"delta": 1.5}},
        {"k-map": {"k": 5, "population": 1000}},
        {"presence": {"max": 0.2, "population": 1000}},
        {"presence": {"max": 0.2, "population": 1000, "over": "table"}},
        {"average-risk": {"max": 0.05}},
        {"uniqueness": {"max": 0}},
        {"population-uniqueness": {"max": 0.01, "population": 1000, "model": "zayatz", "quasi": ["age"]}},
    ]


@pytest.mark.parametrize(
    ("tree", "key", "mentioned"),
    [
        (None, "criteria.shape", "k-anonymity: {k: 5}"),
        ("k-anonymity", "criteria.shape", "'k-anonymity'"),
        ({}, "criteria.shape", "{}"),
        ({"k-anonymity": 5}, "criteria.in-criterion", "5"),
        ({"k-anonymity": {"k": 2}, "l-diversity": {"l": 2}}, "criteria.shape", "l-diversity"),
        ({"anonymity": {"k": 5}}, "criteria.in-criterion", "'k-anonymity'?"),
        ({"k-anonymity": {}}, "criteria.in-criterion", "'k'"),
        ({"k-anonymity": {"k": 5, "column": "age"}}, "criteria.in-criterion", "k, quasi"),
        ({"k-anonymity": {"k": "5"}}, "criteria.in-criterion", "'5'"),
        ({"k-anonymity": {"k": 2, "quasi": "age"}}, "criteria.in-criterion", "'age'"),
        ({"l-diversity": {"l": 2, "kind": "simple"}}, "criteria.in-criterion", "recursive"),
        ({"l-diversity": {"l": 2, "kind": ["distinct"]}}, "criteria.in-criterion", "entropy"),
        ({"l-diversity": {"l": 2, "column": 3}}, "criteria.in-criterion", "3"),
        ({"t-closeness": {"t": 0.1, "kind": "hierarchical"}}, "criteria.in-criterion", "bb.Hierarchy"),
        ({"t-closeness": {"t": 0.1, "hierarchy": {"a": ["b"]}}}, "criteria.in-criterion", "equal"),
    ],
)
def test_a_tree_that_is_no_criterion_is_refused_in_one_sentence(tree: Any, key: str, mentioned: str) -> None:
    with refused(key, mentioned):
        bb.Criterion.from_tree(tree)


@pytest.mark.parametrize(
    ("make", "key"),
    [
        (lambda: bb.KAnonymity(0), "document.entry-whole"),
        (lambda: bb.KAnonymity(2.0), "document.entry-whole"),
        (lambda: bb.KAnonymity(True), "document.entry-whole"),
        (lambda: bb.KAnonymity(2, quasi=[]), "document.entry-columns"),
        (lambda: bb.KAnonymity(2, quasi=["age", "age"]), "document.entry-columns"),
        (lambda: bb.KAnonymity(2, quasi=[1]), "document.entry-columns"),
        (lambda: bb.LDiversity(1), "document.entry-whole"),
        (lambda: bb.LDiversity(2.5), "document.entry-whole"),
        (lambda: bb.LDiversity(1, kind="entropy"), "document.entry-above"),
        (lambda: bb.LDiversity(float("inf"), kind="entropy"), "document.entry-above"),
        (lambda: bb.LDiversity(2, kind="recursive"), "document.entry-above"),
        (lambda: bb.LDiversity(2, kind="recursive", c=0), "document.entry-above"),
        (lambda: bb.LDiversity(2, c=1), "criteria.c-unused"),
        (lambda: bb.LDiversity(2, column=""), "document.entry-column"),
        (lambda: bb.TCloseness(-0.1), "document.entry-between"),
        (lambda: bb.TCloseness(1.1), "document.entry-between"),
        (lambda: bb.TCloseness(float("nan")), "document.entry-between"),
        (lambda: bb.TCloseness(0.1, kind="hierarchical", hierarchy="cid10"), "criteria.hierarchy-needed"),
        (lambda: bb.Vulnerability(0), "document.entry-above-to"),
        (lambda: bb.Vulnerability(1.01), "document.entry-above-to"),
        (lambda: bb.Vulnerability(0.5, over="column"), "document.entry-choice"),
        (lambda: bb.Leakage(-0.01), "document.entry-between"),
        (lambda: bb.Leakage(0.9, form="multiplicative"), "document.entry-at-least"),
        (lambda: bb.Leakage(0.1, form="relative"), "document.entry-choice"),
        (lambda: bb.Deassociation(0), "document.entry-above-to"),
        (lambda: bb.Deassociation(1.1), "document.entry-above-to"),
        (lambda: bb.Deassociation(0.5, values="HIV"), "document.entry-columns"),
        (lambda: bb.Deassociation(0.5, values=[]), "document.entry-columns"),
        (lambda: bb.BetaLikeness(0), "document.entry-above"),
        (lambda: bb.BetaLikeness(-1, kind="basic"), "document.entry-above"),
        (lambda: bb.BetaLikeness(1, kind="simple"), "document.entry-choice"),
        (lambda: bb.DeltaDisclosure(0), "document.entry-above"),
        (lambda: bb.DeltaDisclosure(float("inf")), "document.entry-above"),
        (lambda: bb.KMap(0, population=10), "document.entry-whole"),
        (lambda: bb.KMap(5, population=0.5), "document.entry-whole"),
        (lambda: bb.Presence(0, population=10), "document.entry-above-to"),
        (lambda: bb.Presence(0.5, population=10, over="column"), "document.entry-choice"),
        (lambda: bb.AverageRisk(0), "document.entry-above-to"),
        (lambda: bb.Uniqueness(-0.1), "document.entry-between"),
        (lambda: bb.PopulationUniqueness(2, population=10), "document.entry-between"),
        (lambda: bb.PopulationUniqueness(0.1, population=10, model="guess"), "document.entry-choice"),
    ],
)
def test_values_that_make_no_sense_are_refused_on_construction(make: Any, key: str) -> None:
    with refused(key):
        make()


def test_what_is_asked_is_worded_in_the_language_in_use() -> None:
    criterion = bb.TCloseness(0.25, kind="ordered", column="renda", quasi=["idade", "sexo"])
    assert str(criterion) == "t-closeness (ordered values) with t = 0.25, for renda, by idade, sexo"
    bb.set_language("pt")
    assert str(criterion) == "t-proximidade (valores ordenados) com t = 0,25, para renda, por idade, sexo"
    assert str(bb.KAnonymity(1000)) == "k-anonimato com k = 1.000"


@pytest.mark.parametrize("code", ["en", "pt"])
def test_no_two_criteria_are_worded_alike(code: str) -> None:
    bb.set_language(code)
    assert len({str(criterion) for criterion in EVERY_KIND}) == len(EVERY_KIND)


def test_scopes() -> None:
    assert [c.scope for c in EVERY_KIND] == ["group"] * 9 + ["table", "group", "table"] + ["group"] * 7 + ["table"] * 4
