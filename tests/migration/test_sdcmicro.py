"""sdcMicro scripts as what Biombo runs: what is read, what is named with its line, and that nothing is carried out."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import biombo as bb
from biombo._cli import main
from biombo._migration import Call, Statement, Unread, from_sdcmicro, read_script

SCRIPT = """\
library(sdcMicro)
obj <- readMicrodata(path="people", type="rdf", convertCharToFac=FALSE)
inputdata <- obj$inputdata
inputdata <- varToFactor(obj=inputdata, var="sex")
## Set up sdcMicro object
sdcObj <- createSdcObj(dat=inputdata,
\tkeyVars=c("sex","age","region"),
\tnumVars=c("income"),
\tweightVar="sampling_weight",
\thhId='household',
\tstrataVar=NULL,
\tpramVars=NULL,
\texcludeVars=c("name"),
\tsensibleVar = "disease",
\tseed=0,
\trandomizeRecords=FALSE,
\talpha=c(1))
sdcObj <- globalRecode(sdcObj, column="age", breaks=c(0, 18, 65))
sdcObj <- kAnon(sdcObj, importance=c(1,3,2), combs=NULL, k=c(5))
sdcObj <- kAnon(sdcObj, k=c(9)); sdcObj <- undolast(sdcObj)
sdcObj <- mystery(sdcObj)
for (v in c("a", "b")) { sdcObj <- kAnon(sdcObj, k=99) }
"""


def taken(folder: Path, script: str = SCRIPT):
    (path := folder / "script.R").write_text(script, encoding="utf-8")
    return from_sdcmicro(path)


def test_variables_k_and_importance_are_taken_over(tmp_path: Path) -> None:
    found = taken(tmp_path)
    assert found.schema.quasi == ("sex", "age", "region")
    assert found.schema.sensitive == ("disease",)
    assert found.schema.weight == "sampling_weight"
    assert set(found.schema.with_role("undecided")) == {"income", "sampling_weight", "household", "name"}
    assert found.request.k == 5
    assert found.request.weights == {"sex": 3.0, "age": 1.0, "region": 2.0}


def test_what_is_not_understood_is_named_with_its_line(tmp_path: Path) -> None:
    without = taken(tmp_path).of("without")
    for line, words in ((3, "inputdata"), (18, "generalise"), (21, "mystery"), (22, "for")):
        assert any(f"Line {line}" in each and words in each for each in without), (line, without)
    assert any("numVars" in each and "income" in each for each in without)
    assert any("hhId" in each and "household" in each for each in without)
    assert any("alpha" in each for each in without)
    assert any("undolast" in each for each in taken(tmp_path).of("other"))


def test_the_request_runs_with_hierarchies_and_a_table(tmp_path: Path, capsys) -> None:
    (path := tmp_path / "script.R").write_text(SCRIPT, encoding="utf-8")
    out = tmp_path / "taken"
    assert main(["import", "sdcmicro", str(path), "--out", str(out), "--lang", "pt"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("script.R (sdcMicro): ")
    assert "Linha 19: k-anonimato com k = 5" in said.out
    rows = [f"{'fm'[n % 2]},{20 + n % 3},south,flu,{n},1,h{n},p{n}" for n in range(60)]
    table = tmp_path / "people.csv"
    table.write_text(
        "sex,age,region,disease,income,sampling_weight,household,name\n" + "\n".join(rows), encoding="utf-8"
    )
    assert main(["search", str(table), "--request", str(out / "search.request.yaml")]) == 0
    assert bb.Schema.load(out / "schema.yaml").weight == "sampling_weight"


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("x <- 1", "createSdcObj"),
        ("createSdcObj(d, keyVars=c(1, 3))", "line 1"),
        ("createSdcObj(d, keyVars=keys)", "keys"),
        ("createSdcObj(d, keyVars=paste0('a', 1:3))", "paste0"),
        ("createSdcObj(d, 'a', 'b', 'c', 'd')", "without a name"),
        ("createSdcObj(d)", "keyVars"),
        ("\n\ncreateSdcObj(d, 'a')\ncreateSdcObj(d, 'b')", "line 4"),
        ("f <- function() { createSdcObj(d, 'a') }", "createSdcObj"),
        ("createSdcObj(d, keyVars=c('a', 'b'", "createSdcObj"),
        ("\x00\x01", "no text"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(tmp_path: Path, script: str, words: str, capsys) -> None:
    (path := tmp_path / "script.R").write_text(script, encoding="utf-8")
    assert main(["import", "sdcmicro", str(path), "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert len(said.strip().splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_nothing_is_carried_out(tmp_path: Path) -> None:
    script = f'system("touch {tmp_path}/evil")\ncreateSdcObj(d, "a")\neval(parse(text="1"))\nkAnon(sdc, 3)\n'
    found = taken(tmp_path, script)
    assert found.request.k == 3
    assert not (tmp_path / "evil").exists()
    assert sum("not understood" in each for each in found.of("without")) == 2


@pytest.mark.parametrize(
    ("written", "k", "without"),
    [
        ("localSuppression(sdc)", 2, ""),
        ("localSuppression(sdc, k=3)\nsdc <- localSuppression(sdc, k=2)", 3, ""),
        ("sdcMicro::kAnon(sdc, 4)", 4, ""),
        ("kAnon(sdc, k=c(3, 5), combs=c(2, 3))", None, "combs"),
        ("kAnon(sdc, k=n)", None, "not understood"),
        ("kAnon(sdc, k=3, importance=c(5))", 3, "importance"),
        ("kAnon(sdc, imp=c(1), k=3)", 3, ""),
    ],
)
def test_k_is_the_largest_that_was_asked_for(tmp_path: Path, written: str, k: int | None, without: str) -> None:
    found = taken(tmp_path, f"sdc <- createSdcObj(d, 'a')\nsdc <- {written}\n")
    assert found.request.k == k
    assert without in " ".join(found.of("without"))


plain = st.one_of(
    st.integers(-99, 99), st.text(st.characters(blacklist_characters="\\\x00\r"), max_size=8), st.booleans()
)


def written_in_r(value: object) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    return '"' + value.replace('"', '\\"') + '"' if isinstance(value, str) else str(value)


@given(st.lists(plain, min_size=1, max_size=4), st.booleans())
def test_plain_values_come_back_as_they_were(values: list[object], spread: bool) -> None:
    mark = ",\n" if spread else ", "
    (call,) = read_script(f"x <- f(a = c({mark.join(map(written_in_r, values))}){mark} 'b')  # done")
    assert isinstance(call, Call)
    assert [(each.name, each.value) for each in call.arguments] == [("a", values), (None, "b")]


@given(st.text("ab(){}[],;\"'\\\n#<-=$@`1. ", max_size=40))
def test_any_text_is_read_to_its_end(script: str) -> None:
    for each in read_script(script):
        assert isinstance(each, Call | Statement)
        assert 1 <= each.line <= script.count("\n") + 1


def test_what_is_no_plain_value_is_not_one() -> None:
    (call,) = read_script("f(x$y, c(1, g(2)), -'a', 1:3, '\\u00e9')")
    assert isinstance(call, Call)
    assert all(isinstance(each.value, Unread) for each in call.arguments)
