"""Where what draws PDFs is missing, a warning says what to install, and the release is whole without them."""

import sys
from importlib.abc import MetaPathFinder

import pytest

import biombo as bb
from biombo._report import as_pdf, can_draw_pdf


class _NoPango(MetaPathFinder):
    """Lets WeasyPrint fail as it does where the package is there and the libraries of the system are not."""

    def find_spec(self, name, *_where):
        if name == "weasyprint":
            raise OSError("cannot load library 'libpango-1.0-0'")


@pytest.fixture(params=["no package", "no Pango"])
def _nothing_draws(request, monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "weasyprint"]:
        monkeypatch.delitem(sys.modules, name)
    if request.param == "no package":
        monkeypatch.setitem(sys.modules, "weasyprint", None)
    else:
        monkeypatch.setattr(sys, "meta_path", [_NoPango(), *sys.meta_path])
    can_draw_pdf.cache_clear()
    yield
    can_draw_pdf.cache_clear()


@pytest.mark.usefixtures("_nothing_draws")
def test_a_warning_says_what_to_install_and_the_release_is_whole(people, plan, tmp_path) -> None:
    with pytest.warns(bb.BiomboWarning, match=r"pip install 'biombo\[pdf\]'.* apt install libpango-1.0-0"):
        release = bb.publish(people, plan, tmp_path / "release", pdf=True)

    for folder in (release.out, release.private):
        assert not (folder / "report.pdf").exists()
        assert (folder / "report.html").read_text().rstrip().endswith("</html>")
    assert bb.verify(release.out).holds


@pytest.mark.usefixtures("_nothing_draws")
def test_nobody_is_warned_who_does_not_want_one(people, plan, tmp_path) -> None:
    assert bb.verify(bb.publish(people, plan, tmp_path / "release").out).holds


@pytest.mark.usefixtures("_nothing_draws")
def test_drawing_one_is_refused_in_a_sentence() -> None:
    with pytest.raises(bb.UsageError, match=r"pip install 'biombo\[pdf\]'"):
        as_pdf("<p>page</p>")


@pytest.mark.slow
@pytest.mark.skipif(not can_draw_pdf(), reason="WeasyPrint or Pango is not installed")
def test_with_them_both_folders_have_one_and_the_public_one_is_in_the_manifest(people, plan, tmp_path) -> None:
    release = bb.publish(people, plan, tmp_path / "release", pdf=True)

    assert all((folder / "report.pdf").read_bytes().startswith(b"%PDF-") for folder in (release.out, release.private))
    assert "report.pdf" in release.manifest.files
    assert bb.verify(release.out).holds
