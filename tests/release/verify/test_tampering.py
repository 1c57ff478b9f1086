"""An adversary has the folder of a release, and no key: whatever is changed in it, ``verify`` says so."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from changed_json import changes
from hypothesis import given, settings
from hypothesis import strategies as st

import biombo as bb

Tree = dict[str, Any]


def failed(folder: Path, key: Path | None = None) -> list[str]:
    return [check.claim for check in bb.verify(folder, key=key).failures]


def rewritten(folder: Path, change: Callable[[Tree], object]) -> None:
    path = folder / "manifest.json"
    tree = json.loads(path.read_text())
    change(tree)
    path.write_text(json.dumps(tree))


class TestData:
    def test_rows_in_another_order(self, release) -> None:
        path = release.out / "data.csv"
        header, first, second, *others = path.read_text().splitlines(keepends=True)
        path.write_text("".join([header, second, first, *others]))

        assert failed(release.out) == ["file"]

    def test_quotes_that_change_no_value(self, release) -> None:
        path = release.out / "data.csv"
        path.write_text(path.read_text().replace(",flu,", ',"flu",', 1))

        assert failed(release.out) == ["file"]

    @pytest.mark.parametrize("file", ["data.csv", "dictionary.csv", "dictionary.json", "report.html"])
    def test_bytes_at_the_end(self, release, file) -> None:
        with (release.out / file).open("ab") as content:
            content.write(b"\n")

        assert "file" in failed(release.out)

    @pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"PAR1", b"trace_id\n", b"a,b\n1\n"])
    def test_something_else(self, release, content) -> None:
        (release.out / "data.csv").write_bytes(content)

        assert {"file", "unreadable"} <= set(failed(release.out))

    def test_files_that_changed_places(self, release) -> None:
        one, other = release.out / "dictionary.csv", release.out / "dictionary.json"
        contents = one.read_bytes(), other.read_bytes()
        other.write_bytes(contents[0])
        one.write_bytes(contents[1])

        assert failed(release.out) == ["file", "file"]


class TestWhatIsNoFile:
    def test_a_link_to_the_same_content(self, release, tmp_path) -> None:
        for name in ("data.csv", "report.html"):
            shutil.move(release.out / name, tmp_path / name)
            (release.out / name).symlink_to(tmp_path / name)

        assert failed(release.out)[:2] == ["file-missing", "file-missing"]
        assert "unreadable" in failed(release.out)  # what lies elsewhere is not read

    def test_a_pipe_that_nobody_writes_to_does_not_keep_it_waiting(self, release) -> None:
        (release.out / "data.csv").unlink()
        os.mkfifo(release.out / "data.csv")

        assert "file-missing" in failed(release.out)

    def test_a_folder(self, release) -> None:
        (release.out / "data.csv").unlink()
        (release.out / "data.csv").mkdir()

        assert "file-missing" in failed(release.out)

    def test_a_link_or_a_pipe_for_a_manifest_is_no_release(self, release, tmp_path) -> None:
        path = release.out / "manifest.json"
        shutil.move(path, tmp_path / "manifest.json")
        for put in (lambda: path.symlink_to(tmp_path / "manifest.json"), lambda: os.mkfifo(path), path.mkdir):
            put()
            with pytest.raises(bb.InputError, match=r"not a release|not the manifest"):
                bb.verify(release.out)
            path.rmdir() if path.is_dir() else path.unlink()


ENTRIES = ["id", "created", "software", "data", "files", "claims", "signature"]


class TestManifest:
    def test_each_entry_is_tried_below(self, release) -> None:
        tree = json.loads((release.out / "manifest.json").read_text())

        assert set(tree) == {"biombo-release", *ENTRIES}

    @pytest.mark.parametrize("entry", ["id", "created", "software", "data"])
    def test_another_value(self, release, entry) -> None:
        rewritten(release.out, lambda tree: tree.update({entry: "another"}))

        assert "signature" in failed(release.out)

    @pytest.mark.parametrize("entry", ["created", "software"])
    def test_an_entry_that_is_left_out(self, release, entry) -> None:
        rewritten(release.out, lambda tree: tree.pop(entry))

        assert failed(release.out) == ["signature"]

    @pytest.mark.parametrize("entry", ["biombo-release", "id", "data", "files", "claims", "signature"])
    def test_one_that_a_release_cannot_be_without(self, release, entry) -> None:
        rewritten(release.out, lambda tree: tree.pop(entry))
        with pytest.raises(bb.InputError, match="not the manifest"):
            bb.verify(release.out)

    def test_one_more(self, release) -> None:
        rewritten(release.out, lambda tree: tree.update(note="trace id 1 is Ana"))

        assert failed(release.out) == ["signature"]

    @pytest.mark.parametrize("file", ["data.csv", "dictionary.csv", "dictionary.json", "report.html"])
    def test_a_file_that_is_left_out_of_the_list(self, release, file) -> None:
        rewritten(release.out, lambda tree: tree["files"].pop(file))

        assert {"signature", "file-added"} <= set(failed(release.out))

    def test_each_claim_by_another_value_or_kind_or_left_out(self, release) -> None:
        path = release.out / "manifest.json"
        before = path.read_text()
        for place, claim in enumerate(json.loads(before)["claims"]):
            kind = {"recomputable": "attested", "attested": "recomputable"}[claim["kind"]]
            for change in ({"value": 10**6}, {"kind": kind}, {"claim": "another"}):
                rewritten(release.out, lambda tree: tree["claims"][place].update(change))  # noqa: B023
                assert "signature" in failed(release.out)
                path.write_text(before)
            rewritten(release.out, lambda tree: tree["claims"].pop(place))  # noqa: B023
            assert "signature" in failed(release.out)
            path.write_text(before)

    @pytest.mark.parametrize(
        "change",
        [
            {"algorithm": "none"},
            {"note": "trace id 1 is Ana"},
            {"public_key": "00" * 32},
            {"public_key": ""},
            {"public_key": "not hexadecimal"},
            {"value": "00" * 64},
            {"value": ""},
            {"value": "not hexadecimal"},
        ],
    )
    def test_the_signature_itself(self, release, trusted, change) -> None:
        rewritten(release.out, lambda tree: tree["signature"].update(change))

        assert "signature" in failed(release.out)
        assert not bb.verify(release.out, key=trusted).origin_proved

    def test_the_signature_of_another_release(self, signed_release, published, trusted) -> None:
        other = json.loads((published.out / "manifest.json").read_text())["signature"]
        rewritten(signed_release.out, lambda tree: tree.update(signature=other))

        assert failed(signed_release.out, trusted) == ["signature", "origin"]

    def test_the_manifest_of_an_earlier_release_by_the_same_publisher(self, signed_release, published) -> None:
        shutil.copy(published.out / "manifest.json", signed_release.out)

        assert "file" in failed(signed_release.out)

    @pytest.mark.parametrize(
        "content",
        [
            b'{"biombo-release": 1, "id": "a", "id": "b", ',  # completed below by the rest of the manifest
            b'{"biombo-release": 1, ',
        ],
    )
    def test_entries_that_are_there_twice_have_no_meaning(self, release, content) -> None:
        path = release.out / "manifest.json"
        path.write_bytes(content + path.read_bytes().strip()[1:])
        with pytest.raises(bb.InputError, match="not the manifest"):
            bb.verify(release.out)

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-8-sig"])
    def test_other_encodings(self, release, encoding) -> None:
        path = release.out / "manifest.json"
        path.write_bytes(path.read_text().encode(encoding))
        with pytest.raises(bb.InputError, match="not the manifest"):
            bb.verify(release.out)

    @pytest.mark.parametrize(
        "written", ["NaN", "Infinity", "1e999", '"\\ud800"', "[" * 100_000, "1" * 5000, '"' + "a" * (1 << 26) + '"']
    )
    def test_values_that_nothing_is_signed_over(self, release, written) -> None:
        path = release.out / "manifest.json"
        path.write_text(path.read_text().replace("{", '{"note": ' + written + ",", 1))
        with pytest.raises(bb.InputError, match="not the manifest"):
            bb.verify(release.out)


def same(one: Any, other: Any) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@settings(max_examples=60)
@given(data=st.data())
def test_a_manifest_that_says_anything_else_never_holds(data, published, tmp_path_factory) -> None:
    folder = tmp_path_factory.mktemp("changed") / "release"
    shutil.copytree(published.out, folder)
    tree = json.loads((folder / "manifest.json").read_text())
    changed = data.draw(changes(tree))
    (folder / "manifest.json").write_text(json.dumps(changed))
    try:
        holds = bb.verify(folder).holds
    except bb.InputError:
        holds = False

    assert holds == same(tree, changed)


@pytest.fixture(scope="session")
def in_parquet(people, plan, tmp_path_factory) -> bb.Release:
    return bb.publish(people, plan, tmp_path_factory.mktemp("parquet") / "release", format="parquet")


@settings(max_examples=60)
@given(data=st.data(), kind=st.sampled_from(["published", "in_parquet"]))
def test_no_byte_of_any_file_can_be_changed(data, kind, published, in_parquet, tmp_path_factory) -> None:
    """But for how the manifest is spaced."""
    folder = tmp_path_factory.mktemp("changed") / "release"
    shutil.copytree({"published": published, "in_parquet": in_parquet}[kind].out, folder)
    path = data.draw(st.sampled_from(sorted(folder.iterdir())))
    before = path.read_bytes()
    place = data.draw(st.integers(0, len(before)))
    changed = before[:place] + data.draw(st.binary(max_size=3)) + before[place + data.draw(st.integers(0, 3)) :]
    path.write_bytes(changed)
    try:
        holds = bb.verify(folder).holds
    except bb.InputError:
        holds = False

    if path.name == "manifest.json" and holds:
        assert json.loads(changed) == json.loads(before)
    else:
        assert holds == (changed == before)


class TestExitCodes:
    """As people type it, in both languages."""

    @pytest.fixture
    def ended(self, capsys) -> Callable[..., tuple[int, str]]:
        from biombo._cli import main

        def run(*arguments: object) -> tuple[int, str]:
            code = main(["verify", *map(str, arguments)])
            return code, "".join(capsys.readouterr())

        return run

    @pytest.mark.parametrize(
        ("language", "only"),
        [("en", "integrity only, origin not proved"), ("pt", "a origem não está comprovada")],
    )
    def test_all_holds(self, ended, signed_release, trusted, language, only) -> None:
        code, said = ended(signed_release.out, "--lang", language)
        code_with_key, said_with_key = ended(signed_release.out, "--key", trusted, "--lang", language)

        assert (code, code_with_key) == (0, 0)
        assert only in said
        assert only not in said_with_key

    @pytest.mark.parametrize(
        ("language", "sentences"),
        [
            ("en", ["data.csv was changed", "There are 299 records instead of 300", "integrity only"]),
            ("pt", ["data.csv foi alterado", "Há 299 registros em vez de 300", "Só a integridade"]),
        ],
    )
    def test_a_claim_fails(self, ended, release, language, sentences) -> None:
        frame = pl.read_csv(release.out / "data.csv", infer_schema=False)
        frame[:-1].write_csv(release.out / "data.csv")
        code, said = ended(release.out, "--lang", language)

        assert code == 1
        assert all(sentence in said for sentence in sentences)

    @pytest.mark.parametrize(
        ("language", "sentence"),
        [("en", "The claim released records cannot be checked"), ("pt", "registros publicados")],
    )
    def test_a_file_is_missing(self, ended, release, language, sentence) -> None:
        (release.out / "data.csv").unlink()
        code, said = ended(release.out, "--lang", language)

        assert code == 1
        assert sentence in said

    @pytest.mark.parametrize(
        ("language", "sentence"), [("en", "not the manifest of a release"), ("pt", "não é o manifesto")]
    )
    def test_no_release(self, ended, release, language, sentence) -> None:
        (release.out / "manifest.json").write_bytes(b"\xff")
        code, said = ended(release.out, "--lang", language)

        assert code == 2
        assert sentence in said
