"""Reports on risks and on searches: charts, tables and plain words in one HTML file."""

from biombo._report.page import render_report, write_report
from biombo._report.search import render_search_report, write_search_report

__all__ = ["render_report", "render_search_report", "write_report", "write_search_report"]
