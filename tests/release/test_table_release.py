"""A table of counts is published with its proof, and nobody can change it unnoticed."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hand_made_release import content_of, hash_anew, sign_anew

import biombo as bb
from biombo._i18n import speaking
from biombo._tabulate import Classification, intervals

TABLE = pl.DataFrame(
    {"town": ["A"] * 14 + ["B"] * 16 + ["C"] * 20, "ill": ["yes"] * 3 + ["no"] * 20 + ["yes"] * 9 + ["no"] * 18}
)


@pytest.fixture
def release(tmp_path: Path) -> bb.TableRelease:
    return bb.publish_table(bb.tabulate(TABLE, ["town", "ill"], k=5), tmp_path / "table")


def test_it_can_be_verified_by_whoever_has_it(release: bb.TableRelease) -> None:
    found = bb.verify(release.out)

    assert found.holds
    assert sorted(path.name for path in release.out.iterdir()) == [
        "README.txt",
        "intervals.csv",
        "manifest.json",
        "table.csv",
        "table.json",
    ]
    assert (release.private / "all-cells.csv").stat().st_mode & 0o077 == 0


def test_nothing_public_tells_which_cells_were_small(release: bb.TableRelease) -> None:
    """Another table with the same numbers where they are shown, and other small ones, is told by the same files."""
    shown = bb.ShownTable.load(release.out)
    frame = bb.tabulate(TABLE, ["town", "ill"], k=5).to_frame()

    assert shown.frame().equals(frame)
    assert "besides" not in "".join(path.read_text() for path in release.out.iterdir())


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [("table.csv", "50,shown", "51,shown"), ("intervals.csv", "1.0", "0.0"), ("table.json", '"k": 5', '"k": 2')],
)
def test_changes_are_noticed_even_where_hashes_are_made_anew(release, file: str, before: str, after: str) -> None:
    """By what is claimed, not by hashes alone."""
    path = release.out / file
    content = path.read_text()
    assert before in content
    path.write_text(content.replace(before, after, 1))
    failed = {check.claim for check in bb.verify(release.out).failures}

    assert {"file"} < failed or failed == {"file", "table"}


def test_a_cell_that_could_be_computed_is_noticed(release: bb.TableRelease) -> None:
    path = release.out / "table.csv"
    lines = path.read_text().splitlines()
    hidden = next(n for n, line in enumerate(lines) if "suppressed" in line)
    town, ill, *_ = lines[hidden].split(",")
    count = TABLE.filter(town=town, ill=ill).height
    lines[hidden] = f"{town},{ill},{count},shown"
    path.write_text("\n".join(lines) + "\n")

    assert {check.claim for check in bb.verify(release.out).failures} >= {"table"}


@pytest.mark.filterwarnings("error")
def test_a_sum_that_is_no_number_is_noticed_without_a_murmur(tmp_path: Path) -> None:
    made = bb.tabulate(TABLE.with_columns(paid=pl.lit(2)), ["town", "ill"], sums=["paid"], k=5)
    release = bb.publish_table(made, tmp_path / "table")
    path = release.out / "table.csv"
    assert "100.0,shown" in path.read_text()
    path.write_text(path.read_text().replace("100.0,shown", "inf,shown"))

    assert {check.claim for check in bb.verify(release.out).failures} == {"file", "unreadable"}


def test_a_sum_that_is_told_of_a_cell_left_out_is_noticed(tmp_path: Path) -> None:
    made = bb.tabulate(TABLE.with_columns(paid=pl.lit(2)), ["town", "ill"], sums=["paid"], k=5)
    release = bb.publish_table(made, tmp_path / "table")
    path = release.out / "table.csv"
    assert ",,,suppressed" in path.read_text()
    path.write_text(path.read_text().replace(",,,suppressed", ",,6.0,suppressed", 1))
    sign_anew(release.out, hash_anew(release.out, content_of(release.out)))

    assert "table" in {check.claim for check in bb.verify(release.out).failures}


def test_a_sum_that_can_be_computed_is_noticed(tmp_path: Path) -> None:
    """By hand: 12345 is all that B and C leave of the total of x. Counts do not tell it."""
    rows = [("A", "x", 12345), *[("A", "y", 0)] * 12, *[("B", "x", 0)] * 12, *[("B", "y", 0)] * 12]
    rows += [("C", each, 5) for each in "xy" for _ in range(40)]
    made = bb.tabulate(pl.DataFrame(rows, ["t", "s", "amt"], orient="row"), ["t", "s"], sums=["amt"], k=5)
    shown = made.shown
    hidden = np.zeros(shown.shape, bool)
    hidden[:2, :2] = True
    numbers = {"records": made.cube.records.astype(float), "amt": made.cube.sums["amt"].totals}
    careless = replace(shown, values={name: np.where(hidden, np.nan, each) for name, each in numbers.items()})
    for name, content in careless.files().items():
        (tmp_path / name).write_text(content)

    assert careless.evidence()["records"].high[0, 0] >= 5
    assert not careless.is_as_told(tmp_path)


def test_the_manifest_says_what_is_known_of_cells_left_out(release: bb.TableRelease, monkeypatch) -> None:
    """Which are bounded, and which only cannot be computed. It follows from the table that everybody has."""
    left_out = int(bb.ShownTable.load(release.out).hidden.sum())
    claim = json.loads((release.out / "manifest.json").read_text())["claims"][0]

    assert claim["evidence"] == {"exact": left_out, "linear": 0, "rank": 0}

    monkeypatch.setattr("biombo._tabulate.audit.bounded", lambda *_, **__: pytest.fail("there is no program to solve"))
    monkeypatch.setattr("biombo._tabulate.shown.intervals", partial(intervals, most=0))
    shown = bb.ShownTable.load(release.out)
    assert shown.kinds == {"exact": 0, "linear": 0, "rank": left_out}
    assert not bb.verify(release.out).holds


def test_a_table_whose_cells_left_out_are_known_to_be_small_is_not_true(tmp_path: Path) -> None:
    """Made for k = 2: both that are left out have two at most, which is no proof for k = 10."""
    table = pl.DataFrame({"town": ["A"] + ["B"] * 2 + ["C"] * 40})
    made = bb.tabulate(table, ["town"], k=2, categories={"town": ["A", "B", "C"]})
    with pytest.raises(bb.BiomboError, match="could not be verified"):
        bb.publish_table(replace(made, rules=replace(made.rules, k=10)), tmp_path / "table")


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ("table.csv", "suppressed", "suppressed (3)"),
        ("table.csv", "C,no,", "D,no,"),
        ("table.json", '"k": 5', '"note": "A has 3", "k": 5'),
    ],
)
def test_whoever_publishes_can_say_nothing_besides(tmp_path: Path, monkeypatch, file, before, after) -> None:
    """Also where hashes and signature are right."""
    made = bb.tabulate(TABLE, ["town", "ill"], k=5)
    files = made.shown.files()
    assert before in files[file]
    changed = {**files, file: files[file].replace(before, after, 1)}
    monkeypatch.setattr(bb.ShownTable, "files", lambda _: changed)
    with pytest.raises(bb.BiomboError, match="could not be verified"):
        bb.publish_table(made, tmp_path / "table")


@pytest.mark.parametrize("column", ["=1+1", "+x", "-x", "@x", "'=x", 'a "b", c', "a\nb", "ã" * 300])
def test_columns_may_be_called_like_formulas_and_worse(tmp_path: Path, column: str) -> None:
    """What a spreadsheet would compute has a mark before it in the files, and is read back as what it is."""
    table = TABLE.with_columns(pl.int_range(100, 150).alias(column))
    made = bb.tabulate(table.select("town", column), ["town"], sums=[column], k=15)
    means = bb.tabulate(table.rename({"town": "=town"}), ["=town"], means=[column], k=5)
    for number, each in enumerate((made, means)):
        release = bb.publish_table(each, tmp_path / str(number))
        assert bb.verify(release.out).holds
        assert bb.ShownTable.load(release.out).frame().equals(each.to_frame())
    assert made.suppression.hidden.any()


@pytest.mark.parametrize("code", ["en", "pt"])
def test_a_page_that_says_something_else_of_the_table_is_pointed_out(tmp_path: Path, code: str) -> None:
    """Rightly signed. Whoever verifies may speak another language, and the folder may be called otherwise."""
    with speaking(code):
        made = bb.publish_table(bb.tabulate(TABLE, ["town", "ill"], k=5), tmp_path / "table")
    out = made.out.rename(tmp_path / "other")
    assert "table-readme" not in {check.claim for check in bb.verify(out).checks}

    (page,) = out.glob("*.txt")
    page.write_text(page.read_text() + "A has 3 who are ill.\n")
    sign_anew(out, hash_anew(out, content_of(out)))
    found = {check.claim: check for check in bb.verify(out).checks}
    assert found["table-readme"].holds is None
    assert found["table-readme"].detail.startswith(f"{page.name} is not what this version of Biombo writes")


def besides(claims: list[dict]) -> dict[str, list[dict]]:
    """By what is said besides: the claims of a table with it."""
    table, *others = claims
    criterion = {"claim": "criterion", "criterion": {"k-anonymity": {"k": 50}}, "quasi": [], "sensitive": []}
    changes = {f"table: {name}": {name: said} for name, said in FALSE.items()}
    return {
        **{name: [{**table, **said}, *others] for name, said in changes.items()},
        "a note on people": [table, {**others[0], "note": "A has 3"}, others[1]],
        "another word": [*claims, {**others[0], "value": not others[0]["value"]}],
        "releases": [table, others[0], {**others[1], "releases": ["0" * 32]}],
        "no releases": [table, others[0], {**others[1], "releases": 3}],
        "one left away": claims[:2],
        "k-anonymity": [*claims, {"claim": "k-anonymity", "value": 50, "kind": "attested"}],
        "criterion": [*claims, {**criterion, "value": 50, "kind": "attested"}],
        "records": [*claims, {"claim": "records-released", "value": 16, "kind": "recomputable"}],
    }


FALSE = {"by": ["x"], "shows": ["records", "paid"], "means": ["paid"], "note": "A has 3", "kind": "attested"}


def test_whoever_publishes_can_claim_nothing_besides(release: bb.TableRelease, disguised: bb.TableRelease) -> None:
    """Rightly signed: about the table, about people or other tables, or whatever else, in claims or beside them."""
    for folder in (release.out, disguised.out):
        content = content_of(folder)
        sign_anew(folder, content)
        assert bb.verify(folder).holds
        for what, claims in besides(content["claims"]).items():
            sign_anew(folder, {**content, "claims": claims})
            assert not bb.verify(folder).holds, what
        for entry in ({"note": "A has 3"}, {"title": "k = 50"}, {"data": "table.json"}):
            sign_anew(folder, {**content, **entry})
            assert not bb.verify(folder).holds, entry


@pytest.mark.parametrize(("before", "after"), [('"k": 5', '"k": 50, "k": 5'), ('"k": 5', '"k": 5.0')])
def test_what_a_table_says_of_itself_can_be_read_in_one_way(release: bb.TableRelease, before, after) -> None:
    path = release.out / "table.json"
    assert before in path.read_text()
    path.write_text(path.read_text().replace(before, after))
    sign_anew(release.out, hash_anew(release.out, content_of(release.out)))

    assert [check.claim for check in bb.verify(release.out).failures] == ["table"]


def test_that_records_are_people_is_the_publishers_word(tmp_path: Path) -> None:
    """Two people with five records each: no table tells that they are two."""
    visits = pl.DataFrame({"who": [1, 2] * 5 + [*range(10, 20)], "town": ["A"] * 10 + ["B"] * 10})
    made = bb.publish_table(bb.tabulate(visits, ["town"], k=5), tmp_path / "table")
    found = next(check for check in bb.verify(made.out).checks if check.claim == "table")

    assert found.holds
    assert "people is" not in found.detail
    assert "as many people are behind the records is the publisher's word" in found.detail


def test_no_further_file_is_published_with_a_table(tmp_path: Path, monkeypatch) -> None:
    """In the place of the page for whoever receives it, and listed in the manifest."""
    monkeypatch.setattr(
        "biombo._release.table_release.TableReadme.write", lambda _, to: (to / "note.txt").write_text("A has 3")
    )
    with pytest.raises(bb.BiomboError, match="could not be verified"):
        bb.publish_table(bb.tabulate(TABLE, ["town", "ill"], k=5), tmp_path / "table")


def test_counts_add_up_exactly(release: bb.TableRelease, tmp_path: Path) -> None:
    """Four of five million too many are no matter of rounding."""
    tree = Classification.of_levels("town", [["A", "B"]], [])
    for off in (0, 4):
        numbers = {"records": np.array([5_000_000.0, 30, 5_000_030 + off])}
        told = replace(bb.ShownTable.load(release.out), classifications=(tree,), values=numbers)
        for name, content in told.files().items():
            (tmp_path / name).write_text(content)
        assert told.is_as_told(tmp_path) is (off == 0)


LISTS = {"town": ["A", "B", "C"], "ill": ["yes", "no"]}


@pytest.fixture(params=["round", "cell-key", "dp"])
def disguised(request: pytest.FixtureRequest, tmp_path: Path) -> bb.TableRelease:
    bb.new_key(tmp_path / "tables.key")
    protections = {
        "round": bb.Rounding(5),
        "cell-key": bb.CellKeys(tmp_path / "tables.key", bb.Perturbation(3, 1.0, 0)),
        "dp": bb.NoisyCounts(2),
    }
    made = bb.tabulate(TABLE, ["town", "ill"], k=5, protection=protections[request.param], categories=LISTS)
    return bb.publish_table(made, tmp_path / request.param)


def test_other_numbers_than_the_true_ones_are_published_with_what_protects_them(disguised: bb.TableRelease) -> None:
    kind = disguised.out.name
    shown = bb.ShownTable.load(disguised.out)

    assert bb.verify(disguised.out).holds
    assert f"table-{kind}" in (disguised.out / "manifest.json").read_text()
    assert shown.protection is not None
    assert shown.protection.kind == kind
    assert {*shown.frame()["cell"]} == {"rounded" if kind == "round" else "noised"}
    assert (disguised.out / "perturbation.csv").exists() == (kind == "cell-key")
    assert (disguised.private / "all-cells.csv").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("how", ["total", "kind", "parameter"])
def test_changed_numbers_and_other_promises_are_noticed(disguised: bb.TableRelease, how: str) -> None:
    """A total that does not add up, a protection that was left away, and another base, noise or ε."""
    kind = disguised.out.name
    path = disguised.out / ("table.csv" if how == "total" else "table.json")
    content = path.read_text()
    if how == "total":
        *rows, last = content.splitlines()
        town, ill, records, state = last.split(",")
        content = "\n".join([*rows, f"{town},{ill},{int(records) + 55},{state}"])
    elif how == "kind":
        content = content.replace(f'"kind": "{kind}"', '"kind": "suppress"')
    else:
        changes = {'"base": 5': '"base": 6', '"variance": 1.0': '"variance": 2.0', '"epsilon": 2': '"epsilon": 9'}
        for before, after in changes.items():
            content = content.replace(before, after, 1)
    assert content != path.read_text()
    path.write_text(content)

    assert f"table-{kind}" in {check.claim for check in bb.verify(disguised.out).failures}


def test_whoever_receives_a_table_is_told_what_it_is(disguised: bb.TableRelease, release: bb.TableRelease) -> None:
    """All files are named, and what protects the table, by what everybody has of it."""
    for folder, done in ((release.out, "fewer than 5 people"), (disguised.out, "Nothing is left out")):
        page = " ".join((folder / "README.txt").read_text().split())
        assert all(f"{file.name} " in page for file in folder.iterdir() if file.name != "README.txt")
        assert done in page
