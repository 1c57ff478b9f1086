"""The dimensions structure and hybrid: noise in the place of groups, no k claimed, and the risk measured."""

import json

import polars as pl
import pytest
from negotiations import ANA, RITA, begun, decades, preparation, table

import biombo as bb

DIVERSE = pl.DataFrame(
    {
        "name": [f"person {place}" for place in range(300)],
        "age": [str(20 + place % 50) for place in range(300)],
        "city": ["North" if place % 2 else "South" for place in range(300)],
        "disease": [("asthma", "flu", "hiv")[place % 3] for place in range(300)],
    }
)


def to_the_end(talk: bb.Negotiation) -> bb.Negotiation:
    for actor, act in (
        (ANA, bb.SendMetrics()),
        (RITA, bb.Review(True)),
        (RITA, bb.AcceptTerms(talk.view(RITA).terms)),
        (ANA, bb.Override("the committee has accepted it")),
        (ANA, bb.WriteReport(department="Surveillance")),
        (ANA, bb.MakeAvailable()),
    ):
        talk.act(actor, act)
    return talk


def claims(talk: bb.Negotiation) -> list[dict]:
    return json.loads((talk.view(RITA).release / "manifest.json").read_text())["claims"]


def test_structure_adds_noise_to_all_and_checks_no_tg(tmp_path):
    talk = begun(tmp_path, DIVERSE, dimension="structure")
    talk.act(ANA, preparation(None, 4.0))

    assert talk.state.name == "diversity"
    offer = talk.offers[-1]
    assert [each.name for each in offer.of_plan.operations] == ["geometric", "exponential"]
    assert [each.epsilon for each in offer.of_plan.operations] == pytest.approx([4 / 3, 4 / 3])  # a third for disease
    assert (offer.measured.smallest_group, offer.measured.lost) == (None, 0)
    assert offer.of_plan.criteria == ()
    assert talk.view(RITA).said[-1].act == "records-protected"
    talk.act(ANA, bb.AskDiversity(2))
    assert talk.state.name == "utility"
    to_the_end(talk)

    assert bb.verify(talk.view(RITA).release).holds
    assert not [each for each in claims(talk) if each["claim"] == "criterion"]
    assert pl.read_csv(talk.view(RITA).release / "data.csv").height == 300  # every record stays


def test_hybrid_adds_noise_only_where_groups_are_still_small(tmp_path):
    talk = begun(tmp_path, DIVERSE, dimension="hybrid")
    talk.act(ANA, preparation(8, 4.0))
    assert talk.state.name == "manipulations"
    talk.act(RITA, bb.Accept([decades(1)]))
    talk.act(ANA, bb.CarryOut())

    if not talk.state.agreement.noised_groups:  # all bands are large enough
        assert talk.state.name == "diversity"
        return
    assert "noise-small-groups" in [each.name for each in talk.offers[-1].of_plan.operations]


def test_hybrid_with_small_groups_to_the_end(tmp_path):
    odd = DIVERSE.with_columns(
        age=pl.when(pl.int_range(300) < 5).then(pl.lit("95")).otherwise(pl.col("age")),
        disease=pl.when(pl.int_range(300) < 5).then(pl.lit("flu")).otherwise(pl.col("disease")),
    )
    talk = begun(tmp_path, odd, dimension="hybrid")
    talk.act(ANA, preparation(8, 4.0))
    talk.act(RITA, bb.Accept([decades(1)]))
    talk.act(ANA, bb.CarryOut())

    assert talk.state.name == "diversity"
    offer = talk.offers[-1]
    assert [each.name for each in offer.of_plan.operations] == ["generalise", "noise-small-groups"]
    assert 0 < offer.measured.noised <= 5
    assert offer.of_plan.criteria == ()
    privacy = bb.guarantees(offer.of_plan)
    assert privacy is None or not privacy.sound
    talk.act(ANA, bb.AskDiversity(2))
    if talk.state.name == "synonyms":
        talk.act(RITA, bb.GiveSynonyms({}))
        talk.act(ANA, bb.CarryOut())
    assert talk.state.name == "utility"
    to_the_end(talk)

    assert bb.verify(talk.view(RITA).release).holds
    assert not [each for each in claims(talk) if each["claim"] == "criterion"]


def test_an_amendment_adds_its_epsilon_to_the_earlier(tmp_path):
    talk = begun(tmp_path, DIVERSE, dimension="structure")
    talk.act(ANA, preparation(None, 3.0))
    talk.act(ANA, bb.AskDiversity(2))
    to_the_end(talk)
    again = talk.amended("one more column is needed")
    again.act(ANA, preparation(None, 2.0))

    assert (again.offers[-1].epsilon, again.offers[-1].epsilon_in_all) == (2.0, 5.0)


def test_noise_needs_what_was_declared_beforehand(tmp_path):
    talk = begun(tmp_path, table(), dimension="structure")
    schema = bb.Schema(
        {
            "name": bb.ColumnSchema(role="identifier"),
            "age": bb.ColumnSchema(role="quasi", type="discrete"),
            "city": bb.ColumnSchema(role="quasi"),
            "disease": bb.ColumnSchema(role="sensitive"),
        }
    )
    with pytest.raises(bb.ColumnError, match="'age' needs bounds that were declared beforehand"):
        talk.act(ANA, preparation(None, 2.0, schema=schema))
    with pytest.raises(bb.UsageError, match="needs epsilon"):
        talk.act(ANA, preparation(None))
