"""Attacks on perturbed data, scored against the original values."""
