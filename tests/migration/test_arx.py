"""ARX projects as what Biombo runs."""

import stat
import zipfile
from dataclasses import replace
from pathlib import Path

import arx_files
import pytest
from hypothesis import given
from hypothesis import strategies as st

import biombo as bb
from biombo._cli import main
from biombo._migration import from_arx, read_criterion, together


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return arx_files.project(tmp_path / "hospital.deid")


def taken(path: Path):
    with from_arx(path) as found:
        return found


def test_roles_criteria_limits_weights_and_levels_are_taken_over(project: Path) -> None:
    found = taken(project)
    assert found.schema.quasi == ("age", "sex", "zip")
    assert found.schema.sensitive == ("disease",)
    assert found.schema.with_role("identifier") == ("name",)
    assert found.schema.with_role("other") == ("ward",)
    asked = found.request
    assert (asked.k, asked.l, asked.l_kind, asked.t, asked.t_kind) == (3, 2, "distinct", 0.9, "hierarchical")
    assert (asked.max_suppression, asked.loss_domain) == (0.05, "hierarchy")
    assert asked.level == {"age": (1, None)}
    assert asked.weights == {"age": 1.0, "sex": 0.5, "zip": 1e-6}
    assert list(found.hierarchies) == ["age", "sex", "zip", "disease"]


def test_the_request_runs_as_it_is(project: Path, tmp_path: Path, capsys) -> None:
    out, data = tmp_path / "taken", tmp_path / "people.csv"
    assert main(["import", "arx", str(project), "--out", str(out), "--data", str(data)]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("hospital.deid (ARX 3.9.0): ")
    assert "Has no counterpart" in said.out
    assert "not for publication" in said.err
    assert main(["search", "--request", str(out / "search.request.yaml"), "--json"]) == 0
    request = bb.Request.load(out / "search.request.yaml")
    best = request.run().plans[0]
    assert best.levels["age"] >= 1
    assert best.suppressed <= 6
    assert best.smallest_group >= 3


def test_the_table_is_written_only_where_it_is_asked_for(project: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "taken"
    assert main(["import", "arx", str(project), "--out", str(out), "--lang", "pt"]) == 0
    assert "só é gravada onde você disser" in capsys.readouterr().out
    names = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}
    hierarchies = {f"hierarchies/{name}.csv" for name in arx_files.HIERARCHIES}
    assert names == {"schema.yaml", "search.request.yaml", "import.md", *hierarchies}
    assert not any("person 7" in path.read_text("utf-8") for path in out.rglob("*") if path.is_file())
    assert stat.S_IMODE((out / "hierarchies").stat().st_mode) == 0o700
    assert stat.S_IMODE((out / "hierarchies" / "age.csv").stat().st_mode) == 0o600
    assert "Não tem correspondente" in (out / "import.md").read_text("utf-8")


def test_hierarchies_are_what_they_were(project: Path, tmp_path: Path) -> None:
    taken_over = taken(project)
    taken_over.write(tmp_path / "taken")
    for column, rows in arx_files.HIERARCHIES.items():
        read = bb.Hierarchy.from_csv(tmp_path / "taken" / "hierarchies" / f"{column}.csv")
        assert {value: read.ancestors(value) for value in read.values} == {row[0]: tuple(row[1:]) for row in rows}


def test_a_hierarchy_that_no_file_can_hold_is_in_the_schema(tmp_path: Path) -> None:
    odd = {"a/b": ("QUASI_IDENTIFYING_ATTRIBUTE", "String"), "c": ("QUASI_IDENTIFYING_ATTRIBUTE", "String")}
    rows = {"a/b": [["x", "*"], ["y", "*"]], "c": [[" x", "*"], ["y", "*"]]}
    found = taken(arx_files.project(tmp_path / "odd.deid", columns=odd, hierarchies=rows, criteria=["2-anonymity"]))
    assert not found.hierarchies
    assert bb.Hierarchy.load(found.schema["c"].hierarchy).ancestors(" x") == ("*",)
    found.write(tmp_path / "taken")
    assert bb.Schema.load(tmp_path / "taken" / "schema.yaml")["a/b"].hierarchy is not None
    assert stat.S_IMODE((tmp_path / "taken" / "schema.yaml").stat().st_mode) == 0o600


def test_a_column_that_arx_never_generalises_is_not_generalised(tmp_path: Path) -> None:
    rows = arx_files.HIERARCHIES | {"sex": [["male"], ["female"]]}
    found = taken(arx_files.project(tmp_path / "p.deid", hierarchies=rows))
    assert found.request.level == {"age": (1, None), "sex": 0}
    assert "sex" not in found.hierarchies


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("(5)-map", "k-map"),
        ("(5)-map estimated as (3)-anonymity (Poisson)", "k-map"),
        ("(0.0,0.5)-presence", "δ-presence"),
        ("grassberger-entropy-3.0-diversity for attribute 'disease'", "Grassberger"),
        ("(0.1, 0.2 (0.2), 0.05)-avg-reidentification-risk", "average risk"),
        ("(0.01)-population-uniqueness (pitman)", "--population-size"),
        ("(1.0,1.0E-6)-DP", "differential privacy"),
        ("profitability (prosecutor)", "profit"),
        ("Inclusion", "subset"),
        ("something new", "not known"),
    ],
)
def test_what_has_no_counterpart_is_named(tmp_path: Path, written: str, named: str) -> None:
    found = taken(arx_files.project(tmp_path / "p.deid", criteria=["5-anonymity", written]))
    (sentence,) = [each for each in found.of("without") if each.startswith(written)]
    assert named in sentence
    assert found.request.k == 5


@pytest.mark.parametrize(
    ("written", "entries"),
    [
        ("1.0-disclosure privacy for attribute 'disease'", {"delta_disclosure": 1}),
        ("basic-1.5-likeness for attribute 'disease'", {"beta": 1.5, "beta_kind": "basic"}),
        ("enhanced-1.0-likeness for attribute 'disease'", {"beta": 1, "beta_kind": "enhanced"}),
        ("shannon-entropy-2.5-diversity for attribute 'disease'", {"l": 2.5, "l_kind": "entropy"}),
        ("recursive-(4.0,3)-diversity for attribute 'disease'", {"c": 4, "l": 3, "l_kind": "recursive"}),
        ("0.2-closeness with ordered distance for attribute 'disease'", {"t": 0.2, "t_kind": "ordered"}),
        ("(0.1)-avg-reidentification-risk", {"max_average_risk": 0.1}),
        ("(0.05)-sample-uniqueness", {"max_uniqueness": 0.05}),
    ],
)
def test_criteria_are_entries_of_the_request(tmp_path: Path, written: str, entries: dict[str, object]) -> None:
    found = taken(arx_files.project(tmp_path / "p.deid", criteria=["5-anonymity", written]))
    assert {name: getattr(found.request, name) for name in entries} == entries
    assert any(each.startswith(written) for each in found.of("taken"))


def test_settings_and_measures_without_counterpart_are_named(tmp_path: Path) -> None:
    found = taken(arx_files.project(tmp_path / "p.deid", metric="Publisher payout", extra="<other>7</other>"))
    assert any("Publisher payout" in each for each in found.of("without"))
    assert any("other: 7" in each for each in found.of("without"))


@pytest.mark.parametrize(
    ("metric", "prefer"),
    [
        ("Loss (0.5/1.0/1.0)", None),
        ("Loss (0.9/0.2/1.0)", ("loss:0.9",)),
        ("Height", ("absolute-distance",)),
        ("Non-monotonic precision", ("precision",)),
        ("Average equivalence class size", ("class-size",)),
        ("Non-monotonic discernability", ("discernibility",)),
        ("Non-monotonic non-uniform entropy", ("entropy",)),
        ("Normalized non-uniform entropy", ("normalised-entropy",)),
        ("Ambiguity", ("ambiguity",)),
        ("KL-Divergence", ("kl-divergence",)),
    ],
)
def test_measures_are_policies(tmp_path: Path, metric: str, prefer: tuple[str, ...] | None) -> None:
    assert taken(arx_files.project(tmp_path / "p.deid", metric=metric)).request.prefer == prefer


@pytest.mark.parametrize(("column", "prefer"), [("disease", ("prediction:disease",)), ("age", None), (None, None)])
def test_classification_is_for_predicting_a_column_that_stays(
    tmp_path: Path, column: str | None, prefer: object
) -> None:
    found = taken(arx_files.project(tmp_path / "p.deid", metric="Classification accuracy", response=column))
    assert found.request.prefer == prefer
    assert prefer is not None or any("Classification accuracy" in each for each in found.of("without"))


def test_columns_have_numbers_and_kinds_of_their_own(tmp_path: Path) -> None:
    columns = arx_files.COLUMNS | {"ward": ("SENSITIVE_ATTRIBUTE", "String")}
    criteria = ["distinct-2-diversity for attribute 'disease'", "distinct-3-diversity for attribute 'ward'"]
    found = taken(arx_files.project(tmp_path / "p.deid", columns=columns, criteria=criteria))
    assert (found.request.l, found.request.sensitive) == ({"disease": 2, "ward": 3}, None)
    assert not any("stricter" in each for each in found.of("other"))
    criteria = [f"recursive-({c},2)-diversity for attribute '{name}'" for c, name in ((4.0, "disease"), (3.0, "ward"))]
    found = taken(arx_files.project(tmp_path / "c.deid", columns=columns, criteria=criteria))
    assert (found.request.l, found.request.c) == (2, {"disease": 4, "ward": 3})
    assert not any("stricter" in each for each in found.of("other"))
    criteria[0] = "distinct-2-diversity for attribute 'disease'"
    criteria[1] = "entropy-2.5-diversity for attribute 'ward'"
    found = taken(arx_files.project(tmp_path / "q.deid", columns=columns, criteria=criteria))
    assert found.request.l_kind == {"disease": "distinct", "ward": "entropy"}
    assert replace(found.request, sensitive=("disease", "ward")).criteria == [
        bb.LDiversity(2, column="disease"),
        bb.LDiversity(2.5, kind="entropy", column="ward"),
    ]
    criteria[1] = "entropy-2.5-diversity for attribute 'disease'"
    found = taken(arx_files.project(tmp_path / "r.deid", columns=columns, criteria=criteria))
    assert (found.request.l, found.request.l_kind, found.request.sensitive) == (2, "distinct", ("disease",))
    assert any(each.startswith(criteria[1]) and "another kind" in each for each in found.of("without"))


@given(
    st.lists(
        st.tuples(st.sampled_from(["a", "b"]), st.sampled_from(["distinct", "entropy"]), st.integers(2, 5)), min_size=1
    )
)
def test_together_is_never_weaker_than_any_that_was_taken(asked: list[tuple[str, str, int]]) -> None:
    read = [read_criterion(f"{kind}-{size}-diversity for attribute '{column}'") for column, kind, size in asked]
    found = together([each for each in read if each is not None])
    assert len(read) == len(asked)
    for each in read:
        if each not in found.left:
            said = found.entries["l"]
            kinds = found.entries["l_kind"]
            assert (kinds[each.column] if isinstance(kinds, dict) else kinds) == each.entries["l_kind"]
            assert (said[each.column] if isinstance(said, dict) else said) >= each.entries["l"]
            assert each.column in found.columns
    if not found.stricter:
        asked_of = {(each.column, each.entries["l"]) for each in read if each not in found.left}
        assert len(asked_of) == len(found.columns)


@pytest.mark.parametrize("mark", [",", "\t", "|"])
def test_the_project_says_by_which_mark_its_tables_are_divided(tmp_path: Path, mark: str) -> None:
    assert taken(arx_files.project(tmp_path / "p.deid", mark=mark)).hierarchies["zip"][0] == ("81667", "816**")


ENTITIES = b'<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><definition>&b;</definition>'


HOSTILE = {
    "entities": ({"input/definition.xml": ENTITIES}, "declares types or entities"),
    "outside": (
        {"files": b"<!DOCTYPE f SYSTEM 'file:///etc/passwd'><f/>", "metadata.xml": b"<!DOCTYPE f SYSTEM 'x'><f/>"},
        "declares",
    ),
    "deep": ({"input/config.xml": b"<a>" * 5000 + b"</a>" * 5000}, "elements without end"),
    "broken": ({"input/config.xml": b"<config><metric>"}, "no sound XML"),
    "utf-16": ({"input/config.xml": "<config/>".encode("utf-16")}, "no sound XML"),
    "way out": ({"../../evil.csv": b"x"}, "leads out of the folder"),
    "absolute": ({"/etc/evil": b"x"}, "leads out of the folder"),
    "no definition": ({"input/definition.xml": None}, "input/definition.xml is missing"),
    "no metadata": ({"metadata.xml": None}, "metadata.xml is missing"),
    "newer": ({"metadata.xml": b"<metadata><version>9.0</version><vocabulary>3.0</vocabulary></metadata>"}, "'3.0'"),
    "no columns": ({"input/definition.xml": b"<definition/>"}, "definition of columns"),
    "torn rows": ({"input/hierarchies/age.csv": b"1;2;3\n1;2\n"}, "rows of one length"),
    "no number": ({"input/config.xml": b"<config><relativeMaxOutliers>much</relativeMaxOutliers></config>"}, "'much'"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_what_is_no_project_is_refused_in_one_sentence(tmp_path: Path, case: str, capsys) -> None:
    changes, words = HOSTILE[case]
    entries = {name: each for name, each in {**arx_files.parts(), **changes}.items() if each is not None}
    refuse(arx_files.packed(tmp_path / "evil.deid", entries), words, tmp_path, capsys)


def refuse(path: Path, words: str, folder: Path, capsys) -> None:
    before = set(folder.rglob("*"))
    assert main(["import", "arx", str(path), "--out", str(folder / "out"), "--data", str(folder / "data.csv")]) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert len(said.err.strip().splitlines()) == 1
    assert said.out == ""
    assert set(folder.rglob("*")) == before


def test_what_is_no_archive_is_refused(tmp_path: Path, capsys) -> None:
    (path := tmp_path / "table.deid").write_bytes(b"a,b\n1,2\n")
    refuse(path, "ZIP archive", tmp_path, capsys)
    refuse(tmp_path / "absent.deid", "absent.deid", tmp_path, capsys)
    refuse(tmp_path, str(tmp_path), tmp_path, capsys)


def test_bombs_and_damage_are_refused(tmp_path: Path, capsys) -> None:
    bomb = tmp_path / "bomb.deid"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in arx_files.parts().items():
            archive.writestr(name, content)
        with archive.open("data/output.csv", "w", force_zip64=True) as big:
            for _ in range(300):
                big.write(bytes(1 << 20))
    refuse(bomb, "beyond all proportion", tmp_path, capsys)
    whole = arx_files.project(tmp_path / "p.deid").read_bytes()
    (broken := tmp_path / "broken.deid").write_bytes(whole[:400] + bytes(40) + whole[440:])
    refuse(broken, "damaged", tmp_path, capsys)


def test_data_that_are_not_there_are_not_promised(tmp_path: Path, capsys) -> None:
    entries = {name: each for name, each in arx_files.parts().items() if not name.startswith("data/")}
    refuse(arx_files.packed(tmp_path / "p.deid", entries), "holds no table", tmp_path, capsys)


def test_a_folder_with_files_is_left_alone(project: Path, tmp_path: Path, capsys) -> None:
    (out := tmp_path / "out").mkdir()
    (out / "notes.txt").write_text("mine")
    assert main(["import", "arx", str(project), "--out", str(out)]) == 2
    assert "--force" in capsys.readouterr().err
    assert [path.name for path in out.iterdir()] == ["notes.txt"]
    assert main(["import", "arx", str(project), "--out", str(out), "--force"]) == 0
