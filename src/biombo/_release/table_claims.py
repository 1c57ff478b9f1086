"""What a table of counts claims: what everybody can see of it, and the publisher's word on people and other tables."""

from collections.abc import Sequence

from biombo._release.claims import Claim
from biombo._release.manifest import canonical
from biombo._tabulate import ShownTable

SUPPRESSED = "table"
"""What a table claims of which cells are left out."""
DISGUISED = ("table-round", "table-cell-key", "table-dp")
"""What one claims that shows other numbers than the true ones."""
_PERSON, _EARLIER = "person-counted", "earlier-tables"


def table_claims(shown: ShownTable, *, person: bool, earlier: Sequence[str] | None) -> list[Claim]:
    """All claims of a table: that it is protected, whether people were told apart, and beside which releases it was
    made, if somebody said which there are.
    """
    return [
        _protected(shown),
        Claim(_PERSON, person, "attested"),
        Claim(_EARLIER, earlier is not None, "attested", {"releases": [*(earlier or ())]}),
    ]


def are_of_table(claims: Sequence[Claim], shown: ShownTable) -> bool:
    """Does the table make these claims and no others, whatever the publisher's word is?"""
    word = {claim.name: claim for claim in claims}
    if not {_PERSON, _EARLIER} <= word.keys():
        return False
    beside = word[_EARLIER]
    releases = beside.about.get("releases", [])
    if not isinstance(releases, list) or not all(isinstance(each, str) for each in releases):
        return False
    own = table_claims(shown, person=word[_PERSON].value is True, earlier=releases if beside.value is True else None)
    told, ours = (canonical({"claims": [claim.to_tree() for claim in each]}) for each in (claims, own))
    return told == ours


def _protected(shown: ShownTable) -> Claim:
    """That the table is protected, and how: by what is left out for the sake of k people, or by other numbers in the
    place of the true ones. An ε is the publisher's word; all that can be seen of it is in the table.
    """
    about = {"by": [tree.column for tree in shown.classifications], "shows": [*shown.values], "means": [*shown.means]}
    if shown.protection is None:
        return Claim(SUPPRESSED, shown.k, "recomputable", {**about, "evidence": shown.kinds})
    return Claim(f"{SUPPRESSED}-{shown.protection.kind}", shown.protection.to_tree(), "recomputable", about)
