"""What a sample tells about who is in it, when the adversary knows the population."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._attack.members.as_published import as_published
    from biombo._attack.members.attack import Membership, membership
    from biombo._attack.members.by_part import MembershipByPart, membership_by_part
    from biombo._attack.members.losses import IndividualAttack, Loss, individual_attack, member_loss
    from biombo._attack.members.one_person import MembershipTarget, membership_target
    from biombo._attack.members.tables import Repeated

__all__ = [
    "IndividualAttack",
    "Loss",
    "Membership",
    "MembershipByPart",
    "MembershipTarget",
    "Repeated",
    "as_published",
    "individual_attack",
    "member_loss",
    "membership",
    "membership_by_part",
    "membership_target",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
