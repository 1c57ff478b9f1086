"""What the first page of a risk report, and the terminal, begin with: the fewest facts that make it bad."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from biombo._attack import AttributeInference, Facts, Findings, Part, Risk, RiskByPart, fewest_facts
from biombo._i18n import text
from biombo._report.wording import Names, certainty, counted, hundredths, marked, per_hundred, rich

MOST = 0.5
"""What happens to more than this share of the records is bad."""


Outcomes = Mapping[Part, Findings]


@dataclass(frozen=True)
class Headline:
    """How few facts single people out, and how few give away what is wanted."""

    sentences: tuple[Markup, ...]
    prior: float
    facts: Facts
    """The fewest facts by which more than half of the guesses are right, or all that there are."""


def risk_headline(risk: Risk, names: Names) -> Headline:
    """The headline on one table."""
    attack = risk.attribute_inference
    alone = _singled_out(fewest_facts(risk), len(risk.reidentification.quasi), names)
    if attack is None:
        return _of_picking(alone, risk, names)
    findings = {target: Findings.of_inference(attack, target) for target in attack.sensitive}
    target = most_exposed(attack, findings)
    steps = fewest_facts(risk, target)
    guess = _guessed(target, findings[target], steps, len(attack.quasi), names)
    return Headline((alone, guess), findings[target].prior, _first_bad(steps))


def most_exposed(attack: AttributeInference, findings: dict[str, Findings]) -> str:
    """The sensitive column, taken alone, about which an adversary gains most."""
    return max(attack.evidence.scope.sensitive, key=lambda target: findings[target].leakage)


def _of_picking(alone: Markup, risk: Risk, names: Names) -> Headline:
    found = Findings.of_reidentification(risk.reidentification)
    bad = _first_bad([Facts(tuple(row["quasi"]), row["posterior"]) for row in found.best])
    told = {"columns": names.told(bad.quasi), "posterior": per_hundred(bad.share), "rows": risk.rows}
    return Headline((alone, counted("report.headline.pick", len(bad.quasi), **told)), found.prior, bad)


def _first_bad(steps: Sequence[Facts]) -> Facts:
    """The fewest facts that are enough for most records; where none are, the worst."""
    return next((facts for facts in steps if facts.share > MOST), max(steps, key=lambda facts: facts.share))


def _singled_out(steps: Sequence[Facts], columns: int, names: Names) -> Markup:
    first, *further = steps
    if first.share <= 0:
        return rich("report.headline.nobody", columns=columns)
    return counted(
        "report.headline.alone",
        len(first.quasi),
        columns=names.told(first.quasi),
        share=certainty(first.share),
        more="".join(
            text("report.headline.more", facts=len(facts.quasi), share=certainty(facts.share)) for facts in further
        ),
    )


def _guessed(target: str, found: Findings, steps: Sequence[Facts], columns: int, names: Names) -> Markup:
    sensitive = marked(names.columns[target])
    if found.leakage <= 0:
        return rich("report.summary.no-gain", sensitive=sensitive, prior=per_hundred(found.prior), columns=columns)
    first, *further = steps
    return counted(
        "report.headline.guess",
        len(first.quasi),
        columns=names.told(first.quasi),
        sensitive=sensitive,
        posterior=per_hundred(first.share),
        more="".join(
            text(
                f"report.headline.guess-more{'' if place else '-first'}",
                facts=len(facts.quasi),
                posterior=hundredths(facts.share),
            )
            for place, facts in enumerate(further)
        )
        + (")" if further else ""),
        prior=hundredths(found.prior),
    )


@dataclass(frozen=True, eq=False)
class PartsHeadline:
    """Where the facts help most, and where least."""

    target: str | None
    """What is guessed; nothing where records are picked."""
    outcomes: Mapping[str, Outcomes]
    """By what is guessed."""
    found: Outcomes
    """Of the target."""
    order: tuple[Part, ...]
    """The part where the facts help most first."""

    @classmethod
    def of(cls, shown: RiskByPart) -> "PartsHeadline":
        """The headline on several parts."""
        attacks = shown.attribute_inference
        if attacks is None:
            picks = {part: Findings.of_reidentification(risk.reidentification) for part, risk in shown.parts.items()}
            return cls._ordered(None, {}, picks)
        first = next(iter(attacks.parts.values()))
        outcomes = {
            target: {part: Findings.of_inference(attack, target) for part, attack in attacks.parts.items()}
            for target in first.sensitive
        }
        target = max(first.evidence.scope.sensitive, key=lambda name: max(f.leakage for f in outcomes[name].values()))
        return cls._ordered(target, outcomes, outcomes[target])

    @classmethod
    def _ordered(cls, target: str | None, outcomes: Mapping[str, Outcomes], found: Outcomes) -> "PartsHeadline":
        return cls(target, outcomes, found, tuple(sorted(found, key=lambda part: -found[part].leakage)))

    @property
    def most(self) -> Findings:
        """What was found where the facts help most."""
        return self.found[self.order[0]]

    def sentences(self, names: Names) -> Iterator[Markup]:
        """A sentence on the part where the facts help most, and one on that where they help least."""
        most, least = self.most, self.found[self.order[-1]]
        yield counted(
            f"report.summary.{'pick' if self.target is None else 'guess'}-most",
            most.strongest["size"],
            part=marked(names.parts[self.order[0]]),
            columns=names.told(most.strongest["quasi"]),
            sensitive=marked(names.columns[self.target]) if self.target else "",
            posterior=per_hundred(most.posterior),
            prior=per_hundred(most.prior),
        )
        if len(self.order) > 1:
            yield rich(
                "report.summary.least",
                part=marked(names.parts[self.order[-1]]),
                posterior=per_hundred(least.posterior),
                prior=per_hundred(least.prior),
            )
