"""Privacy against utility: the frontier, and the experiment of Samarati and Sweeney (1998)."""

from collections import Counter
from statistics import median

import pytest

import biombo as bb

QUASI = ["idade", "sexo", "cidade"]
BY_K_AND_LIMIT = "The best loss for each k and each limit of suppression"


def percent(share):
    return f"{100 * share:.2f}%"


def test_the_frontier_is_a_table_of_k_and_limit(found, frontier, page):
    rows = page(found, frontier=frontier).table(BY_K_AND_LIMIT)

    assert [row["k"] for row in rows] == ["2", "5", "10", "50"]
    for row in rows:
        for limit, heading in ((0, "≤ 0%"), (0.005, "≤ 0.5%"), (0.02, "≤ 2%")):
            best = frontier.at(int(row["k"]), limit).best
            assert row[heading] == percent(best.loss)


def test_the_cell_that_was_asked_for_is_set_apart(found, frontier, html):
    assert html(found, frontier=frontier).count('class="n high"') == 1
    assert f'<td class="n high">{percent(found[0].loss)}</td>' in html(found, frontier=frontier)


def test_the_chart_has_a_line_for_each_limit_and_marks_the_plan(found, frontier, page):
    seen = page(found, frontier=frontier)
    chart = next(svg for svg in seen.svgs if svg["title"] == ["Privacy against utility: loss"])

    assert {"≤ 0%", "≤ 0.5%", "≤ 2%", "chosen", "2", "5", "10", "50"} <= set(chart["text"])
    first, last = frontier.at(2, 0.02).best, frontier.at(50, 0.02).best
    assert chart["desc"] == [
        f"loss with at most 2% of the records suppressed: from {percent(first.loss)} for k = 2 "
        f"to {percent(last.loss)} for k = 50."
    ]


def test_behind_the_chart_is_the_best_plan_for_every_point(found, frontier, page):
    rows = page(found, frontier=frontier).table("The best plan for each k and each limit of suppression")

    assert len(rows) == len(frontier.points)
    for row, point in zip(rows, frontier.points, strict=True):
        assert row["k"] == str(point.k)
        moved = [
            f"{column.name}: {column.hierarchy.level_label(point.best.levels[column.name])}"
            for column in point.best.columns
            if point.best.levels[column.name]
        ]
        assert row["Generalised to"] == ("; ".join(moved) or "nothing")
        assert row["Suppressed"].split()[0] == str(point.best.suppressed)


def test_where_no_plan_satisfies_there_is_a_dash_and_the_line_ends(data, two_columns, page):
    options = {**two_columns, "bounds": {"idade": (0, 1), "sexo": 0}}
    found = bb.search(data, bb.KAnonymity(2), max_suppression=0.02, **options)
    frontier = bb.frontier(data, ks=[2, 3, 200], limits=[0.02], **options)
    seen = page(found, frontier=frontier)

    assert [point.best is None for point in frontier.points] == [False, False, True]
    assert seen.table(BY_K_AND_LIMIT)[2]["≤ 2%"] == "–"
    assert seen.table("The best plan for each k and each limit of suppression")[2]["Generalised to"] == "no plan"
    chart = next(svg for svg in seen.svgs if svg["title"] == ["Privacy against utility: loss"])
    assert "200" not in chart["text"]


def test_one_k_has_a_table_and_no_line(data, two_columns, page):
    found = bb.search(data, bb.KAnonymity(5), **two_columns)
    seen = page(found, frontier=bb.frontier(data, ks=[5], limits=[0], **two_columns))

    assert len(seen.table(BY_K_AND_LIMIT)) == 1
    assert not [caption for caption in seen.figures if "Privacy" in caption or "Completeness" in caption]


def test_without_a_frontier_there_is_no_section_on_it(found, page):
    assert "Privacy against utility" not in page(found).text


@pytest.mark.parametrize("other", [{"prefer": "entropy"}, {"quasi": ["sexo", "idade"]}])
def test_the_frontier_of_another_search_is_refused(data, two_columns, other, html):
    found = bb.search(data, bb.KAnonymity(5), **two_columns)
    frontier = bb.frontier(data, **{**two_columns, **other})

    with pytest.raises(bb.UsageError, match="of other columns or another policy"):
        html(found, frontier=frontier)


def test_the_loss_of_every_column_is_drawn_against_k(found, frontier, page):
    seen = page(found, frontier=frontier)
    title = "Loss of each column, with at most 2% of the records suppressed"
    rows = seen.table("Loss of each column by k")

    assert len([svg for svg in seen.svgs if svg["title"] == [title]]) == len(QUASI)
    for row, k in zip(rows, (2, 5, 10, 50), strict=True):
        losses = frontier.at(k, 0.02).best.column_loss
        assert row == {"k": str(k)} | {column: percent(losses[column]) for column in QUASI}


def test_completeness_and_precision_are_drawn_against_k(found, frontier, page):
    seen = page(found, frontier=frontier)
    rows = seen.table("Completeness and precision by k")

    for row, k in zip(rows, (2, 5, 10, 50), strict=True):
        best = frontier.at(k, 0.02).best
        levels = [level / column.height for column, level in zip(best.columns, best.levels.values(), strict=True)]
        completeness = 1 - best.suppressed / 1000
        assert row["Completeness"] == percent(completeness)
        assert row["Precision"] == percent(completeness * (1 - sum(levels) / len(levels)))
    chart = next(svg for svg in seen.svgs if svg["title"][0].startswith("Completeness and precision"))
    assert {"completeness", "precision"} <= set(chart["text"])


def test_a_limit_between_those_of_the_frontier_takes_the_next_below(data, three_columns, frontier, page):
    found = bb.search(data, bb.KAnonymity(5), max_suppression=0.01, **three_columns)

    assert "Loss of each column, with at most 0.5% of the records suppressed" in page(found, frontier=frontier).figures


def test_the_frequencies_of_each_column_are_counted_before_anything_is_done(found, table, page):
    title = "How many records share a value, before anything is generalised"
    rows = {row["Column"]: row for row in page(found).table(title)}

    for column in QUASI:
        counts = Counter(table[column]).values()
        assert rows[column] == {
            "Column": column,
            "Different values": str(len(counts)),
            "Lowest": str(min(counts)),
            "Median": f"{median(counts):g}",
            "Highest": str(max(counts)),
        }


def test_a_frontier_that_was_cut_off_does_not_claim_to_be_the_best(data, found, frontier, three_columns, page):
    cut_off = bb.frontier(data, ks=[2, 5], limits=[0.02], seconds=1e-9, **three_columns)
    assert "what was not checked could be better" in page(found, frontier=cut_off).text
    assert "what was not checked could be better" not in page(found, frontier=frontier).text
