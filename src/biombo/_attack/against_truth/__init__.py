"""Attacks on perturbed data, scored against the original values."""

from biombo._attack.against_truth.inference import InferenceAgainstTruth, infer_against_truth

__all__ = ["InferenceAgainstTruth", "infer_against_truth"]
