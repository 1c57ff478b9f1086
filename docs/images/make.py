"""Makes the pictures of the report that the README shows, from made-up data: python docs/images/make.py

Needs Chromium. Nobody in the pictures exists.
"""

import shutil
import subprocess
import tempfile
from pathlib import Path

import polars as pl

from biombo._attack import Risk, risk
from biombo._data import Schema, read
from biombo._i18n import set_language
from biombo._report import write_report
from biombo._samples import tables

HERE = Path(__file__).parent
SOURCE = "PARR2023.parquet"
TITLES = {
    "en": "Outpatient care in Roraima, 2023 (made-up data)",
    "pt": "Produção ambulatorial de Roraima, 2023 (dados fictícios)",
}
IN_ENGLISH = {
    "PA_CODUNI": "health facility",
    "PA_MUNPCN": "town of residence",
    "PA_IDADE": "age",
    "PA_MVM": "month of billing",
    "PA_CMP": "month of the visit",
    "PA_RACACOR": "race",
    "PA_SEXO": "sex",
    "PA_PROC_ID": "procedure",
}
IN_PORTUGUESE = {
    "PA_CODUNI": "estabelecimento",
    "PA_MUNPCN": "município de residência",
    "PA_IDADE": "idade",
    "PA_MVM": "mês de processamento",
    "PA_CMP": "mês do procedimento",
    "PA_RACACOR": "raça/cor",
    "PA_SEXO": "sexo",
    "PA_PROC_ID": "procedimento",
}
LABELS = {"en": IN_ENGLISH, "pt": IN_PORTUGUESE}
WIDTH, HEIGHT = 1200, 900


def made_up_risk() -> Risk:
    """The risk of a year of records that nobody has."""
    records = pl.concat([pl.DataFrame(batch) for batch in tables(120_000, uf="RR", invalid_share=0.08)])
    return risk(read(records, schema=Schema.load("siapa")))


def photograph(page: Path, picture: Path) -> None:
    """The top of a page, as a browser shows it."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("Chromium is not installed.")
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            [
                *(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"),
                *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
                *(f"--user-data-dir={profile}", f"--window-size={WIDTH},{HEIGHT}"),
                *(f"--screenshot={picture}", page.as_uri()),
            ],
            check=True,
            capture_output=True,
        )


def main() -> None:
    """Write ``report-en.png`` and ``report-pt.png`` next to this file."""
    found = made_up_risk()
    with tempfile.TemporaryDirectory() as folder:
        for code, title in TITLES.items():
            set_language(code)
            page = write_report(found, Path(folder) / "report.html", source=SOURCE, title=title, labels=LABELS[code])
            picture = HERE / f"report-{code}.png"
            photograph(page, picture)
            print(f"{picture.name}: {picture.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
