"""What ``biombo apply --preview`` prints for people."""

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from biombo._cli.console import cell, plain, table
from biombo._data import written
from biombo._i18n import integer, text
from biombo._plan import GroupSizes, Preview, short


def print_preview(preview: Preview, console: Console) -> None:
    """The first records, each cell before and after where these differ, the sizes of groups, and what noise costs."""
    console.print(_records(preview))
    if preview.groups_before is not None or preview.groups_after is not None:
        console.print(_groups(preview))
    for line in _noise(preview):
        console.print(plain(line), soft_wrap=True)


def _noise(preview: Preview) -> Iterator[str]:
    if preview.privacy is not None:
        yield from preview.privacy.sentences()
    for column, by in preview.moves.items():
        yield text("plan.preview.moves", column=column, by=short(by))


def _records(preview: Preview) -> Table:
    before = {name: written(preview.before[name]).to_list() for name in preview.before.columns}
    after = {name: written(preview.after[name]).to_list() for name in preview.after.columns}
    rows = len(preview.dropped)
    shown = table(text("plan.preview.title", source=preview.source, rows=rows))
    shown.add_column(text("plan.preview.record"), justify="right")
    names = list(dict.fromkeys([*before, *after]))
    for name in names:
        shown.add_column(cell(name))
    for row, dropped in enumerate(preview.dropped):
        number = integer(row + 1)
        if dropped:
            values = [_value(before[name][row]) if name in before else "" for name in names]
            shown.add_row(
                cell(f"{number} {text('plan.preview.dropped')}"), *(cell(value) for value in values), style="dim"
            )
        else:
            shown.add_row(cell(number), *(_change(name, row, before, after) for name in names))
    return shown


def _change(name: str, row: int, before: dict[str, list[str | None]], after: dict[str, list[str | None]]) -> Text:
    if name not in before:
        return cell(f"→ {_value(after[name][row])}")
    was = _value(before[name][row])
    if name not in after:
        return cell(f"{was} → {text('plan.preview.removed')}", "dim")
    becomes = _value(after[name][row])
    return cell(was) if was == becomes else cell(f"{was} → {becomes}", "bold")


def _value(value: str | None) -> str:
    return text("plan.preview.missing") if value is None else value


def _groups(preview: Preview) -> Table:
    shown = table(text("plan.preview.groups"))
    shown.add_column("")
    for when in ("before", "after"):
        shown.add_column(text(f"plan.preview.{when}"), justify="right")
    labels = {
        "smallest": text("plan.preview.smallest"),
        "below": text("plan.preview.below", k=preview.k),
        "records": text("plan.preview.records"),
    }
    for name, label in labels.items():
        shown.add_row(label, *(_size(sizes, name) for sizes in (preview.groups_before, preview.groups_after)))
    return shown


def _size(sizes: GroupSizes | None, name: str) -> str:
    return "–" if sizes is None else integer(getattr(sizes, name))
