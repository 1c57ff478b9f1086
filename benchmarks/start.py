"""How long a command takes to start, beside the least that there is: importing what it is made with.

    python benchmarks/start.py

The minimum of seven runs of each, one after the other in turn, so that a busy machine is unkind to all of them alike.
Python files are compiled first, as they are where Biombo was installed.
"""

import compileall
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

import biombo

RUNS = 7
BIOMBO = "import sys; from biombo._cli import main; sys.argv[1:] = {arguments!r}; main()"
SEARCH = ["search", "people.csv", "--quasi", "age,sex", "--sensitive", "disease", "--k", "5"]
BARE = """
import typer
app = typer.Typer()

@app.command()
def one(name: str, loud: bool = False):
    "Does one thing."

@app.command()
def two(name: str, loud: bool = False):
    "Does another."

app(["--help"])
"""
COMMANDS = {
    "import typer, polars": "import typer, polars",
    "biombo search, 1,000 people": BIOMBO.format(arguments=SEARCH),
    "the help of a bare typer program": BARE,
    "biombo --help": BIOMBO.format(arguments=["--help"]),
}
PAIRS = {
    "biombo search, 1,000 people": ("import typer, polars", 0.4),
    "biombo --help": ("the help of a bare typer program", 0.1),
}
"""Each command beside what it is compared with, and how much longer it may take."""


def main() -> None:
    compileall.compile_dir(str(Path(biombo.__file__).parent), quiet=1)
    with TemporaryDirectory() as folder:
        people = {"age": [str(20 + row % 60) for row in range(1_000)], "sex": ["F", "M"] * 500}
        pl.DataFrame(people).with_columns(disease=pl.lit("flu")).write_csv(Path(folder) / "people.csv")
        least = dict.fromkeys(COMMANDS, float("inf"))
        for _ in range(RUNS):
            for name, program in COMMANDS.items():
                least[name] = min(least[name], seconds(program, folder))
    for name, (beside, most) in PAIRS.items():
        above = least[name] - least[beside]
        print(f"{beside}: {least[beside]:.2f} s")
        print(f"{name}: {least[name]:.2f} s, {above:.2f} s above (at most {most} s)")


def seconds(program: str, folder: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, check=True)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
