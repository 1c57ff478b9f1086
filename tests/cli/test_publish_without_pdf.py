"""``biombo publish --pdf`` where the libraries that draw PDFs are missing."""

import os
import sys

import polars as pl
import pytest


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "To have the report as a PDF too, install"), ("pt", "Para ter o relatório também")],
)
def test_one_sentence_says_what_to_install_and_the_release_is_there(
    language, sentence, biombo_process, tmp_path
) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "weasyprint.py").write_text("raise OSError(\"cannot load library 'libpango-1.0-0'\")\n")
    pl.DataFrame({"city": ["A"] * 9, "disease": ["flu"] * 9}).write_csv(tmp_path / "people.csv")
    asked = ["--quasi", "city", "--sensitive", "disease", "--k", "3", "--pdf", "--lang", language]
    path = os.pathsep.join([str(broken), *filter(None, sys.path)])
    ended = biombo_process(
        *["publish", str(tmp_path / "people.csv"), *asked, "--out", str(tmp_path / "release")], env={"PYTHONPATH": path}
    )

    assert ended.returncode == 0, ended.stderr
    assert ended.stderr.count(sentence) == 1
    assert "pip install 'biombo[pdf]'" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert (tmp_path / "release" / "report.html").exists()
    assert not (tmp_path / "release" / "report.pdf").exists()
