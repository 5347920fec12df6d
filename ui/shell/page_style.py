"""What Streamlit's own surface lacks: room, and text with a contrast of at least 4.5."""

from __future__ import annotations

from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from treecore.viewer import PALETTE
from ui.language.translate import _

_PAGE = PALETTE["page"]

# A screenful is for the map and the tree, and beside them for the data and the method; Streamlit's
# own margins leave less of it.
ROOM = """
[data-testid=stSidebarHeader] { height: 2.5rem; margin-bottom: 0 }
[data-testid=stTopNav] + div { min-width: 8.5rem }
[data-testid=stMainBlockContainer] { padding: 4rem 2.5rem 2rem }
@media (max-width: 640px) { [data-testid=stMainBlockContainer] { padding: 4rem 1.25rem 2rem } }
"""

# Captions of Streamlit are text at 60 %, and its axes are of one grey for light and dark pages.
# ``color`` of a drawing is that of the page's text, so it follows a change of theme by itself.
READABLE = """
[data-testid=stCaptionContainer] { opacity: .8 }
.js-plotly-plot :is([class*=axislayer], [class*=title], .cbaxis, .cbtitle) :is(text, tspan),
.js-plotly-plot text[class*=title] { fill: currentColor !important; fill-opacity: .78 !important }
"""

# The Lab opens without its sidebar; the button that opens it says what is there.
MORE = """
[data-testid=stExpandSidebarButton] { width: auto !important; padding-inline: .6rem; gap: .4rem }
[data-testid=stExpandSidebarButton]::after { content: "%s"; font-size: 1rem }
.st-key-charts { --panel: 114px }
"""

# What has nothing to show takes no room.
UNSEEN = ".st-key-history { display: none }"

# What a page is about, in one line, or for those who hear it.
ABOUT = """
.about { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem .75rem }
.about h1 { font-size: 1.2rem; line-height: 1.35; margin: 0; padding: 0; overflow-wrap: anywhere }
.about span { opacity: .8; font-size: .875rem; overflow-wrap: anywhere }
@media (min-width: 1100px) {
  .st-key-headline { flex-wrap: nowrap }
  .st-key-headline > :has(.about) { flex: 1 1 0; min-width: 0 }
}
@media (max-width: 640px) {
  .st-key-headline .about h1 { font-size: 1rem }
  .st-key-headline .about span { font-size: .875rem }
}
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.st-key-headline:has(.unseen) { position: absolute; width: 1px }
"""

# A figure's table is there for who comes to it by keyboard or by ear; till then it takes no room.
TABLES = """
[data-testid=stElementContainer]:has(details.numbers:not([open]):not(:focus-within)) {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)
}
details.numbers summary { cursor: pointer; font-size: .875rem }
details.numbers table { border-collapse: collapse; font-size: .875rem; margin: .25rem 0 }
details.numbers :is(th, td) {
  padding: .1rem .6rem; text-align: left; border-bottom: 1px solid rgb(128 128 128 / .4)
}
details.numbers caption { text-align: left; padding-bottom: .25rem }
"""

# What a term of a formula means in a figure, or what the pointer is on: framed and thick, while the
# rest steps back; so nobody needs a colour for it.
LIT = """
.js-plotly-plot:has(.lit) g.trace:not(.lit):not(:has(.lit)) { opacity: .3 !important }
.js-plotly-plot .lit .js-fill {
  stroke: currentColor !important; stroke-width: 3.5px !important; stroke-dasharray: 8 4
}
.js-plotly-plot .lit:not(:has(.js-fill)) .js-line { stroke-width: 6px !important }
.js-plotly-plot :is(.lit .point, .point.lit) {
  stroke: currentColor !important; stroke-width: 4px !important
}
.js-plotly-plot .annotation-arrow-g.lit path { stroke-width: 6px !important }
.js-plotly-plot:has(.hm.lit) .hm:not(.lit) { opacity: .3 }
.js-plotly-plot .hm.lit {
  filter: drop-shadow(0 0 3px currentColor) drop-shadow(0 0 3px currentColor)
}
"""

# A row of choices that is wider than a telephone goes on below; in the sidebar three of one word
# have room side by side. Below the pointer the chosen one would be too pale to be read. Tabs, which
# scroll, keep the room for their names.
ROWS = """
[data-testid=stButtonGroup] > div { flex-wrap: wrap; overflow: visible }
[data-testid=stButtonGroup] [role=radio][aria-checked=true]:hover {
  background: color-mix(in srgb, currentColor 10%, transparent)
}
[data-testid=stTab] { flex-shrink: 0 }
[data-testid=stSidebar] [data-testid=stButtonGroup] [role=radio] {
  padding-inline: .2rem; min-width: 2.9rem
}
[data-testid=stSidebar] [data-testid=stExpanderDetails] { padding-inline: .6rem }
"""

# Learners and runs stand two and two where a row of them would leave strips of maps and cut words.
# The Lab has its maps beside each other on a telephone too, and what plays them at the lower edge.
_TWO = ":is(.st-key-learners, .st-key-runs)"
_COLUMN = "[data-testid=stColumn]"
_BACK = f"light-dark({_PAGE['light']['back']}, {_PAGE['dark']['back']})"
TWO_AND_TWO = f"""
@media (min-width: 641px) and (max-width: 1100px) {{
  {_TWO} :has(> {_COLUMN}) {{ flex-wrap: wrap }}
  {_TWO} {_COLUMN} {{ flex: 0 0 calc(50% - .5rem); min-width: 0 }}
  .st-key-learners {_COLUMN}:nth-child(n + 3) {{ flex-basis: calc(33.3% - .75rem) }}
}}
@media (max-width: 640px) {{
  .st-key-lab {_TWO} {_COLUMN} {{ flex: 1 1 calc(50% - .5rem); min-width: 0 }}
}}
@media (max-width: 1100px) {{ .st-key-lab .st-key-runs {_COLUMN}:last-child {{ flex: 1 1 100% }} }}
@media (max-width: 640px) and (min-height: 501px) {{
  .st-key-hand {{
    position: fixed; inset: auto 0 0; z-index: 3; padding: .4rem 1.25rem; background: {_BACK}
  }}
  .st-key-lab {{ padding-bottom: 6rem }}
}}
@media (max-width: 640px) {{ {_COLUMN}:has(> * > * > * .st-key-add_third) {{ display: none }} }}
@media (min-width: 641px) {{ .st-key-more_third {{ display: none }} }}
"""

# Where a window is low, as at a zoom of 200 %, what plays runs stays in sight while they are looked
# at. On a phone two of them stand beside each other, and lessons take one line.
LOW = f"""
@media (max-height: 500px) {{
  :is(.st-key-hand, .st-key-lesson_hand) {{
    position: sticky; top: 3.75rem; z-index: 2; background: {_BACK}
  }}
}}
@media (max-width: 640px) {{
  .st-key-runs {_COLUMN} {{ flex: 1 0 calc(50% - .5rem); min-width: 0 }}
  [class*="st-key-lesson-"] [role=radiogroup] {{ flex-wrap: nowrap; overflow-x: auto }}
  [class*="st-key-lesson-"] [role=radiogroup] > * {{ flex: none }}
}}
"""

# What holds a run back, and the button that mends it, stand beside each other: they come when runs
# have ended, and what is below should not go far.
REMEDIES = """
@media (min-width: 1101px) { [class*=st-key-remedy_] { flex-wrap: nowrap } }
"""

# Pictures beside each other lie one below the other where each would be a strip.
PICTURES = """
[class*=st-key-pictures_] { container-type: inline-size }
@container (max-width: 860px) {
  [class*=st-key-pictures_] > div > :has(> [data-testid=stColumn]) { flex-wrap: wrap }
  [class*=st-key-pictures_] > div > div > [data-testid=stColumn] { flex: 1 1 100%; min-width: 100% }
}
"""

# What is asked of a tree stands beside it, and the tree stays in sight; below it where both would
# be strips.
TREE_COLUMNS = """
.st-key-beside_tree { container-type: inline-size }
@container (min-width: 1001px) {
  .st-key-beside_tree > div > div > [data-testid=stColumn]:first-child {
    position: sticky; top: 4rem; align-self: flex-start
  }
}
@container (max-width: 1000px) {
  .st-key-beside_tree > div > :has(> [data-testid=stColumn]) { flex-wrap: wrap }
  .st-key-beside_tree > div > div > [data-testid=stColumn] { flex: 1 1 100%; min-width: 100% }
}
"""

# A thumb needs 44 pixels, a border not counted; of a slider it sees a knob of 24, and takes what
# lies about it as well, and of a question mark what lies about it; a mouse needs 24.
_NARROW = """
  [data-testid=stButtonGroup] button:not([data-testid=stTooltipIcon] *),
  [data-testid=stMultiSelect] button:not([data-testid=stTooltipIcon] *),
  [data-testid=stTab], [data-testid^=stTabsScroll], [data-tag], [data-testid$=elementToolbar]"""
THUMBS = f"""
[data-testid=stTooltipIcon] button:not([data-testid]) {{ position: relative }}
[data-testid=stTooltipIcon] button:not([data-testid])::after {{
  content: ""; position: absolute; inset: -.3rem
}}
@media (pointer: coarse) {{
  [data-testid=stSlider] :has(> [data-testid=stSliderThumbValue])::after {{
    content: ""; position: absolute; inset: -.65rem
  }}
  [data-testid=stSlider] :has(> [data-testid=stSliderThumbValue]) {{
    width: 1.5rem; height: 1.5rem
  }}
  [data-testid=stWidgetLabel]:has([data-testid=stTooltipIcon]) {{ min-height: 2.9rem }}
  [data-testid=stTooltipIcon] button:not([data-testid])::after {{ inset: -.9rem }}
  :is(
    [data-testid=stMain], [data-testid=stSidebar], [data-testid=stPopoverBody],
    [data-testid=stDialog]
  ) :is(
    [data-testid=stBaseButton-primary], [data-testid=stBaseButton-secondary],
    [data-testid=stBaseButton-tertiary], [data-testid=stPopoverButton],
    [data-testid=stRadio] label, [data-testid=stCheckbox] label, summary,
    .react-aria-ComboBox > [role=group], [data-testid=stNumberInputContainer],
    [data-testid=stTextInputRootElement], {_NARROW}
  ), [data-testid$=NavLink] {{ min-height: 2.9rem; align-items: center }}
  :is([data-testid=stNumberInputContainer] button, {_NARROW}) {{
    min-width: 2.9rem; justify-content: center
  }}
  [data-testid=stNumberInputContainer] button {{ height: 100% }}
  [data-testid=stHeader] button {{ min-width: 2.75rem; min-height: 2.75rem }}
}}
"""

# White letters on the dark theme's light blue would have a contrast of 2.2. Streamlit gives its app
# the ``color-scheme`` of the theme, so a change of theme needs no run of the page.
BUTTONS = (
    "[data-testid=stBaseButton-primary]:not(:disabled), "
    "[data-testid=stMultiSelectTagsContainer] > span > span, "
    "[data-testid=stMultiSelectTagsContainer] > span > span * "
    f"{{ color: light-dark({_PAGE['light']['back']}, {_PAGE['dark']['back']}) }}"
)

_TOKENS = {
    "comment": ("#5a6470", "#a9b5bf"),
    "keyword": ("#0b5cad", "#79b8ff"),
    "punctuation": ("#5a6470", "#a9b5bf"),
    "operator": ("#9a4a00", "#ffab70"),
    "boolean": ("#0a6b2e", "#85e89d"),
    "number": ("#0a6b5e", _PAGE["dark"]["plus"]),
    "string": ("#0a6b2e", "#85e89d"),
    "string-interpolation": ("#0a6b2e", "#85e89d"),
}
"""Colours of programs, on a light and on a dark page."""


def surface() -> None:
    """Lay the styles under a page. Called by ``ui/main.py``."""
    programs = "".join(
        f"[data-testid=stCode] .token.{kind} "
        f"{{ color: light-dark({on_light}, {on_dark}) !important }}"
        for kind, (on_light, on_dark) in _TOKENS.items()
    )
    more = MORE % _("More")
    fixed = f"{ROOM}{more}{READABLE}{UNSEEN}{ABOUT}{TABLES}{LIT}"
    fixed += f"{ROWS}{TWO_AND_TWO}{LOW}{REMEDIES}{PICTURES}{TREE_COLUMNS}{THUMBS}{BUTTONS}"
    st.html(f"<style>{fixed}{programs}</style>")


def picture_columns(
    page: str, gap: Literal["small", "medium"] = "small"
) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Two columns, as for pictures; one lies below the other where there is little room."""
    return st.container(key=f"pictures_{page}").columns(2, gap=gap)
