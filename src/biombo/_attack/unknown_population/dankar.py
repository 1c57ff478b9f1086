"""Population uniques by the rule of Dankar et al., which chooses between the models."""

from biombo._attack.unknown_population.uniques import Uniques

PITMAN_UP_TO = 0.1


def dankar_uniques(fraction: float, pitman: Uniques, snb: Uniques, zayatz: Uniques) -> Uniques:
    """π ≤ 0.1: Pitman's; above: the smaller one of SNB's and Zayatz's. A missing estimate gives way to Zayatz's.

    Source: Dankar, El Emam, Neisa and Roffey, *Estimating the re-identification risk of clinical data sets*, BMC
    Medical Informatics and Decision Making 12:66 (2012), who found none of the models best throughout and this choice
    the closest on six clinical data sets. ``model`` of the result says which one it is.
    """
    candidate = pitman if fraction <= PITMAN_UP_TO else snb
    if candidate.number is None:
        return zayatz
    if candidate is snb and zayatz.number is not None and zayatz.number < candidate.number:
        return zayatz
    return candidate
