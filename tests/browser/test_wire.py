"""What travels to the browser arrives there, and the browser sees the same tree as NumPy."""

import base64

import numpy as np

from tests.helpers.browser import drawn
from tests.helpers.liveview import MOUNT, arrays_of_all_types, data, message, send, sent
from treecore.viewer import ASSETS, script_of
from treecore.viewer.messages.message import VERSION
from treecore.viewer.messages.wire import pack


def test_the_browser_reads_what_python_packs(page):
    arrays = arrays_of_all_types()
    message = pack({"title": "ä → β"}, arrays)
    found = page.evaluate(
        """async ([text, names]) => {
          const { unpack } = await import("/app/wire.js");
          const raw = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
          const shifted = new Uint8Array(raw.length + 3); // Streamlit hands out any offset
          shifted.set(raw, 3);
          const message = unpack(shifted.subarray(3));
          return {
            title: message.meta.title,
            arrays: names.map((name) => [message.shape(name), Array.from(message.array(name))]),
            missing: message.array("missing"),
            copied: message.array("points").buffer.byteLength,
            empty: [null, new Uint8Array(), new Uint8Array(3)].map((none) => unpack(none).meta),
          };
        }""",
        [base64.b64encode(message).decode(), list(arrays)],
    )
    assert found["title"] == "ä → β"
    assert found["missing"] is None
    assert found["copied"] == arrays["points"].nbytes, "it does not keep the message alive"
    assert found["empty"] == [{}] * 3
    for (shape, values), array in zip(found["arrays"], arrays.values(), strict=True):
        assert shape == list(array.shape)
        np.testing.assert_array_equal(np.array(values), array.ravel())


def test_modules_in_one_script_export_what_they_do_as_files(page):
    names = sorted(path.relative_to(ASSETS).as_posix() for path in ASSETS.rglob("*.js"))
    script = {"content_type": "text/javascript", "body": script_of(*names)}
    page.route("**/app/views.js", lambda route: route.fulfill(**script))
    found = page.evaluate(
        """async (names) => {
          const { use } = await import("/app/views.js");
          const exported = [use, (name) => import("/" + name)];
          return Promise.all(exported.map((of) => Promise.all(names.map(
            async (name) => [name, ...Object.keys(await of(name)).sort()]))));
        }""",
        names,
    )
    assert len(found[0]) > 80
    assert found[0] == found[1]


# The whole view in the browser --------------------------------------------------------------------


def test_the_view_takes_empty_and_partial_messages(live):
    send(live, None)
    send(live, ({}, {}))
    meta, parts = message(state="waiting")
    send(live, ({**meta, "frames": []}, {}))
    send(live, ({**meta, "frames": []}, {k: parts[k] for k in ("points", "label")}))
    for missing in ("points", "curves", "counts", "weights", "feature", "f0.leaf", "f3.at"):
        kept = {name: array for name, array in parts.items() if name != missing}
        send(live, ({**meta, "run": missing, "state": "paused"}, kept))
        drawn(live)
    send(live, ({"v": 3, "run": "c", "state": "paused", "frames": meta["frames"]}, parts))
    sent(live, message(run="leaf", state="paused", n_splits=0))


def test_messages_of_another_format_are_refused_in_words(live):
    meta, parts = message(state="paused")
    assert meta["v"] == VERSION, "the two halves speak of the same format"
    send(live, ({**meta, "v": VERSION + 1}, parts))
    drawn(live)
    assert "Reload the page" in live.locator(".tc-message").inner_text()
    assert data(live).get("frame", "") == ""
    send(live, (meta, parts))
    live.wait_for_function("() => window.root.dataset.frame === '3'")


def test_a_run_goes_on_when_its_element_was_away_for_a_moment(page):
    page.evaluate(MOUNT)
    send(page, message(run="d", state="paused", last=9))
    page.wait_for_function("() => window.root.dataset.frame === '9'")
    page.evaluate("() => window.unmount()")
    page.evaluate(MOUNT)
    send(page, message(run="d", state="paused", first=8, last=11))
    page.wait_for_function("() => window.root.dataset.frame === '11'")
    slider = page.locator(".tc-slider")
    slider.fill("2")  # an epoch that only the first message told of
    page.wait_for_function("() => window.root.dataset.frame === '2'")
    page.get_by_role("button", name="Live").click()
    page.wait_for_function("() => window.root.dataset.frame === '11'")
    page.evaluate("() => window.unmount()")


def test_the_gallery_reports_what_is_picked(page):
    titles = {"a": "A", "b": "<b>B</b>", "c": "C", "d": "D"}
    items = [
        {"name": name, "title": title, "hint": "points", "picture": ""}
        for name, title in titles.items()
    ]
    page.evaluate(
        """async (data) => {
          const { default: gallery } = await import("/pages/gallery.js");
          const host = document.body.appendChild(document.createElement("div"));
          const parentElement = host.attachShadow({ mode: "open" });
          window.picked = [];
          const setTriggerValue = (name, value) => window.picked.push([name, value]);
          const leave = gallery({ parentElement, data, setTriggerValue });
          window.unmount = () => { host.remove(); leave(); };
        }""",
        {"items": items, "chosen": "a"},
    )
    radios = page.get_by_role("radio")
    assert radios.count() == 4
    assert radios.nth(0).is_checked()
    radios.nth(0).focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("radio", name="C", exact=True).click()
    assert page.evaluate("() => window.picked") == [["chosen", "b"], ["chosen", "c"]]
    assert page.get_by_text("<b>B</b>", exact=True).count() == 1
    page.evaluate("() => window.unmount()")
