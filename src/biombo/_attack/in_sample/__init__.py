"""What a sample tells about who is in it, when the adversary knows the population."""

from biombo._attack.in_sample.as_published import AsPublished, as_published
from biombo._attack.in_sample.attack import Membership, membership
from biombo._attack.in_sample.individual import IndividualAttack, individual_attack
from biombo._attack.in_sample.loss import Loss, member_loss
from biombo._attack.in_sample.one_person import MembershipTarget, membership_target
from biombo._attack.in_sample.two_tables import Repeated

__all__ = [
    "AsPublished",
    "IndividualAttack",
    "Loss",
    "Membership",
    "MembershipTarget",
    "Repeated",
    "as_published",
    "individual_attack",
    "member_loss",
    "membership",
    "membership_target",
]
