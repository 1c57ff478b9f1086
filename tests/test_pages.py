"""What the pages name is there: files, headings that links lead to, techniques by their number."""

import re
from pathlib import Path

import pytest

from biombo._plan import OPERATIONS

REPOSITORY = Path(__file__).parents[1]
PLACES = (REPOSITORY, REPOSITORY / "src" / "biombo", REPOSITORY / "src")
PAGES = sorted(
    page.relative_to(REPOSITORY).as_posix()
    for page in (*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/**/*.md"), REPOSITORY / "examples" / "README.md")
)
NAME_FILES = ("docs/contributing/README.md", "docs/architecture.md", "SECURITY.md")
"""Pages on the code, in which whatever looks like a path is one."""


def read(page: str) -> str:
    return (REPOSITORY / page).read_text("utf-8")


def quoted(page: str) -> set[str]:
    return set(re.findall(r"`([^`\s]+)`", read(page)))


def paths(page: str) -> set[str]:
    """What stands in backquotes and looks like a path; names to fill in stand for any."""
    named = [each for each in quoted(page) if "/" in each]
    return {re.sub("NAME|COMMAND", "*", each).replace("version_N", "version_*") for each in named}


def missing(named: set[str]) -> list[str]:
    return [path for path in sorted(named) if not any(list(place.glob(path)) for place in PLACES)]


@pytest.mark.parametrize("page", NAME_FILES)
def test_every_path_is_there(page):
    assert len(paths(page)) > 15
    assert not missing(paths(page))


@pytest.mark.parametrize("page", PAGES)
def test_every_file_of_the_project_is_there(page):
    tops = ("tests/", "benchmarks/", "docs/", "tools/", "kernel/", "examples/", "src/")
    tests = {f"tests/**/{each}" for each in quoted(page) if re.fullmatch(r"test_\w+\.py", each)}

    assert not missing({each for each in paths(page) if each.startswith(tops)} | tests)


def headings(page: Path) -> set[str]:
    """What the headings of a page are called in links to them."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page):
    lost = []
    for link in re.findall(r"\]\(([^)\s]+)\)", read(page)):
        path, _, heading = link.partition("#")
        target = (REPOSITORY / page).parent / path if path else REPOSITORY / page
        if "://" in link or (target.exists() and not heading):
            continue
        if not target.exists() or heading not in headings(target):
            lost.append(link)

    assert not lost


@pytest.mark.parametrize(("page", "word"), [("README.md", "techniques"), ("README.pt-BR.md", "técnicas")])
def test_techniques_are_counted_right(page, word):
    assert re.findall(rf"(\d+) \[{word}\]", read(page)) == [str(len(OPERATIONS))]
