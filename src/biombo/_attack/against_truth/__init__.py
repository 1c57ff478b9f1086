"""Attacks on perturbed data, scored against the original values."""

from biombo._attack.against_truth.identity import IdentityAgainstTruth, reidentify_against_truth
from biombo._attack.against_truth.inference import InferenceAgainstTruth, infer_against_truth

__all__ = ["IdentityAgainstTruth", "InferenceAgainstTruth", "infer_against_truth", "reidentify_against_truth"]
