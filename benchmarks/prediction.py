"""How well a column can be predicted from releases of adult, by what plans are preferred by, at the same k.

    python benchmarks/prediction.py [--adult FOLDER] [--predict salary-class] [--k 5 10 50] [--max-suppression 0.05]

A decision tree and a random forest learn from a release of four fifths of the records and predict the others, as in
`biombo utility`.
"""

import argparse
from pathlib import Path

import biombo as bb

FOLDS, SEED = 5, 0


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--adult", type=Path, default=Path(__file__).parents[2] / "shared" / "data" / "adult")
    parser.add_argument("--predict", default="salary-class")
    parser.add_argument("--k", type=int, nargs="+", default=[5, 10, 50])
    parser.add_argument("--max-suppression", type=float, default=0.05)
    asked = parser.parse_args()
    data = bb.read(asked.adult / "adult.csv")
    quasi = [name for name in data.columns if name != asked.predict]
    print(
        f"{'k':>4} {'preferred by':28} {'loss':>6} {'suppressed':>10} {'tree':>7} {'forest':>7}  of 1: predicted right"
    )
    for k in asked.k:
        for prefer in ("loss", "entropy", f"prediction:{asked.predict}"):
            found = bb.search(
                data,
                bb.KAnonymity(k),
                quasi=quasi,
                sensitive=asked.predict,
                hierarchies=asked.adult,
                max_suppression=asked.max_suppression,
                prefer=prefer,
                plans=1,
            )
            best = found[0]
            released = bb.apply(data, best.plan).data
            right = bb.utility(
                data, released, plan=best.plan, predict=asked.predict, folds=FOLDS, seed=SEED
            ).classification
            assert right is not None
            print(
                f"{k:>4} {prefer:28} {best.loss:6.3f} {best.suppressed:>10} {right.for_new_records.tree:7.4f} "
                f"{right.for_new_records.forest:7.4f}",
                flush=True,
            )
    print(f"{'':4} {'the original':28} {'':17} {right.original.tree:7.4f} {right.original.forest:7.4f}")
    print(f"{'':4} {'always the most frequent':28} {'':17} {right.original.majority:7.4f}")


if __name__ == "__main__":
    main()
