import random
from datetime import UTC, datetime

import polars as pl
import pytest
from browser import chromium
from report_reading import read_back

from biombo._attack import Risk, RiskByPart, risk, risk_by_part
from biombo._data import ColumnSchema, Dataset, Schema, read
from biombo._i18n import language
from biombo._report import render_report
from biombo._samples import national

SCHEMA = Schema(
    {
        "idade": ColumnSchema(role="quasi", invalid=frozenset({"999"})),
        "sexo": ColumnSchema(role="quasi", invalid=frozenset({None})),
        "cidade": ColumnSchema(role="quasi"),
        "mes": ColumnSchema(role="quasi"),
        "doenca": ColumnSchema(role="sensitive", label="Doença"),
    },
    adversaries={"vizinho": ("idade", "sexo"), "chefe": ("idade", "cidade", "mes")},
)
WHEN = datetime(2024, 3, 5, 14, 30, tzinfo=UTC)


def people(rows: int = 600, seed: int = 1) -> pl.DataFrame:
    """Made-up patients: the older ones of a town tend to have the same disease, the town can be missing."""
    chance = random.Random(seed)
    table = []
    for _ in range(rows):
        age, town = chance.randint(20, 60) // 5 * 5, chance.choice(["Rio Raso", "Rio Fundo", "Serra", None])
        usual = f"d{(age // 20) + len(town or '') % 3}"
        table.append(
            {
                "uf": chance.choice(["AA", "BB", "CC", "DD"]),
                "ano": chance.choice(["2021", "2022"]),
                "idade": "999" if chance.random() < 0.03 else str(age),
                "sexo": chance.choice(["F", "M", "M", None] if chance.random() < 0.2 else ["F", "M"]),
                "cidade": town,
                "mes": chance.choice(["01", "02", "03"]),
                "doenca": usual if chance.random() < 0.5 else f"d{chance.randint(0, 6)}",
                "gravidade": chance.choice(["leve", "leve", "grave"]),
            }
        )
    return pl.DataFrame(table)


@pytest.fixture(scope="session")
def table() -> pl.DataFrame:
    return people()


@pytest.fixture(scope="session")
def data(table) -> Dataset:
    return read(table, schema=SCHEMA, columns=table.columns)


@pytest.fixture(scope="session")
def one(data) -> Risk:
    return risk(data)


@pytest.fixture(scope="session")
def parts(data) -> RiskByPart:
    return risk_by_part(data, by=["uf", "ano"])


@pytest.fixture(scope="session")
def states() -> RiskByPart:
    table = national(rows_per_state=1_200, years=(2022, 2023))
    return risk_by_part(read(table, schema="siapa", columns=table.columns), by=["UF", "year"])


@pytest.fixture(scope="session")
def when() -> datetime:
    return WHEN


@pytest.fixture(scope="session")
def html():
    """Renders a report at a fixed time, once for the same risk, language and options."""
    rendered: dict[object, str] = {}
    kept = []  # an identity belongs to one thing only as long as that is alive

    def render(found, membership=None, **options):
        options = {"source": "pessoas.csv", "made_at": WHEN, **options}
        key = (id(found), id(membership), language(), repr(options))
        if key not in rendered:
            kept.append((found, membership))
            rendered[key] = render_report(found, membership=membership, **options)
        return rendered[key]

    return render


@pytest.fixture(scope="session")
def page(html):
    """Renders a report and takes it apart."""
    return lambda found, **options: read_back(html(found, **options))


@pytest.fixture(scope="session")
def _browser(tmp_path_factory):
    with chromium(tmp_path_factory.mktemp("browser") / "profile") as browser:
        yield browser


@pytest.fixture
def window(_browser):
    """A page of its own in a browser that all tests share, since starting one takes longer than a test."""
    with _browser.page() as page:
        yield page
