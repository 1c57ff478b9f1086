from dataclasses import replace

import pytest

from biombo._attack import risk, risk_by_part
from biombo._data import read
from biombo._i18n import set_language
from biombo._report import render_report


@pytest.fixture
def labelled(data, table):
    labels = {"vizinho": {"pt": "vizinho de porta", "en": "next-door neighbour"}}
    return read(table, schema=replace(data.schema, adversary_labels=labels), columns=table.columns)


@pytest.mark.parametrize("attack", [risk, lambda data: risk_by_part(data, by=["uf"])])
def test_adversaries_are_called_by_their_labels_in_the_language_in_use(labelled, attack):
    found = attack(labelled)
    english = render_report(found, source="made up")
    set_language("pt")
    portuguese = render_report(found, source="made up")

    assert "next-door neighbour" in english
    assert "chefe" in english, "one without a label keeps its name"
    assert "vizinho de porta" in portuguese
    assert "next-door neighbour" not in portuguese
