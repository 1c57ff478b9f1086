"""Negotiations on small made-up tables, for tests."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl

import biombo as bb

RITA, ANA, OTTO = (
    bb.Actor("requester", "Rita Lima"),
    bb.Actor("manager", "Ana Souza"),
    bb.Actor("manager", "Otto Reis"),
)
CELIA, DAVI = bb.Actor("committee", "Célia Nunes"), bb.Actor("committee", "Davi Rocha")
EVA, FABIO = bb.Actor("auditor", "Eva Prado"), bb.Actor("administrator", "Fábio Luz")

REQUESTER = bb.Requester(
    kind="public-institution",
    name=RITA.name,
    address="Rua das Mangueiras 12, São Luís",
    document="123.456.789-09",
    document_type="CPF",
)

MODEL: dict[str, Any] = {
    "harm": "medium",
    "motivation": "low",
    "controls": "high",
    "acquaintances": 100,
    "prevalence": 0.0001,
    "breach": 0.02,
}
"""P(attempt) = 0.03, so that TG 2 is allowed."""

AGES = bb.Hierarchy.by_interval(10, [2, 4])
CITIES = ("North", "South")
DISEASES = ("asthma", "flu", "hiv")

SCHEMA = bb.Schema(
    {
        "name": bb.ColumnSchema(role="identifier"),
        "age": bb.ColumnSchema(role="quasi", type="discrete", bounds=(0, 120), hierarchy=AGES.to_tree()),
        "city": bb.ColumnSchema(role="quasi", domain=CITIES),
        "disease": bb.ColumnSchema(role="sensitive", domain=DISEASES),
    }
)

WANTED = {"Age": "age in years", "City": "where the person lives", "Disease": "what was diagnosed"}
COLUMNS = {"Age": "age", "City": "city", "Disease": "disease"}


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now

    def wait(self, days: int) -> None:
        """Let so many days pass."""
        self.now += timedelta(days=days)


def table(rows: int = 60) -> pl.DataFrame:
    """People whose ages differ, in two cities."""
    places = range(rows)
    return pl.DataFrame(
        {
            "name": [f"person {place}" for place in places],
            "age": [str(20 + place * 7 % 60) for place in places],
            "city": [CITIES[place % 2] for place in places],
            "disease": [DISEASES[place * place % 3 if place % 5 else 0] for place in places],
        }
    )


def asked(dimension: str = "truth", **more: Any) -> bb.DataRequest:
    """What Rita asks for."""
    told: dict[str, Any] = {"requester": REQUESTER, "wanted": WANTED, "purpose": "who has what where"}
    return bb.DataRequest(**told | {"dimension": dimension} | more)


def begun(home: Path, data: pl.DataFrame | None = None, *, dimension: str = "truth", **agency: Any) -> bb.Negotiation:
    """A negotiation that Rita has asked for."""
    told = {"agency": bb.Agency("Health department", **agency), "clock": Clock()}
    return bb.Negotiation.begin(asked(dimension), table() if data is None else data, home=home, **told)


def preparation(k: int | None = 3, epsilon: float | None = None, **more: Any) -> bb.Prepare:
    """How Ana prepares the data."""
    told: dict[str, Any] = {"columns": COLUMNS, "schema": SCHEMA, "model": MODEL, "k": k, "epsilon": epsilon}
    return bb.Prepare(**told | more)


def decades(level: int = 1) -> bb.Generalise:
    """Ages in bands."""
    return bb.Generalise("age", AGES, level)


def led_to(home: Path, state: str, data: pl.DataFrame | None = None, **agency: Any) -> bb.Negotiation:
    """A negotiation that was led to a state, along the shortest way."""
    talk = begun(home, data, **agency)
    if state == "requested":
        return talk
    talk.act(ANA, preparation())
    steps = (
        ("applying", RITA, bb.Accept([decades(2)])),
        ("diversity", ANA, bb.CarryOut()),
        ("utility", ANA, bb.AskDiversity(2)),
        ("review", ANA, bb.SendMetrics()),
        ("report", RITA, bb.Review(True)),
        ("ready", ANA, bb.WriteReport(department="Surveillance")),
    )
    for reached, actor, act in steps:
        if talk.state.name == state:
            return talk
        talk.act(actor, act)
        assert talk.state.name == reached, talk.state.name
    if state == "available":
        talk.act(RITA, bb.AcceptTerms(talk.view(RITA).terms))
        talk.act(ANA, bb.MakeAvailable())
    assert talk.state.name == state
    return talk
