"""Tables that no real person is in, for tests of what is told from names and values."""

import random
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import polars as pl
from validate_docbr import CNPJ, CNS, CPF

from biombo._data import ColumnEncoder, Dataset, Schema


def dataset(columns: dict[str, Sequence[Any]]) -> Dataset:
    """The columns as codes, as reading them would give."""
    coded = {}
    for name, values in columns.items():
        encoder = ColumnEncoder(name)
        encoder.add(pl.Series(values).to_arrow())
        coded[name] = encoder.finish()
    return Dataset(coded, len(next(iter(columns.values()))), Schema(), "made up")


def health_table(rows: int = 400) -> dict[str, list[Any]]:
    """Consultations of made-up people in Brazil, with every kind of column that inspect knows."""
    random.seed(7)
    towns = [("120040", "Rio Branco"), ("120020", "Cruzeiro do Sul"), ("130260", "Manaus"), ("110020", "Porto Velho")]
    born = [date(1930, 1, 1) + timedelta(days=random.randrange(31_000)) for _ in range(rows)]
    where = [random.choice(towns) for _ in range(rows)]
    return {
        "NomePaciente": [f"Pessoa Inventada {random.randrange(10**6)}" for _ in range(rows)],
        "documento": [CPF().generate(mask=True) for _ in range(rows)],
        "cartao": [CNS().generate() for _ in range(rows)],
        "empregador": [CNPJ().generate(digits_only=False) for _ in range(rows)],
        "contato": [f"pessoa{random.randrange(10**6)}@exemplo.org" for _ in range(rows)],
        "recado": [f"(68) 9{random.randrange(10**4):04}-{random.randrange(10**4):04}" for _ in range(rows)],
        "sequencial": [str(number) for number in range(rows)],
        "Município": [code for code, _ in where],
        "lotacao": [name for _, name in where],
        "sexo": random.choices(["F", "M"], k=rows),
        "RaçaCor": random.choices(["01", "02", "03", "99"], k=rows),
        "idade": [str(2024 - day.year) for day in born],
        "dt_nasc": [day.strftime("%d/%m/%Y") for day in born],
        "vinculo": [day.isoformat() for day in born],
        "atendido": [f"202401{random.randrange(1, 29):02}" for _ in range(rows)],
        "correspondencia": [f"699{random.randrange(100):02}-{random.randrange(1000):03}" for _ in range(rows)],
        "escolaridade": random.choices(["fundamental", "médio", "superior", None], k=rows),
        "cid_principal": random.choices(["A90", "B24", "E11", "I10"], k=rows),
        "resultado": random.choices(["reagente", "não reagente"], k=rows),
        "renda_familiar": [f"{random.uniform(800, 9000):.2f}".replace(".", ",") for _ in range(rows)],
        "tem_telefone": random.choices(["S", "N"], k=rows),
        "visitas": [str(random.randrange(1, 30)) for _ in range(rows)],
        "setor": random.choices(["00010", "00020", "10030"], k=rows),
        "origem": ["ficha"] * rows,
        "vazio": [None] * rows,
    }
