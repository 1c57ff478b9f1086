"""A plan that the publisher is committed to without telling it: a hash with a salt that stays in the private folder."""

import hmac
import secrets
from dataclasses import dataclass
from pathlib import Path

from biombo._errors import BiomboError, InputError
from biombo._files import PRIVATE, is_file, is_folder, read_whole, write_whole
from biombo._plan import Plan

PLAN, SALT = "plan.yaml", "plan.salt"
"""In the private folder. What a plan names can be guessed, such as a date of birth; a salt of 256 bits cannot."""

_BYTES = 32


@dataclass(frozen=True)
class Commitment:
    """A plan with the salt that its public hash is made with: HMAC-SHA-256 of the plan's hash under the salt.

    >>> one, other = Commitment.new(Plan()), Commitment.new(Plan())
    >>> one.value == Commitment(Plan(), one.salt).value, one.value == other.value
    (True, False)
    """

    plan: Plan
    salt: bytes

    @classmethod
    def new(cls, plan: Plan) -> "Commitment":
        """The plan with a salt that nobody can guess."""
        return cls(plan, secrets.token_bytes(_BYTES))

    @property
    def value(self) -> str:
        """What everybody may know."""
        return hmac.digest(self.salt, self.plan.hash.encode(), "sha256").hex()

    def write(self, folder: Path) -> None:
        """Put plan and salt beside each other into the private folder."""
        write_whole(folder / PLAN, self.plan.to_yaml(), mode=PRIVATE)
        write_whole(folder / SALT, self.salt.hex() + "\n", mode=PRIVATE)

    @classmethod
    def of(cls, folder: Path) -> "Commitment":
        """The plan and the salt in a private folder. Raises where they are not both there."""
        path = folder / SALT
        try:
            salt = bytes.fromhex(read_whole(path).decode("ascii").strip())
        except ValueError:
            raise InputError("release.no-salt", path=str(path)) from None
        return cls(Plan.load(folder / PLAN), salt)


def opens(folder: Path, commitment: object) -> bool:
    """Is the plan in the private ``folder`` the one that a release is committed to? Raises where one may not look."""
    if not is_folder(folder):
        raise InputError("release.no-private-folder", path=str(folder))
    for path in (folder / PLAN, folder / SALT):
        if is_file(path):  # what may not be read says nothing about the release
            read_whole(path)
    try:
        return isinstance(commitment, str) and hmac.compare_digest(Commitment.of(folder).value, commitment)
    except (BiomboError, TypeError):  # TypeError: letters that no hash has
        return False
