"""The workbench of one table, as a manager uses it by its forms."""

import re
from datetime import timedelta
from pathlib import Path

import polars as pl
from portal_site import Site

import biombo as bb

ROWS = 600
SCHEMA = bb.Schema.from_tree(
    {
        "columns": {
            "nome": {"role": "identifier"},
            "sexo": {"role": "quasi", "hierarchy": bb.Hierarchy.all_or_nothing().to_tree()},
            "idade": {"role": "quasi", "hierarchy": "age"},
            "bairro": {"role": "quasi", "hierarchy": bb.Hierarchy.all_or_nothing().to_tree()},
            "diagnostico": {"role": "sensitive"},
        }
    }
)


def table() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "nome": [f"Pessoa de Teste {number}" for number in range(ROWS)],
            "sexo": [("F", "M")[number % 2] for number in range(ROWS)],
            "idade": [20 + number * 7 % 61 for number in range(ROWS)],
            "bairro": [("Centro", "Cohab", "Anil")[number % 3] for number in range(ROWS)],
            "diagnostico": [("A90", "B24", "I10", "J45")[number // 2 % 4] for number in range(ROWS)],
        }
    )


class Bench:
    """The workbench of one table, as a manager uses it."""

    def __init__(self, site: Site, schema: bb.Schema = SCHEMA, rows: pl.DataFrame | None = None) -> None:
        self.site, self.ana = site, site.client("ana")
        self.data_set = site.add_table(table() if rows is None else rows, schema, "Pessoas")
        self.where = f"/data/{self.data_set.pk}/workbench"

    @property
    def draft(self):
        return self.site.model("Draft").objects.get(data_set=self.data_set, is_open=True)

    def do(self, step: str, **fields) -> str:
        """Have a step done, and give the page that follows."""
        answer = self.ana.post(f"{self.where}/steps/{step}", fields)
        if answer.status_code == 422:
            return answer.body.decode()
        assert answer.status_code == 302, answer.body.decode()
        for job in self.site.work():
            assert job.status == "done", job.error
        return self.page(answer.headers["Location"].rpartition("/")[2])

    def page(self, name: str) -> str:
        answer = self.ana.get(f"{self.where}/{name}")
        while answer.status_code == 302:
            answer = self.ana.get(answer.headers["Location"])
        assert answer.status_code == 200
        return answer.body.decode()

    def rehearsed(self, place: int = 0, **question) -> "Bench":
        self.do("search", **{"k": 10, "max_suppression": "5", **question})
        self.do("choose", plan=place)
        self.do("utility")
        return self

    def publish(self, **fields) -> str:
        from django.utils import timezone

        day = timezone.localdate() + timedelta(days=200)
        told = {"title": "Pessoas por faixa", "department": "Vigilância", "review": day.isoformat(), "harm": "low"}
        return self.do("publish", **told | self.decided | fields)

    @property
    def decided(self) -> dict[str, str]:
        """What the page of the decision says of which rehearsal it is about."""
        return dict(
            re.findall(r'<input type="hidden" name="(plan_hash|schema_hash)" value="(\w+)"', self.page("publish"))
        )

    def change(self, schema: str, seen: str | None = None) -> int:
        """Save the description of the columns as a manager who sees it now, or has seen it before, does."""
        self.data_set.refresh_from_db()
        told = {"schema": schema, "is_offered": "on", "seen": seen or self.data_set.schema_hash}
        return self.ana.post(f"/data/{self.data_set.pk}/edit", told).status_code

    @property
    def published(self) -> Path:
        entry = self.site.model("CatalogueEntry").objects.get(slug=self.draft.results["publish"]["entry"])
        return Path(entry.folder)
