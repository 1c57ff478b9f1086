"""Figure 3 of Moraes et al. (2025), and its processes 8 to 11, from the plan that a person would write."""

from refusal import refused

PATIENTS = """
CPF,CEP,born,sex,pathology
111.111.111-11,65.552-000,10/06/1962,M,AVC
222.222.222-22,65.552-110,11/03/1992,F,Asma
333.333.333-33,65.552-220,05/06/1962,M,AVC
444.444.444-44,65.552-333,15/03/1992,F,Tuberculose
555.555.555-55,65.552-444,03/03/1992,F,Pielonefrite
666.666.666-66,66.578-999,01/01/2000,F,Endocardite
777.777.777-77,67.888-777,07/11/1989,M,Fibromialgia
"""
FIGURE_3 = """
identifiers: [CPF]
quasi: [CEP, born]
sensitive: [pathology]
criteria: [k-anonymity: {k: 2}]
operations:
  - mask-characters: {column: CEP, keep-first: 5, separators: ".-"}
  - mask-characters: {column: born, keep-last: 6, separators: /}
  - mask-groups: {with: "#####"}
"""


def test_figure_3_identifiers_go_quasi_values_are_masked_and_small_groups_hidden(worked) -> None:
    """The print has 65.552***, without the hyphen; the trace ids of its first column come with a release."""
    after = worked(PATIENTS, FIGURE_3, keep="sex")

    assert after.lines == [
        "CEP,born,sex,pathology",
        "65.552-***,**/06/1962,M,AVC",
        "65.552-***,**/03/1992,F,Asma",
        "65.552-***,**/06/1962,M,AVC",
        "65.552-***,**/03/1992,F,Tuberculose",
        "65.552-***,**/03/1992,F,Pielonefrite",
        "#####,#####,F,Endocardite",
        "#####,#####,M,Fibromialgia",
    ]
    assert (after.applied.masked, after.applied.masked_further) == (2, 0)
    assert after.applied.holds
    assert after.applied.judgement.verdicts[0].achieved == 2


def test_processes_8_and_9_values_of_groups_that_are_too_uniform_are_listed(worked) -> None:
    """Both who were born in June 1962 have had a stroke (AVC)."""
    diversify = "  - diversify: {column: pathology, synonyms: {}, groups-below: 2}\n"

    with refused("plan.without-synonyms", "pathology", "AVC", "1"):
        worked(PATIENTS, FIGURE_3 + diversify)


def test_processes_10_and_11_synonyms_are_put_in_but_protect_from_nobody_who_knows_them(worked) -> None:
    diversify = "  - diversify: {column: pathology, synonyms: {AVC: [derrame, icto]}, groups-below: 2}\n"
    after = worked(PATIENTS, FIGURE_3 + diversify, keep="sex")
    pathologies = [line.split(",")[3] for line in after.lines[1:]]
    (beside,) = after.applied.literal_diversities

    assert {pathologies[0], pathologies[2]} < {"AVC", "derrame", "icto"}
    assert pathologies[0] != pathologies[2]
    assert [pathologies[1], *pathologies[3:]] == [
        line.split(",")[4] for n, line in enumerate(PATIENTS.split("\n")[2:-1]) if n not in (0, 2)
    ]
    assert (beside.literal.achieved, beside.understood.achieved) == (2, 1)
    assert (beside.literal.holds, beside.understood.holds) == (True, False)
