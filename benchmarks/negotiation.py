"""How long an offer takes to be measured: first, when the rows are read and counted, and then, on counted tuples.

python benchmarks/negotiation.py            # 11,543 records, as in Moraes et al. (2025), and 1,000,000
python benchmarks/negotiation.py 100000     # as many as you like
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import biombo as bb

RITA, ANA = bb.Actor("requester", "Rita Lima"), bb.Actor("manager", "Ana Souza")
MODEL = {
    "harm": "medium",
    "motivation": "low",
    "controls": "high",
    "acquaintances": 100,
    "prevalence": 0.0001,
    "breach": 0.02,
}
AGES = bb.Hierarchy.by_interval(5, [2, 4])
DATES = bb.Hierarchy.by_date(["month", "year"])
PLACES = bb.Hierarchy.by_prefix([4, 3], pad="*")
QUASI = {
    "paciente_idade": AGES,
    "paciente_dataNascimento": DATES,
    "paciente_enumSexoBiologico": None,
    "paciente_racaCor_valor": None,
    "paciente_endereco_cep": PLACES,
    "vacina_dataAplicacao": DATES,
}
GROUP = "vacina_grupoAtendimento_nome"


def schema() -> bb.Schema:
    columns = {
        name: bb.ColumnSchema(role="quasi", hierarchy=None if hierarchy is None else hierarchy.to_tree())
        for name, hierarchy in QUASI.items()
    }
    return bb.Schema(columns | {GROUP: bb.ColumnSchema(role="sensitive")})


def manipulated(level: int) -> bb.Accept:
    operations = [bb.Generalise(name, each, min(level, each.height)) for name, each in QUASI.items() if each]
    return bb.Accept(operations)


def timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def measure(rows: int, folder: Path) -> None:
    table = folder / f"{rows}.parquet"
    bb.samples.vaccination(rows).write_parquet(table)
    names = {name: name for name in (*QUASI, GROUP)}
    requester = bb.Requester(
        kind="public-institution", name="Rita Lima", address="São Luís", document="1", document_type="CPF"
    )
    request = bb.DataRequest(requester=requester, wanted=names, dimension="truth", purpose="a benchmark")
    talk = bb.Negotiation.begin(request, table, home=folder / "negotiations")
    first = timed(lambda: talk.act(ANA, bb.Prepare(names, schema(), MODEL, 7)))
    print(f"{rows:>12,} records: prepared, counted and first measured in {first:6.2f} s", flush=True)
    for level in (1, 2):
        offered = timed(lambda level=level: talk.act(RITA, manipulated(level)))
        applied = timed(lambda: talk.act(ANA, bb.CarryOut()))
        print(
            f"{'':>12}  offer {level}: measured in {offered:6.2f} s, applied and checked in {applied:6.2f} s",
            flush=True,
        )


if __name__ == "__main__":
    sizes = [int(each) for each in sys.argv[1:]] or [11_543, 1_000_000]
    with tempfile.TemporaryDirectory() as place:
        for size in sizes:
            measure(size, Path(place))
