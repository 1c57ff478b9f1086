"""What a choice would mean is what a search finds, and what the risk decision accepts."""

from dataclasses import replace
from decimal import Decimal
from random import Random

import polars as pl
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

import biombo as bb
from biombo._guide import DIVERSE, USUAL, diversity, exposures, group_sizes, hidden_by, least_group, look_at


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    table = pl.DataFrame(
        {
            "age": [str(20 + (7 * number) % 60) for number in range(400)],
            "city": [f"city {number % 7}" for number in range(400)],
            "disease": ["flu" if number % 5 else "gout" for number in range(400)],
        }
    )
    path = tmp_path_factory.mktemp("people") / "people.csv"
    table.write_csv(path)
    return path


def asked(path, **more):
    schema = {
        "columns": {
            "age": {"role": "quasi", "hierarchy": "age"},
            "city": {"role": "quasi"},
            "disease": {"role": "sensitive"},
        }
    }
    return bb.PublishRequest(files=[path], schema=schema, max_suppression=0.05, **more)


def described(request):
    return look_at(request).described(bb.Schema.load(request.schema))


@pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")
def test_a_size_of_groups_means_what_the_search_finds_for_it(people):
    request = asked(people)
    data = described(request)
    offered = group_sizes(request, data, least=10)
    assert [each.k for each in offered] == [10, 20, 50]
    for each in offered:
        (best,) = bb.search(data, bb.KAnonymity(each.k), max_suppression=0.05, plans=1)
        assert each.best is not None
        assert (each.best.levels, each.best.suppressed) == (best.levels, best.suppressed)
        assert each.share == (each.hidden.masked + each.hidden.dropped) / 400


@pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")
def test_columns_that_say_the_same_of_everybody_are_named(people):
    request = asked(people)
    (*_, largest) = group_sizes(request, described(request), least=200)
    assert largest.k == 1000
    assert largest.best is None
    assert largest.constant == ()
    first = group_sizes(request, described(request), least=200)[0]
    assert set(first.constant) <= {"age", "city"}
    assert first.constant


@pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")
def test_diversity_is_measured_with_the_groups_that_were_chosen(people):
    request = asked(people, k=10)
    found = diversity(request, described(request))
    assert found.k == 10
    assert found.best is not None
    criteria = [bb.KAnonymity(10), bb.LDiversity(DIVERSE)]
    assert bb.search(described(request), criteria, max_suppression=0.05)[0].levels == found.best.levels


@pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")
def test_a_size_that_was_asked_for_is_among_those_that_are_measured(people):
    request = asked(people, k=12, l=2)
    data = described(request)
    offered = {each.k: each for each in group_sizes(request, data, least=10)}
    assert list(offered) == [10, 12, 20, 50]
    best = bb.search(data, [bb.KAnonymity(12), bb.LDiversity(2)], max_suppression=0.05)[0]
    assert offered[12].best.levels == best.levels


@st.composite
def tables(draw):
    """Rows of few values, some of them rare, so that some groups are small."""
    ages = st.sampled_from([*("30", "40", "41") * 9, "50", "90"])
    row = st.tuples(ages, st.sampled_from("aaaabbbc"), st.sampled_from("xxxy"))
    return draw(st.lists(row, min_size=8, max_size=60))


@examples(25)
@given(tables(), st.integers(2, 5), st.sampled_from([0.05, 0.2, 0.5]), st.sampled_from(["mask", "drop"]))
@pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")
def test_what_is_hidden_is_what_comes_of_masking_or_else_of_dropping(rows, k, limit, small_groups):
    """Slowly: mask all records of small groups, and those of the next smallest as long as the masked are too few; where
    these are more than may be, drop those of small groups if too few of them could be masked.
    """
    table = pl.DataFrame(rows, schema=["age", "city", "disease"], orient="row")
    request = bb.PublishRequest(max_suppression=limit, small_groups=small_groups)
    columns = {
        "age": {"role": "quasi", "hierarchy": "age"},
        "city": {"role": "quasi"},
        "disease": {"role": "sensitive"},
    }
    data = bb.read(table, bb.Schema.load({"columns": columns}))
    for plan in bb.search(data, bb.KAnonymity(k), max_suppression=limit, plans=3):
        generalised = bb.apply(table, replace(plan.plan, operations=plan.plan.operations[:-1]), schema=data.schema).data
        sizes = sorted(generalised.group_by("age", "city").len()["len"].to_list())
        small = [size for size in sizes if size < k]
        found = hidden_by(plan, request, data)
        assert found is not None
        assert (found.masked, found.dropped) == plainly_hidden(small, sizes[len(small) :], k, limit, small_groups)


def plainly_hidden(small: list[int], others: list[int], k: int, limit: float, small_groups: str) -> tuple[int, int]:
    """How many records are masked and dropped, by the sizes of groups that are too small and of all others."""
    if small_groups == "drop" or not small:
        return 0, sum(small)
    masked, left = sum(small), list(others)
    while masked < k and left:
        masked += left.pop(0)
    if k <= masked <= int(Decimal(str(limit)) * (sum(small) + sum(others))):
        return masked, 0
    return (sum(small), 0) if sum(small) >= k else (0, sum(small))


@pytest.mark.parametrize("k", [5, 10])
@pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")
def test_what_is_hidden_is_what_publishing_hides(tmp_path, k):
    drawn = Random(2)
    table = pl.DataFrame({"age": [str(drawn.randint(1, 80)) for _ in range(300)], "city": drawn.choices("ab", k=300)})
    table = table.with_columns(disease=pl.Series(drawn.choices("xyz", k=300)))
    table.write_csv(tmp_path / "people.csv")
    request = asked(tmp_path / "people.csv", k=k, l=2, out=tmp_path / "release")
    data = described(request)
    hidden = hidden_by(request.found(data, plans=1)[0], request, data)
    with bb.Watch():
        applied = request.run().release.applied
    assert (hidden.masked, hidden.dropped) == (applied.masked, applied.suppressed)
    assert hidden.records


def test_diversity_needs_groups(people):
    with pytest.raises(bb.UsageError, match="k"):
        diversity(asked(people), described(asked(people)))


@given(st.sampled_from(["low", "medium", "high"]), st.floats(0.001, 1))
def test_the_least_group_is_the_first_that_the_decision_accepts(harm, own):
    for model in (bb.PublicRelease(harm=harm), bb.PublicRelease(harm=harm, own_threshold=own)):
        least = least_group(model)
        assert bb.Decision(model, smallest_group=least).passes
        assert least == 2 or not bb.Decision(model, smallest_group=least - 1).passes


def test_without_a_decision_groups_of_two_are_the_least():
    assert least_group(None) == 2
    assert USUAL == 10


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), st.sampled_from("123")), min_size=1, max_size=30)
)
def test_exposure_is_a_plain_count_of_records_that_are_alone(rows):
    table = pl.DataFrame(rows, schema=["one", "two", "three"], orient="row")
    quasi = {name: bb.ColumnSchema(role="quasi") for name in table.columns}
    schema = bb.Schema(quasi, adversaries={"somebody": ("one", "three")})
    found = {each.adversary: each for each in exposures(bb.read(table, schema))}
    for who, places in {"somebody": (0, 2), None: (0, 1, 2)}.items():
        known = [tuple(row[place] for place in places) for row in rows]
        assert found[who].unique == pytest.approx(sum(known.count(each) == 1 for each in known) / len(rows))
        assert found[who].posterior == pytest.approx(len(set(known)) / len(rows))


def test_examples_are_the_most_frequent_values(people):
    look = look_at(asked(people))
    assert look.examples("disease") == ["flu", "gout"]
    assert look.columns == ("age", "city", "disease")
