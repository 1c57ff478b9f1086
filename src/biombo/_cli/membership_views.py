"""What ``biombo risk --population`` prints."""

from collections.abc import Sequence

from rich.console import Console

from biombo._attack import Membership, PopulationRisk, member_loss
from biombo._cli.console import cell, plain, table
from biombo._i18n import integer, percent, text


def print_membership(found: Membership, sensitive: Sequence[str], console: Console) -> None:
    """The most telling subsets, what they amount to, and what members then lose."""
    intro = text("risk.membership.intro", sampled=found.sampled, people=found.people, prior=found.prior)
    console.print()
    console.print(intro, style="bold", soft_wrap=True)
    console.print()
    console.print(_best(found))
    console.print()
    posterior = found.subsets["bayes_posterior"].max()
    console.print(text("risk.membership.bayes", prior=found.bayes_prior, posterior=posterior), soft_wrap=True)
    for name in sensitive:
        loss = member_loss(found, found.quasi, name)
        steps = {"membership": loss.membership, "attribute": loss.attribute, "both": loss.both}
        console.print(text("risk.membership.loss", sensitive=plain(name), **steps), soft_wrap=True)
    strangers = found.subsets["not_found"].max()
    if strangers:
        console.print(text("risk.membership.not-found", people=strangers), style="dim", soft_wrap=True)


def print_estimates(found: PopulationRisk, console: Console) -> None:
    """What the sample suggests about a population that nobody has."""
    estimate = found.estimate
    fraction = text("risk.estimate.intro", fraction=estimate.sample.fraction, uniques=estimate.sample_uniques)
    console.print()
    console.print(fraction, style="bold", soft_wrap=True)
    console.print()
    shown = table(text("risk.estimate.title"))
    shown.add_column(text("risk.estimate.measure"))
    shown.add_column(text("risk.estimate.value"), justify="right")
    rows = {
        "prosecutor": estimate.prosecutor.highest,
        "prosecutor-mean": estimate.prosecutor.mean,
        "journalist": estimate.journalist,
        "marketer": estimate.marketer,
        "dankar": estimate.dankar.share,
        "pitman": estimate.pitman.share,
        "snb": estimate.snb.share,
        "zayatz": estimate.zayatz.share,
    }
    for key, value in rows.items():
        words = text("risk.estimate.none") if value is None else percent(value, 2)
        shown.add_row(text(f"risk.estimate.{key}"), words)
    console.print(shown)


def _best(found: Membership) -> object:
    shown = table(text("risk.membership.title"))
    shown.add_column(text("risk.column.size"), justify="right")
    shown.add_column(text("risk.column.quasi"), overflow="fold")
    for key in ("mean", "worst", "certain", "unique-both"):
        shown.add_column(text(f"risk.membership.{key}"), justify="right", no_wrap=True)
    for row in found.best().iter_rows(named=True):
        shown.add_row(
            str(row["size"]),
            cell(", ".join(row["quasi"])),
            percent(row["posterior"], 2),
            percent(row["worst"], 2),
            integer(row["certain"]),
            integer(row["unique_both"]),
        )
    return shown
