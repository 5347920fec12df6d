"""A page in one file: recorded runs, and the scripts that show them, without server or network."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from html import escape

from treecore._version import __version__
from treecore.base.filled import Filled
from treecore.viewer.pages.bundle import bundle, packed
from treecore.viewer.pages.recorded import RecordedRun
from treecore.viewer.palette import PALETTE
from treecore.wasm.tab import MODULE

FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif"

_SHOW = """\
loaded.then(({ default: show }) => show(document))
  .then(() => document.querySelector("#unseen").remove());
"""

FOOTER = Filled(
    "Recorded by treecore {version}. The page contains everything that it shows and loads nothing.",
    version=__version__,
)
MADE = Filled(
    "Made by treecore {version}. The page contains everything that it needs for training and "
    "loads nothing.",
    version=__version__,
)
UNSEEN = Filled(
    "The page cannot show its run: the file is damaged, scripts are not allowed here, or the "
    "browser is older than 2023. Download the file again, or try another browser."
)


def page_html(
    title: str,
    runs: Sequence[RecordedRun],
    before: str = "",
    after: str = "",
    say: Callable[[str], str] = str,
    words: str = "",
) -> str:
    """The page of one run, or several to compare; before, after: HTML above and below them."""
    if not (runs or before or after):
        raise ValueError("a page needs a run or a text to show")
    heading = "h2" if before else "h1"
    several = len(runs) > 1 and not before  # a lesson has names for its runs
    reported = "".join(
        _run(run, say, heading, "I" * i + " · " if several else "") for i, run in enumerate(runs, 1)
    )
    shown = f'<div class="runs">{reported}</div>' if runs else ""
    n_learning = sum(isinstance(run.live, bytes) for run in runs)
    if n_learning > 1 and several:  # the page says who is ahead
        shown = f'<p class="verdict" role="status"></p>{shown}'
    # Before the runs: a file may be cut off anywhere.
    unseen = f'<p id="unseen">{safe(say(UNSEEN))}</p>' if runs else ""
    entry = "pages/live.js" if n_learning else "pages/recorded.js"
    footer = safe(say(MADE if n_learning else FOOTER))
    scripts = f'<script type="module">{bundle(entry)}{_SHOW}</script>'
    if n_learning:
        kernels = packed(MODULE.read_bytes())
        scripts = f'<script type="text/plain" id="kernels">{kernels}</script>{scripts}'
    return (
        f'<!doctype html>\n<html lang="{_code(words)}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{safe(title)}</title><style>{_STYLE}</style></head>\n<body><main>{before}"
        f"{unseen}{shown}{after}<footer>{footer}</footer>"
        f"{_catalogue(words) if runs else ''}</main>\n{scripts if runs else ''}</body></html>\n"
    )


def _code(words: str) -> str:
    return safe(json.loads(words)["lang"]) if words else "en"


def _catalogue(words: str) -> str:
    """The words of the scripts, where they are not English; as JSON, without an end of a script."""
    if not words:
        return ""
    content = words.replace("<", "\\u003c")
    return f'<script type="application/json" id="words">{content}</script>'


def _run(run: RecordedRun, say: Callable[[str], str], heading: str, numeral: str) -> str:
    facts = " · ".join(map(say, run.facts))
    more = ""
    if isinstance(run.live, bytes):
        more = f'<script type="text/plain" class="start">{packed(run.live)}</script>'
    elif run.live is not None:
        more = f"<p>{safe(say(run.live))}</p>"
    return (
        f'\n<section class="run"><{heading}>{numeral}{safe(say(run.title))}</{heading}>'
        f'<p>{safe(facts)}</p><script type="text/plain">{packed(run.joined())}</script>'
        f"{more}</section>"
    )


def safe(text: str) -> str:
    """Text within HTML: names are those of somebody's file."""
    return escape(text.encode("utf-8", "replace").decode())


def _shade(name: str) -> str:
    page = PALETTE["page"][name]
    return (
        f"--st-background-color: {page['back']}; --st-text-color: {page['text']}; "
        f"--st-primary-color: {page['accent']}; --muted: {page['muted']}; --st-font: {FONT};"
    )


_STYLE = (
    f":root {{ color-scheme: light dark; {_shade('light')} }} "
    f"@media (prefers-color-scheme: dark) {{ :root {{ {_shade('dark')} }} }} "
    f"body {{ margin: 0; font: 15px/1.5 {FONT}; color: var(--st-text-color); "
    "background: var(--st-background-color) } "
    "main { max-width: 1400px; margin: 0 auto; padding: 16px 24px } "
    ".runs { display: grid; gap: 32px; "
    "grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)) } "
    ".run { min-width: 0 } "
    "h1 { font-size: 20px; line-height: 1.3; margin: 0; overflow-wrap: anywhere } "
    ".run > h2 { margin: 0; overflow-wrap: anywhere } "
    ".run > p { margin: 2px 0 14px; color: var(--muted) } "
    ".verdict { margin: 0 0 14px; min-height: 1.5em } "
    ".knobs { display: flex; flex-wrap: wrap; gap: 6px 18px } .knobs input { width: 5em } "
    ".knobs :is(input, select, button) { font: inherit; color: inherit; height: 32px; "
    "padding: 0 8px; border-radius: 8px; "
    "border: 1px solid color-mix(in srgb, var(--muted) 50%, transparent); "
    "background: var(--st-background-color) } "
    ".knobs :is(input, select, button):is(:hover, :focus) "
    "{ border-color: var(--st-primary-color) } "
    "h2 { font-size: 17px; margin: 28px 0 8px } "
    "table { border-collapse: collapse; font-size: 14px } "
    "th, td { text-align: left; padding: 3px 14px 3px 0; vertical-align: top; "
    "border-bottom: 1px solid color-mix(in srgb, var(--muted) 30%, transparent) } "
    "th { font-weight: 500; color: var(--muted) } td { overflow-wrap: anywhere } "
    "#unseen { animation: 0s 4s backwards unseen } "  # while scripts may still remove it
    "@keyframes unseen { from { visibility: hidden; height: 0; margin: 0 } } "
    "footer { margin-top: 28px; font-size: 13px; color: var(--muted) } "
    "a { color: var(--st-primary-color) }"
)
