"""The charts of the report, drawn from plain numbers and names."""
