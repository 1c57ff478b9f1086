"""Work that is done on this machine."""
