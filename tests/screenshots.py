"""Pictures of the pages for the README, made from the running app: ``make screenshots``."""

from __future__ import annotations

from browser import CHROMIUM_FLAGS, ROOT, chromium_path, serving
from playwright.sync_api import sync_playwright


def main() -> None:
    folder = ROOT / "docs"
    folder.mkdir(exist_ok=True)
    with serving() as (address, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_FLAGS)
        for scheme in ("light", "dark"):
            page = browser.new_page(viewport={"width": 1280, "height": 980}, color_scheme=scheme)
            page.goto(f"{address}/train")
            page.locator("[data-run][data-state=paused]").wait_for(timeout=60_000)
            page.get_by_role("button", name="Play", exact=True).click()
            page.wait_for_timeout(4000)
            page.get_by_role("button", name="Pause", exact=True).click()
            page.locator("[data-run][data-state=paused]").wait_for()
            page.mouse.move(1270, 970)
            page.wait_for_timeout(800)
            page.screenshot(path=folder / f"train-{scheme}.png")
        browser.close()


if __name__ == "__main__":
    main()
