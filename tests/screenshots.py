"""Pictures of the pages for the README, made from the running app: ``make screenshots``."""

from __future__ import annotations

from browser import CHROMIUM_FLAGS, ROOT, chromium_path, serving
from playwright.sync_api import sync_playwright

PAGES = {
    "home": ("", "Six short lessons", (), 0),
    "learn": ("learn?lesson=3", "Choose an answer first", (), 0),
    "train": ("train", "Paused", ("Play", "Pause"), 4),
    "compare": ("compare", "Paused", ("Play", "Pause"), 4),
    "step": ("step?data=xor&passes=3", "Every leaf as a danger", ("Next that turns",), 2),
}
"""Pages: the link, words that are there once it is, buttons to press, seconds after each."""


def main() -> None:
    folder = ROOT / "docs"
    folder.mkdir(exist_ok=True)
    with serving() as (address, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_FLAGS)
        for scheme in ("light", "dark"):
            page = browser.new_page(viewport={"width": 1280, "height": 980}, color_scheme=scheme)
            for name, (query, words, buttons, seconds) in PAGES.items():
                page.goto(f"{address}/{query}")
                page.get_by_text(words).first.wait_for(timeout=90_000)
                page.wait_for_timeout(1500)
                for button in buttons:
                    page.get_by_role("button", name=button, exact=True).click()
                    page.wait_for_timeout(1000 * seconds)
                page.mouse.move(1270, 970)
                page.wait_for_timeout(1500)
                page.screenshot(path=folder / f"{name}-{scheme}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
