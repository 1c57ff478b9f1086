"""Two commands lead from each of the files that managers have to a verified release; nothing is written by hand."""

import random

import polars as pl
import pytest

import biombo as bb

REAL = {
    "siapa/PAAC2401.dbc": "siapa",
    "datasus/RDAC2203.dbc": "sihrd",
    "datasus/DORR2022.dbc": "simdo",
    "datasus/DNAC2010.dbc": "sinasc",
    "datasus/HANTBR20.dbc": "sinan",
    "adult/adult.csv": None,
}


def released(biombo, file, folder, monkeypatch) -> tuple[str, bb.PublishRequest]:
    """What is said on the way from ``file`` to a release in the folder, and what was asked for in the end."""
    monkeypatch.chdir(folder)
    inspected = biombo("inspect", file, "--lang", "en")
    assert inspected.code == 0, inspected.err
    published = biombo("start", file, "--yes", "--out", "release", "--lang", "en")
    assert published.code == 0, published.err
    assert bb.verify("release", key="release.private/public.key").origin_proved
    (draft,) = folder.glob("*.biombo.yaml")
    return inspected.out + inspected.err, bb.PublishRequest.load(draft)


def shares(request: bb.PublishRequest, rows: int) -> tuple[float, float]:
    """The share of the records that is masked or missing, and of the quasi columns that still tell something."""
    data = bb.read("release/data.csv")
    quasi = [column for column in bb.Schema.load(request.schema).quasi if column in data.columns]
    hidden = rows - data.rows
    most = {}
    for column in quasi:
        values = data[column].decoded().cast(pl.String)
        most[column] = values.value_counts(sort=True)["count"][0] / data.rows
    masked = data.decoded().select(pl.all_horizontal(pl.col(quasi).cast(pl.String) == "*").sum()).item()
    return (hidden + masked) / rows, sum(share < 0.95 for share in most.values()) / len(quasi)


@pytest.mark.slow
@pytest.mark.parametrize("file", REAL)
def test_a_real_file_is_released_with_groups_of_ten(biombo, shared_data, tmp_path, monkeypatch, file) -> None:
    said, request = released(biombo, shared_data / file, tmp_path, monkeypatch)
    hidden, telling = shares(request, bb.read(shared_data / file).rows)

    assert request.k == 10
    assert hidden <= 0.05
    assert telling >= 0.5
    if schema := REAL[file]:
        assert f"--schema {schema}" in said


def vaccinations(rows: int = 8000) -> pl.DataFrame:
    """Made-up doses, in the columns of the national campaign."""
    chance = random.Random(7)
    people = [f"{chance.getrandbits(256):064x}" for _ in range(rows // 2)]
    towns = ["120040", "120020", "120050", "120060"]
    return pl.DataFrame(
        {
            "document_id": [f"{number}-i0b0" for number in range(rows)],
            "paciente_id": chance.choices(people, k=rows),
            "paciente_idade": [str(chance.randint(12, 95)) for _ in range(rows)],
            "paciente_datanascimento": [
                f"{chance.randint(1925, 2008)}-0{chance.randint(1, 9)}-11" for _ in range(rows)
            ],
            "paciente_enumsexobiologico": chance.choices("FM", k=rows),
            "paciente_racacor_codigo": chance.choices(["01", "02", "03", "04", "99"], [40, 10, 40, 5, 5], k=rows),
            "paciente_racacor_valor": ["X"] * rows,
            "paciente_endereco_coibgemunicipio": chance.choices(towns, [70, 10, 10, 10], k=rows),
            "estabelecimento_valor": chance.choices(["2001578", "2002078", "5701929"], k=rows),
            "vacina_grupoatendimento_nome": chance.choices(["Faixa Etária", "Trabalhadores de Saúde"], [9, 1], k=rows),
            "vacina_dataaplicacao": [
                f"2021-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}" for _ in range(rows)
            ],
            "vacina_descricao_dose": chance.choices(["1ª Dose", "2ª Dose"], k=rows),
            "vacina_nome": chance.choices(["Covid-19-AstraZeneca", "Covid-19-Coronavac"], k=rows),
        }
    )


@pytest.mark.slow
def test_a_made_up_extract_of_the_vaccination_is_released_too(biombo, tmp_path, monkeypatch) -> None:
    vaccinations().write_csv(tmp_path / "vacinas.csv", separator=";")
    said, request = released(biombo, tmp_path / "vacinas.csv", tmp_path, monkeypatch)

    assert "--schema covid-vaccination" in said
    assert request.k == 10
    assert bb.Schema.load(request.schema).person == "paciente_id"
