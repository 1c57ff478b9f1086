"""What the columns of a table look like, and what they seem to be."""
