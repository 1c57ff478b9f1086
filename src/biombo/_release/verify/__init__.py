"""Whether a release is what it claims to be."""
