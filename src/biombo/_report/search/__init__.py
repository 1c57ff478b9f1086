"""What the report on a search says: the best plan, what it costs, and what else there would have been."""

from biombo._report.search.page import render_search_report, write_search_report

__all__ = ["render_search_report", "write_search_report"]
