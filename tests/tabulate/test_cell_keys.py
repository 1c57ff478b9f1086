"""The same records have the same noise in every table, and the noise is what is said of it."""

import hmac
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

import biombo as bb
from biombo._secrets import load_key
from biombo._tabulate import highest_entropy

PEOPLE = pl.DataFrame(
    {
        "town": [f"t{n % 7}" for n in range(400)],
        "sex": ["F" if n % 3 else "M" for n in range(400)],
        "age": [n % 50 for n in range(400)],
        "who": [n % 180 for n in range(400)],
    }
)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    bb.new_key(tmp_path / "tables.key")
    return tmp_path / "tables.key"


def cells(table: bb.Tabulation) -> dict[tuple[str, ...], int]:
    frame = table.to_frame()
    return {row[:-2]: row[-2] for row in frame.rows()}


@examples(25)
@given(
    largest=st.integers(1, 9),
    smallest=st.integers(0, 3),
    at=st.floats(0.05, 0.95),
)
def test_the_noise_has_mean_zero_and_its_variance_and_the_highest_entropy(largest, smallest, at) -> None:
    """Of highest entropy where the logarithm of the chances is a + b d + c d²: what is left after fitting that is 0."""
    try:
        bb.Perturbation(largest, 1e9, smallest)
    except bb.UsageError as refused:
        least, most = refused.values["least"], refused.values["most"]
    if least >= most:
        return
    variance = least + at * (most - least)
    noise = bb.Perturbation(largest, variance, smallest)
    for count, chances in enumerate(noise.chances[1:], 1):
        allowed = noise.allowed(count)
        steps, chances = noise.steps[allowed], chances[allowed]
        assert chances.sum() == pytest.approx(1)
        assert chances @ steps == pytest.approx(0, abs=1e-8)
        assert chances @ steps**2 == pytest.approx(variance, rel=1e-7)
        assert (count + steps >= 0).all()
        assert not ((count + steps > 0) & (count + steps <= smallest)).any()
        heard = chances > 1e-200
        shape = np.stack([np.ones(heard.sum()), steps[heard], steps[heard] ** 2], axis=1)
        fitted = shape @ np.linalg.lstsq(shape, np.log(chances[heard]), rcond=None)[0]
        assert fitted == pytest.approx(np.log(chances[heard]), abs=1e-4)
    assert noise.chances[0].tolist() == [0] * largest + [1] + [0] * largest


def test_chances_by_hand() -> None:
    """From -1 to 1 with variance 2/3 all are alike; on -1 and 2 alone, mean 0 says everything: 2/3 and 1/3."""
    assert highest_entropy(np.array([-1, 0, 1]), 2 / 3) == pytest.approx([1 / 3] * 3)
    assert highest_entropy(np.array([-1, 2]), 2.0) == pytest.approx([2 / 3, 1 / 3])


@pytest.mark.parametrize("person", [None, "who"])
def test_a_cell_has_the_same_noise_in_every_table(key: Path, person) -> None:
    how = {"k": 5, "protection": bb.CellKeys(key), "person": person}
    one = cells(bb.tabulate(PEOPLE, ["town", "sex"], **how))
    other = cells(
        bb.tabulate(PEOPLE.sample(fraction=1, shuffle=True, seed=3).select(PEOPLE.columns[::-1]), ["town"], **how)
    )

    assert {(town, "Total"): shown for (town,), shown in other.items()}.items() <= one.items()
    table = bb.TabulateRequest(by=["sex"], where={"town": ["t1"]}, cell_key=str(key), person=person, k=5).run(PEOPLE)
    assert cells(table.table)["F",] == one["t1", "F"]


def test_another_key_has_other_noise(key: Path, tmp_path: Path) -> None:
    bb.new_key(tmp_path / "other.key")
    made = [cells(bb.tabulate(PEOPLE, ["town", "age"], protection=bb.CellKeys(tmp_path / name), k=2))
            for name in ("tables.key", "other.key")]  # fmt: skip

    assert made[0] != made[1]
    assert made[0].keys() == made[1].keys()


def test_a_key_of_a_cell_by_hand(key: Path) -> None:
    """The first 64 bits of an HMAC for each record, added up: as anybody with the key can do it."""
    table = pl.DataFrame({"x": ["a", "a", "b"], "y": ["1", "1", "2"]})
    made = bb.tabulate(table, ["x"], k=1, protection=bb.CellKeys(key, bb.Perturbation(2, 1.0, 0)))
    secret = load_key(key).derived("cell-keys")

    def number(x: str, y: str, turn: int) -> int:
        told = json.dumps(["record", [["x", x], ["y", y]], turn], ensure_ascii=False).encode()
        return int.from_bytes(hmac.digest(secret, told, "sha256")[:8], "big")

    shares = {"a": number("a", "1", 0) + number("a", "1", 1), "b": number("b", "2", 0)}
    shares["Total"] = shares["a"] + shares["b"]
    noise = bb.Perturbation(2, 1.0, 0)
    for label, true in {"a": 2, "b": 1, "Total": 3}.items():
        share, upto = (shares[label] % 2**64) / 2**64, np.cumsum(noise.chances[min(true, noise.counts - 1)])
        added = int(noise.steps[np.flatnonzero(upto > share)[0]])
        assert cells(made)[label,] == true + added


def test_noise_is_as_the_table_of_perturbations_says(key: Path) -> None:
    """Of 2,500 cells of 10: mean 0 and variance 3, four deviations of their estimates."""
    table = pl.DataFrame({"x": np.repeat(np.arange(2500), 10).astype(str), "n": range(25000)})
    made = bb.tabulate(table, ["x"], k=2, protection=bb.CellKeys(key))
    noise = np.array([shown for (x,), shown in cells(made).items() if x != "Total"]) - 10

    assert abs(noise.mean()) < 4 * np.sqrt(3 / 2500)
    assert abs(noise.var() - 3) < 4 * 3 * np.sqrt(2 / 2500)
    assert np.abs(noise).max() <= 5


def test_small_counts_are_never_shown_and_zeros_stay(key: Path) -> None:
    table = pl.DataFrame({"x": [str(n) for n in range(300) for _ in range(1 + n % 3)], "n": range(600)})
    lists = {"x": [*map(str, range(300)), "nobody"]}
    shown = cells(bb.tabulate(table, ["x"], k=1, categories=lists, protection=bb.CellKeys(key)))

    assert {*shown.values()} & {1, 2} == set()
    assert shown["nobody",] == shown["(others)",] == 0


@pytest.mark.parametrize(
    ("noise", "said"),
    [
        ((0, 1, 0), "from 1 to 50"),
        ((99, 1, 0), "from 1 to 50"),
        ((5, 3, -1), "0 or more"),
        ((5, 9, 2), "above 2.0 and below 5.0"),
        ((5, 2, 2), "above 2.0 and below 5.0"),
    ],
)
def test_noise_that_there_is_none_of_is_refused(noise, said) -> None:
    with pytest.raises(bb.UsageError, match=said):
        bb.Perturbation(*noise)


def test_what_is_no_key_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "no.key"
    place.write_text("secret")
    place.chmod(0o600)
    with pytest.raises(bb.BiomboError, match=r"no\.key"):
        bb.tabulate(PEOPLE, ["sex"], protection=bb.CellKeys(place))
