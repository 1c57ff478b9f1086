"""Nothing in the samples is taken from the public files."""

import struct
from pathlib import Path

import datasus_dbc
import polars as pl
import pytest

from biombo._samples import STATES, tables


@pytest.fixture(params=STATES)
def values(request: pytest.FixtureRequest) -> dict[str, set[str]]:
    batch = next(tables(1, uf=request.param))
    return {name: set(batch.column(name).dictionary.to_pylist()) for name in batch.schema.names}


def test_no_procedure_is_a_real_one(values: dict[str, set[str]], shared_data: Path) -> None:
    real = {
        line[:10] for line in (shared_data / "hierarchies/sigtap/tb_procedimento.txt").read_text("latin-1").splitlines()
    }
    assert len(real) > 4_000
    assert values["PA_PROC_ID"].isdisjoint(real)


def test_no_municipality_is_a_real_one(values: dict[str, set[str]], shared_data: Path) -> None:
    file = shared_data / "hierarchies/municipios/municipios.csv"
    real = set(pl.read_csv(file, columns=["municipio6"], infer_schema=False)["municipio6"])
    assert len(real) > 5_000
    assert values["PA_MUNPCN"].isdisjoint(real)


def test_no_facility_is_one_of_the_real_file(values: dict[str, set[str]], real_facilities: set[str]) -> None:
    assert values["PA_CODUNI"].isdisjoint(real_facilities)


@pytest.fixture(scope="module")
def real_facilities(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The first column of the public file."""
    plain = tmp_path_factory.mktemp("real") / "real.dbf"
    datasus_dbc.decompress(str(shared_data / "siapa/PAAC2401.dbc"), str(plain))
    content = plain.read_bytes()
    plain.unlink()
    rows, header, width = struct.unpack_from("<IHH", content, 4)
    first_bytes = range(header + 1, header + 1 + rows * width, width)
    return {content[start : start + 7].decode() for start in first_bytes}
