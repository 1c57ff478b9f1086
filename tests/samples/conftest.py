from pathlib import Path

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


@pytest.fixture(scope="session")
def public_data() -> Path:
    """Real public files, which are kept outside the project."""
    folder = Path(__file__).parents[2] / ".." / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the folder of public data is not here")
    return folder
