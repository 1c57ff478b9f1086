"""Makes the tables of the built-in hierarchies from the public files they come from.

    python tools/build_hierarchies.py ../shared/data/hierarchies

Writes ``src/biombo/_hierarchy/tables/*.csv.xz``: NAME has one row per value, level 0 first; NAME-names what people call
the groups; NAME-values what they call the values; NAME-spellings other ways to write a value. The same files give the
same bytes.
"""

import argparse
import csv
import io
import lzma
from collections.abc import Iterable, Iterator
from pathlib import Path

TABLES = Path(__file__).parents[1] / "src" / "biombo" / "_hierarchy" / "tables"
ROMAN = (
    *("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI"),
    *("XII", "XIII", "XIV", "XV", "XVI", "XVII", "XVIII", "XIX", "XX", "XXI", "XXII"),
)

Rows = Iterable[tuple[str, ...]]


def main() -> None:
    """Make them all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    source = parser.parse_args().source
    TABLES.mkdir(exist_ok=True)
    municipality(source / "municipios" / "municipios.csv")
    cid10(source / "cid10")
    sigtap(source / "sigtap")
    cbo(source / "cbo", source / "sigtap")


def municipality(file: Path) -> None:
    """Municipality, microregion, mesoregion, state, region."""
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    levels = ("id_microrregiao", "id_mesorregiao", "id_estado")
    names = ("microrregiao_nome", "mesorregiao_nome", "uf_nome")
    write("municipality", ((r["municipio6"], *(r[level] for level in levels), r["municipio6"][0]) for r in rows))
    write("municipality-spellings", ((r["municipio7"], r["municipio6"]) for r in rows))
    write("municipality-values", sorted((r["municipio6"], r["municipio_nome"]) for r in rows))
    called = {(r[level], r[name]) for r in rows for level, name in zip(levels, names, strict=True)}
    write("municipality-names", sorted(called | {(r["municipio6"][0], r["regiao"]) for r in rows}))


def cid10(folder: Path) -> None:
    """Subcategory, category, group, chapter."""
    chapters = [
        (row["CATINIC"], row["CATFIM"], roman, row["DESCRICAO"].partition(" - ")[2])
        for roman, row in zip(ROMAN, semicolons(folder / "CID-10-CAPITULOS.CSV"), strict=True)
    ]
    groups = [
        (row["CATINIC"], row["CATFIM"], f"{row['CATINIC']}-{row['CATFIM']}", row["DESCRICAO"])
        for row in semicolons(folder / "CID-10-GRUPOS.CSV")
    ]
    categories = {row["CAT"]: row["DESCRICAO"] for row in semicolons(folder / "CID-10-CATEGORIAS.CSV")}
    subcategories = {row["SUBCAT"]: row["DESCRICAO"] for row in semicolons(folder / "CID-10-SUBCATEGORIAS.CSV")}
    codes = list(subcategories)
    above = {category: (category, within(groups, category), within(chapters, category)) for category in categories}
    # Many records have a category where a subcategory should be: it is a value too, less exact than the others.
    values = sorted({*codes, *categories})
    write("cid10", ((value, *above[value[:3]]) for value in values))
    write("cid10-values", sorted((code, " ".join(name.split())) for code, name in subcategories.items()))
    used = {label for labels in above.values() for label in labels}
    called = [*categories.items(), *((label, name) for _, _, label, name in groups + chapters)]
    write("cid10-names", sorted((label, " ".join(name.split())) for label, name in called if label in used))


def within(ranges: list[tuple[str, str, str, str]], category: str) -> str:
    """The label of the innermost of the ranges that hold the category: groups lie within groups."""
    holding = [found for found in ranges if found[0] <= category <= found[1]]
    return min(holding, key=lambda found: sum(a[0] >= found[0] and a[1] <= found[1] for a in holding))[2]


def sigtap(folder: Path) -> None:
    """Procedure, form of organisation, subgroup, group."""
    procedures = {line[:10]: " ".join(line[10:260].split()) for line in latin1(folder / "tb_procedimento.txt")}
    write("sigtap", ((code, code[:6], code[:4], code[:2]) for code in sorted(procedures)))
    write("sigtap-values", sorted(procedures.items()))
    files = {"tb_grupo": 2, "tb_sub_grupo": 4, "tb_forma_organizacao": 6}
    called = {
        line[:length]: line[length : length + 100].strip()
        for file, length in files.items()
        for line in latin1(folder / f"{file}.txt")
    }
    write("sigtap-names", sorted(called.items()))


def cbo(folder: Path, sigtap_folder: Path) -> None:
    """Occupation, family, subgroup, main subgroup, major group."""
    files = sorted(folder.glob("CBO2002_-_Nivel_[1-5]_*.txt"))
    called = dict(line.rstrip().split("|", 1) for file in files[:4] for line in latin1(file))
    occupations = {line[:6]: line[6:156].strip() for line in latin1(sigtap_folder / "tb_ocupacao.txt")}
    occupations |= dict(line.rstrip().split("|", 1) for line in latin1(files[4]))
    write("cbo", ((code, code[:4], code[:3], code[:2], code[:1]) for code in sorted(occupations)))
    write("cbo-values", sorted((code, name.strip()) for code, name in occupations.items()))
    write("cbo-names", sorted((code, name.strip()) for code, name in called.items()))


def semicolons(file: Path) -> Iterator[dict[str, str]]:
    """The rows of a file with a header."""
    with file.open(encoding="latin-1", newline="") as lines:
        yield from csv.DictReader(lines, delimiter=";")


def latin1(file: Path) -> list[str]:
    """The lines of a file."""
    return file.read_text("latin-1").splitlines()


def write(name: str, rows: Rows) -> None:
    """Pack the rows, and say how small they got."""
    text = io.StringIO()
    csv.writer(text, delimiter=";", lineterminator="\n").writerows(rows)
    packed = lzma.compress(text.getvalue().encode(), check=lzma.CHECK_CRC32, preset=9 | lzma.PRESET_EXTREME)
    (TABLES / f"{name}.csv.xz").write_bytes(packed)
    print(f"{name}: {text.getvalue().count(chr(10)):,} rows, {len(packed):,} bytes")


if __name__ == "__main__":
    main()
