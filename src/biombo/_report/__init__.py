"""The risk report: charts, tables and plain words in one HTML file."""

from biombo._report.page import render_report, write_report

__all__ = ["render_report", "write_report"]
