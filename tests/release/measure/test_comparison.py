"""What an adversary learns from a release whose values were drawn or exchanged, held against the original."""

import random
import warnings
from collections import Counter
from datetime import date, datetime, time
from decimal import Decimal
from itertools import combinations
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from examples import examples
from hypothesis import given
from report_reading import read_back

import biombo as bb
from biombo._attack import RiskFindings
from biombo._data import SourceTable
from biombo._engine import LOCAL, Paired, RowPairs, Table
from biombo._i18n import LANGUAGES, set_language
from biombo._plan import schema_in_use
from biombo._release.measure import Comparison, truth_of
from biombo._release.verify import plainly_read

DOMAIN = ("flu", "gout", "cold")
people = st.lists(
    st.tuples(st.integers(30, 33), st.sampled_from(["02138", "02139", "02141"]), st.sampled_from(DOMAIN)),
    min_size=2,
    max_size=14,
)


def table_of(rows) -> pl.DataFrame:
    columns = pl.DataFrame(rows, schema={"age": pl.Int64, "zip": pl.String, "disease": pl.String}, orient="row")
    return columns.with_row_index("id")


def opened(table: pl.DataFrame) -> Table:
    return LOCAL.open(SourceTable.open(table))


def compared(table: pl.DataFrame, plan: bb.Plan, file: Path | None = None) -> tuple[Comparison, bb.Dataset]:
    """Both tables attacked; the column ``id`` tells where a released record comes from."""
    used = schema_in_use(plan, bb.Schema())
    applied = bb.apply(table, plan, file, keep=["id"], force=True)
    released = bb.read(applied.data) if file is None else plainly_read(file)
    original = bb.read(table)
    own = original.take(np.array([int(value) for value in released["id"].decoded()]))
    return Comparison.of(opened(table), RowPairs.of(released, own), plan, used), released


def plain(released: bb.Dataset, plan: bb.Plan) -> RiskFindings:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bb.BiomboWarning)  # a column may tell everybody apart in so small a table
        return RiskFindings.of(bb.risk(released, plan.quasi, plan.sensitive))


def strengths(found: RiskFindings | None) -> list[tuple[float, list[float]]]:
    assert found is not None
    each = [found.identity, *found.guesses.values()]
    return [(findings.prior, [row["posterior"] for row in findings.best]) for findings in each]


def plan_of(*operations, masks: bool = True, groups_by: list[str] | None = None) -> bb.Plan:
    whole = [*operations, bb.MaskGroups() if masks else bb.SuppressGroups()]
    return bb.Plan(whole, [bb.KAnonymity(2, quasi=groups_by)], ["age", "zip"], ["disease"])


@examples(20)
@given(people, st.booleans())
def test_without_perturbation_the_release_is_attacked_as_it_stands(rows, masks) -> None:
    plan = plan_of(bb.Round("age", 2), bb.Generalise("zip", bb.Hierarchy.by_prefix([3]), 1), masks=masks)
    try:
        found, released = compared(table_of(rows), plan)
    except bb.SuppressionError:
        return

    assert found.after is not None
    assert not found.after.scored
    assert strengths(found.after) == strengths(plain(released, plan))


@examples(20)
@given(people, st.booleans(), st.sampled_from([None, "csv", "parquet"]))
def test_noise_that_changes_nothing_is_scored_as_the_release_at_its_word(tmp_path_factory, rows, masks, kind) -> None:
    """An amount that is rounded away, and an ε by which another value is drawn once in e^100 times."""
    file = None if kind is None else tmp_path_factory.mktemp("release") / f"data.{kind}"
    noise = (bb.AddNoise("age", 0.1), bb.RandomisedResponse("disease", 100, DOMAIN))
    zips = bb.Generalise("zip", bb.Hierarchy.by_prefix([3]), 1)
    plan = plan_of(*noise, zips, masks=masks, groups_by=["zip"])  # groups of noised ages would mean nothing
    try:
        found, released = compared(table_of(rows), plan, file)
    except bb.SuppressionError:
        return

    assert found.after is not None
    assert found.after.scored
    for (prior, best), (plain_prior, plain_best) in zip(
        strengths(found.after), strengths(plain(released, plan)), strict=True
    ):
        assert prior == pytest.approx(plain_prior)
        assert best == pytest.approx(plain_best)


@examples(20)
@given(people)
def test_what_was_swapped_is_scored_by_the_definition(rows) -> None:
    plan = plan_of(bb.Swap(["age"]), bb.Generalise("zip", bb.Hierarchy.by_prefix([3]), 1))
    try:
        found, released = compared(table_of(rows), plan)
    except bb.SuppressionError:
        return
    values = [released[name].decoded().to_list() for name in ("age", "zip", "disease")]
    records = [tuple(map(str, row)) for row in zip(*values, strict=True)]
    places = released["id"].decoded().to_list()
    truth = [
        ("*" if own[:2] == ("*", "*") else str(rows[p][0]), *own[1:]) for p, own in zip(places, records, strict=True)
    ]

    identity, guesses = strengths(found.after)
    assert identity[1] == pytest.approx(strongest(slow_identity, records, truth))
    assert guesses[1] == pytest.approx(strongest(slow_guess, records, truth))
    assert guesses[0] == max(Counter(person[2] for person in truth).values()) / len(truth)


def strongest(success, records, truth) -> list[float]:
    return [max(success(records, truth, known) for known in combinations((0, 1), size)) for size in (1, 2)]


def matching(records, person, known) -> list[int]:
    found = [i for i, record in enumerate(records) if all(record[j] == person[j] for j in known)]
    return found or list(range(len(records)))


def slow_identity(records, truth, known) -> float:
    matches = [matching(records, person, known) for person in truth]
    return sum((own in match) / len(match) for own, match in enumerate(matches)) / len(truth)


def slow_guess(records, truth, known) -> float:
    total = 0.0
    for person in truth:
        counts = Counter(records[i][2] for i in matching(records, person, known))
        guesses = [value for value, count in counts.items() if count == max(counts.values())]
        total += (person[2] in guesses) / len(guesses)
    return total / len(truth)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize(
    "values",
    [
        [1.5, 2.0, 1e-7, None],
        [True, False, True, None],
        [Decimal("1.50"), Decimal("2.00"), Decimal("3.25"), None],
        [date(2024, 1, 31), date(2024, 2, 1), None, None],
        [datetime(2024, 1, 31, 12, 30), datetime(2024, 2, 1), datetime(2024, 2, 1, 0, 0, 0, 5), None],
        [time(12, 30), time(0, 0, 1), time(23, 59, 59, 5), None],
        ["1,5", "01", "=1+1", None],
    ],
    ids=lambda values: type(values[0]).__name__,
)
@pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")
def test_values_of_all_types_are_found_again(values, kind, tmp_path) -> None:
    """Every record is swapped with itself alone, so everything stays true."""
    table = pl.DataFrame({"id": range(8), "x": values * 2, "disease": list("abcdefgh")})
    plan = bb.Plan([bb.Swap(["x"], within=["id"])], quasi=["x"], sensitive=["disease"])
    found, released = compared(table, plan, tmp_path / f"data.{kind}")

    assert found.after is not None
    assert found.after.scored
    assert strengths(found.after)[0][1] == pytest.approx([len(set(values)) / 8])
    assert strengths(found.after) == [(p, pytest.approx(b)) for p, b in strengths(plain(released, plan))]


def test_true_values_are_looked_for_as_the_release_writes_them() -> None:
    table = pl.DataFrame(
        {
            "id": range(3),
            "weight": ["60.04", "71.96", "500"],
            "born": [datetime(1990, 5, 17, 3), datetime(1890, 1, 1), datetime(1962, 12, 24)],
            "height": ["160,4", "171,6", "n/a"],
        }
    )
    operations = [
        bb.Laplace("weight", 1, (0, 200), decimals=1),
        bb.Geometric("born", 1, ("1920-01-01", "2024-12-31")),
        bb.AddNoise("height", 3, decimal=",", apart=["n/a"]),
    ]
    plan = bb.Plan(operations, quasi=["weight", "born", "height"])
    released = bb.read(bb.apply(table, plan, keep_order=True).data)
    truth = truth_of(Paired(released, bb.read(table)), plan, schema_in_use(plan, bb.Schema()))

    assert truth["weight"].decoded().to_list() == [60.0, 72.0, 200.0]
    assert truth["born"].decoded().to_list() == [date(1990, 5, 17), date(1920, 1, 1), date(1962, 12, 24)]
    assert truth["height"].decoded().to_list() == ["160", "172", "n/a"]


def test_what_is_derived_from_changed_values_is_true_as_derived_from_the_original() -> None:
    table = pl.DataFrame(
        {"id": range(40), "start": ["2024-01-01"] * 40, "end": [f"2024-01-{2 + n % 20:02}" for n in range(40)]}
    )
    plan = bb.Plan([bb.Swap(["end"]), bb.DeriveDuration("start", "end", "stay", drop=False)], quasi=["stay"])
    released = bb.read(bb.apply(table, plan, keep_order=True).data)
    truth = truth_of(Paired(released, bb.read(table)), plan, schema_in_use(plan, bb.Schema()))

    assert truth["stay"].decoded().to_list() == [1 + n % 20 for n in range(40)]
    assert released["stay"].decoded().to_list() != truth["stay"].decoded().to_list()


@pytest.mark.filterwarnings("ignore:Column '.*' is changed by less than a hundredth")
def test_whoever_looks_nearby_finds_numbers_and_dates_that_have_moved() -> None:
    chance = random.Random(3)
    table = pl.DataFrame(
        {
            "weight": [round(chance.gauss(70, 10), 3) for _ in range(400)],
            "born": [date(1950 + n % 50, 1 + n % 12, 1 + n % 28) for n in range(400)],
        }
    )
    for noise in (bb.AddNoise("weight", 0.1, decimals=3), bb.AddNoise("born", 20)):
        plan = bb.Plan([noise], quasi=list(noise.columns))
        released = bb.read(bb.apply(table, plan, keep_order=True).data)
        found = Comparison.of(
            opened(table), RowPairs.of(released, bb.read(table)), plan, schema_in_use(plan, bb.Schema())
        )
        assert strengths(found.after)[0][1][0] > 5 / 400  # looked up as they stand, hardly anyone would be found


def test_all_columns_are_combined_also_where_there_are_too_many_combinations(monkeypatch) -> None:
    """Noise that changes nothing, so that the release as it stands says what must be found."""
    monkeypatch.setattr("biombo._release.measure.comparison._ROWS_PASSED", 2 * 14 * 3)
    rows = [(30 + n % 3, f"0213{n % 4}", DOMAIN[n % 2]) for n in range(14)]
    plan = bb.Plan([bb.AddNoise("age", 0.1)], quasi=["age", "zip", "sex"], sensitive=["disease"])
    table = table_of(rows).with_columns(sex=pl.Series(["F", "F", "M"] * 4 + ["M", "F"]))
    found, released = compared(table, plan)

    assert found.after is not None
    assert (found.after.combined, found.after.columns) == (1, 3)
    for (_, best), (_, in_whole) in zip(strengths(found.after), strengths(plain(released, plan)), strict=True):
        assert best == pytest.approx([in_whole[0], in_whole[2]])


def test_synonyms_hide_nothing_from_whoever_knows_them() -> None:
    table = pl.DataFrame({"id": range(12), "age": ["30", "40"] * 6, "disease": ["flu", "gout"] * 6})
    synonyms = {"flu": ["influenza", "grippe"], "gout": ["podagra", "uric arthritis"]}
    plan = bb.Plan([bb.Diversify("disease", synonyms, 3)], quasi=["age"], sensitive=["disease"])
    found, released = compared(table, plan)

    assert released["disease"].cardinality == 6
    assert strengths(found.before)[1] == strengths(found.after)[1] == (0.5, [1.0])


def published(folder: Path, rows: int) -> bb.Release:
    chance = random.Random(1)
    table = pl.DataFrame(
        {
            "age": [chance.randint(18, 90) for _ in range(rows)],
            "city": [chance.choice(["Rio Raso", "Serra", "Lagoa"]) for _ in range(rows)],
            "vaccine": [chance.choice("AABC") for _ in range(rows)],
        }
    )
    plan = bb.Plan([bb.AddNoise("age", 3)], quasi=["age", "city"], sensitive=["vaccine"])
    return bb.publish(table, plan, folder / "rel", unprotected="the noise is tried out")


def pages(release: bb.Release) -> list[str]:
    return [read_back((folder / "report.html").read_text()).text for folder in (release.out, release.private)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_reports_say_which_adversary_is_measured(language, tmp_path) -> None:
    set_language(language)
    try:
        public, private = pages(published(tmp_path, 2_500))
    finally:
        set_language("en")
    sentence = {
        "en": "Measured is an adversary who knows true values of a person",
        "pt": "Mede-se um adversário que conhece valores verdadeiros de uma pessoa",
    }[language]
    assert sentence in public
    assert sentence in private


def test_in_public_only_whole_percents_of_what_takes_the_original_are_told(tmp_path) -> None:
    found = pages(published(tmp_path, 2_500))
    public, private = (page.partition("Table 1.")[2].partition("Figure 2.")[0] for page in found)

    exact, told = ([word for word in part.split() if word.endswith("%")] for part in (private, public))
    assert any(not word.endswith(("00%", "100%")) for word in exact)
    assert told
    assert all(word.rstrip("%").removesuffix(".00").isdecimal() for word in told)


def test_nothing_is_told_in_public_where_the_original_is_small(tmp_path) -> None:
    public, private = pages(published(tmp_path, 300))

    assert "What an adversary gains from the release is left out" in public
    assert "Figure 2." not in public.partition("The three kinds of disclosure")[0]
    assert "What an adversary gains from the release is left out" not in private
