"""The search of the workbench by all criteria and kinds of recoding: what is asked, shown, saved and published."""

import html
import io
import re
import zipfile
from datetime import timedelta

import polars as pl
import pytest
import yaml
from portal_bench import ROWS, SCHEMA, Bench, table
from portal_site import Site

import biombo as bb
from biombo._cli import main
from biombo._release import Manifest

pytestmark = pytest.mark.slow
QUASI = ["sexo", "idade", "bairro"]
SEARCHED = {"k": 10, "max_suppression": "5"}
CRITERIA = {
    "alpha": ("0,5", bb.Deassociation(0.5)),
    "beta": ("2", bb.BetaLikeness(2)),
    "delta_disclosure": ("1,5", bb.DeltaDisclosure(1.5)),
    "max_average_risk": ("5%", bb.AverageRisk(0.05)),
    "max_uniqueness": ("0", bb.Uniqueness(0)),
    "k_map": ("20", bb.KMap(20, population=60_000)),
    "max_presence": ("0,2", bb.Presence(0.2, population=60_000)),
    "max_population_uniqueness": ("1%", bb.PopulationUniqueness(0.01, population=60_000)),
}


def two_sensitive() -> tuple[bb.Schema, pl.DataFrame]:
    tree = SCHEMA.to_tree()
    tree["columns"]["renda"] = {"role": "sensitive"}
    rows = table().with_columns(renda=pl.Series([("baixa", "média", "alta")[number % 3] for number in range(ROWS)]))
    return bb.Schema.from_tree(tree), rows


def words(page: str) -> str:
    return html.unescape(re.sub(r"(?s)<[^>]*>", " ", page))


def extracted(bench: Bench, folder) -> "bb.Request":
    with zipfile.ZipFile(io.BytesIO(bench.ana.get(f"{bench.where}/request.zip").body)) as packed:
        packed.extractall(folder)
    table().write_parquet(folder / "table.parquet")
    return bb.Request.load(folder / "request.yaml")


@pytest.fixture
def bench(unchanged: Site) -> Bench:
    return Bench(unchanged)


@pytest.mark.parametrize("name", CRITERIA)
def test_each_criterion_is_asked_as_it_is_typed_and_holds_in_the_plan(bench: Bench, name: str):
    typed, criterion = CRITERIA[name]

    page = bench.do("search", **SEARCHED, **{name: typed}, population_size="60.000")

    found = bench.draft.results["search"]
    assert found["plans"], words(page)
    bench.do("utility")
    plan = bb.Plan.load(
        bench.site.home.drafts / bench.draft.slug / f"plan-{bench.draft.results['utility']['plan_hash']}.yaml"
    )
    assert criterion in plan.criteria
    assert re.search(rf'<details open>\s*<summary>Mais critérios.*name="{name}" value="[^"]+"', page, re.DOTALL)


def test_criteria_that_are_not_asked_for_stay_folded(bench: Bench):
    page = bench.page("search")

    assert re.search(r"<details>\s*<summary>Mais critérios", page)
    assert "Outros números para algumas colunas" not in page  # there is one sensitive column
    assert page.index('name="recoding"') < page.index("Mais critérios") < page.index('name="alpha"')


@pytest.mark.parametrize(
    ("typed", "field", "said"),
    [
        ({"alpha": "0"}, "alpha", "maior que 0 e no máximo 1"),
        ({"alpha": "7"}, "alpha", "maior que 0 e no máximo 1"),
        ({"alpha": "metade"}, "alpha", "número"),
        ({"beta": "-1"}, "beta", "maior que 0"),
        ({"beta": "inf"}, "beta", "número"),
        ({"delta_disclosure": "0"}, "delta_disclosure", "maior que 0"),
        ({"max_average_risk": "500%"}, "max_average_risk", "no máximo 1"),
        ({"max_uniqueness": "1,5"}, "max_uniqueness", "de 0 a 1"),
        ({"max_population_uniqueness": "0,01"}, "population_size", "quantas pessoas a população tem"),
        ({"k_map": "20"}, "population_size", "quantas são, para uma estimativa"),
        ({"k_map": "0", "population_size": "60000"}, "k_map", "2"),
        ({"max_presence": "0,2", "population_size": "muitas"}, "population_size", "inteiro"),
        ({"max_presence": "0", "population_size": "60000"}, "max_presence", "maior que 0"),
        ({"alpha_values": "B24"}, "alpha", "sem ela, nada se exige"),
        ({"recoding": "both"}, "recoding", "both"),
        ({"recoding": "local", "prefer": "discernibility"}, "prefer", "loss, precision, entropy"),
    ],
)
def test_what_makes_no_sense_is_said_beside_its_field(bench: Bench, typed: dict[str, str], field: str, said: str):
    page = bench.do("search", **SEARCHED, **typed)

    beside = re.search(
        rf'(?s)<div class="field wrong">(?:(?!<div class="field).)*name="{field}".*?role="alert">(.*?)</div>', page
    )
    assert beside is not None, words(page)
    assert said in words(beside[1])
    assert not re.search(r"\w+=\.\.\.|--[a-z]", words(beside[1]))
    assert "search" not in bench.draft.results
    assert not bench.site.work()


def test_limits_of_levels_do_not_go_with_local_recoding(bench: Bench):
    page = bench.do("search", **SEARCHED, recoding="local", least_1="2")

    assert "A recodificação local não aceita limites" in words(page)
    assert "“Como os valores são generalizados” global" in words(page)
    assert not bench.site.work()


def test_a_population_that_is_too_small_is_told_by_the_page(bench: Bench):
    bench.ana.post(f"{bench.where}/steps/search", {**SEARCHED, "k_map": "5", "population_size": "599"})
    (job,) = bench.site.work()

    assert (job.status, job.error["key"]) == ("failed", "criteria.small-population")
    assert "599" in words(bench.page("search"))


def test_sensitive_columns_have_numbers_of_their_own(unchanged: Site):
    bench = Bench(unchanged, *two_sensitive())

    page = bench.do("search", **SEARCHED, l=2, l_of_1=3, alpha_of_0="0,9", alpha_values="B24\nA90\n")

    assert bench.draft.results["search"]["asked"]["l"] == {"diagnostico": 2, "renda": 3}
    plan = bench.draft.results["search"]["plans"][0]
    assert plan["smallest_group"] >= 10
    bench.do("utility")
    request = yaml.safe_load(
        zipfile.ZipFile(io.BytesIO(bench.ana.get(f"{bench.where}/request.zip").body)).read("plan.yaml")
    )
    asked = [bb.Criterion.from_tree(each) for each in request["criteria"]]
    assert bb.LDiversity(2, column="diagnostico") in asked
    assert bb.LDiversity(3, column="renda") in asked
    assert bb.Deassociation(0.9, values=("B24", "A90"), column="diagnostico") in asked
    assert re.search(r'name="l_of_1" value="3"', page)
    assert re.search(r"<details open>\s*<summary>Outros números", page)


def test_values_that_could_be_of_several_columns_are_refused(unchanged: Site):
    page = Bench(unchanged, *two_sensitive()).do("search", **SEARCHED, alpha="0,5", alpha_values="B24")

    assert "informe α só para essa coluna" in words(page)
    assert "column=" not in page


@pytest.mark.parametrize("recoding", ["local", "multidimensional", "multidimensional-relaxed"])
def test_groups_with_levels_of_their_own_stand_beside_one_level_for_all(bench: Bench, recoding: str):
    page = bench.do("search", **SEARCHED, recoding=recoding)

    first, *others = bench.draft.results["search"]["plans"]
    assert first["recoding"] == recoding
    assert {each["recoding"] for each in others} == {"global"}
    alone = bench.draft.results["search"]["plans"][1]
    found = bb.search(bb.read(table(), schema=SCHEMA), bb.KAnonymity(10), recoding=recoding)[0]
    assert first["granularity"] == found.granularity
    assert {name: {int(each): n for each, n in levels.items()} for name, levels in first["levels"].items()} == {
        name: dict(levels) for name, levels in found.levels.items()
    }
    best = bb.search(bb.read(table(), schema=SCHEMA), bb.KAnonymity(10), max_suppression=0.05)[0]
    assert alone["levels"] == dict(best.levels)
    shown = words(page)
    assert "Detalhe que permanece" in shown
    assert "depende do grupo" in shown
    assert re.search(rf'<input type="radio" name="recoding" value="{recoding}"[^>]* checked', page)
    assert "Recodificação local e global lado a lado" in shown
    assert page[page.index('class="told"') :].count("<svg") >= 1


def test_example_values_of_a_local_plan_are_made_up(bench: Bench):
    rows = table().with_columns(idade=pl.when(pl.col("nome").str.ends_with(" 7")).then(117).otherwise("idade"))
    bench = Bench(bench.site, rows=rows)

    page = bench.do("search", **SEARCHED, recoding="local")

    examples = words(page[page.index("valores fictícios") : page.index('class="told"')])
    assert " ou " in examples
    assert "117" not in words(page)
    assert "Centro" not in examples


def test_a_local_plan_is_published_verified_and_on_record(bench: Bench, tmp_path):
    bench.rehearsed(recoding="local", alpha="0,6")
    request = extracted(bench, tmp_path)
    assert request.plan.endswith("plan.yaml")

    page = bench.publish()

    assert "/catalogue/" in page
    assert bb.verify(bench.published, register=bb.Register.open(str(bench.site.home.register))).origin_proved
    released = pl.read_csv(bench.published / "data.csv")
    assert released.height == ROWS
    assert released.group_by(QUASI).len()["len"].min() >= 10
    shares = released.group_by(QUASI).agg(pl.col("diagnostico").value_counts(normalize=True).struct["proportion"].max())
    assert shares["proportion"].max() <= 0.6
    (operation,) = bb.Plan.load(f"{bench.published}.private/plan.yaml").operations
    assert isinstance(operation, bb.RecodeLocally)


def test_what_is_saved_of_a_local_plan_gives_the_same_release_on_the_command_line(bench: Bench, tmp_path):
    bench.rehearsed(recoding="local", beta="2")
    bench.publish()
    extracted(bench, tmp_path)

    assert main(["publish", "--request", str(tmp_path / "request.yaml")]) == 0

    folders = (bench.published, tmp_path / "release")
    claimed = [[each for each in Manifest.of(folder).claims if each.name != "plan"] for folder in folders]
    assert claimed[0] == claimed[1]
    assert len({bb.Plan.load(f"{folder}.private/plan.yaml").hash for folder in folders}) == 1


def test_what_is_saved_before_the_rehearsal_asks_for_local_recoding(bench: Bench, tmp_path):
    bench.do("search", **SEARCHED, recoding="local", weight_1="4", prefer="entropy")
    request = extracted(bench, tmp_path)

    bench.do("utility")

    assert (request.recoding, request.level, request.max_suppression) == ("local", None, 0)
    assert (request.prefer, request.weights) == (("entropy",), {"idade": 4.0})
    assert request.rehearse().rehearsal.plan.hash == bench.draft.results["utility"]["plan_hash"]


def test_a_plan_with_one_level_for_all_can_be_chosen_beside_a_local_one(bench: Bench):
    bench.rehearsed(place=1, recoding="local")
    second = bench.draft.results["search"]["plans"][1]

    bench.publish()

    plan = bb.Plan.load(f"{bench.published}.private/plan.yaml")
    levels = {each.column: each.level for each in plan.operations if isinstance(each, bb.Generalise)}
    assert levels == {name: level for name, level in second["levels"].items() if level}
    assert plan.max_suppression == 0.05
    assert bb.verify(bench.published).holds


def test_what_cannot_be_met_is_said_and_leaves_no_plan(bench: Bench):
    rows = table().with_columns(diagnostico=pl.lit("A90"))
    bench = Bench(bench.site, rows=rows)

    page = bench.do("search", **SEARCHED, recoding="local", alpha="0,5")

    assert bench.draft.results["search"]["plans"] == []
    assert "Nenhum agrupamento atende" in words(page)
    assert "workbench/utility" not in page or 'class="next"' not in page


def test_values_that_were_named_go_with_the_table(bench: Bench):
    from django.utils import timezone

    from biombo._portal import forget_tables

    bench.do("search", **SEARCHED, alpha="0,6", alpha_values="B24")
    draft, long_ago = bench.draft, timezone.now() - timedelta(days=400)
    assert draft.answers["alpha_values"] == ["B24"]
    bench.site.model("DataSet").objects.filter(pk=bench.data_set.pk).update(is_offered=False, added_at=long_ago)
    bench.site.model("Job").objects.filter(data_set=bench.data_set).update(made_at=long_ago)

    forget_tables()

    draft.refresh_from_db()
    assert "B24" not in str([draft.answers, draft.results])
