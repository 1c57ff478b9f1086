import random
from datetime import UTC, datetime
from typing import Any

import polars as pl
import pytest
from report_reading import read_back

import biombo as bb
from biombo._i18n import language
from biombo._report import render_search_report

WHEN = datetime(2024, 3, 5, 14, 30, tzinfo=UTC)
TOWNS = {"serra": {"Alto": ["Pico", "Gruta"]}, "vale": {"Baixo": ["Rio Raso", "Rio Fundo"], "Foz": ["Barra"]}}
HIERARCHIES = {
    "idade": bb.Hierarchy.by_interval(5, [2, 4]),
    "sexo": bb.Hierarchy.all_or_nothing(),
    "cidade": bb.Hierarchy.by_hand(TOWNS),
}


def people(rows: int = 1000, seed: int = 7) -> pl.DataFrame:
    """Made-up people; the town of some is missing."""
    chance = random.Random(seed)
    towns = ["Pico", "Gruta", "Rio Raso", "Rio Raso", "Rio Fundo", "Rio Fundo", "Barra", None]
    return pl.DataFrame(
        [
            {
                "idade": min(chance.randint(18, 70), chance.randint(18, 70)),
                "sexo": chance.choice("FM"),
                "cidade": chance.choice(towns),
                "doenca": chance.choice(["gripe", "gripe", "asma", "diabetes"]),
                "pessoa": f"p{chance.randint(1, rows // 2)}",
            }
            for _ in range(rows)
        ]
    )


@pytest.fixture(scope="session")
def table() -> pl.DataFrame:
    return people()


@pytest.fixture(scope="session")
def data(table) -> bb.Dataset:
    return bb.read(table, columns=table.columns)


@pytest.fixture(scope="session")
def found(data, three_columns) -> bb.SearchResult:
    return bb.search(data, bb.KAnonymity(5), max_suppression=0.02, **three_columns)


@pytest.fixture(scope="session")
def frontier(data, three_columns) -> bb.Frontier:
    return bb.frontier(data, ks=[2, 5, 10, 50], limits=[0, 0.005, 0.02], **three_columns)


@pytest.fixture(scope="session")
def three_columns() -> dict[str, Any]:
    """What a search of the table takes."""
    return {"quasi": list(HIERARCHIES), "hierarchies": HIERARCHIES}


@pytest.fixture(scope="session")
def two_columns() -> dict[str, Any]:
    """What a smaller search of the same table takes."""
    columns = ["idade", "sexo"]
    return {"quasi": columns, "hierarchies": {column: HIERARCHIES[column] for column in columns}}


@pytest.fixture(scope="session")
def samarati_sweeney() -> dict[str, Any]:
    """What a search of the example of Samarati and Sweeney (1998) takes."""
    ethnicities = bb.Hierarchy.by_hand({"person": ["asian", "black", "white"]})
    codes = bb.Hierarchy.by_hand({"021**": {"0213*": ["02138", "02139"], "0214*": ["02141", "02142"]}})
    return {"quasi": ["E", "Z"], "hierarchies": {"E": ethnicities, "Z": codes}}


@pytest.fixture(scope="session")
def example() -> bb.Dataset:
    """The example of Samarati and Sweeney (1998) with suppression."""
    rows = [("asian", "02138")] * 2 + [("asian", "02142")] * 2
    rows += [("black", "02138"), ("black", "02141"), ("black", "02142"), ("white", "02138")]
    return bb.read(pl.DataFrame(rows, schema=["E", "Z"], orient="row"))


@pytest.fixture(scope="session")
def html():
    """Renders the report on a search at a fixed time, once for the same search, language and options."""
    rendered: dict[object, str] = {}
    kept = []  # an identity belongs to one thing only as long as that is alive

    def render(found, **options):
        key = (id(found), language(), *((name, id(option)) for name, option in options.items()))
        if key not in rendered:
            kept.append((found, options))
            rendered[key] = render_search_report(found, **{"source": "pessoas.csv", "made_at": WHEN, **options})
        return rendered[key]

    return render


@pytest.fixture(scope="session")
def page(html):
    """Renders the report and takes it apart."""
    return lambda found, **options: read_back(html(found, **options))
