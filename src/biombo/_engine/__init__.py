"""Where counting and recoding run, and where results are written."""
