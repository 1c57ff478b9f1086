import pytest

from biombo._attack.population import Model, Uniques, dankar_uniques


def estimate(model: Model, number: float | None) -> Uniques:
    return Uniques(model, number, None if number is None else number / 100, None if number is None else number / 50)


@pytest.mark.parametrize(
    ("fraction", "pitman", "snb", "zayatz", "chosen"),
    [
        (0.01, 10, 1, 5, "pitman"),
        (0.1, 10, 1, 5, "pitman"),
        (0.1, None, 1, 5, "zayatz"),
        (0.11, 10, 5, 6, "snb"),
        (0.11, 1, 6, 5, "zayatz"),
        (0.11, 1, 5, 5, "snb"),
        (0.5, 1, None, 5, "zayatz"),
    ],
)
def test_the_rule_chooses_by_fraction_and_then_the_smaller(
    fraction: float, pitman: float | None, snb: float | None, zayatz: float, chosen: str
) -> None:
    found = dankar_uniques(fraction, estimate("pitman", pitman), estimate("snb", snb), estimate("zayatz", zayatz))
    assert found.model == chosen
