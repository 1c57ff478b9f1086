"""Mistakes: one clear sentence each, and nothing is lost."""

from dataclasses import replace

import pytest
from negotiations import ANA, COLUMNS, MODEL, RITA, SCHEMA, asked, begun, decades, led_to, preparation, table

import biombo as bb
from biombo._i18n import speaking, text


def refused(talk: bb.Negotiation, actor: bb.Actor, make, match: str) -> None:
    """The act is refused in one sentence, and the negotiation is as before."""
    before, content = talk.state, (talk.folder / "events.jsonl").read_bytes()
    with pytest.raises(bb.BiomboError, match=match) as told:
        talk.act(actor, make())
    assert str(told.value).count("\n") == 0
    assert (talk.state, (talk.folder / "events.jsonl").read_bytes()) == (before, content)


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: preparation(1), "'k'|k must|at least 2"),
        (lambda: preparation(None), "needs k"),
        (lambda: preparation(columns=COLUMNS | {"Age": "agee"}), "did you mean 'age'"),
        (lambda: preparation(columns={"Age": "age", "City": "city"}), "'Disease' has no column yet"),
        (lambda: preparation(columns=COLUMNS | {"Shoe size": None}), "'Shoe size' is not in the request"),
        (lambda: preparation(columns=COLUMNS | {"Disease": None}), "Nobody asked for the column 'disease'"),
        (lambda: preparation(model={"harm": "medium"}), "motivation"),
        (lambda: preparation(model=MODEL | {"mood": "good"}), "has other entries than these"),
        (lambda: preparation(where={"village": "North"}), "'village' is not in"),
        (lambda: preparation(40), "fewer records than 3 times TG"),
        (
            lambda: preparation(schema=bb.Schema({**SCHEMA.columns, "city": bb.ColumnSchema()})),
            "what the column 'city' is",
        ),
    ],
)
def test_a_preparation_that_does_not_fit(tmp_path, make, match):
    refused(begun(tmp_path), ANA, make, match)


@pytest.mark.parametrize("epsilon", [0, -1, 101])
def test_an_epsilon_that_is_none(epsilon):
    with pytest.raises(bb.UsageError, match="epsilon"):
        preparation(3, epsilon)


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: bb.Accept([bb.Generalise("agee", bb.Hierarchy.by_interval(10), 1)]), "'agee' is not a quasi"),
        (lambda: bb.Accept([bb.SuppressColumn("disease")]), "'disease' is not a quasi"),
        (lambda: bb.Accept([bb.SuppressRecords({"age": "30"})]), "not something that a requester may ask for"),
        (lambda: bb.Accept([bb.MaskGroups()]), "not something that a requester may ask for"),
        (lambda: bb.Accept([decades()], max_suppression=1.5), "max_suppression|max-suppression"),
        (lambda: bb.Propose(), "names a level"),
        (lambda: bb.Propose(k=1), "k"),
        (lambda: bb.Message(" "), "text must be a text"),
        (lambda: bb.Message("postgresql://ana:secret@db/people"), "password"),
    ],
)
def test_an_act_of_the_requester_that_makes_no_sense(tmp_path, make, match):
    refused(led_to(tmp_path, "manipulations"), RITA, make, match)


def test_an_act_out_of_turn(tmp_path):
    refused(led_to(tmp_path, "manipulations"), ANA, bb.CarryOut, "The manager may not do .apply what was agreed.")
    bb.set_language("pt")
    refused(
        led_to(tmp_path / "pt", "manipulations"), ANA, bb.CarryOut, "Quem tem o papel gestor não pode fazer .aplicar"
    )


def test_a_synonym_for_a_value_that_was_not_listed(tmp_path):
    data = table(1200).with_columns(disease=bb_constant())
    talk = led_to(tmp_path, "diversity", data)
    talk.act(ANA, bb.AskDiversity(2))
    assert talk.state.name == "synonyms"

    for value in ("flu", "measles"):
        refused(
            talk,
            RITA,
            lambda value=value: bb.GiveSynonyms({"disease": {value: ["a", "b"]}}),
            f"'{value}' of 'disease' is not among those that were listed",
        )


def bb_constant():
    import polars as pl

    return pl.when(pl.col("age").cast(pl.Int64) < 40).then(pl.lit("flu")).otherwise(pl.col("disease"))


def test_suppression_in_the_dimension_structure(tmp_path):
    talk = begun(tmp_path, dimension="structure")
    talk.act(ANA, preparation(None, 2.0))

    assert talk.state.name == "diversity"  # there is nothing that a requester could suppress


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"dimension": "truthful"}, "truth, structure or hybrid"),
        ({"wanted": {}}, "names the data that are wanted"),
        ({"wanted": {str(place): "x" for place in range(101)}}, "at most 100 columns"),
        ({"needed_by": "2026-12-01"}, "'needed_by'"),
        ({"purpose": "  "}, "purpose must be a text"),
        ({"predict": "Income"}, "'Income' is to be predicted"),
        ({"requester": "Rita"}, "'requester'"),
    ],
)
def test_a_request_that_makes_no_sense(change, match):
    with pytest.raises(bb.UsageError, match=match):
        asked(**change)


def test_a_table_that_has_changed_since(tmp_path):
    talk = begun(tmp_path)

    with pytest.raises(bb.InputError, match="not the table that this negotiation began with"):
        bb.Negotiation.load(talk.folder, table(61))


def test_a_folder_that_is_no_negotiation(tmp_path):
    with pytest.raises(bb.InputError, match=r"negotiation\.json|no-settings|could not be opened"):
        bb.Negotiation.load(tmp_path)


def test_what_becomes_of_values_without_a_place_is_as_the_portal_says(tmp_path):
    """Otherwise than in the workbench: whether a hierarchy stops would tell a requester which values there are."""
    lacking = bb.Hierarchy.by_hand({"some": [str(age) for age in range(20, 79)]})
    column = replace(SCHEMA["age"], hierarchy=lacking.to_tree())
    talk = begun(tmp_path)
    talk.act(ANA, preparation(schema=replace(SCHEMA, columns={**SCHEMA.columns, "age": column})))
    talk.act(RITA, bb.Accept([bb.Generalise("age", lacking, 1)]))

    assert {*talk.source.under(talk.state).after["age"].values} == {"some", "*"}
    for code, said in (("en", "in requests they become *"), ("pt", "nos pedidos viram *")):
        with speaking(code):
            assert said in text("portal.columns.fit-then")
