"""What a visitor sees of a failure: a sentence where the picture would be, on every page."""

import re
import shutil

import pytest

from tests.helpers.browser import serving
from tests.helpers.paths import ROOT
from ui.jobs.background import BackgroundJob

pytestmark = pytest.mark.slow

WENT_WRONG = re.compile(re.escape(BackgroundJob.went_wrong[1:]), re.IGNORECASE)


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """The app with a kernel that cannot be compiled, served from a copy."""
    root = tmp_path_factory.mktemp("broken")
    for name in ("treecore", "ui", "pages", "sample_data", "benchmarks", ".streamlit"):
        shutil.copytree(ROOT / name, root / name)
    for name in ("app.py", "README.md"):
        shutil.copy(ROOT / name, root)
    kernel = root / "treecore" / "core" / "descent.py"
    text, n = re.subn(
        r'(def descend\(.*?""".*?""")', r"\1\n    no_such_name()", kernel.read_text("utf-8"),
        count=1, flags=re.DOTALL,
    )  # fmt: skip
    assert n == 1
    kernel.write_text(text, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(root))
        patch.setenv("NUMBA_CACHE_DIR", str(root / "kernels"))
        folder = tmp_path_factory.mktemp("served-broken")
        with serving(folder, root) as served:
            yield served


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("learn?lesson=6", ".tc-failure"),
        ("lab?run=sgd", ".tc-failure"),
        ("lab?run=axis&run=sgd", ".tc-failure"),
        ("lab?run=random-forest", "[data-testid=picture]"),
        ("inspect", "[data-testid=stAlert]"),
    ],
)
def test_a_kernel_that_cannot_be_compiled_is_a_sentence_on_the_page(
    broken, own_context, place, name
):
    page = own_context().new_page()
    page.goto(f"{broken.address}/{place}")
    page.locator(name).filter(has_text=WENT_WRONG).first.wait_for()
    untrue = re.compile("Preparing|is growing|TypingError|ChatGPT")
    assert page.get_by_text(untrue).count() == 0
    log = (broken.folder / "server.log").read_text(encoding="utf-8")
    assert "no_such_name" in log, "the log says why"
