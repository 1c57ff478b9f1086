"""What ``biombo apply`` prints for people."""

from collections.abc import Iterator

from rich.console import Console

from biombo._cli.console import plain, say
from biombo._i18n import text
from biombo._plan import Applied, Privacy


def print_applied(applied: Applied, console: Console) -> None:
    """What came out, what was suppressed or masked, and how the result stands to the criteria."""
    for line in applied_lines(applied):
        console.print(plain(line), soft_wrap=True)
    console.print(text("plan.the-plan", hash=applied.plan_hash), style="dim", soft_wrap=True)


def say_guarantees(privacy: Privacy) -> None:
    """What noise will cost, how far it moves values, and what it does and does not guarantee."""
    for sentence in privacy.sentences():
        say(sentence)


def applied_lines(applied: Applied) -> Iterator[str]:
    """What came out, a sentence in each line."""
    rows = applied.rows + applied.suppressed
    yield text(
        "plan.done",
        source=applied.source,
        released=applied.rows,
        rows=rows + applied.not_drawn + applied.duplicates + applied.invalid,
    )
    if applied.not_drawn:
        yield text("plan.not-drawn", records=applied.not_drawn)
    if applied.duplicates:
        yield text("plan.duplicates", records=applied.duplicates)
    if applied.invalid:
        yield text("plan.invalid", records=applied.invalid)
    if applied.suppressed:
        yield text("plan.suppressed", suppressed=applied.suppressed, share=applied.suppressed / rows)
    if applied.unhidden:
        yield text("plan.unhidden", unhidden=applied.unhidden)
    if applied.masked:
        yield text("plan.masked", masked=applied.masked, share=applied.masked / rows)
    if applied.masked_further:
        yield text("plan.masked-further", further=applied.masked_further)
    if applied.judgement is None:
        yield text("plan.not-judged")
    else:
        yield from (str(verdict) for verdict in applied.judgement.verdicts)
    yield from map(str, applied.literal_diversities)
    if applied.pseudonymised:
        yield text("plan.pseudonymised", columns=", ".join(applied.pseudonymised))
    for path in applied.identity_tables:
        yield text("plan.identities", path=path)
