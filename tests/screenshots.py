"""Pictures of every page for the README, made from the running app: ``make screenshots``.

Beside them it writes of which commit they are.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, Page

from tests.helpers.browser import chromium_started, serving
from tests.helpers.paths import ROOT
from treecore.sweeps import SerialPool, Sweep, read_spec

PATIENCE = 400_000
"""Milliseconds until a page must be ready: the first one compiles the kernels."""


def home(page: Page) -> None:
    page.locator("[data-testid=home][data-step='2']").wait_for(timeout=PATIENCE)


def learn(page: Page) -> None:
    page.get_by_text("Tree II, which adjusts all splits together").click(timeout=PATIENCE)
    page.get_by_role("button", name="Play and see").click(timeout=PATIENCE)
    page.wait_for_timeout(12_000)


def lab(page: Page) -> None:
    page.locator("[data-testid=over-strip][data-state=finished]").wait_for(timeout=PATIENCE)
    page.wait_for_timeout(1000)


def one(page: Page) -> None:
    page.locator("[data-run][data-state=paused]").wait_for(timeout=PATIENCE)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_timeout(4000)
    page.get_by_role("button", name="Pause", exact=True).click()
    page.locator("[data-run][data-state=paused]").wait_for()


def forests(page: Page) -> None:
    page.get_by_role("button", name="Play", exact=True).click(timeout=PATIENCE)
    lab(page)


def inspect(page: Page) -> None:
    page.get_by_role("heading", name="Prediction", exact=True).wait_for(timeout=PATIENCE)
    page.locator(".tc-tree canvas").first.wait_for(timeout=PATIENCE)
    page.wait_for_timeout(4000)


def step(page: Page) -> None:
    page.get_by_role("button", name="Take the step").wait_for(timeout=PATIENCE)
    page.wait_for_timeout(3000)


def library(page: Page) -> None:
    page.get_by_text("On the test examples").wait_for(timeout=PATIENCE)
    page.locator(".js-plotly-plot .scatterlayer .point").first.wait_for(timeout=PATIENCE)
    page.wait_for_timeout(2000)


def keep_a_sweep(path: Path) -> None:
    """Something to look at in the Library."""
    wanted = {
        "data": {"name": "sample:digits"},
        "search": {"seeds": [0, 1, 2]},
        "final": {"seeds": [0, 1, 2]},
        "methods": [
            {"method": "axis", "depth": [3, 4, 5, 6, 7, 8]},
            {"method": "sgd", "depth": [3, 4, 5, 6, 7, 8], "nu": [3, 30], "epochs": 40},
        ],
    }
    with Sweep(read_spec(wanted), path, SerialPool()) as sweep:
        for _ in sweep.run():
            pass


MOMENTS = 36
"""Of the moving picture, closest at the beginning, where the splits turn most."""

PAGES = {
    "home": ("", home),
    "learn": ("learn?lesson=2", learn),
    "lab": ("lab", lab),
    "one": ("lab?data=spirals&run=sgd&depth=6", one),
    "forests": ("lab?data=spirals&noise=30&run=random-forest&run=boosted-tao", forests),
    "inspect": (
        "inspect?data=digits&tree=grown&method=tao&depth=4&tab=One%20example&row=12",
        inspect,
    ),
    "step": ("lab?data=xor&run=sgd&depth=2&slow=1", step),
    "library": ("library?tab=Sweeps", library),
}
"""Address of every page, and what makes it worth a picture."""


def main() -> None:
    with TemporaryDirectory() as own:
        # Pictures are of what is made for them, and of nobody's own runs.
        keep_a_sweep(Path(own) / "sweeps" / "digits")
        with serving(Path(own)) as served:
            take(served.address, ROOT / "docs")
    write_of_commit(ROOT / "docs")


OF_COMMIT = "screenshots.json"
"""Beside the pictures: the commit that they are of, its day, and the sum of each file."""

OTHER_SIZES = {"phone": (390, 844), "projector": (1920, 1080)}
"""Of the window, beside the usual one; these pictures lie in a folder of their own."""


def picture_sums(folder: Path) -> dict[str, str]:
    """SHA-256 of each picture of the app, by the name of its file."""
    both = [f"{name}-{scheme}" for name in PAGES for scheme in ("light", "dark")]
    names = [f"{one}.png" for one in both]
    names += [f"screens/{one}-{size}.webp" for one in both for size in OTHER_SIZES]
    return {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
        for name in (*names, "lab.webp")
    }


def write_of_commit(folder: Path) -> None:
    """Write down which commit the pictures are of."""
    command = ["git", "log", "-1", "--format=%H %cs"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    commit, day = said.stdout.split()
    content = {"commit": commit, "day": day, "pictures": picture_sums(folder)}
    (folder / OF_COMMIT).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def take(address: str, folder: Path) -> None:
    """Pictures of every page in both themes, at three widths."""
    (folder / "screens").mkdir(parents=True, exist_ok=True)
    with chromium_started() as browser:
        for scheme in ("light", "dark"):
            for name, (path, prepare) in PAGES.items():
                page = browser.new_page(
                    viewport={"width": 1280, "height": 980}, color_scheme=scheme
                )
                page.goto(f"{address}/{path}")
                prepare(page)
                page.mouse.move(1270, 970)
                page.wait_for_timeout(800)
                page.screenshot(path=folder / f"{name}-{scheme}.png")
                for size, (width, height) in OTHER_SIZES.items():
                    page.set_viewport_size({"width": width, "height": height})
                    page.wait_for_timeout(2500)
                    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
                    picture.save(folder / "screens" / f"{name}-{scheme}-{size}.webp", quality=75)
                page.close()
        record(browser, address, folder / "lab.webp")


def record(browser: Browser, address: str, path: Path) -> None:
    """Make one moving picture of the Lab's opening comparison while both trees learn."""
    page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme="light")
    page.goto(f"{address}/lab")
    lab(page)
    clock = page.get_by_label("Position of the clock")
    frames = []
    for moment in range(MOMENTS + 1):
        clock.fill(f"{(moment / MOMENTS) ** 2}")
        clock.blur()
        page.wait_for_timeout(300)
        frames.append(page.screenshot(clip={"x": 20, "y": 265, "width": 1240, "height": 630}))
    page.close()
    first, *others = (
        Image.open(BytesIO(frame)).convert("RGB").resize((930, 473)) for frame in frames
    )
    shown = [1200, *[120] * (MOMENTS - 1), 3000]
    first.save(path, save_all=True, append_images=others, duration=shown, loop=0, quality=70)


if __name__ == "__main__":
    main()
