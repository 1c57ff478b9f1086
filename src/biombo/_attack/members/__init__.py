"""What a sample tells about who is in it, when the adversary knows the population."""
