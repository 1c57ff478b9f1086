"""Records that are about nobody, drawn from a model of a table, and what they give away of it all the same."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._synthesis.constraints import Constraint, constraints_of, violations
    from biombo._synthesis.gauge import gauge_of
    from biombo._synthesis.people import set_aside
    from biombo._synthesis.private.guarantee import Guarantee
    from biombo._synthesis.recipe import Recipe, columns_asked
    from biombo._synthesis.result import Synthesis
    from biombo._synthesis.risk import SyntheticRisk, synthetic_risk
    from biombo._synthesis.scale import Fitted, Intervals, Listed, fitted
    from biombo._synthesis.synthesise import check_synthesis, synthesise, synthesise_table
    from biombo._synthesis.tree import Link, Pairs, TreeModel, mutual_information, spanned, tree_of

__all__ = [
    "Constraint",
    "Fitted",
    "Guarantee",
    "Intervals",
    "Link",
    "Listed",
    "Pairs",
    "Recipe",
    "Synthesis",
    "SyntheticRisk",
    "TreeModel",
    "check_synthesis",
    "columns_asked",
    "constraints_of",
    "fitted",
    "gauge_of",
    "mutual_information",
    "set_aside",
    "spanned",
    "synthesise",
    "synthesise_table",
    "synthetic_risk",
    "tree_of",
    "violations",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
