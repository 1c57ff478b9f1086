from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from postgres_server import PASSWORD

from biombo import Decision, PublicRelease, Register, RegisterEntry


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    """The address of a PostgreSQL database without a register in it."""
    import psycopg

    url = f"postgresql://manager:{PASSWORD}@{postgres_server}"
    with psycopg.connect(url) as connection:
        connection.execute("DROP TABLE IF EXISTS biombo_tables, biombo_events, biombo_releases, biombo_register")
        connection.execute("DROP FUNCTION IF EXISTS biombo_only_added_to")
    return url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path) -> str:
    """The address of a place where a register can be begun."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/register.db"
    return request.getfixturevalue("postgres_url")


@pytest.fixture
def register(url) -> Register:
    return Register.open(url)


@pytest.fixture
def entry() -> Callable[..., RegisterEntry]:
    """An entry as usual, but for what a test changes."""

    def make(**changed: Any) -> RegisterEntry:
        usual = {
            "what": "Atendimentos 2025 – saúde",
            "department": "Vigilância",
            "access": "online",
            "plan_hash": "a" * 64,
            "review": date(2027, 1, 31),
        }
        return RegisterEntry.of(Decision(PublicRelease(harm="medium"), 10), **usual | changed)

    return make
