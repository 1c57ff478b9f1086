"""Values of columns: what is done to each of them once, and how they are read."""
