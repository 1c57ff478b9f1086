"""Value generalisation hierarchies."""

from biombo._hierarchy.hierarchy import Hierarchy

__all__ = ["Hierarchy"]
