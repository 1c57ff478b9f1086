"""What values become, kept from batch to batch."""

from biombo._plan.values import Remembered


def test_each_value_is_found_out_once() -> None:
    asked: list[str] = []
    upper = Remembered(lambda value: asked.append(value) or value.upper(), apart=["n/a"])

    assert upper(["a", None, "n/a"], [1, 1, 1]) == ["A", None, "n/a"]
    assert upper(["b", "a"], [1, 1]) == ["B", "A"]
    assert asked == ["a", "b"]


def test_more_than_can_be_kept_are_found_out_again(monkeypatch) -> None:
    monkeypatch.setattr("biombo._plan.values.distinct_values._REMEMBERED", 3)
    upper = Remembered(str.upper, apart=["n/a"])

    for _ in range(3):
        assert upper(["a", "b", "c", None, "n/a"], [1] * 5) == ["A", "B", "C", None, "n/a"]
        assert upper(["d"], [1]) == ["D"]
        assert len(upper) <= 3
