"""Points that change their leaf, as the map tells it."""

import numpy as np

from tests.helpers.browser import drawn
from tests.helpers.liveview import menu, picture, show, spirals


def look_at(live, entry):
    """Scrub to a frame, and wait until it has been drawn."""
    live.evaluate("(epoch) => window.root.view.scrub(epoch)", entry["epoch"])
    live.wait_for_function("(n) => window.root.view.frame?.n === n", arg=entry["n"])
    drawn(live)


def ways_of(children):
    """Splits above every leaf, and the side taken, from the root down."""
    ways = {0: []} if len(children) else {-1: []}
    for i, pair in enumerate(children):
        for side, child in enumerate(pair):
            ways[int(child)] = [*ways[i], (i, side)]
    return {~ref: way for ref, way in ways.items() if ref < 0}


def used_of(meta, arrays):
    """For each frame, the leaf that the gradient uses for every point; sent where it changes."""
    used = []
    for entry in meta["frames"]:
        same = entry["used"] < 0
        used.append(used[-1] if same else arrays[f"used{entry['used']}"])
    return used


def test_points_that_moved_and_points_held_elsewhere_are_marked_and_told(live):
    run = spirals("stable-sgd")
    entire = show(live, run, "flips")
    meta, arrays = entire
    now = [arrays[f"f{i}.at"] for i in range(len(meta["frames"]))]
    used = used_of(meta, arrays)
    known = arrays["held"] == 0
    frozen = [known & (u != at) for u, at in zip(used, now, strict=True)]
    layer = menu(live).get_by_label("Moves")
    assert not layer.is_checked()
    # The latest moment at which the gradient keeps points elsewhere: a scrubbed run tells it too.
    chosen = max(i for i in range(1, len(now)) if frozen[i].any())
    moved = now[chosen] != now[chosen - 1]
    look_at(live, meta["frames"][chosen])
    before = picture(live, "map")
    layer.check()
    drawn(live)
    assert picture(live, "map") != before
    tree = picture(live, "tree")
    reported = live.locator(".tc-legend .tc-count").all_inner_texts()
    assert [int(text) for text in reported] == [moved.sum(), frozen[chosen].sum()]
    i = int(np.flatnonzero(frozen[chosen])[0])
    live.evaluate("(i) => window.root.view.pin({ leaf: -1, split: -1, point: i })", i)
    card = live.get_by_role("complementary", name="Selection")
    text = card.inner_text()
    assert f"Gradient uses leaf\n{used[chosen][i]}" in text
    assert f"{now[chosen][i]}" in text.split("Gradient uses leaf")[1]
    ways = ways_of(arrays["f0.children"].reshape(-1, 2))
    here, there = ways[int(now[chosen][i])], ways[int(used[chosen][i])]
    (parted,) = (split for split, side in here if (split, 1 - side) in there)
    assert f"part at\n{f'split {parted}' if parted else 'the root'}" in text
    drawn(live)
    assert picture(live, "tree") != tree, "it shows both paths"
