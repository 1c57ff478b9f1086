"""Words are told apart from what is behind them: at least 4.5 to 1, as WCAG 2 asks for (AA)."""

import re
from importlib import resources

import pytest

from biombo._report.charts import INK, MUTED, WARNING, Heat, heat_map

AA = 4.5
STYLE = dict(
    re.findall(
        r"--([a-z]+): (#[0-9a-f]{6});", (resources.files("biombo._report") / "templates" / "style.css").read_text()
    )
)


def light(colour: str) -> list[float]:
    return [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]


def luminance(colour: list[float]) -> float:
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: list[float], other: list[float]) -> float:
    darker, brighter = sorted((luminance(one), luminance(other)))
    return (brighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("words", ["ink", "muted", "accent", "warning"])
@pytest.mark.parametrize("behind", ["#ffffff", STYLE["faint"]])
def test_words_of_a_page(words, behind) -> None:
    assert contrast(light(STYLE[words]), light(behind)) >= AA


@pytest.mark.parametrize("words", [INK, MUTED])
def test_words_of_a_chart(words) -> None:
    assert contrast(light(words), light("#ffffff")) >= AA


@pytest.mark.parametrize("strength", [0.0, 0.3, 0.6, 1.0])
def test_numbers_on_the_colours_of_a_heat_map(strength) -> None:
    cells = heat_map([Heat("a", "b", 1.0, "1")])["layer"][0]["encoding"]["opacity"]
    seen = strength * max(cells["scale"]["range"])
    behind = [1 - seen * (1 - part) for part in light(WARNING)]

    assert contrast(light(INK), behind) >= AA
