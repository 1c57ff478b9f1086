"""The report begins with the best plan in plain words: what becomes of the columns, what holds, what is proved."""

import polars as pl
import pytest

import biombo as bb

BECOMES = "What becomes of each column"


def percent(share, digits=2):
    return f"{100 * share:.{digits}f}%"


@pytest.fixture
def search(data, two_columns):
    def searched(*criteria, table=data, **options):
        return bb.search(table, criteria, **{**two_columns, "max_suppression": 0.02, **options})

    return searched


def test_the_first_words_are_what_to_do(found, page):
    best = found[0]
    generalised = [column for column, level in best.levels.items() if level]
    assert generalised == ["idade", "cidade"]
    assert best.suppressed > 1
    expected = f"Generalise idade and cidade. Suppress {best.suppressed} of 1,000 records "

    assert expected + f"({percent(best.suppressed / 1000)})." in page(found).text


def test_a_table_that_is_fit_needs_nothing(search, page):
    seen = page(search(bb.KAnonymity(1)))

    assert "No column needs to be generalised. No record needs to be suppressed." in seen.text
    assert {row["Becomes"] for row in seen.table(BECOMES)} == {"kept as it is"}


def test_every_column_has_its_level_and_an_example_and_its_loss(found, table, page):
    rows = {row["Column"]: row for row in page(found).table(BECOMES)}
    best = found[0]

    for column in best.columns:
        level, row = best.levels[column.name], rows[column.name]
        before = table[column.name].cast(pl.String).to_list()
        values = set(before)
        recoded = column.hierarchy.recode(sorted(values, key=str))
        after = {recoded.labels[level][code] for code in recoded.codes[level]}
        assert row["Different values before"] == str(len(values))
        assert row["Different values after"] == str(len(after))
        assert row["Loss"] == percent(best.column_loss[column.name])
        if level:
            value, becomes = row["For example"].split(" → ")
            assert column.hierarchy.generalised(value, level) == becomes
            assert before.count(value) > 1
            assert row["Becomes"].startswith(column.hierarchy.level_label(level))
        else:
            assert row["Becomes"] == "kept as it is"


def test_a_column_that_loses_everything_is_said_to_be_the_same_for_all(search, page):
    seen = page(search(bb.KAnonymity(5), bounds={"sexo": 1}))

    becomes = {row["Column"]: (row["Becomes"], row["For example"]) for row in seen.table(BECOMES)}
    assert becomes["sexo"] in {("not shown (*): the same for all", f"{value} → *") for value in "FM"}


def test_codes_are_shown_with_their_names(page):
    towns = pl.DataFrame({"town": ["120040", "120040", "355030", "355030"]})
    found = bb.search(bb.read(towns), bb.KAnonymity(3), quasi=["town"], hierarchies={"town": "municipality"})
    found_in_state = bb.search(
        bb.read(towns), bb.KAnonymity(2), quasi=["town"], hierarchies={"town": "municipality"}, bounds={"town": (3, 5)}
    )

    assert page(found).table(BECOMES)[0]["For example"] == "120040 → *"
    assert page(found_in_state).table(BECOMES)[0]["For example"] == "120040 → 12 (Acre)"


@pytest.mark.parametrize(
    ("criterion", "sentence"),
    [
        (bb.KAnonymity(2), "Every record that stays has the same values in idade and sexo as at least one other."),
        (bb.KAnonymity(5), "Every record that stays has the same values in idade and sexo as at least 4 others."),
        (
            bb.LDiversity(2, column="doenca"),
            "Every group of records that have the same values in idade and sexo satisfies: "
            "distinct l-diversity with l = 2, for doenca.",
        ),
        (
            bb.Vulnerability(0.6, over="table", column="doenca"),
            "The table as a whole satisfies: guessed right in at most 0.6 of the table, for doenca.",
        ),
    ],
)
def test_what_holds_is_said_of_each_criterion(search, criterion, sentence, page):
    assert sentence in page(search(criterion)).text


def test_groups_of_people_are_said_to_be_that(search, table, page):
    people = bb.read(table, bb.Schema({}, person="pessoa"), columns=table.columns)
    seen = page(search(bb.KAnonymity(3), table=people, max_suppression=0.1))

    assert "Records that have the same values in idade and sexo are always about at least 3 people." in seen.text
    assert "A record is not necessarily a person." not in seen.text


def test_what_is_proved_is_said(found, page):
    assert found.optimal
    assert f"Proved the best of {found.lattice} combinations of levels" in page(found).text


def test_a_search_that_ran_out_of_time_does_not_claim_to_be_the_best(search, page):
    found = search(bb.KAnonymity(5), seconds=1e-9)
    seen = page(found)

    assert not found.optimal
    assert "Proved" not in seen.text
    assert f"{found.checked} of {found.lattice} combinations of levels were checked" in seen.text


def test_where_no_plan_satisfies_the_report_says_so_and_why(search, page):
    found = search(bb.KAnonymity(50), bounds={"idade": 0, "sexo": 0}, max_suppression=0)
    why = bb._search.explain(found.explored)
    seen = page(found, explanations=[why])

    assert not found
    assert "No plan satisfies what was asked" in seen.text
    assert BECOMES not in seen.tables
    rows = {row["By"]: row for row in seen.table("Groups that fail, by idade, sexo")}
    assert list(rows) == ["idade", "sexo", "all together"]
    assert rows["all together"]["Groups that fail"] == str(why.together.groups)
    assert rows["idade"]["Records in them"].split()[0] == f"{why.alone[0].records:,}"
    assert rows["sexo"]["Records singled out"] == "0 (0.0%)"


def test_the_plans_are_listed_best_first(found, page):
    rows = page(found).table(f"The best {len(found)} plans and what they cost")

    assert len(rows) == len(found) > 3
    for place, (row, plan) in enumerate(zip(rows, found, strict=True), start=1):
        moved = [
            f"{column.name}: {column.hierarchy.level_label(plan.levels[column.name])}"
            for column in plan.columns
            if plan.levels[column.name]
        ]
        assert row["Place"] == str(place)
        assert row["Generalised to"] == ("; ".join(moved) or "nothing")
        assert row["Suppressed"].split()[0] == str(plan.suppressed)
        assert row["Loss"] == percent(plan.loss)
        assert row["Precision"] == percent(plan.precision)
        assert row["Completeness"] == percent(plan.completeness)
        assert row["Minimal"] == ("yes" if plan.minimal else "no")


@pytest.mark.parametrize(
    ("policy", "heading"),
    [("distribution", "Number of groups"), ("discernibility", "Discernibility"), ("class-size", "Average group size")],
)
def test_what_is_preferred_has_a_column_of_its_own(search, policy, heading, page):
    found = search(bb.KAnonymity(5), prefer=policy)
    rows = next(tables[0] for caption, tables in page(found).tables.items() if "plan" in caption)
    place = rows[0].index(heading)

    shown = [float(row[place].replace(",", "")) for row in rows[1:]]
    assert shown == pytest.approx([abs(plan.score) for plan in found], abs=0.005)


def test_labels_stand_for_columns(found, page):
    seen = page(found, labels={"idade": "Idade em anos"})

    assert [row["Column"] for row in seen.table(BECOMES)] == ["Idade em anos", "sexo", "cidade"]
    assert "Hierarchy of Idade em anos" in seen.text


def test_sets_of_columns_that_share_none_are_reported_together(data, three_columns, page):
    criteria = [bb.KAnonymity(20, quasi=["idade"]), bb.KAnonymity(5, quasi=["sexo", "cidade"])]
    found = bb.search(data, criteria, max_suppression=0.05, **three_columns)
    seen = page(found)

    assert "Every record that stays has the same values in idade as at least 19 others." in seen.text
    assert "Every record that stays has the same values in sexo and cidade as at least 4 others." in seen.text
    assert "loss, over the columns of all sets" in seen.text
    assert [caption for caption in seen.figures if "lattice" in caption] == [
        f"The lattice of {part.lattice} combinations of levels" for part in found.parts
    ]
    assert "Minimal" not in seen.tables[f"The best {len(found)} plans and what they cost"][0][0]


def test_a_column_in_no_set_is_reported_as_well(data, three_columns, page):
    criteria = [bb.KAnonymity(20, quasi=["idade"]), bb.KAnonymity(5, quasi=["sexo"])]
    found = bb.search(data, criteria, bounds={"cidade": (1, 3)}, **three_columns)
    seen = page(found, labels={"cidade": "Cidade"})

    becomes = {row["Column"]: row["Becomes"] for row in seen.table(BECOMES)}
    assert becomes["Cidade"] == "3 groups"
    assert "Hierarchy of Cidade" in seen.text


def test_records_left_out_because_of_invalid_values_are_told(table, two_columns, page) -> None:
    schema = bb.Schema({"cidade": bb.ColumnSchema(invalid=frozenset([None]), role="quasi")})
    asked = {**two_columns, "quasi": ["idade", "cidade"], "drop_invalid": True}
    asked["hierarchies"] = {"idade": bb.Hierarchy.by_interval(10), "cidade": bb.Hierarchy.all_or_nothing()}
    found = bb.search(bb.read(table, schema, columns=asked["quasi"]), bb.KAnonymity(2), **asked)
    missing = table["cidade"].null_count()
    assert missing > 1
    seen = page(found)
    assert f"Leave out {missing} records with invalid values. Generalise" in seen.text
    assert "was not recorded well" in seen.text
    assert "was not recorded well" not in page(bb.search(bb.read(table), bb.KAnonymity(2), **two_columns)).text
