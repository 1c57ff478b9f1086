"""How much may come to the driver is said by the engine or the environment."""

import pytest

from biombo import SparkEngine, UsageError


@pytest.mark.parametrize("variable", ["BIOMBO_SPARK_TUPLES", "BIOMBO_SPARK_ROWS"])
@pytest.mark.parametrize("text", ["0", "-1", "many", "1e6", "١"])
def test_a_limit_that_is_no_number_is_refused_before_spark_starts(variable, text, monkeypatch) -> None:
    monkeypatch.setenv(variable, text)

    with pytest.raises(UsageError, match=variable):
        SparkEngine("local[2]").jobs("a table")
