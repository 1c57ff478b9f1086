"""Agreement with the paper's own code, `privattacks`, which stands for missing values and leading zeros badly itself:
it is given our codes, so that both count the same rows."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import privattacks
import pytest

import biombo as bb


def peer(codes: dict[str, np.ndarray]) -> privattacks.Attack:
    frame = pd.DataFrame({name: column.astype(np.int64) for name, column in codes.items()})
    return privattacks.Attack(privattacks.Data(dataframe=frame))


def codes_of(data: bb.Dataset, keep: np.ndarray) -> dict[str, np.ndarray]:
    return {name: column.codes[keep] for name, column in data.columns.items()}


def compare(data: bb.Dataset, keep: np.ndarray, quasi: list[str], sensitive: str) -> int:
    found = bb.risk(data, quasi, sensitive)
    attack = peer(codes_of(data, keep))
    assert found.attribute_inference is not None
    assert found.attribute_inference.prior == attack.prior_vulnerability("ai", sensitive)[sensitive]
    ours = zip(
        found.attribute_inference.subsets.iter_rows(named=True),
        found.reidentification.subsets.iter_rows(named=True),
        strict=True,
    )
    compared = 0
    for inference, identity in ours:
        both = attack.posterior_vulnerability("all", inference["quasi"], sensitive)
        assert inference["posterior"] == pytest.approx(both["ai"][sensitive], abs=1e-12)
        assert identity["posterior"] == pytest.approx(both["reid"], abs=1e-12)
        compared += 1
    return compared


def test_made_up_data_gives_the_same_values() -> None:
    names = [*bb.samples.QUASI]
    arrays = bb.samples.code_arrays(3000, seed=3)
    frame = pd.DataFrame({name: array.astype(str) for name, array in arrays.items()})
    data = bb.read(frame)
    assert compare(data, np.ones(len(data), bool), names[:4], bb.samples.SENSITIVE) == 15


@pytest.mark.slow
def test_all_127_subsets_of_acre_agree(siapa_file: Path) -> None:
    """Of every sixth record: the peer takes hundreds of times as long."""
    all_records = bb.read(siapa_file, schema="siapa")
    data = all_records.take(np.arange(0, all_records.rows, 6))
    found = bb.attribute_inference(data)
    assert found.evidence.keep is not None
    subsets = [s for size in range(1, 8) for s in combinations(found.quasi, size)]
    assert [tuple(s) for s in found.subsets["quasi"]] == subsets
    assert compare(data, found.evidence.keep, list(found.quasi), "PA_PROC_ID") == 127


def test_records_agree_on_top_over_size(clinic: bb.Dataset) -> None:
    quasi = ["age", "city"]
    attack = peer({name: clinic[name].codes for name in (*quasi, "disease")})
    _, theirs = attack.posterior_vulnerability("ai", quasi, ["disease"], distribution=True)
    ours = bb.attribute_inference(clinic, quasi, "disease").records(quasi).table["vulnerability"]
    assert sorted(ours) == pytest.approx(sorted(theirs["disease"]))
