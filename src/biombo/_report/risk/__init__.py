"""The report on what adversaries gain from a table, or from each part of it."""
