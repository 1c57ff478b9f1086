"""Files in chunks that nobody reads without the secret, and nobody changes without notice."""

import json
from io import BytesIO
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given

import biombo as bb
from biombo._secrets import LARGEST, SealedFile, Sealing

SECRET, OTHER = bytes(range(32)), bytes(32)
DAMAGED = bb.InputError("release.damaged-vault", path="the file")
chunks = st.lists(st.binary(max_size=40), min_size=1, max_size=5)


def sealed(content: list[bytes], says: str = "test") -> bytes:
    file = BytesIO()
    sealing = Sealing(file, {"says": says}, SECRET)
    for chunk in content:
        sealing.add(chunk)
    sealing.close()
    return file.getvalue()


def opened(path: Path, content: bytes, secret: bytes = SECRET) -> list[bytes]:
    path.write_bytes(content)
    file = SealedFile.at(path)
    assert file is not None
    return list(file.chunks(secret, DAMAGED))


def taken_apart(content: bytes) -> tuple[bytes, list[bytes]]:
    """The first line, and the chunks as they lie in the file."""
    header, rest = content.split(b"\n", 1)
    pieces = []
    while rest:
        size = 4 + int.from_bytes(rest[:4], "big")
        pieces.append(rest[:size])
        rest = rest[size:]
    return header + b"\n", pieces


@pytest.fixture(scope="module")
def path(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("sealed") / "file"


@given(chunks)
def test_what_is_sealed_comes_back_exactly_and_with_the_secret_alone(path, content) -> None:
    assert opened(path, sealed(content)) == content
    with pytest.raises(bb.InputError):
        opened(path, sealed(content), OTHER)


def test_a_file_may_be_larger_than_a_chunk_and_a_chunk_may_not(path) -> None:
    content = [bytes(LARGEST), b"1" * LARGEST]

    assert opened(path, sealed(content)) == content
    with pytest.raises(ValueError, match=str(LARGEST + 1)):
        sealed([bytes(LARGEST + 1)])


def test_a_file_without_chunks_is_whole_too(path) -> None:
    assert b"".join(opened(path, sealed([]))) == b""


def test_the_same_is_never_sealed_alike(path) -> None:
    one, other = (taken_apart(sealed([b"the same"] * 2))[1] for _ in range(2))

    assert len({*one, *other}) == 4


@given(chunks, st.data())
def test_chunks_cannot_be_dropped_swapped_repeated_or_added(path, content, data) -> None:
    """Nor taken from another file under the same secret, even with the same line before it."""
    header, pieces = taken_apart(sealed(content))
    foreign = taken_apart(sealed(content))[1]
    mixed = data.draw(st.lists(st.sampled_from([*pieces, *foreign]), max_size=len(pieces) + 1))

    if mixed != pieces:
        with pytest.raises(bb.InputError):
            opened(path, header + b"".join(mixed))


@given(chunks, st.data())
def test_no_byte_can_be_changed_or_cut_off(path, content, data) -> None:
    before = sealed(content)
    start = len(taken_apart(before)[0])
    place = data.draw(st.integers(start, len(before) - 1))
    flipped = before[:place] + bytes([before[place] ^ data.draw(st.integers(1, 255))]) + before[place + 1 :]

    for changed in (flipped, before[:place], before + b"\0"):
        with pytest.raises(bb.InputError):
            opened(path, changed)


@pytest.mark.parametrize("salt", [None, "no hex", 5, "00"])
def test_the_first_line_is_bound_to_all_of_it(path, salt) -> None:
    header, pieces = taken_apart(sealed([b"content"]))
    for says in ({"says": "other"}, {"salt": salt}):
        changed = json.dumps(json.loads(header) | says).encode() + b"\n"
        with pytest.raises(bb.InputError):
            opened(path, changed + b"".join(pieces))
