"""Requests for a column whose hierarchy is read off another: prepared, shown, searched for and accepted on pages."""

import negotiations
import polars as pl
import pytest

import biombo as bb

ROWS, FACILITIES = 200, 20
SCHEMA = bb.Schema(
    {
        "facility": bb.ColumnSchema(role="quasi", hierarchy=bb.Hierarchy.from_columns(["town"]).to_tree()),
        "town": bb.ColumnSchema(role="quasi"),
        "sex": bb.ColumnSchema(role="quasi"),
        "disease": bb.ColumnSchema(role="sensitive"),
    }
)


def people(seed: str) -> pl.DataFrame:
    """Each facility is in one of four towns."""
    return pl.DataFrame(
        {
            "facility": [f"Clinic {seed} {place % FACILITIES:02}" for place in range(ROWS)],
            "town": [f"Town {place % FACILITIES % 4}" for place in range(ROWS)],
            "sex": ["F" if place * place % 7 < 3 else "M" for place in range(ROWS)],
            "disease": [negotiations.DISEASES[place * place // 3 % 3] for place in range(ROWS)],
        }
    )


def prepared(site, columns, table: pl.DataFrame, schema: bb.Schema = SCHEMA):
    """A request for some columns, which Ana prepares on its page; gives it with the job that does so."""
    case = site.begun("rita", site.add_table(table, schema), wanted={name: name for name in columns})
    form = {f"label:{place}": name for place, name in enumerate(columns)}
    form |= {f"role:{place}": schema[name].role for place, name in enumerate(columns)}
    answer = site.known("ana").post(f"/requests/{case.pk}/acts/prepare", {**form, **negotiations.MODEL, "k": "5"})
    assert answer.status_code == 302, answer.body
    (job,) = site.work()
    case.refresh_from_db()
    return case, job


@pytest.mark.parametrize("columns", [("facility", "town", "sex", "disease"), ("facility", "sex", "disease")])
def test_a_requester_accepts_what_the_page_offers(unchanged, columns):
    site = unchanged
    case, job = prepared(site, columns, people(str(len(columns))))
    assert (job.status, case.state) == ("done", "manipulations"), job.error
    rita = site.known("rita")
    assert (
        "town"
        in rita.get(f"/requests/{case.pk}").body.decode().split('name="column:facility"')[1].split("</select>")[0]
    )

    for act, form in (("ask-for-plans", {"max_suppression": "0"}), ("accept", {"column:facility": "1"})):
        assert rita.post(f"/requests/{case.pk}/acts/{act}", form).status_code == 302
        (job,) = site.work()
        assert job.status == "done", job.error
    view = rita.get(f"/api/requests/{case.pk}").json()["view"]
    assert view["plans"][0]["levels"]["facility"] == 1
    for path in (f"/requests/{case.pk}", f"/requests/{case.pk}/chain.jsonl", f"/api/requests/{case.pk}"):
        told = rita.get(path).body.decode()
        assert "Clinic" not in told, path
        assert "Town 1" not in told, path


def test_a_contradiction_is_told_to_the_manager_who_prepares(unchanged):
    site, table = unchanged, people("x")
    one = table.head(1).with_columns(town=pl.lit("Elsewhere"))
    case, job = prepared(site, ("facility", "sex", "disease"), pl.concat([table, one]))

    assert (job.status, case.state) == ("failed", "requested")
    assert "Clinic x 00" in site.known("ana").get(f"/requests/{case.pk}").body.decode()
    assert "Clinic x 00" not in site.known("rita").get(f"/requests/{case.pk}").body.decode()


@pytest.mark.parametrize("role", ["identifier", "sensitive", "undecided"])
def test_a_column_that_is_kept_back_is_not_read(unchanged, role):
    schema = bb.Schema({**SCHEMA.columns, "town": bb.ColumnSchema(role=role)})
    case, job = prepared(unchanged, ("facility", "sex", "disease"), people(role), schema)

    assert (job.status, case.state, job.error["key"]) == ("failed", "requested", "hierarchy.columns-role")
