"""Requests about the same table say so, however they call it; and no others do."""

from pathlib import Path

import pytest

import biombo as bb


def which(**entries):
    return bb.PublishRequest(**entries).which_table


def test_a_file_is_the_same_by_all_its_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    names = ["a.csv", "./a.csv", "b/../a.csv", str(tmp_path / "a.csv"), "~/a.csv", Path("a.csv")]
    assert len({which(files=[name]) for name in names}) == 1


@pytest.mark.parametrize(
    "other",
    [
        {"files": ["b.csv"]},
        {"files": ["a.csv", "b.csv"]},
        {"files": ["a.csv"], "sheet": "one"},
        {"files": ["a.csv"], "filename": "{x}.csv"},
        {"files": ["a.csv"], "database": "sqlite:///a.db"},
    ],
)
def test_whatever_is_read_otherwise_is_another(other):
    assert which(files=["a.csv"]) != which(**other)


def test_a_query_is_not_a_file(tmp_path, monkeypatch):
    asked = {"files": ["select 1"], "database": "postgresql://me@host/base"}
    here = which(**asked)
    monkeypatch.chdir(tmp_path)
    assert which(**asked) == here


def test_passwords_make_no_difference_and_are_not_told():
    without = which(files=["select 1"], database="postgresql://me@host/base")
    secret = which(files=["select 1"], database="postgresql://me:hidden@host/base")
    assert secret == without
    assert "hidden" not in str(secret)
    assert without != which(files=["select 1"], database="postgresql://me@other/base")


def test_a_database_in_a_file_is_the_same_by_all_its_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ["sqlite:///a.db", "sqlite:///./a.db", f"sqlite:///{tmp_path}/a.db"]
    assert len({which(files=["select 1"], database=name) for name in names}) == 1
