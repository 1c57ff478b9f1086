"""Every number on the page is the attack's, or that of a slow and obvious count."""

from collections import Counter
from statistics import correlation

import polars as pl
import pytest

from biombo._attack import risk
from biombo._data import read

QUASI = ["idade", "sexo", "cidade", "mes"]
BEST = "The strongest combination for each number of columns"
SINGLED_OUT = "The combination that singles out most, for each number of columns"


def percent(share, digits=2):
    return f"{100 * share:.{digits}f}%"


def records(count, rows):
    return f"{count:,} ({percent(count / rows, 1)})"


@pytest.fixture(scope="module")
def valid(table):
    """The rows that are left once invalid ones are dropped."""
    return table.filter(pl.col("idade") != "999", pl.col("sexo").is_not_null()).to_dicts()


def grouped(rows, columns):
    found = {}
    for row in rows:
        found.setdefault(tuple(row[column] for column in columns), Counter())[row["doenca"]] += 1
    return found


def right_guesses(rows, columns):
    return sum(max(group.values()) for group in grouped(rows, columns).values()) / len(rows)


def test_the_strongest_combinations_are_those_of_the_attack(one, page, valid):
    shown = page(one).table(BEST)

    prior = right_guesses(valid, [])
    assert [row["Number of columns"] for row in shown] == ["1", "2", "3", "4"]
    for row, best in zip(shown, one.attribute_inference.best().to_dicts(), strict=True):
        posterior = right_guesses(valid, best["quasi"])
        assert row["Columns known"] == ", ".join(best["quasi"])
        assert row["Posterior"] == percent(posterior) == percent(best["posterior"])
        assert row["Leakage (points)"] == f"{100 * (posterior - prior):.2f}"
        assert row["Posterior ÷ prior"] == f"{posterior / prior:.2f}"
        assert row["Groups"] == f"{len(grouped(valid, best['quasi'])):,}"


def test_every_combination_is_listed_behind_the_chart(one, page, valid):
    shown = page(one).table("All 15 combinations, the strongest first")

    assert len({row["Columns known"] for row in shown}) == 15
    for row in shown:
        assert row["Posterior"] == percent(right_guesses(valid, row["Columns known"].split(", ")))


def test_what_remains_without_a_column_is_given_as_posterior_and_as_leakage(one, page, valid):
    shown = page(one).table("What remains without each column")

    everything, prior = right_guesses(valid, QUASI), right_guesses(valid, [])
    assert {row["Column missing"] for row in shown} == set(QUASI)
    for row in shown:
        left = right_guesses(valid, [column for column in QUASI if column != row["Column missing"]])
        assert row["Posterior"] == percent(left)
        assert row["Leakage (points)"] == f"{100 * (left - prior):.2f}"
        assert row["Fall (points)"] == f"{100 * (everything - left):.2f}"
    falls = [float(row["Fall (points)"]) for row in shown]
    assert falls == sorted(falls, reverse=True)


def test_near_certainty_is_counted_in_both_senses(one, page, valid):
    shown = page(one).table("Records that are guessed with near certainty")

    assert [row["Number of columns"] for row in shown] == ["1", "3", "4"]
    for row in shown:
        groups = grouped(valid, row["Columns known"].split(", "))
        certain = always = never = 0
        for group in groups.values():
            size, top = sum(group.values()), max(group.values())
            most_frequent = [value for value, count in group.items() if count == top]
            certain += size if top / size > 0.9 else 0
            always += top if len(most_frequent) == 1 else 0
            never += size - top * len(most_frequent)
        assert row["Records above 90%"] == records(certain, len(valid))
        assert row["Always guessed right"] == records(always, len(valid))
        assert row["Never guessed right"] == records(never, len(valid))


def test_the_histograms_count_every_record_once(one, page, valid):
    shown = page(one).table("Records by vulnerability; an interval holds its upper end")

    assert [row["Vulnerability"] for row in shown] == [f"{n}0%–{n + 1}0%".replace("00%–", "0%–") for n in range(10)]
    for heading in ("1 column", "3 columns", "4 columns"):
        assert sum(int(row[heading].split(" ")[0]) for row in shown) == len(valid)


def test_unique_records_and_group_sizes_are_counted(one, page, valid):
    seen = page(one)

    for row in seen.table(SINGLED_OUT):
        sizes = [sum(group.values()) for group in grouped(valid, row["Columns known"].split(", ")).values()]
        assert row["Unique records"] == str(sizes.count(1))
        assert row["Share unique"] == percent(sizes.count(1) / len(valid))
        assert row["Posterior"] == percent(len(sizes) / len(valid))
    sizes = [sum(group.values()) for group in grouped(valid, QUASI).values()]
    by_size = {row["Group size"]: row["Records"] for row in seen.table("How many records look alike")}
    assert by_size["1"] == str(sizes.count(1))
    assert by_size["3–4"] == str(3 * sizes.count(3) + 4 * sizes.count(4))


def test_the_summary_begins_with_one_fact_and_tells_how_many_more_make_it_bad(one, page, valid):
    lead = page(one).text

    by_one = {column: right_guesses(valid, [column]) for column in QUASI}
    worst = max(by_one, key=by_one.__getitem__)
    everything, prior = right_guesses(valid, QUASI), right_guesses(valid, [])
    assert f"Who knows {worst} alone guesses doenca right for {round(100 * by_one[worst])} of 100 records" in lead
    assert f"with 4 facts, {round(100 * everything)}" in lead or f"with 4, {round(100 * everything)}" in lead
    assert f"who knows nothing, for {round(100 * prior)}." in lead


def test_the_summary_tells_first_whom_few_facts_single_out(one, page, valid):
    everything = [sum(group.values()) for group in grouped(valid, QUASI).values()].count(1)
    first, _ = page(one).text.split("Who knows", 1)

    assert "of the records" in first
    assert f"{percent(everything / len(valid), 1)}" in first


def test_named_adversaries_have_their_own_rows(one, page, valid):
    shown = page(one).table("The adversaries named in the schema")

    assert {row["Adversary"]: row["Posterior"] for row in shown} == {
        "vizinho": percent(right_guesses(valid, ["idade", "sexo"])),
        "chefe": percent(right_guesses(valid, ["idade", "cidade", "mes"])),
    }


def test_left_out_records_are_counted_with_their_causes(one, page, table, valid):
    seen = page(one)

    dropped = len(table) - len(valid)
    assert f"{len(valid)} of {len(table)} records were used ({percent(len(valid) / len(table), 1)})" in seen.text
    assert f"The other {dropped} have an invalid value" in seen.text
    invalid = {row["Column"]: row["Records with an invalid value"] for row in seen.table("Columns in use")}
    assert invalid["idade"] == str((table["idade"] == "999").sum())
    assert invalid["sexo"] == str(table["sexo"].null_count())
    assert invalid["cidade"] == "0", "a missing value that is not declared invalid is a value of its own"


def test_parts_have_their_priors_and_leakages(parts, page, valid):
    seen = page(parts)

    leakages = {
        row["Part"]: row for row in seen.table("Best leakage by part and number of columns, in percentage points")
    }
    remaining = {row["Part"]: row for row in seen.table("Highest posterior when a column is missing")}
    assert len(leakages) == 8
    for name, row in leakages.items():
        rows = [each for each in valid if f"{each['uf']} · {each['ano']}" == name]
        prior, all_known = right_guesses(rows, []), right_guesses(rows, QUASI)
        assert row["Records"] == str(len(rows))
        assert row["Prior"] == percent(prior)
        assert row["1"] == f"{100 * max(right_guesses(rows, [column]) - prior for column in QUASI):.2f}"
        assert row["4"] == f"{100 * (all_known - prior):.2f}"
        assert remaining[name]["With all columns"] == percent(all_known)
        assert remaining[name]["sexo"] == percent(right_guesses(rows, ["idade", "cidade", "mes"]))


def test_correlations_are_those_over_the_parts(parts, page):
    shown = page(parts).table("Does leakage depend on the size or on the variety of a part?")

    attacks = [outcome.attribute_inference for outcome in parts.parts.values()]
    for row in shown:
        size = int(row["Number of columns"])
        leakages = [attack.best().filter(pl.col("size") == size)["leakage"][0] for attack in attacks]
        with_records = correlation(leakages, [attack.rows for attack in attacks])
        with_entropy = correlation(leakages, [attack.entropies["doenca"] for attack in attacks])
        assert row["With the number of records"] == f"{with_records:.2f}".replace("-", "−")
        assert row["With the entropy"] == f"{with_entropy:.2f}".replace("-", "−")


def test_the_lines_over_time_have_a_point_for_each_part(parts, page):
    seen = page(parts)

    shown = {row["Part"]: row for row in seen.table("Best leakage by period, in percentage points")}
    assert "Leakage over time" in seen.figures
    assert list(shown) == ["AA", "BB", "CC", "DD"]
    for (uf, year), outcome in parts.parts.items():
        assert shown[uf][year] == f"{100 * outcome.attribute_inference.best()['leakage'].max():.2f}"


def test_unique_records_of_parts_add_up_in_the_summary(parts, page, valid):
    lone = Counter((r["uf"], r["ano"], *(r[column] for column in QUASI)) for r in valid)
    unique = sum(1 for count in lone.values() if count == 1)

    share = percent(unique / len(valid), 1)
    assert f" {unique} records ({share}) that are the only one in their part" in page(parts).text


def test_the_report_on_a_real_file_says_what_the_attack_found(siapa_file, page):
    found = risk(read(siapa_file, schema="siapa"))
    seen = page(found, source=siapa_file.name)

    best = found.attribute_inference.best().to_dicts()
    assert [row["Posterior"] for row in seen.table(BEST)] == [percent(row["posterior"]) for row in best]
    assert len(seen.table("All 127 combinations, the strongest first")) == 127
    assert (
        "82,144 of 105,836 records were used (77.6%). The other 23,692 have an invalid value in PA_RACACOR" in seen.text
    )
    assert "9,300 records (11.3%) that are the only one with their combination of values in the 7 columns" in seen.text
