"""What the report says on who is in a sample, when there is a population to look people up in."""

from biombo._report.in_sample.method import MembersMethod, members_method
from biombo._report.in_sample.section import members_section
from biombo._report.in_sample.summary import with_members

__all__ = ["MembersMethod", "members_method", "members_section", "with_members"]
