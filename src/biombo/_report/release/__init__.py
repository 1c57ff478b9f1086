"""Reports on releases: one for everybody and one with everything, from the same facts."""
