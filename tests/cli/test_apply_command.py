import json
from pathlib import Path

import polars as pl
import pytest

import biombo as bb

PLAN = """
biombo-plan: 1
identifiers: [name]
quasi: [sex, age, zip]
sensitive: [disease]
criteria:
  - k-anonymity: {k: 2}
operations:
  - generalise: {column: age, hierarchy: {kind: interval, width: 10}, level: 1}
  - generalise: {column: zip, hierarchy: {kind: prefix, lengths: [4], pad: "*"}, level: 1}
  - suppress-groups: {}
"""


@pytest.fixture
def people(tmp_path) -> Path:
    """Made up. With the plan, the first four are in pairs and the others alone."""
    path = tmp_path / "people.csv"
    path.write_text(
        "name,sex,age,zip,disease\n"
        "Ana,F,31,02138,flu\nBia,F,034,02139,asthma\nCaio,M,62,02141,flu\nDavi,M,67,02142,\n"
        "Eva,F,90,02138,flu\nFay,F,91,02142,gout\n"
    )
    return path


@pytest.fixture
def plan(tmp_path):
    def write(old: str = "", new: str = "") -> Path:
        path = tmp_path / "plan.yaml"
        path.write_text(PLAN.replace(old, new))
        return path

    return write


@pytest.fixture
def out(tmp_path) -> Path:
    return tmp_path / "protected.csv"


def test_the_table_is_written_as_the_plan_leaves_it(biombo, people, plan, out) -> None:
    ending = biombo("apply", people, "--plan", plan(), "--out", out, "--keep-order")

    assert ending.code == 0
    assert out.read_text().splitlines() == [
        "sex,age,zip,disease",
        'F,"[30, 40)",0213*,flu',
        'F,"[30, 40)",0213*,asthma',
        'M,"[60, 70)",0214*,flu',
        'M,"[60, 70)",0214*,',
    ]


def test_what_happened_and_how_it_stands_to_the_criteria_is_printed(biombo, people, plan, out) -> None:
    ending = biombo("apply", people, "--plan", plan(), "--out", out)

    assert ending.out.splitlines() == [
        "people.csv: 4 of 6 records released.",
        "2 records are suppressed (33.33%).",
        str(bb.apply(people, bb.Plan.load(plan())).judgement),
    ]
    assert ending.err == f"Result written to {out}, its records in random order.\n"


def test_the_same_in_portuguese(biombo, people, plan, out) -> None:
    ending = biombo("apply", people, "--plan", plan(), "--out", out, "--lang", "pt", "--keep-order")

    assert ending.out.startswith("people.csv: 4 de 6 registros no resultado.\n2 registros foram suprimidos (33,33%).\n")
    assert ending.err == (
        f"Resultado gravado em {out}, com os registros na ordem da tabela, que pode revelar de quem são.\n"
    )


@pytest.fixture
def five(people) -> Path:
    """Two pairs, and one who is alone."""
    people.write_text("\n".join(people.read_text().splitlines()[:6]))
    return people


@pytest.mark.parametrize(("code", "word"), [("en", "masked"), ("pt", "mascarados")])
def test_masking_says_how_many_were_masked_to_hide_the_others(biombo, five, plan, out, code, word) -> None:
    masking = plan("suppress-groups: {}", 'mask-groups: {with: "#"}')
    ending = biombo("apply", five, "--plan", masking, "--out", out, "--lang", code)
    masked, further = ending.out.splitlines()[1:3]

    assert ending.code == 0
    assert (masked.split()[0], further.split()[0]) == ("3", "2")
    assert word in masked
    assert word in further
    assert pl.read_csv(out)["age"].to_list().count("#") == 3


@pytest.mark.parametrize(("code", "word"), [("en", "suppressed"), ("pt", "suprimidos")])
def test_masked_records_that_are_dropped_are_told(biombo, five, plan, out, code, word) -> None:
    dropping = plan("suppress-groups: {}", "mask-groups: {if-failing: drop}")
    dropped = biombo("apply", five, "--plan", dropping, "--out", out, "--lang", code).out.splitlines()[2]

    assert dropped.startswith("1 ")
    assert word in dropped


def test_json_is_one_object(biombo, people, plan, out) -> None:
    ending = biombo("apply", people, "--plan", plan(), "--out", out, "--json")
    result = json.loads(ending.out)

    assert result.pop("judgement")["holds"] is True
    assert result == {
        "source": str(people),
        "out": str(out),
        "records": 4,
        "suppressed": 2,
        "unhidden": 0,
        "masked": 0,
        "masked_further": 0,
        "shuffled": True,
        "plan_hash": bb.Plan.load(plan()).hash,
        "not_drawn": 0,
        "duplicates": 0,
        "invalid": 0,
        "people": dict.fromkeys(
            ("suppressed", "unhidden", "not_drawn", "duplicates", "invalid", "masked", "masked_further"), 0
        )
        | {"suppressed": 2},
        "undecided": [],
        "noised": [],
        "literal_diversities": [],
        "privacy": None,
        "pseudonymised": [],
        "identity_tables": [],
    }


def test_criteria_that_do_not_hold_are_exit_code_1_and_the_file_is_there(biombo, people, plan, out) -> None:
    ending = biombo("apply", people, "--plan", plan("  - suppress-groups: {}\n", ""), "--out", out)

    assert ending.code == 1
    assert len(out.read_text().splitlines()) == 7
    assert "do not publish it" in ending.err


def test_more_suppression_than_allowed_is_exit_code_1_and_nothing_is_written(biombo, people, plan, out) -> None:
    limited = plan("sensitive:", "max-suppression: 0.3\nsensitive:")
    ending = biombo("apply", people, "--plan", limited, "--out", out)

    assert (ending.code, ending.out) == (1, "")
    assert ending.err.startswith("2 of the 6 records")
    assert not out.exists()


def test_a_plan_without_criteria_judges_nothing(biombo, people, plan, out) -> None:
    plain = plan("  - suppress-groups: {}\n", "")
    plain.write_text(plain.read_text().replace("criteria:\n  - k-anonymity: {k: 2}\n", ""))
    ending = biombo("apply", people, "--plan", plain, "--out", out)

    assert ending.code == 0
    assert "nothing was judged" in ending.out


def test_parquet_by_the_name(biombo, people, plan, tmp_path) -> None:
    assert biombo("apply", people, "--plan", plan(), "--out", tmp_path / "protected.parquet").code == 0
    assert pl.read_parquet(tmp_path / "protected.parquet").shape == (4, 4)


def test_several_files_are_one_table_with_columns_from_their_names(biombo, people, plan, out, tmp_path) -> None:
    for state in ("AC", "AM"):
        (tmp_path / f"{state}.csv").write_bytes(people.read_bytes())
    files = (tmp_path / "AC.csv", tmp_path / "AM.csv")
    ending = biombo("apply", *files, "--filename", "{uf:2}.csv", "--keep-column", "uf", "--plan", plan(), "--out", out)

    assert ending.code == 0
    assert pl.read_csv(out)["uf"].value_counts().sort("uf")["count"].to_list() == [6, 6]


def test_a_schema_leaves_its_identifiers_out_too(biombo, people, plan, out, tmp_path) -> None:
    (tmp_path / "schema.yaml").write_text("columns:\n  disease: {role: identifier}\n  sex: {role: sensitive}\n")
    unnamed = plan("sensitive: [disease]\n", "")
    biombo("apply", people, "--plan", unnamed, "--out", out, "--schema", tmp_path / "schema.yaml")

    assert out.read_text().startswith("sex,age,zip\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--out", "o.csv"), "'--plan' is missing"),
        (("--plan", "p.yaml"), "'--out' is missing"),
        (("--plan", "nothing.yaml", "--out", "o.csv"), "nothing.yaml could not be opened"),
        (("--plan", "PLAN", "--out", "o.txt"), "must end in .csv or .parquet"),
        (("--plan", "PLAN", "--out", "PEOPLE", "--force"), "is the table that is read"),
        (("--plan", "PLAN", "--out", "PLAN"), "must end in .csv"),
    ],
)
def test_bad_use_is_one_sentence_and_exit_code_2(biombo, people, plan, arguments, sentence) -> None:
    named = {"PLAN": plan(), "PEOPLE": people}
    ending = biombo("apply", people, *(named.get(argument, argument) for argument in arguments))

    assert (ending.code, ending.out) == (2, "")
    assert sentence in ending.err
    assert ending.err.count("\n") == 1


def test_a_result_that_exists_is_kept_unless_forced(biombo, people, plan, out) -> None:
    out.write_text("old")
    refused = biombo("apply", people, "--plan", plan(), "--out", out)

    assert (refused.code, out.read_text()) == (2, "old")
    assert "--force" in refused.err
    assert biombo("apply", people, "--plan", plan(), "--out", out, "--force").code == 0


def test_a_value_that_a_hierarchy_lacks_is_one_sentence_in_the_language(biombo, people, plan, out) -> None:
    people.write_text(people.read_text().replace("90,", "old,"))
    ending = biombo("apply", people, "--plan", plan(), "--out", out, "--lang", "pt")

    assert ending.code == 2
    assert "'old' × 1" in ending.err
    assert "'age'" in ending.err
    assert not out.exists()


def test_sia_pa_is_protected_in_one_command(biombo, siapa_file, tmp_path) -> None:
    (tmp_path / "plan.yaml").write_text(
        """
        biombo-plan: 1
        identifiers: [PA_AUTORIZ, PA_CNPJCPF, PA_CNPJMNT]
        quasi: [PA_IDADE, PA_SEXO, PA_MUNPCN]
        sensitive: [PA_PROC_ID]
        criteria: [{k-anonymity: {k: 5}}, {l-diversity: {l: 2}}]
        operations:
          - generalise: {column: PA_IDADE, hierarchy: age, level: 2, apart: ["999"]}
          - generalise: {column: PA_MUNPCN, hierarchy: municipality, level: 2, missing: own-branch}
          - suppress-groups: {}
        """
    )
    out = tmp_path / "protected.parquet"
    ending = biombo("apply", siapa_file, "--plan", tmp_path / "plan.yaml", "--out", out, "--json")
    result = json.loads(ending.out)
    protected = pl.read_parquet(out)
    sizes = protected.group_by("PA_IDADE", "PA_SEXO", "PA_MUNPCN").agg(pl.len(), pl.col("PA_PROC_ID").n_unique())

    assert ending.code == 0
    assert result["records"] + result["suppressed"] == 105_836
    assert result["records"] == len(protected)
    assert (sizes["len"].min(), sizes["PA_PROC_ID"].min()) >= (5, 2)
    assert "PA_CNPJCPF" not in protected.columns


class TestSynonyms:
    """Made-up people of whom both pairs have the same disease."""

    DIVERSIFY = "diversify: {column: disease, synonyms: {flu: [influenza, grippe]}, groups-below: 2}"

    @pytest.fixture
    def alike(self, people) -> Path:
        people.write_text("name,sex,age,zip,disease\nAna,F,31,02138,flu\nBia,F,034,02139,flu\n")
        return people

    @pytest.fixture
    def diverse(self, plan) -> Path:
        path = plan("suppress-groups: {}", self.DIVERSIFY)
        path.write_text(path.read_text().replace("{k: 2}", "{k: 2}\n  - l-diversity: {l: 2}"))
        return path

    @pytest.mark.parametrize(("code", "words"), [("en", "in words: 2;"), ("pt", "pelas palavras: 2;")])
    def test_how_diverse_it_looks_stands_beside_how_diverse_it_is(
        self, biombo, alike, diverse, out, code, words
    ) -> None:
        ending = biombo("apply", alike, "--plan", diverse, "--out", out, "--lang", code)

        assert ending.code == 1
        assert words in ending.out.splitlines()[-1]

    def test_programs_are_told_both(self, biombo, alike, diverse, out) -> None:
        result = json.loads(biombo("apply", alike, "--plan", diverse, "--out", out, "--json").out)

        assert result["literal_diversities"] == [
            {
                "column": "disease",
                "asked": 2,
                "literal": {"least": 2, "groups_below": 0},
                "understood": {"least": 1, "groups_below": 1},
            }
        ]
        assert result["judgement"]["holds"] is False


class TestMistakes:
    """One sentence, exit code 2, and no file."""

    @pytest.mark.parametrize(
        ("operation", "mentioned"),
        [
            ("round: {column: disease, base: 5}", ["disease", "flu"]),
            ("round: {column: height, base: 5}", ["height"]),
            ("round: {column: age, base: 5}", ["age", "generalise", "round"]),
            ("laplace: {column: disease, epsilon: 1}", ["disease", "bounds"]),
            ("geometric: {column: disease, bounds: [0, 9]}", ["geometric", "epsilon"]),
            ("pseudonymise: {column: name, kind: keyed, scope: everywhere}", ["name", "biombo key new"]),
            (
                "pseudonymise: {column: name, kind: keyed, scope: everywhere, key: key-0123456789abcdef}",
                ["key-0123456789abcdef", "--key"],
            ),
            ("pseudonymise: {column: name, kind: sha256}", ["sha256"]),
            ("diversify: {column: disease, synonyms: {flu: [influenza]}, groups-below: 2}", ["flu", "2"]),
            ("derive-duration: {from: age, to: zip, into: sex}", ["age"]),
        ],
    )
    @pytest.mark.parametrize("code", ["en", "pt"])
    def test_is_one_sentence(self, biombo, people, plan, out, operation, mentioned, code) -> None:
        wrong = plan("suppress-groups: {}", operation)
        ending = biombo("apply", people, "--plan", wrong, "--out", out, "--lang", code)

        assert (ending.code, ending.out) == (2, "")
        assert len(ending.err.splitlines()) == 1
        assert all(mention in ending.err for mention in mentioned)
        assert sorted(path.name for path in out.parent.iterdir()) == ["people.csv", "plan.yaml"]


@pytest.mark.parametrize(
    ("lang", "sentences"),
    [
        (
            "en",
            ["4 of 8 records released.", "2 records are left out because another", "2 records are left out because a"],
        ),
        (
            "pt",
            [
                "4 de 8 registros no resultado.",
                "2 registros ficaram de fora porque",
                "2 registros ficaram de fora por não",
            ],
        ),
    ],
)
def test_what_is_left_out_is_told_apart_from_what_is_suppressed(biombo, people, tmp_path, out, lang, sentences) -> None:
    people.write_text(people.read_text() + "Ana,F,31,02138,flu\nBia,F,034,02139,asthma\n")
    plan = tmp_path / "fewer.yaml"
    plan.write_text(
        "biombo-plan: 1\nidentifiers: [name]\nquasi: [sex, age, zip]\nsensitive: [disease]\n"
        "operations:\n  - drop-duplicates: {}\n  - sample: {records: 4}\n"
    )
    ending = biombo("apply", people, "--plan", plan, "--out", out, "--lang", lang)

    assert all(sentence in ending.out for sentence in sentences)
    assert pl.read_csv(out).height == 4


class TestColumns:
    """Only columns that somebody spoke of come out."""

    @pytest.fixture
    def wider(self, people) -> Path:
        """With two columns that the plan says nothing about, and an e-mail address."""
        header, *lines = people.read_text().splitlines()
        more = [f"{line},{'AB'[n % 2]},{'xyz'[n % 3]},p{n}@example.org" for n, line in enumerate(lines)]
        people.write_text("\n".join([f"{header},ward,shift,contact", *more]))
        return people

    @pytest.mark.parametrize(
        ("code", "sentence"),
        [
            ("en", "Left out, because neither the plan nor a schema says what they are: ward, shift, contact."),
            ("pt", "Ficaram de fora, porque nem o plano nem um esquema informam o que são: ward, shift, contact."),
        ],
    )
    def test_those_that_nobody_spoke_of_are_left_out_and_listed(self, biombo, wider, plan, out, code, sentence) -> None:
        ending = biombo("apply", wider, "--plan", plan(), "--out", out, "--lang", code)

        assert ending.code == 0
        assert pl.read_csv(out).columns == ["sex", "age", "zip", "disease"]
        assert sentence in ending.err
        assert "--keep-column" in ending.err

    @pytest.mark.parametrize(
        "kept", [("--keep-column", "ward,shift"), ("--keep-column", "shift", "--keep-column", "ward")]
    )
    def test_those_that_are_to_be_kept_come_out_as_they_are(self, biombo, wider, plan, out, kept) -> None:
        ending = biombo("apply", wider, "--plan", plan(), "--out", out, "--keep-order", *kept)
        released = pl.read_csv(out)

        assert ending.code == 0
        assert released.columns == ["sex", "age", "zip", "disease", "ward", "shift"]
        assert (released["ward"].to_list(), released["shift"].to_list()) == (list("ABAB"), list("xyzx"))
        assert "contact" in ending.err
        assert "ward" not in ending.err

    def test_programs_are_told_which_were_left_out(self, biombo, wider, plan, out) -> None:
        ending = biombo("apply", wider, "--plan", plan(), "--out", out, "--keep-column", "ward", "--json")

        assert json.loads(ending.out)["undecided"] == ["shift", "contact"]

    @pytest.mark.parametrize("code", ["en", "pt"])
    @pytest.mark.parametrize("column", ["contact", "name"])
    @pytest.mark.parametrize("way", ["out", "preview"])
    def test_no_identifier_is_kept(self, biombo, wider, plan, out, column, code, way) -> None:
        """Neither what looks like one nor what the plan calls one."""
        where = ("--out", out) if way == "out" else ("--preview",)
        ending = biombo("apply", wider, "--plan", plan(), *where, "--keep-column", column, "--lang", code)

        assert (ending.code, ending.out, out.exists()) == (2, "", False)
        assert f"'{column}'" in ending.err
        assert ending.err.count("\n") == 1

    def test_a_column_that_is_not_there_cannot_be_kept(self, biombo, wider, plan, out) -> None:
        ending = biombo("apply", wider, "--plan", plan(), "--out", out, "--keep-column", "wart")

        assert ending.code == 2
        assert "'wart'" in ending.err
