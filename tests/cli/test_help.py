import shlex

import pytest
from typer.core import TyperGroup

from biombo._cli import COMMANDS, GROUPS, application, commands_of

PAGES = [
    *((name,) for name in (*COMMANDS, *GROUPS)),
    *((group, name) for group in GROUPS for name in commands_of(group)),
]


def test_without_a_command_the_help_is_shown_as_bad_use(biombo):
    ending = biombo()

    assert ending.code == 2
    assert "inspect" in ending.out


@pytest.mark.parametrize(
    ("code", "said"),
    [("en", {"Usage:", "Options", "Show this page"}), ("pt", {"Uso:", "Opções", "Mostra esta página"})],
)
def test_every_help_page_is_in_the_language_asked_for_and_without_a_key_of_the_catalogue(biombo, code, said):
    pages = {command: biombo(*command, "--help", "--lang", code) for command in [(), *PAGES]}

    assert [command for command, page in pages.items() if page.code != 0] == []
    assert [command for command, page in pages.items() if not all(words in page.out for words in said)] == []
    assert [command for command, page in pages.items() if command and "--lang" not in page.out] == []
    assert [command for command, page in pages.items() if "cli." in page.out] == []


def test_help_follows_the_environment(biombo, monkeypatch):
    monkeypatch.setenv("BIOMBO_LANG", "pt")

    assert "Uso:" in biombo("--help").out


@pytest.mark.parametrize("place", [("--lang", "pt", "inspect"), ("inspect", "--lang=pt"), ("inspect", "--lang", "pt")])
def test_the_language_may_stand_anywhere(biombo, place):
    assert biombo(*place, "--nothing").err.startswith("erro: ")


def test_the_language_of_one_run_does_not_stay(biombo):
    biombo("--help", "--lang", "pt")

    assert "Usage:" in biombo("--help").out


def test_a_file_may_be_called_like_the_option(biombo):
    assert "error: " in biombo("inspect", "--", "--lang=pt").err


def test_the_version_is_shown(biombo):
    ending = biombo("--version")

    assert ending.code == 0
    assert ending.out.startswith("biombo ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("inspct",), "There is no command 'inspct'; did you mean 'inspect'?"),
        (("zzz",), "There is no command 'zzz'."),
        (("--lang", "en"), "A command is missing."),
        (("inspect", "x", "--jsn"), "There is no option --jsn; did you mean --json"),
        (("inspect", "x", "--xyzzy"), "There is no option --xyzzy."),
        (("inspect", "--json"), "'FILE' is missing."),
        (("inspect", "x", "--out"), "The option --out needs a value."),
        (("inspect", "x", "--json=1"), "The option --json takes no value."),
        (("inspect", "x", "--lang", "fr"), "The value of '--lang' cannot be used: it must be one of en, pt."),
    ],
)
def test_bad_use_is_one_line_that_points_to_the_help(biombo, arguments, sentence):
    ending = biombo(*arguments)

    assert (ending.code, ending.out) == (2, "")
    assert ending.err.startswith(f"error: {sentence}")
    assert ending.err.endswith("--help.\n")
    assert ending.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [("inspct",), ("inspect", "x", "--jsn"), ("inspect", "--json"), ("inspect", "x", "--out"), ()]
)
def test_bad_use_is_explained_in_portuguese_too(biombo, arguments):
    ending = biombo("--lang", "pt", *arguments)

    assert ending.code == 2
    assert ending.err.startswith("erro: ")
    assert ending.err.endswith("--help.\n")


@pytest.mark.parametrize(
    ("code", "titles"),
    [
        ("en", ["What must hold", "How a plan is searched for", "Whether the risk is acceptable", "On record"]),
        ("pt", ["O que se exige", "Como procurar um plano", "Se o risco é aceitável", "Cadastro de publicações"]),
    ],
)
def test_many_options_are_shown_in_parts(biombo, code, titles):
    page = biombo("publish", "--help", "--lang", code).out

    assert all(f"─ {title} ─" in page for title in titles)


def examples_of(page: str) -> list[str]:
    """The commands that a page shows, those over several lines in one piece."""
    joined = page.replace("\\\n", " ")
    return [line.strip() for line in joined.splitlines() if line.strip().startswith(("biombo ", "eval "))]


@pytest.mark.parametrize("code", ["en", "pt"])
@pytest.mark.parametrize("command", [(), *PAGES], ids=" ".join)
def test_every_page_begins_with_commands_that_can_be_typed(biombo, command, code):
    page = biombo(*command, "--help", "--lang", code).out
    shown = examples_of(page)

    assert shown
    assert page.index(shown[0][:20]) < page.index("╭")
    for line in (each for each in shown if each.startswith("biombo ")):
        words = shlex.split(line)[1:]
        assert words[: len(command)] == list(command)
        parsed(words)
    assert max(map(len, page.splitlines())) <= 80


def parsed(words: list[str]) -> None:
    """Raises where the program would not understand them; nothing is carried out."""
    program = application(words)
    with program.make_context("biombo", words) as context:
        name, command, rest = program.resolve_command(context, list(context._protected_args) + context.args)
        context.invoked_subcommand = name
        with command.make_context(name, rest, parent=context) as inner:
            if isinstance(command, TyperGroup):
                sub, subcommand, left = command.resolve_command(inner, list(inner._protected_args) + inner.args)
                subcommand.make_context(sub, left, parent=inner).close()


def test_defaults_are_told_in_words(biombo):
    page = " ".join(biombo("search", "--help").out.replace("│", " ").split())

    assert "[default" not in page
    assert "x>=" not in page
    assert "such as 2% or 0.02; by default none may." in page


@pytest.mark.parametrize("code", ["en", "pt"])
def test_the_first_page_tells_how_the_language_is_chosen(biombo, code):
    assert "BIOMBO_LANG=pt" in biombo("--help", "--lang", code).out
