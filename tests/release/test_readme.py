"""The page of plain text for whoever receives a release."""

import pytest

import biombo as bb
from biombo._i18n import set_language


@pytest.mark.parametrize(
    ("language", "name", "words"),
    [
        (
            "en",
            "README.txt",
            ["What this is", "k-anonymity with k = 10", "biombo verify", "Do not try to find out who"],
        ),
        ("pt", "LEIAME.txt", ["O que é", "k-anonimato com k = 10", "biombo verify", "Não tente descobrir quem"]),
    ],
)
def test_says_what_the_folder_is_how_to_check_it_and_what_one_may_not_do(
    people, plan, tmp_path, language, name, words
) -> None:
    set_language(language)
    release = bb.publish(people, plan, tmp_path / "release")
    page = (release.out / name).read_text("utf-8")

    assert [each for each in words if each not in " ".join(page.split())] == []
    assert all(file.name in page for file in release.out.iterdir() if file.name != name)
    assert max(map(len, page.splitlines())) <= 80
    assert name in release.manifest.files
    assert bb.verify(release.out).holds


def test_it_is_covered_by_the_manifest(signed_release) -> None:
    page = signed_release.out / "README.txt"
    page.write_text(page.read_text().replace("Do not try", "Try"))

    assert [check.claim for check in bb.verify(signed_release.out).failures] == ["file"]


def test_it_tells_only_what_the_manifest_and_the_dictionary_tell(people, plan, tmp_path) -> None:
    """Records that were dropped leave no trace in it, nor does the name of the table."""
    more = people.vstack(people.head(7))
    pages = [
        (bb.publish(table, plan, tmp_path / name / "release").out / "README.txt").read_text()
        for name, table in {"a": people, "b": more}.items()
    ]

    assert pages[0].replace(": 300", "") == pages[1].replace(": 307", "")


def test_odd_names_of_columns_stay_on_their_line(people, tmp_path) -> None:
    odd = people.rename({"sex": "se\nx\x1b[31m"})
    plan = bb.Plan([bb.MaskGroups()], [bb.KAnonymity(10)], quasi=["se\nx\x1b[31m"], sensitive=["disease"])
    page = (bb.publish(odd, plan, tmp_path / "release").out / "README.txt").read_text()

    assert "\x1b" not in page
    assert "se�x" in page
