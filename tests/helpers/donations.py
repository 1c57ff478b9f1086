"""The guide's donors (document 003, 14.6): what each earns and gave."""

import polars as pl

_DONATIONS = {
    "A": (4000, 210), "B": (4900, 420), "C": (2200, 150), "D": (4200, 110), "E": (5500, 260),
    "F": (2600, 40), "G": (3300, 130), "H": (5500, 210), "I": (1600, 380), "J": (3200, 80),
    "K": (2000, 440), "L": (5800, 400), "M": (4600, 390), "N": (1900, 480), "O": (1700, 320),
    "P": (2400, 330), "Q": (4300, 390), "R": (2300, 260), "S": (3500, 80), "T": (1700, 290),
}  # fmt: skip

DONORS = pl.DataFrame(
    {
        "donor": [*_DONATIONS],
        "salary": [salary for salary, _ in _DONATIONS.values()],
        "donated": [amount for _, amount in _DONATIONS.values()],
    }
)
