"""Each part of a sample tells as much as if it were a sample of its own."""

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import biombo as bb
from biombo._attack import MembershipTarget
from biombo._attack.members import as_published

people = st.lists(
    st.tuples(st.sampled_from("xy"), st.sampled_from("ab"), st.sampled_from("12")), min_size=2, max_size=20
)


@settings(max_examples=30)
@given(people, st.data())
@pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")
def test_a_part_is_a_sample_of_its_own(rows, data) -> None:
    places = data.draw(st.sets(st.integers(0, len(rows) - 1), min_size=1))
    whole = pl.DataFrame(rows, schema=["town", "q", "r"], orient="row")
    sample = whole[sorted(places)]
    found = bb.membership_by_part(bb.read(sample), bb.read(whole), ["town"], ["q", "r"])

    assert set(found.parts) == {(town,) for town in sample["town"]}
    for (town,), part in found.parts.items():
        of_town = pl.col("town") == town
        alone = bb.membership(bb.read(sample.filter(of_town)), bb.read(whole.filter(of_town)), ["q", "r"])
        assert (part.people, part.sampled, part.prior) == (alone.people, alone.sampled, alone.prior)
        assert part.subsets.equals(alone.subsets)
        best = found.best().filter(of_town).row(0, named=True)
        assert best["posterior"] == alone.subsets["posterior"].max()


def test_parts_may_be_called_otherwise_in_the_population(tmp_path) -> None:
    sample = pl.DataFrame({"uf": ["SP", "MG"], "sex": ["F", "M"]})
    whole = pl.DataFrame({"CO_UF": ["35", "35", "31"], "sex": ["F", "F", "M"]})
    (tmp_path / "s.yaml").write_text(
        'columns: {uf: {role: other, population: {column: CO_UF, values: {"SP": "35", "MG": "31"}}}}'
    )
    found = bb.membership_by_part(bb.read(sample, tmp_path / "s.yaml"), bb.read(whole), ["uf"], ["sex"])

    assert {part: (each.sampled, each.people) for (part,), each in found.parts.items()} == {"MG": (1, 1), "SP": (1, 2)}


def test_a_part_that_the_population_lacks_is_said_and_left_out() -> None:
    sample, whole = (
        pl.DataFrame({"town": ["x", "y"], "q": ["a", "a"]}),
        pl.DataFrame({"town": ["x"] * 3, "q": ["a"] * 3}),
    )
    with pytest.warns(bb.BiomboWarning, match="town=y"):
        found = bb.membership_by_part(bb.read(sample), bb.read(whole), ["town"], ["q"])
    assert list(found.parts) == [("x",)]

    with pytest.raises(bb.InputError, match="None of the parts"), pytest.warns(bb.BiomboWarning):
        bb.membership_by_part(bb.read(sample.filter(pl.col("town") == "y")), bb.read(whole), ["town"], ["q"])


@pytest.mark.parametrize(
    ("n", "d", "words"),
    [
        (1, 0, "certainly not in the sample"),
        (1, 1, "certainly in the sample, and that record is theirs"),
        (4, 0, "certainly not in the sample"),
        (4, 1, "with a chance of 25.00%"),
        (4, 3, "with a chance of 75.00%"),
        (4, 4, "this person certainly is"),
    ],
)
def test_what_follows_from_each_case_is_said_in_words(n: int, d: int, words: str) -> None:
    assert words in str(MembershipTarget({"q": "a"}, n, d, 0.1, as_published(n, d, 10, 100)))
