"""What the reports of a release say of the columns that go out, of what protects people, and of nobody else."""

import random
import re

import polars as pl
import pytest
from report_reading import Seen, read_back

import biombo as bb
from biombo._i18n import LANGUAGES, set_language
from biombo._report.charts import as_specification, drawing

ROWS = 2_400
PLAN = bb.Plan(
    [bb.Generalise("age", bb.Hierarchy.by_interval(10), 1), bb.SuppressGroups()],
    [bb.KAnonymity(10)],
    quasi=["age", "city"],
    sensitive=["disease"],
    identifiers=["name"],
)
MODEL = bb.PublicRelease(harm="medium")
OFFICER = {"en": "For the data-protection officer", "pt": "Para o encarregado"}
UNTOUCHED = {"en": "columns go out as they are", "pt": "colunas saem como estão"}
STEPS = "The ten steps of an anonymisation"
IMPACT = "For the impact report (RIPD)"


def people(rows: int = ROWS, city: str = "", seed: int = 1) -> pl.DataFrame:
    """Made up. With ``city``, everybody lives alone in a place of that name, and none is released."""
    chance = random.Random(seed)
    return pl.DataFrame(
        {
            "name": [f"Person {n}{city}" for n in range(rows)],
            "age": [chance.randint(20, 79) for _ in range(rows)],
            "city": [f"{city} {n}" if city else chance.choice(["Rio Raso", "Serra"]) for n in range(rows)],
            "disease": [chance.choice(["flu", "flu", "gout"]) for _ in range(rows)],
            "ward": [chance.choice("AB") for _ in range(rows)],
            "shift": [chance.choice(["day", "night"]) for _ in range(rows)],
            "cost": [chance.randint(1, 60) for _ in range(rows)],
        }
    )


@pytest.fixture
def told(tmp_path):
    """Publishes in a language, and gives the public and the private report."""

    def publish(table: pl.DataFrame, plan: bb.Plan = PLAN, language: str = "en", **options: object) -> list[Seen]:
        set_language(language)
        try:
            with drawing(as_specification):
                release = bb.publish(table, plan, tmp_path / f"release-{len(list(tmp_path.iterdir()))}", **options)
        finally:
            set_language("en")
        return [read_back((folder / "report.html").read_text()) for folder in (release.out, release.private)]

    return publish


def page_one(seen: Seen, language: str) -> str:
    """What stands before the part for the data-protection officer."""
    first, found, _ = seen.text.partition(f"{OFFICER[language]} ")
    assert found
    return first


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("other", [(), ("ward",), ("ward", "shift")])
def test_page_one_tells_how_many_columns_go_out_as_they_are(told, other, language) -> None:
    """The sensitive one, which no operation changes, and the others; of these, age, city and the trace id."""
    for seen in told(people(), other=other, language=language):
        count = f" {2 + len(other)}/{4 + len(other)} {UNTOUCHED[language]} "
        assert count in page_one(seen, language)


@pytest.mark.parametrize(
    ("other", "operations", "status"),
    [
        ((), (), "done"),
        ((), (bb.Round("cost", 20),), "done"),
        (("ward",), (), "open"),
        (("ward", "shift"), (bb.Round("cost", 20),), "open"),
    ],
)
def test_columns_are_removed_only_where_no_other_goes_out_as_it_is(told, other, operations, status) -> None:
    plan = bb.Plan([*operations, *PLAN.operations], PLAN.criteria, PLAN.quasi, PLAN.sensitive, PLAN.identifiers)
    private = told(people(), plan, other=other, model=MODEL)[1]
    (step,) = [row for row in private.table(STEPS) if row["Step"].startswith("4. ")]

    assert step["Status"] == status
    if status == "open":
        assert ", ".join(other) in step["What was done"]
    else:
        assert "name" in step["What was done"]


@pytest.mark.filterwarnings("ignore:Column 'cost' is changed by more than half")
@pytest.mark.parametrize("wide", [1, 42])
def test_the_impact_report_lists_every_column(told, wide) -> None:
    """However many there are, and also those that a plan makes, or changes without a role."""
    table = people(120).with_columns(
        *(pl.lit("x").alias(f"known {n}") for n in range(wide)),
        pl.lit("x").alias("kept"),
        *(pl.lit("x").alias(f"forgotten {n}") for n in range(wide)),
    )
    plan = bb.Plan(
        [bb.Round("cost", 60), bb.DeriveDuration("from", "to", "stay", drop=True)],
        [bb.KAnonymity(10)],
        quasi=["city", *(f"known {n}" for n in range(wide))],
        sensitive=["disease"],
        identifiers=["name"],
    )
    dated = table.with_columns(pl.lit("2024-01-01").alias("from"), pl.lit("2024-01-05").alias("to"))
    private = told(dated, plan, other=["kept"])[1]
    (types,) = [row for row in private.table(IMPACT) if row["Article 38 asks for"] == "Types of data"]
    listed = re.findall(r"[^,.:()]+", types["In this release"])
    named = {name.strip() for name in listed}

    assert [name for name in (*dated.columns, "stay", "trace_id") if name not in named] == []


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Unprotected: nothing in the plan protects the people in the data. It is released for this reason: why"),
        ("pt", "Sem proteção: nada no plano protege as pessoas nos dados. Publicado por este motivo: why"),
    ],
)
def test_page_one_calls_a_release_unprotected(told, language, sentence) -> None:
    plan = bb.Plan([], quasi=["city"], sensitive=["disease"], identifiers=["name"])
    for seen in told(people(100), plan, unprotected="why", language=language):
        assert sentence in page_one(seen, language)
    for seen in told(people(), unprotected="nobody asked", language=language):
        assert sentence.partition(":")[0] not in seen.text, "it is protected, whatever somebody says"


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Without k: people are protected by noise alone, whatever groups they are in."),
        ("pt", "Sem k: as pessoas são protegidas só por ruído, em qualquer grupo em que estejam."),
    ],
)
def test_page_one_says_that_noise_alone_protects(told, language, sentence) -> None:
    plan = bb.Plan([bb.RandomisedResponse("disease", 1, ("flu", "gout"))], sensitive=["disease"])
    for seen in told(people(100), plan, language=language):
        assert sentence in page_one(seen, language)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "born goes out as it is, whatever it tells, for this reason: on every card"),
        ("pt", "born sai como está, independentemente do que revele, por este motivo: on every card"),
    ],
)
def test_page_one_says_which_columns_were_accepted_and_why(told, language, sentence) -> None:
    table = people().with_columns(born=2024 - pl.col("age"))
    public, private = told(table, other=["born"], accept={"born": "on every card"}, language=language)

    assert all(sentence in page_one(seen, language) for seen in (public, private))
    told_by_it = {"en": "born tells age more finely", "pt": "born revela age com mais detalhe"}[language]
    assert told_by_it in private.text
    assert told_by_it not in public.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_public_report_has_no_number_of_the_whole_original(told, language) -> None:
    """Two tables with the same released people; forty others are in none of them, and differ in all that they say."""
    others = [people(40, "Foz", seed=2), people(40, "Barra", seed=3).with_columns(disease=pl.lit("plague"))]
    pages = [told(pl.concat([people(), few]), language=language, model=MODEL) for few in others]
    (first, one), (second, another) = ([_undated(seen) for seen in both] for both in pages)
    whole = {"en": "2,440", "pt": "2.440"}[language]

    assert first == second
    assert one != another
    assert whole in one
    assert whole not in first


def _undated(seen: Seen) -> str:
    """Without the folder, the time, and what is drawn anew."""
    return re.sub(r"release-\d+|\d\d?:\d\d|\b[0-9a-f]{16,}\b", "", seen.text)
