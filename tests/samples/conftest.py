import polars as pl
import pytest

from biombo._samples import code_arrays


@pytest.fixture(scope="session")
def records() -> pl.DataFrame:
    """200,000 records, as codes."""
    return pl.DataFrame(code_arrays(200_000))


@pytest.fixture(scope="session")
def million() -> pl.DataFrame:
    """1,000,000 records, as codes."""
    return pl.DataFrame(code_arrays(1_000_000))
