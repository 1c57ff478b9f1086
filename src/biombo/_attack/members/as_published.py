"""The measures of Rodrigues (2022) as they are printed there, to reproduce its examples. They are no probabilities.

    posterior   = n/d where d > 0, else 0
    degradation = posterior / prior
    expected    = Σ over groups present in S of 1/|S| · (n_i/d_i)/(|S|/|D|)

n/d is at least 1: for 100 people who look like the target in the population and one of them in the sample it says 100,
while the chance that the target is that one is 1/100. The two agree only where n = d. The weights 1/|S| are given to
groups, of which there are fewer than people, so they do not add up to 1.
"""

from dataclasses import dataclass

from biombo._errors import UsageError


@dataclass(frozen=True)
class AsPublished:
    """What Rodrigues (2022) computes for one person."""

    prior: float
    posterior: float
    degradation: float


def as_published(n: int, d: int, sampled: int, people: int) -> AsPublished:
    """The published measures for a person of whom ``n`` records of the population and ``d`` of the sample could be.

    >>> as_published(n=1, d=1, sampled=4, people=10)
    AsPublished(prior=0.4, posterior=1.0, degradation=2.5)
    """
    if not 0 < sampled <= people or n < 0 or d < 0:
        raise UsageError("membership.numbers", n=n, d=d, sampled=sampled, people=people)
    prior = sampled / people
    posterior = n / d if d > 0 else 0.0
    return AsPublished(prior, posterior, posterior / prior)
