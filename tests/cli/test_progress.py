from io import StringIO
from time import sleep

import pytest
from rich.console import Console

from biombo._cli import progress_shown
from biombo._i18n import set_language
from biombo._watch import advance, advance_share, begin


@pytest.fixture
def terminal() -> Console:
    return Console(file=StringIO(), force_terminal=True, width=100)


def shown_on(console: Console) -> str:
    return console.file.getvalue()


def interrupted_after(seconds: float, console: Console) -> None:
    with progress_shown(after=0.0, console=console):
        begin("reading")
        sleep(seconds)
        raise KeyboardInterrupt


def test_what_is_quick_shows_no_bar(terminal):
    with progress_shown(console=terminal):
        begin("reading")
        advance(1, 2)

    assert shown_on(terminal) == ""


def test_what_takes_long_shows_how_far_it_is_in_the_language(terminal):
    set_language("pt")
    with progress_shown(after=0.0, console=terminal):
        begin("reading")
        advance(1_500, 3_000)
        sleep(0.3)

    assert "Lendo" in shown_on(terminal)
    assert "50%" in shown_on(terminal)
    assert "1.500" in shown_on(terminal)


def test_a_share_is_not_counted(terminal):
    with progress_shown(after=0.0, console=terminal):
        begin("searching")
        advance_share(0.25)
        sleep(0.3)

    assert "25%" in shown_on(terminal)
    assert " 0 " not in shown_on(terminal)


def test_what_reports_nothing_for_long_shows_a_bar_too(terminal):
    with progress_shown(after=0.05, console=terminal):
        begin("reading")
        sleep(0.3)

    assert "Reading" in shown_on(terminal)


def test_an_unknown_total_is_no_failure(terminal):
    with progress_shown(after=0.0, console=terminal):
        begin("reading")
        advance(1_500, None)
        sleep(0.3)

    assert "1,500" in shown_on(terminal)


def test_the_bar_is_gone_when_the_block_fails(terminal):
    with pytest.raises(KeyboardInterrupt):
        interrupted_after(0.2, terminal)

    assert shown_on(terminal).endswith("\x1b[?25h\r\x1b[1A\x1b[2K")


@pytest.mark.parametrize("console", [Console(file=StringIO()), Console(file=StringIO(), force_terminal=True)])
def test_a_file_and_a_terminal_that_cannot_draw_get_no_bar(console, monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    with progress_shown(after=0.0, console=console):
        begin("reading")
        advance(1, 2)
        sleep(0.1)

    assert shown_on(console) == ""


def test_every_stage_has_a_bar_and_those_that_are_done_are_full(terminal):
    with progress_shown(str.upper, after=0.0, console=terminal):
        begin("reading")
        advance(10, 100)
        begin("writing")
        advance(1, 4)
        sleep(0.3)
    last = [line for line in shown_on(terminal).splitlines() if "%" in line][-2:]

    assert "READING" in last[0]
    assert "100%" in last[0]
    assert "WRITING" in last[1]
    assert "25%" in last[1]
