"""What a judgement says, and what it keeps to itself."""

import json
from itertools import combinations

import numpy as np
import plain_criteria as plain
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused

import biombo as bb
from biombo._criteria import as_json

# In the clinic, F 34 Pedra Rasa is two people with the flu, and four people are alone in their group.


def test_the_clinic_gives_the_values_computed_on_paper(clinic: bb.Dataset) -> None:
    judged = bb.judge(clinic, [bb.KAnonymity(2), bb.LDiversity(2), bb.Vulnerability(0.75, over="table")])

    assert not judged.holds
    assert judged.rows == 12
    assert [(v.holds, v.achieved, v.groups, v.records) for v in judged.verdicts] == [
        (False, 1, 4, 4),
        (False, 1, 5, 6),
        (True, 9 / 12, 0, 0),
    ]
    assert judged.verdicts[0].quasi == ("sex", "age", "city")


def test_failing_rows_are_those_of_any_criterion(clinic: bb.Dataset) -> None:
    alone, uniform = bb.judge(clinic, bb.KAnonymity(2)), bb.judge(clinic, bb.LDiversity(2))
    both = bb.judge(clinic, [bb.KAnonymity(2), bb.LDiversity(2)])
    names = bb.samples.clinic()["name"]

    assert names.filter(pl.Series(alone.failing_rows())).to_list() == ["Elias", "Flora", "Hana", "Ivo"]
    assert names.filter(pl.Series(uniform.failing_rows())).to_list() == ["Ana", "Dora", "Elias", "Flora", "Hana", "Ivo"]
    assert (both.failing_rows() == uniform.failing_rows()).all()


def test_the_worst_groups_come_first_and_the_larger_ones_before(clinic: bb.Dataset) -> None:
    worst = bb.judge(clinic, bb.LDiversity(2)).verdicts[0].worst(2)

    assert dict(worst[0].values) == {"sex": "F", "age": 34, "city": "Pedra Rasa"}
    assert (worst[0].records, worst[0].value, worst[0].sensitive, worst[0].holds) == (2, 1, "disease", False)
    assert worst[1].records == 1


def test_the_worst_group_names_the_column_that_makes_it_so(clinic: bb.Dataset) -> None:
    by_city = bb.judge(clinic, bb.Vulnerability(0.9), quasi=["city"], sensitive=["disease", "sex", "age"]).verdicts[0]
    assert by_city.worst(1)[0].sensitive == "age"
    assert by_city.worst(1)[0].value == pytest.approx(4 / 6)


@pytest.mark.parametrize("n", [0, -1, 1.5, True])
def test_a_number_of_groups_that_makes_no_sense_is_refused(clinic: bb.Dataset, n: int) -> None:
    with refused("criteria.worst"):
        bb.judge(clinic, bb.KAnonymity(2)).verdicts[0].worst(n)


def test_causes_say_what_each_column_does_alone_and_what_would_be_left_without_it(clinic: bb.Dataset) -> None:
    causes = bb.judge(clinic, bb.KAnonymity(3)).verdicts[0].causes()

    assert causes.columns == [
        "column",
        *("alone_groups", "alone_records", "alone_achieved"),
        *("without_groups", "without_records", "without_achieved"),
    ]
    # Each column alone parts the twelve into two times six. Without age: F and M in either city, three people each.
    assert causes.rows() == [
        ("sex", 0, 0, 6.0, 2, 4, 2.0),
        ("age", 0, 0, 6.0, 0, 0, 3.0),
        ("city", 0, 0, 6.0, 0, 0, 3.0),
    ]


def test_without_its_only_column_a_table_is_one_group(clinic: bb.Dataset) -> None:
    causes = bb.judge(clinic, bb.KAnonymity(7), quasi=["age"]).verdicts[0].causes()
    assert causes.rows() == [("age", 2, 12, 6.0, 0, 0, 12.0)]


def test_causes_of_a_table_level_criterion_are_told_by_what_is_achieved(clinic: bb.Dataset) -> None:
    causes = bb.judge(clinic, bb.Leakage(0.1, over="table")).verdicts[0].causes()
    assert causes["alone_achieved"].to_list() == pytest.approx([0, 3 / 12, 0])
    assert causes["without_achieved"].to_list() == pytest.approx([3 / 12, 0, 3 / 12])


def test_criteria_may_have_quasi_columns_of_their_own(clinic: bb.Dataset) -> None:
    # PDPC (2018), 16.3: k may differ between sets of indirect identifiers; the lowest is held against the limit.
    criteria = [
        bb.KAnonymity(3, quasi=["sex", "city"]),
        bb.KAnonymity(2),
        bb.KAnonymity(6, quasi=["age"]),
        bb.LDiversity(3, quasi=["city", "sex"]),
    ]
    judged = bb.judge(clinic, criteria)

    assert [verdict.criterion for verdict in judged.verdicts] == criteria
    assert [verdict.quasi for verdict in judged.verdicts] == [
        ("sex", "city"),
        ("sex", "age", "city"),
        ("age",),
        ("sex", "city"),
    ]
    assert [verdict.achieved for verdict in judged.verdicts] == [3, 1, 6, 2]
    assert [verdict.holds for verdict in judged.verdicts] == [True, False, True, False]
    of_diversity = bb.judge(clinic, criteria[3]).failing_rows()
    of_size = bb.judge(clinic, criteria[1]).failing_rows()
    assert (judged.failing_rows() == (of_diversity | of_size)).all()


row = st.tuples(st.sampled_from("xyz"), st.sampled_from("12"), st.sampled_from("abc"), st.sampled_from([0, 1, 2]))


@given(rows=st.lists(row, max_size=30).filter(lambda rows: any(row[3] != 2 for row in rows)))
def test_rows_that_are_left_out_or_suppressed_are_in_no_group(rows: list[plain.Row]) -> None:
    """The last column says what becomes of a row: it counts (0), is suppressed (1) or is left out at all (2)."""
    data = bb.read(pl.DataFrame(rows, schema=["q", "r", "s", "fate"], orient="row"))
    fate = np.array([row[3] for row in rows])
    input_values = [row[2] for row in rows if row[3] != 2]
    kept = [row for row in rows if row[3] == 0]
    groups = {key: [row[2] for row in group] for key, group in plain.groups_of(kept, (0, 1)).items()}

    criteria = [bb.KAnonymity(2), bb.TCloseness(0.4), bb.Leakage(0.3), bb.Vulnerability(0.7, over="table")]
    judged = bb.judge(data, criteria, quasi=["q", "r"], sensitive="s", keep=fate != 2, suppressed=fate == 1)

    size, closeness, leakage, vulnerability = judged.verdicts
    assert judged.rows == len(kept)
    assert not judged.failing_rows()[fate != 0].any()
    if not kept:
        assert judged.holds
        assert [verdict.achieved for verdict in judged.verdicts] == [None] * 4
        assert "no record is left" in str(judged)
        return
    assert size.achieved == min(map(len, groups.values()))
    far = [plain.earth_movers_distance(group, input_values, lambda a, b: a != b) for group in groups.values()]
    assert closeness.achieved == pytest.approx(float(max(far)))
    shares = [plain.top_share(group) for group in groups.values()]
    assert leakage.achieved == pytest.approx(float(max(shares) - plain.top_share(input_values)))
    assert vulnerability.achieved == pytest.approx(float(plain.posterior(list(groups.values()))))
    failing = {key for key, group in groups.items() if len(group) < 2}
    assert size.failing_rows().tolist() == [row[3] == 0 and row[:2] in failing for row in rows]


def test_all_columns_but_one_is_judged_like_any_set(clinic: bb.Dataset) -> None:
    causes = bb.judge(clinic, bb.Vulnerability(0.5)).verdicts[0].causes()
    for quasi in combinations(["sex", "age", "city"], 2):
        left_out = next(name for name in ("sex", "age", "city") if name not in quasi)
        verdict = bb.judge(clinic, bb.Vulnerability(0.5), quasi=quasi).verdicts[0]
        row = causes.filter(pl.col("column") == left_out).row(0, named=True)
        assert (row["without_groups"], row["without_records"]) == (verdict.groups, verdict.records)
        assert row["without_achieved"] == verdict.achieved


def test_the_json_says_nothing_about_what_is_in_groups(clinic: bb.Dataset) -> None:
    judged = bb.judge(clinic, [bb.KAnonymity(2), bb.LDiversity(2, kind="recursive", c=3)])
    found = as_json(judged)

    assert json.loads(json.dumps(found, allow_nan=False)) == {
        "holds": False,
        "records": 12,
        "criteria": [
            {
                "criterion": {"k-anonymity": {"k": 2}},
                "quasi": ["sex", "age", "city"],
                "holds": False,
                "achieved": 1.0,
                "failing": {"groups": 4, "records": 4},
            },
            {
                "criterion": {"l-diversity": {"l": 2, "kind": "recursive", "c": 3}},
                "quasi": ["sex", "age", "city"],
                "holds": False,
                "achieved": None,
                "failing": {"groups": 5, "records": 6},
            },
        ],
        "waived": [],
    }


def test_the_verdicts_are_sentences_in_both_languages(clinic: bb.Dataset) -> None:
    criteria = [bb.KAnonymity(2), bb.Vulnerability(0.7, over="table"), bb.LDiversity(2, kind="recursive", c=3)]
    judged = bb.judge(clinic, criteria)
    assert str(judged) == (
        "k-anonymity with k = 2: not met (smallest group 1; groups that fail: 4, with 4 records).\n"
        "guessed right in at most 0.7 of the table: not met (highest share 0.75).\n"
        "recursive (c, l)-diversity with c = 3 and l = 2: not met "
        "(highest ratio ∞; groups that fail: 5, with 6 records)."
    )
    bb.set_language("pt")
    assert str(judged).splitlines()[0] == (
        "k-anonimato com k = 2: não atendido (menor grupo: 1; grupos que não atendem: 4, com 4 registros)."
    )


def test_nothing_in_a_verdict_shows_groups_unasked(clinic: bb.Dataset) -> None:
    shown = repr(bb.judge(clinic, bb.KAnonymity(2)).verdicts)
    assert "Pedra Rasa" not in shown


@pytest.mark.parametrize(
    ("criteria", "options", "key", "mentioned"),
    [
        ([], {}, "criteria.none", "bb.KAnonymity"),
        (["k=5"], {}, "criteria.not-one", "str"),
        ([bb.LDiversity(2)], {"sensitive": []}, "criteria.no-sensitive", "l"),
        ([bb.LDiversity(2, column="age")], {}, "criteria.both-roles", "'age'"),
        ([bb.Vulnerability(0.5)], {"sensitive": "sex"}, "criteria.both-roles", "'sex'"),
        ([bb.LDiversity(2, column="illness")], {}, "column.missing", "illness"),
        ([bb.KAnonymity(2)], {"quasi": []}, "attack.no-quasi", "quasi=..."),
        ([bb.KAnonymity(2)], {"quasi": "sex"}, "usage.string-for-list", "'sex'"),
        ([bb.KAnonymity(2)], {"quasi": ["sex", "sex"]}, "attack.repeated", "'sex'"),
        ([bb.KAnonymity(2, quasi=["sexo"])], {}, "column.missing-close", "sexo"),
        ([bb.KAnonymity(2)], {"keep": [True]}, "criteria.rows", "keep"),
        ([bb.KAnonymity(2)], {"keep": [False] * 12}, "criteria.nothing", ""),
        ([bb.KAnonymity(2)], {"suppressed": np.zeros(12)}, "criteria.rows", "suppressed"),
    ],
)
def test_nonsense_is_refused_with_a_sentence(
    clinic: bb.Dataset, criteria: list[bb.Criterion], options: dict[str, object], key: str, mentioned: str
) -> None:
    with refused(key, mentioned):
        bb.judge(clinic, criteria, **options)


def test_what_was_not_read_is_refused() -> None:
    with refused("criteria.not-read", "bb.read"):
        bb.judge("people.csv", bb.KAnonymity(2))


def test_more_columns_than_can_be_counted_are_refused() -> None:
    columns = {f"c{i}": ["a", "b"] for i in range(64)}
    data = bb.read(pl.DataFrame(columns))
    with refused("criteria.too-many-quasi", "63"):
        bb.judge(data, bb.KAnonymity(2), quasi=list(columns))
    with refused("criteria.too-many-sensitive", "40"):
        bb.judge(data, bb.LDiversity(2), quasi=["c0"], sensitive=list(columns)[1:])
    assert bb.judge(data, bb.LDiversity(2), quasi=["c0"], sensitive=list(columns)[1:41]).verdicts[0].groups == 2
    assert bb.judge(data, bb.KAnonymity(2), quasi=list(columns)[:63]).verdicts[0].groups == 2
