"""What columns are, how they may be generalised, and who knows what: all of it lands in the schema."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml
from portal_site import Site, yaml_of

import biombo as bb

ROWS = 400
PLACES = ("Acre", "Roraima", "Paraná", "Bahia")
TREE = "Norte\n  Acre\n  Roraima\nSul\n  Paraná\n"
SCHEMA = bb.Schema(
    {
        "nome": bb.ColumnSchema("identifier"),
        "idade": bb.ColumnSchema("quasi", "discrete", hierarchy="age"),
        "cidade": bb.ColumnSchema("quasi"),
        "nascimento": bb.ColumnSchema("undecided", "date"),
        "doença": bb.ColumnSchema("sensitive"),
    }
)
NAME, AGE, PLACE, BORN, DISEASE = range(5)


def table() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "nome": [f"Pessoa {n}" for n in range(ROWS)],
            "idade": [20 + n % 60 for n in range(ROWS)],
            "cidade": [PLACES[n % 3] if n else PLACES[3] for n in range(ROWS)],
            "nascimento": [f"19{50 + n % 40}-0{1 + n % 9}-1{n % 9}" for n in range(ROWS)],
            "doença": [("gripe", "dengue", "asma")[n % 3] for n in range(ROWS)],
        }
    )


class Columns:
    """The columns of one data set, as a manager sees and changes them."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.made = site.add_table(table(), SCHEMA, name="Pessoas")
        self.where = f"/data/{self.made.pk}/columns"

    @property
    def schema(self) -> bb.Schema:
        self.made.refresh_from_db()
        return bb.Schema.from_tree(yaml.safe_load(self.made.schema))

    def page(self, path: str = "", who: str = "ana") -> str:
        answer = self.site.client(who).get(f"{self.where}{path}")
        assert answer.status_code == 200
        return str(answer.content.decode())

    def seen(self) -> str:
        return str(re.findall(r'name="seen" value="(\w+)"', self.page())[0])

    def post(self, path: str = "", **form: Any) -> Any:
        return self.site.client("ana").post(f"{self.where}{path}", {"seen": self.seen(), **form})

    def roles(self, **changed: str) -> Any:
        now = {f"role_{n}": column.role for n, column in enumerate(self.schema.columns.values())}
        return self.post(**now | changed)

    def drawn(self, column: int = PLACE, **form: Any) -> Any:
        return self.post(f"/{column}", do="look", **form)

    def saved(self, column: int = PLACE, **form: Any) -> Any:
        answer = self.post(f"/{column}", do="save", **form)
        assert answer.status_code == 302, re.findall(r"errorlist[^>]*>(.*?)</ul>", answer.content.decode())
        return self.schema.columns[list(SCHEMA.columns)[column]].hierarchy


@pytest.fixture
def columns(unchanged: Site) -> Iterator[Columns]:
    made = Columns(unchanged)
    yield made
    place = Path(made.made.place)
    made.made.delete()
    place.unlink()


# Roles


def test_reasons_are_read_in_the_language_of_the_reader_whoever_handed_the_table_in(unchanged: Site):
    site, content = unchanged, BytesIO(table().write_csv().encode())
    content.name = "pessoas.csv"
    assert site.client("ana").post("/data/new", {"name": "Pessoas", "file": content}).status_code == 302
    assert [job.status for job in site.work()] == ["done"]
    where = f"/data/{site.model('DataSet').objects.latest('pk').pk}/columns"

    for code, role, hierarchy in (
        ("pt", "o nome sugere: idade", "faixas de idade em anos"),
        ("en", "its name suggests: age", "bands of ages in years"),
    ):
        reader = site.client("bruno")
        reader.cookies["biombo_language"] = code
        for page in (where, f"{where}/{AGE}"):
            shown = reader.get(page).body.decode()
            assert f"{role}; {hierarchy}" in shown, (code, page)


def test_roles_are_kept_and_columns_that_become_quasi_get_a_proposal(columns: Columns):
    assert columns.roles(role_3="quasi", role_4="other").status_code == 302
    assert [job.status for job in columns.site.work()] == ["done"]

    schema = columns.schema
    assert (schema.quasi, schema.sensitive) == (("idade", "cidade", "nascimento"), ())
    assert bb.Hierarchy.load(schema["nascimento"].hierarchy).knows("1961-05-12")
    assert schema["idade"].hierarchy == "age"


def test_a_role_that_a_person_chose_has_no_reason_of_the_program(columns: Columns):
    tree = SCHEMA.to_tree()
    tree["columns"]["doença"]["reason"] = "a diagnosis"
    tree["columns"]["idade"]["reason"] = "an age"
    columns.made.schema = yaml_of(bb.Schema.from_tree(tree))
    columns.made.save()
    columns.roles(role_4="other")
    assert (columns.schema["doença"].reason, columns.schema["idade"].reason) == (None, "an age")


@pytest.mark.parametrize("role", ["", "owner", "quasi'--", "<script>"])
def test_no_other_role_is_kept(columns: Columns, role: str):
    assert columns.roles(role_1=role).status_code == 422
    assert columns.schema == SCHEMA


def test_whoever_is_behind_is_told_and_changes_nothing(columns: Columns):
    stale = columns.seen()
    columns.saved(kind="tree", tree=TREE)
    now = columns.schema
    forms: dict[str, dict[str, Any]] = {
        "": {f"role_{n}": "other" for n in range(5)},
        "/adversaries": {"who_0": "vizinho", "knows_0": ["idade"]},
        f"/{PLACE}": {"do": "save", "kind": "none"},
    }
    for path, form in forms.items():
        answer = columns.site.client("ana").post(f"{columns.where}{path}", {"seen": stale, **form})
        assert answer.status_code == 409
        assert "Outra pessoa alterou as colunas" in answer.content.decode()
    assert columns.schema == now


def test_what_was_measured_for_other_columns_is_forgotten(columns: Columns):
    drafts = columns.site.model("Draft").objects
    draft = drafts.create(data_set=columns.made, results={"risk": {"verdict": []}})
    columns.roles()
    draft.refresh_from_db()
    assert draft.results, "nothing was changed"
    columns.saved(kind="tree", tree=TREE)
    draft.refresh_from_db()
    assert draft.results == {}


# Hierarchies

TYPED: list[tuple[dict[str, Any], Any]] = [
    ({"kind": "built-in", "name": "municipality"}, "municipality"),
    ({"kind": "none"}, None),
    (
        {"kind": "interval", "widths": "5; 10; 20", "whole": "on"},
        {"kind": "interval", "width": 5, "multiples": [2, 4], "labels": "inclusive"},
    ),
    (
        {"kind": "interval", "widths": "2,5", "origin": "1,5", "bottom": "10", "top": "90", "highest": "130"},
        {"kind": "interval", "width": 2.5, "origin": 1.5, "bottom": 10, "top": 90, "highest": 130},
    ),
    ({"kind": "bounds", "bounds": "12; 18; 65\n\n18"}, {"kind": "bounds", "levels": [[12, 18, 65], [18]]}),
    (
        {"kind": "prefix", "lengths": "5, 3, 2", "pad": "on", "separators": "-", "digits": "8"},
        {"kind": "prefix", "lengths": [5, 3, 2], "pad": "*", "separators": "-", "digits": 8},
    ),
    (
        {"kind": "date", "periods": ["10 years", "year"], "written": "DD/MM/YYYY"},
        {"kind": "date", "levels": ["year", "10 years"], "format": "DD/MM/YYYY"},
    ),
    ({"kind": "tree", "tree": TREE}, {"kind": "tree", "tree": {"Norte": ["Acre", "Roraima"], "Sul": ["Paraná"]}}),
    (
        {"kind": "tree", "tree": "Acre;Norte;*\nParaná;Sul;*"},
        {"kind": "tree", "tree": {"*": {"Norte": ["Acre"], "Sul": ["Paraná"]}}},
    ),
]


@pytest.mark.parametrize(("typed", "kept"), TYPED, ids=lambda each: str(each)[:40])
def test_what_is_typed_is_kept_as_the_schema_has_it_and_shown_again(columns: Columns, typed: dict[str, Any], kept: Any):
    columns.saved(kind="tree", tree="a;b")
    assert columns.saved(**typed) == kept

    page = columns.page(f"/{PLACE}")
    assert re.search(rf'name="kind" value="{typed["kind"]}"[^>]* checked', page)
    again = dict(re.findall(r'<input type="text" name="(\w+)" value="([^"]*)"', page))
    ticked = dict.fromkeys(re.findall(r'<input type="checkbox" name="(whole|pad)"[^>]* checked', page), "on")
    more = {name: typed[name] for name in ("tree", "bounds", "periods", "written", "name", "digits") if name in typed}
    for name in ("tree", "bounds"):
        assert name not in typed or re.split("[;\n]", str(typed[name]))[0] in page
    assert columns.saved(**{"kind": typed["kind"], **again, **ticked, **more}) == kept


def test_a_file_of_arx_replaces_what_is_typed(columns: Columns):
    from django.core.files.uploadedfile import SimpleUploadedFile

    file = SimpleUploadedFile("lugares.csv", "Acre;Norte;*\r\nParaná;Sul;*\r\n".encode("cp1252"))
    kept = columns.saved(kind="tree", tree="a;b", tree_file=file)
    assert bb.Hierarchy.load(kept).ancestors("Paraná") == ("Sul", "*")


def test_entries_that_no_field_has_stay(columns: Columns):
    tree = SCHEMA.to_tree()
    tree["columns"]["idade"]["hierarchy"] = {"kind": "interval", "width": 5, "unit": "years", "decimal": ","}
    columns.made.schema = yaml_of(bb.Schema.from_tree(tree))
    columns.made.save()
    kept = columns.saved(AGE, kind="interval", widths="10")
    assert kept == {"kind": "interval", "width": 10, "decimal": ",", "unit": "years"}


def test_a_hierarchy_that_the_form_cannot_show_is_kept_as_it_is(columns: Columns):
    tree = SCHEMA.to_tree()
    odd = {"kind": "columns", "columns": ["cidade"]}
    tree["columns"]["idade"]["hierarchy"] = odd
    columns.made.schema = yaml_of(bb.Schema.from_tree(tree))
    columns.made.save()
    page = columns.page(f"/{AGE}")
    assert re.search(r'name="kind" value="keep"[^>]* checked', page)
    assert columns.saved(AGE, kind="keep") == odd


def test_what_was_proposed_can_be_chosen_again(columns: Columns):
    columns.roles(role_3="quasi")
    columns.site.work()
    proposed = columns.schema["nascimento"].hierarchy
    assert proposed is not None
    assert 'value="proposed"' not in columns.page(f"/{BORN}")
    columns.saved(BORN, kind="none")
    assert 'value="proposed"' in columns.page(f"/{BORN}")
    assert columns.saved(BORN, kind="proposed") == proposed


WRONG: list[dict[str, Any]] = [
    {},
    {"kind": "nothing"},
    {"kind": "keep"},
    {"kind": "built-in"},
    {"kind": "built-in", "name": "/etc/passwd"},
    {"kind": "interval"},
    {"kind": "interval", "widths": "0"},
    {"kind": "interval", "widths": "5; 7"},
    {"kind": "interval", "widths": "10; 5"},
    {"kind": "interval", "widths": "NaN; inf"},
    {"kind": "interval", "widths": "1e400"},
    {"kind": "interval", "widths": "1e999999999"},
    {"kind": "interval", "widths": "9" * 100},
    {"kind": "interval", "widths": "1/0"},
    {"kind": "interval", "widths": "5", "top": "nan"},
    {"kind": "interval", "widths": "5", "bottom": "9", "top": "3"},
    {"kind": "interval", "widths": "2,5", "whole": "on"},
    {"kind": "bounds", "bounds": ""},
    {"kind": "bounds", "bounds": "18; 12"},
    {"kind": "bounds", "bounds": "12\n18"},
    {"kind": "prefix", "lengths": "2; 5"},
    {"kind": "prefix", "lengths": "-1"},
    {"kind": "prefix", "lengths": "101"},
    {"kind": "prefix", "lengths": "2,5"},
    {"kind": "prefix", "lengths": "5", "digits": "3"},
    {"kind": "date"},
    {"kind": "date", "periods": ["century"], "written": "YYYY"},
    {"kind": "date", "periods": ["year"], "written": "no date"},
    {"kind": "tree", "tree": ""},
    {"kind": "tree", "tree": "Acre"},
    {"kind": "tree", "tree": "Acre;Norte\nParaná"},
    {"kind": "tree", "tree": "a;b;a"},
    {"kind": "tree", "tree": "A\n  B\n    A"},
    {"kind": "tree", "tree": "A\n  x\nB\n  x"},
    {"kind": "tree", "tree": "\n".join(" " * n + str(n) for n in range(300))},
    {"kind": "tree", "tree": "\n".join(f"{n};g" for n in range(10_001))},
]


@pytest.mark.parametrize("form", WRONG, ids=lambda form: str(form)[:50])
def test_what_is_no_hierarchy_is_told_and_not_kept(columns: Columns, form: dict[str, Any]):
    for do in ("look", "check", "save"):
        answer = columns.post(f"/{PLACE}", do=do, **form)
        assert answer.status_code == 422
        assert re.search(r"errorlist[^>]*>\s*<li>[^<]{10,}</li>", answer.content.decode())
    assert columns.schema == SCHEMA
    assert columns.site.work() == []


def test_more_than_a_form_takes_is_told(columns: Columns):
    answer = columns.drawn(kind="tree", tree="\n".join(f"valor número {n};grupo" for n in range(100_000)))
    assert answer.status_code == 400
    assert "longo demais" in answer.content.decode()


def test_a_file_with_too_many_lines_is_told(columns: Columns):
    from django.core.files.uploadedfile import SimpleUploadedFile

    for content in (b"a;b\n" * 100_000, b"x" * 3_000_000, bytes(50)):
        answer = columns.drawn(kind="tree", tree_file=SimpleUploadedFile("big.csv", content))
        assert answer.status_code == 422


def test_the_largest_tree_is_kept_and_pages_stay_small(columns: Columns):
    typed = "\n".join(f"valor {n};grupo {n // 100};*" for n in range(10_000))
    assert columns.saved(kind="tree", tree=typed)["kind"] == "tree"
    drawn = columns.drawn(kind="tree", tree=typed).content.decode()
    shown = drawn[drawn.index('class="tree"') :]
    assert shown.count("<li>") < 300
    assert "e mais 88" in shown
    assert len(columns.page()) < 100_000


def test_a_tree_is_drawn_with_its_examples(columns: Columns):
    page = columns.drawn(kind="tree", tree=TREE).content.decode()
    assert "<summary>Norte <small>(2)</small></summary><ul><li>Acre</li><li>Roraima</li></ul>" in page
    assert re.search(r"<td>Acre</td>.*<td>Norte</td>.*<td>\*</td>", page, re.DOTALL)
    assert columns.schema == SCHEMA


def test_only_what_is_drawn_is_sent_to_a_page_that_is_there(columns: Columns):
    client = columns.site.client("ana")
    for form, there in (({"kind": "tree", "tree": TREE}, "Roraima"), ({"kind": "tree", "tree": "x"}, "errorlist")):
        form["do"] = "look"
        answer = client.post(f"{columns.where}/{PLACE}", form, headers={"HX-Request": "true"})
        page = answer.content.decode()
        assert (answer.status_code, there in page, "<html" in page) == (200, True, False)


def test_marks_of_pages_are_shown_as_they_are_written(columns: Columns):
    evil = "<script>alert(1)</script>"
    columns.saved(kind="tree", tree=f"{evil}\n  <img src=x onerror=alert(2)>\n  {{{{ settings.SECRET_KEY }}}}")
    for page in (columns.page(), columns.page(f"/{PLACE}")):
        assert "<script>alert" not in page
        assert "<img" not in page
        assert columns.site.home.secret_key not in page
    assert "&lt;script&gt;alert(1)" in columns.page(f"/{PLACE}")


def checked(columns: Columns, **form: Any) -> tuple[Any, str]:
    answer = columns.post(f"/{PLACE}", do="check", **form)
    assert answer.status_code == 302
    (job,) = columns.site.work()
    return job, answer.headers["Location"]


def test_values_without_a_place_are_named_to_the_manager_alone(columns: Columns):
    job, where = checked(columns, kind="tree", tree=TREE)
    assert (job.status, job.asked["fit"]["unknown"]) == ("done", [["Bahia", 1]])
    assert columns.schema == SCHEMA, "checking keeps nothing"
    page = columns.site.client("ana").get(where).content.decode()
    assert "1 valor não tem lugar (1 registro)" in page
    assert '<th scope="row">Bahia</th>' in page
    assert re.search(r"<textarea[^>]*>\s*Norte", page), "what was typed is still there"
    for who in ("rita", "davi", "alice", "celia"):
        assert columns.site.client(who).get(where).status_code == 404
    assert "Bahia" not in columns.site.client("davi").get(f"/data/{columns.made.pk}").content.decode()

    columns.saved(kind="tree", tree=TREE)
    assert columns.site.work() == [], "it was checked already"
    assert "1 valor não tem lugar" in columns.page()
    columns.saved(kind="tree", tree=TREE + "Nordeste\n  Bahia")
    (job,) = columns.site.work()
    assert job.asked["fit"]["unknown"] == []
    assert "4 valores da tabela, todos com lugar" in columns.page()


@pytest.mark.parametrize("number", ["0", "99999999", "-1", "x", "9" * 40, "1 or 1"])
def test_a_check_that_is_not_there_shows_what_is_kept(columns: Columns, number: str):
    assert 'value="none"' in columns.page(f"/{PLACE}?check={number}")


def test_checks_of_other_columns_and_tables_are_not_shown(columns: Columns):
    job, _ = checked(columns, kind="tree", tree=TREE)
    assert "Roraima" not in columns.page(f"/{AGE}?check={job.pk}")
    other = Columns(columns.site)
    assert "Roraima" not in other.page(f"/{PLACE}?check={job.pk}")
    other.made.delete()


@pytest.mark.parametrize("column", [NAME, BORN, DISEASE, 5, 999_999])
def test_only_quasi_columns_have_an_editor(columns: Columns, column: int):
    client = columns.site.client("ana")
    assert client.get(f"{columns.where}/{column}").status_code == 404
    assert client.post(f"{columns.where}/{column}", {"do": "save", "kind": "none"}).status_code == 404


# Adversaries


def test_adversaries_are_proposed_named_changed_and_removed(columns: Columns):
    assert columns.schema.adversaries == {}
    assert 'name="who_0" value="vizinho"' in columns.page()
    answer = columns.post(
        "/adversaries", who_0="vizinho", knows_0=["idade", "cidade"], who_1="o prefeito", knows_1=["cidade"]
    )
    assert answer.status_code == 302
    assert columns.schema.adversaries == {"neighbour": ("idade", "cidade"), "o prefeito": ("cidade",)}
    page = columns.page()
    assert 'name="who_0" value="vizinho"' in page
    assert 'name="who_1" value="o prefeito"' in page

    columns.post("/adversaries", who_0="Jornalista", knows_0=["idade"], who_1="", knows_1=["cidade"])
    assert columns.schema.adversaries == {"journalist": ("idade",)}
    columns.post("/adversaries", who_0="")
    assert columns.schema.adversaries == {}


@pytest.mark.parametrize(
    "form",
    [
        {"who_0": "vizinho"},
        {"who_0": "vizinho", "knows_0": ["doença"]},
        {"who_0": "vizinho", "knows_0": ["idade"], "who_1": "Vizinho", "knows_1": ["cidade"]},
        {"who_0": "x" * 200, "knows_0": ["idade"]},
    ],
)
def test_an_adversary_knows_quasi_columns_and_has_a_name_of_their_own(columns: Columns, form: dict[str, Any]):
    assert columns.post("/adversaries", **form).status_code == 422
    assert columns.schema.adversaries == {}


def test_labels_stay_with_those_who_stay(columns: Columns):
    tree = SCHEMA.to_tree() | {
        "adversaries": {"boss": ["idade", "cidade"], "aunt": ["cidade"]},
        "adversary-labels": {"boss": {"pt": "chefe", "en": "boss"}, "aunt": {"pt": "tia", "en": "aunt"}},
    }
    columns.made.schema = yaml_of(bb.Schema.from_tree(tree))
    columns.made.save()
    columns.post("/adversaries", who_0="chefe", knows_0=["idade"], who_1="tia", knows_1=["cidade"])
    assert columns.schema.adversary_labels == {
        "boss": {"pt": "chefe", "en": "boss"},
        "aunt": {"pt": "tia", "en": "aunt"},
    }
    columns.roles(role_2="other")
    assert columns.schema.adversaries == {"boss": ("idade",)}
    assert list(columns.schema.adversary_labels) == ["boss"]


# All of it is the schema


def test_the_command_line_runs_the_same_by_the_schema(columns: Columns, tmp_path: Path):
    columns.roles(role_1="other")
    columns.saved(kind="tree", tree="Norte\n  Acre\n  Roraima\nOutra\n  Paraná\n  Bahia")
    columns.post("/adversaries", who_0="vizinho", knows_0=["cidade"])
    schema, found = tmp_path / "schema.yaml", tmp_path / "found.yaml"
    columns.made.refresh_from_db()
    schema.write_text(columns.made.schema)

    assert bb.Schema.load(schema) == columns.schema
    assert columns.schema.adversaries == {"neighbour": ("cidade",)}
    bb.SearchRequest(files=(columns.made.place,), schema=str(schema), k=130, out=str(found)).run()
    (generalised,) = [each for each in bb.Plan.load(found).operations if isinstance(each, bb.Generalise)]
    assert (generalised.column, generalised.level) == ("cidade", 1)
    assert generalised.hierarchy.generalised("Bahia", 1) == "Outra"


def test_a_schema_that_names_a_file_is_refused(columns: Columns):
    client = columns.site.client("ana")
    for hierarchy in ("/etc/passwd", {"kind": "columns", "columns": ["cidade"], "then": "/etc/passwd"}):
        tree = SCHEMA.to_tree()
        tree["columns"]["idade"]["hierarchy"] = hierarchy
        answer = client.post(f"/data/{columns.made.pk}/edit", {"schema": yaml.safe_dump(tree)})
        assert answer.status_code == 422
    assert columns.schema == SCHEMA
