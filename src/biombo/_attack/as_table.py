"""A risk as one flat table, for ``--csv``: a row for each part, sensitive column and subset."""

import polars as pl

from biombo._attack.risk import Risk, RiskByPart


def as_table(risk: Risk | RiskByPart) -> pl.DataFrame:
    """Parts first, then sensitive, size, quasi (joined by ``+``), and the numbers of both attacks.

    Where no column is sensitive, the columns of attribute inference are empty.
    """
    if isinstance(risk, Risk):
        return _subsets(risk)
    return pl.concat(
        _subsets(outcome).select(
            *(pl.lit(value, pl.String).alias(name) for name, value in zip(risk.by, part, strict=True)), pl.all()
        )
        for part, outcome in risk.parts.items()
    )


def _subsets(risk: Risk) -> pl.DataFrame:
    identity = risk.reidentification.subsets.select(
        "quasi",
        "size",
        "groups",
        "unique",
        pl.col("posterior").alias("reidentification"),
    )
    return (
        _inference(risk)
        .join(identity, on="quasi", how="right", maintain_order="left_right")
        .select(
            "sensitive",
            "size",
            pl.col("quasi").list.join("+"),
            "prior",
            "posterior",
            "leakage",
            "multiplicative",
            "groups",
            "unique",
            "reidentification",
        )
    )


def _inference(risk: Risk) -> pl.DataFrame:
    numbers = ("prior", "posterior", "leakage", "multiplicative")
    if risk.attribute_inference is None:
        empty: dict[str, pl.DataType] = {"sensitive": pl.String(), "quasi": pl.List(pl.String)}
        return pl.DataFrame(schema=empty | {name: pl.Float64() for name in numbers})
    prior = pl.col("sensitive").replace_strict(risk.attribute_inference.priors).alias("prior")
    return risk.attribute_inference.subsets.select("sensitive", "quasi", prior, *numbers[1:])
