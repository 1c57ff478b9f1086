"""Hierarchies that are read off columns of the table: requesters choose their levels, and never get what was read."""

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from negotiations import ANA, DISEASES, MODEL, RITA, Clock, asked

import biombo as bb
from biombo._negotiate import excerpt, without_lists

ROWS, FACILITIES, PLACES = 400, 40, ("110001", "110002", "120040", "120033")
TOWNS = bb.Hierarchy.from_columns(["town"])
AS_INSPECTED = bb.Hierarchy.from_columns(["town"], then="municipality").picked(["mesoregion", "state"])
STATES = bb.Hierarchy.from_columns(["town"], then=bb.Hierarchy.by_prefix([2]))


def people(rows: int = ROWS) -> pl.DataFrame:
    """Whoever was seen in a facility, each of which is in one town."""
    places = range(rows)
    return pl.DataFrame(
        {
            "facility": [f"Clinic {place % FACILITIES:02}" for place in places],
            "town": [PLACES[place % FACILITIES % len(PLACES)] for place in places],
            "sex": ["F" if place * place % 7 < 3 else "M" for place in places],
            "disease": [DISEASES[(place * place // 3) % 3] for place in places],
        }
    )


def schema(hierarchy: bb.Hierarchy = TOWNS, town: str = "quasi") -> bb.Schema:
    return bb.Schema(
        {
            "facility": bb.ColumnSchema(role="quasi", hierarchy=hierarchy.to_tree()),
            "town": bb.ColumnSchema(role=town),
            "sex": bb.ColumnSchema(role="quasi"),
            "disease": bb.ColumnSchema(role="sensitive"),
        }
    )


def begun(home: Path, data: pl.DataFrame | None = None, without: tuple[str, ...] = ()) -> bb.Negotiation:
    wanted = {name: name for name in people(1).columns if name not in without}
    return bb.Negotiation.begin(asked(wanted=wanted), people() if data is None else data, home=home, clock=Clock())


def preparation(declared: bb.Schema, k: int = 7, without: tuple[str, ...] = ()) -> bb.Prepare:
    return bb.Prepare({name: name for name in declared.columns if name not in without}, declared, MODEL, k)


def towns(level: int = 1, hierarchy: bb.Hierarchy = TOWNS) -> bb.Generalise:
    return bb.Generalise("facility", hierarchy, level)


def led_to_release(talk: bb.Negotiation) -> Path:
    for actor, act in (
        (ANA, bb.CarryOut()),
        (ANA, bb.AskDiversity(2)),
        (ANA, bb.SendMetrics()),
        (RITA, bb.Review(True)),
        (RITA, bb.AcceptTerms(talk.view(RITA).terms)),
        (ANA, bb.WriteReport(department="Surveillance")),
        (ANA, bb.MakeAvailable()),
    ):
        talk.act(actor, act)
    return talk.view(RITA).release


def released(folder: Path) -> pl.DataFrame:
    return pl.read_csv(next(folder.glob("*.csv")), infer_schema=False)


@pytest.mark.parametrize(
    ("hierarchy", "level", "expected"),
    [(TOWNS, 1, {*PLACES}), (STATES, 2, {"11", "12"}), (AS_INSPECTED, 2, {"11", "12"})],
)
def test_a_level_is_accepted_measured_carried_out_and_released(tmp_path, hierarchy, level, expected):
    talk = begun(tmp_path)
    talk.act(ANA, preparation(schema(hierarchy)))
    assert talk.act(RITA, bb.Accept([towns(level, hierarchy)])).name == "applying"
    assert talk.offers[-1].measured.groups_below == 0

    folder = led_to_release(talk)
    assert {*released(folder)["facility"]} == expected
    assert bb.verify(folder).holds
    assert talk.verify() == []


def test_what_a_search_proposes_can_be_accepted(tmp_path):
    talk = begun(tmp_path)
    talk.act(ANA, preparation(schema()))
    talk.act(RITA, bb.AskForPlans())

    best = talk.view(RITA).plans[0]
    assert (best["levels"]["facility"], best["labels"]) == (1, {"facility": "as column town says"})
    assert talk.act(RITA, bb.Accept([towns(best["levels"]["facility"])])).name == "applying"
    assert talk.best_plans(ANA)[0]["levels"] == best["levels"]


def test_what_the_manager_suggests_can_be_accepted(tmp_path):
    talk = begun(tmp_path)
    talk.act(ANA, preparation(schema(bb.Hierarchy.by_prefix([7]))))
    talk.act(RITA, bb.Propose(k=3))
    talk.act(ANA, bb.Suggest([towns()]))

    assert talk.act(RITA, bb.Accept(talk.view(RITA).suggested)).name == "applying"
    assert talk.act(ANA, bb.CarryOut()).name == "diversity"


def test_no_value_is_in_the_chain_a_view_or_an_excerpt(tmp_path):
    talk = begun(tmp_path)
    talk.act(ANA, preparation(schema()))
    talk.act(RITA, bb.AskForPlans())
    talk.act(RITA, bb.Propose(k=3))
    talk.act(ANA, bb.Suggest([towns()]))
    talk.act(RITA, bb.Accept([towns()]))
    talk.act(ANA, bb.CarryOut())

    view, chain = talk.view(RITA), (talk.folder / "events.jsonl").read_text()
    assert all("Clinic" not in told and "110001" not in told for told in (repr(view), chain))
    said = [each.content["manipulations"] for each in view.said if each.act in ("suggest", "accept")]
    assert [each[0]["generalise"]["hierarchy"] for each in said] == [{"kind": "columns"}] * 2


def test_what_was_read_beforehand_is_no_more_told_than_a_list(tmp_path):
    read = bb.Hierarchy.from_columns(["town"], rows=people().select("facility", "town").rows())
    talk = begun(tmp_path)
    talk.act(ANA, preparation(schema()))
    talk.act(RITA, bb.Propose(k=3))
    talk.act(ANA, bb.Suggest([towns(1, read)]))
    talk.act(RITA, bb.Accept(talk.view(RITA).suggested))

    shown = [event.line() for event in excerpt(talk.events)]
    assert not [line for line in (*shown, repr(talk.view(RITA).said)) if "Clinic" in line]
    assert without_lists({"hierarchy": read.to_tree()}) == {"hierarchy": {"kind": "columns"}}


def test_a_negotiation_that_is_opened_again_goes_on_alike(tmp_path):
    file = tmp_path / "people.csv"
    people().write_csv(file)
    wanted = {name: name for name in people(1).columns}
    talk = bb.Negotiation.begin(asked(wanted=wanted), file, home=tmp_path / "home", clock=Clock())
    talk.act(ANA, preparation(schema()))
    talk.act(RITA, bb.Accept([towns()]))
    again = bb.Negotiation.load(talk.folder, clock=Clock())

    assert again.offers == talk.offers
    assert {*released(led_to_release(again))["facility"]} == {*PLACES}


def test_a_value_with_two_others_is_told_to_the_manager_who_prepares(tmp_path):
    one = people().head(1).with_columns(town=pl.lit("999999"))
    talk = begun(tmp_path, pl.concat([people(), one]))

    with pytest.raises(bb.ColumnError, match="'Clinic 00' stands beside '110001' and beside '999999'"):
        talk.act(ANA, preparation(schema()))
    assert talk.state.name == "requested"
    talk.act(ANA, preparation(schema(bb.Hierarchy.by_prefix([7]))))
    talk.act(RITA, bb.Propose(k=3))
    with pytest.raises(bb.ColumnError, match="'Clinic 00' stands beside"):
        talk.act(ANA, bb.Suggest([towns()]))


def test_only_the_records_that_were_asked_for_are_read(tmp_path):
    one = people().head(1).with_columns(town=pl.lit("999999"), sex=pl.lit("unknown"))
    talk = begun(tmp_path, pl.concat([people(), one]))
    declared = schema()
    chosen = bb.Prepare({name: name for name in declared.columns}, declared, MODEL, 5, where={"sex": ["F", "M"]})
    talk.act(ANA, chosen)

    assert talk.act(RITA, bb.Accept([towns()])).name == "applying"


def test_a_column_that_nobody_asked_for_may_be_read_and_is_not_released(tmp_path):
    talk = begun(tmp_path, without=("town",))
    talk.act(ANA, preparation(schema(town="other"), without=("town",)))
    assert talk.view(RITA).columns.keys() == {"facility", "sex", "disease"}
    talk.act(RITA, bb.Accept([towns()]))

    found = released(led_to_release(talk))
    assert "town" not in found.columns
    assert {*found["facility"]} == {*PLACES}


@pytest.mark.parametrize("role", ["identifier", "undecided", "sensitive"])
def test_a_column_that_is_kept_back_or_sensitive_is_not_read(tmp_path, role):
    talk = begun(tmp_path, without=("town",))

    with pytest.raises(bb.BiomboError, match="'town'"):
        talk.act(ANA, preparation(schema(town=role), without=("town",)))


def test_a_suggestion_that_does_not_fit_is_refused_at_once(tmp_path):
    talk = begun(tmp_path)
    talk.act(ANA, preparation(schema()))
    talk.act(RITA, bb.Propose(k=3))

    with pytest.raises(bb.ColumnError, match="does not fit"):
        talk.act(ANA, bb.Suggest([bb.Round("facility", 5)]))


def test_where_it_cannot_be_read_the_requester_is_told_no_value(tmp_path, monkeypatch):
    """Negotiations that were prepared before hierarchies were read off then."""
    monkeypatch.setattr("biombo._negotiate.source.NegotiatedSource.check_hierarchies", lambda *_: None)
    one = people().head(1).with_columns(town=pl.lit("999999"))
    talk = begun(tmp_path, pl.concat([people(), one]))
    talk.act(ANA, preparation(schema()))

    for act in (bb.Accept([towns()]), bb.AskForPlans()):
        with pytest.raises(bb.ColumnError, match="does not fit the values of the column 'facility'"):
            talk.act(RITA, act)


@pytest.mark.parametrize(("level", "expected"), [(1, {*PLACES}), (2, {"11", "12"})])
def test_noise_on_a_level_is_over_what_was_declared_of_the_other_column(tmp_path, level, expected):
    data = pl.concat([people(), people(1).with_columns(sex=pl.lit("unknown"))])  # who is alone
    domains = {"facility": sorted({*data["facility"]}), "town": PLACES, "sex": ("F", "M", "unknown")}
    declared = schema(STATES)
    columns = {name: replace(each, domain=domains.get(name, DISEASES)) for name, each in declared.columns.items()}
    wanted = {name: name for name in data.columns}
    talk = bb.Negotiation.begin(asked("hybrid", wanted=wanted), data, home=tmp_path, clock=Clock())
    talk.act(ANA, bb.Prepare(wanted, bb.Schema(columns), MODEL, 7, 4.0))
    talk.act(RITA, bb.Accept([towns(level, STATES)]))
    talk.act(ANA, bb.CarryOut())

    assert talk.state.name == "diversity"
    noise = talk.offers[-1].of_plan.operations[-1]
    assert noise.name == "noise-small-groups"
    assert {*noise.to_tree()["noise-small-groups"]["noise"][0]["exponential"]["domain"]} == expected
