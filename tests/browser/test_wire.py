"""What travels to the browser arrives there, and the browser sees the same tree as NumPy."""

import base64

import numpy as np
import pytest

from tests.helpers.browser import drawn
from tests.helpers.liveview import MOUNT, data, message, page, send
from tests.helpers.liveview import mounted as live
from ui.frames import VERSION
from ui.wire import pack, thumbnail, unpack

__all__ = ["live", "page"]  # fixtures


# The wire in Python ------------------------------------------------------------------------------


@pytest.fixture
def arrays():
    rng = np.random.default_rng(0)
    return {
        "points": rng.normal(size=(5, 2)).astype("f4"),
        "odd": np.arange(3, dtype="u1"),
        "wide": rng.normal(size=(2, 3)),
        "signed": np.array([[-7, 7]], dtype="i2"),
        "none": np.empty((0, 3), dtype="f4"),
        "flags": np.array([True, False, True]),
        "turned": np.arange(6, dtype="i4").reshape(2, 3).T,
        "big_endian": np.array([1.5, -2.5], dtype=">f4"),
        "scalar": np.array(3, dtype="u4"),
    }


def test_a_message_comes_back_as_it_was(arrays):
    meta = {"run": "a", "classes": ["größer", "<b>"], "n": 3, "nothing": None}
    got_meta, got = unpack(pack(meta, arrays))
    assert got_meta == meta
    assert list(got) == list(arrays)
    for name, array in arrays.items():
        assert got[name].shape == array.shape
        np.testing.assert_array_equal(got[name], array)


def test_blobs_are_aligned_for_typed_arrays(arrays):
    for length in range(9):
        message = pack({"pad": "x" * length}, arrays)
        assert (4 + int.from_bytes(message[:4], "little")) % 8 == 0
        assert len(message) % 8 == 0


def test_an_empty_message_is_a_message():
    assert unpack(pack({}, {})) == ({}, {})


@pytest.mark.parametrize("dtype", ["i8", "u8", "f2", "c8", "U3"])
def test_types_that_javascript_cannot_read_are_refused(dtype):
    with pytest.raises(ValueError, match="array 'x' has type"):
        pack({}, {"x": np.zeros(2, dtype=dtype)})


def test_numbers_that_are_not_json_are_refused():
    with pytest.raises(ValueError, match="JSON"):
        pack({"loss": float("nan")}, {})


def test_thumbnails_are_small_and_scaled_to_their_box():
    rng = np.random.default_rng(1)
    points = rng.normal(size=(1000, 2)) * [1, 1000]
    picture = np.frombuffer(base64.b64decode(thumbnail(points, np.arange(1000) % 7)), "u1")
    triples = picture.reshape(-1, 3)
    assert len(triples) == 140
    assert triples[:, :2].min() < 30
    assert triples[:, :2].max() > 225
    assert set(triples[:, 2]) == set(range(7))
    same = thumbnail(np.ones((3, 2)), [0, 1, 2])  # no extent: no division by zero
    assert len(base64.b64decode(same)) == 9


@pytest.mark.browser
def test_the_browser_reads_what_python_packs(page, arrays):
    message = pack({"title": "ä → β"}, arrays)
    found = page.evaluate(
        """async ([text, names]) => {
          const { unpack } = await import("/wire.js");
          const raw = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
          const shifted = new Uint8Array(raw.length + 3); // Streamlit hands out any offset
          shifted.set(raw, 3);
          const message = unpack(shifted.subarray(3));
          return {
            title: message.meta.title,
            arrays: names.map((name) => [message.shape(name), Array.from(message.array(name))]),
            missing: message.array("missing"),
            empty: [unpack(null).meta, unpack(new Uint8Array(0)).array("x")],
          };
        }""",
        [base64.b64encode(message).decode(), list(arrays)],
    )
    assert found["title"] == "ä → β"
    assert found["missing"] is None
    assert found["empty"] == [{}, None]
    for (shape, values), array in zip(found["arrays"], arrays.values(), strict=True):
        assert shape == list(array.shape)
        np.testing.assert_array_equal(np.array(values), array.ravel())


# The whole view in the browser --------------------------------------------------------------------


@pytest.mark.browser
def test_the_view_shows_the_newest_tree_of_a_paused_run(live):
    send(live, message(state="paused"))
    live.wait_for_function("() => window.root.dataset.frame === '3'", timeout=3000)
    shown = data(live)
    assert shown["run"] == "a"
    assert shown["state"] == "paused"
    assert shown["curvePoints"] == "4"
    assert float(shown["epoch"]) == 3


@pytest.mark.browser
def test_the_view_plays_a_run_and_forgets_it_when_another_begins(live):
    now = live.evaluate("() => performance.now() / 1000")
    send(live, message(now=now))
    send(live, message(now=now, first=2, last=30))
    live.wait_for_function("() => window.root.dataset.frame === '30'", timeout=3000)
    assert int(data(live)["pictures"]) > 3  # more than one per message
    send(live, message(run="b", state="paused", last=1))
    live.wait_for_function("() => window.root.dataset.frame === '1'", timeout=3000)
    assert data(live)["run"] == "b"


@pytest.mark.browser
def test_a_message_that_was_overtaken_changes_nothing(live):
    """Streamlit reorders messages that arrive while the scripts load; one page in twenty hung."""
    for sent, state in ((2.0, "paused"), (1.0, "waiting")):
        meta, parts = message(state=state)
        send(live, (meta | {"desk": "d", "sent": sent}, parts))
    assert data(live)["state"] == "paused"


@pytest.mark.browser
def test_the_view_takes_empty_and_partial_messages(live):
    send(live, None)
    send(live, ({}, {}))
    meta, parts = message(state="waiting")
    send(live, ({**meta, "frames": []}, {}))
    send(live, ({**meta, "frames": []}, {k: parts[k] for k in ("points", "label")}))
    for missing in (
        "points",
        "curves",
        "counts",
        "weights",
        "feature",
        "f0.leaf",
        "f3.at",
        "f3.size",
    ):
        kept = {name: array for name, array in parts.items() if name != missing}
        send(live, ({**meta, "run": missing, "state": "paused"}, kept))
        live.wait_for_timeout(40)
    send(live, ({"v": 2, "run": "c", "state": "paused", "frames": meta["frames"]}, parts))
    send(live, message(run="leaf", state="paused", n_splits=0))
    live.wait_for_function("() => window.root.dataset.run === 'leaf'", timeout=3000)
    drawn(live)


@pytest.mark.browser
def test_messages_of_another_format_are_refused_in_words(live):
    meta, parts = message(state="paused")
    assert meta["v"] == VERSION, "the two halves speak of the same format"
    send(live, ({**meta, "v": VERSION + 1}, parts))
    drawn(live)
    assert "load it again" in live.locator(".tc-message").inner_text()
    assert data(live).get("frame", "") == ""
    send(live, (meta, parts))
    live.wait_for_function("() => window.root.dataset.frame === '3'", timeout=3000)


@pytest.mark.browser
def test_names_of_classes_are_text(live):
    send(live, message(state="paused"))
    assert live.evaluate("() => window.root.querySelectorAll('i:not(.tc-sign)').length") == 0
    assert "<i>c</i>" in live.evaluate("() => window.root.querySelector('.tc-legend').textContent")


@pytest.mark.browser
def test_a_run_goes_on_when_its_element_was_away_for_a_moment(page):
    page.evaluate(MOUNT)
    send(page, message(run="d", state="paused", last=9))
    page.wait_for_function("() => window.root.dataset.frame === '9'", timeout=3000)
    page.evaluate("() => window.unmount()")
    page.evaluate(MOUNT)
    send(page, message(run="d", state="paused", first=8, last=11))
    page.wait_for_function("() => window.root.dataset.frame === '11'", timeout=3000)
    slider = page.locator(".tc-slider")
    slider.fill("2")  # an epoch that only the first message told of
    page.wait_for_function("() => window.root.dataset.frame === '2'", timeout=3000)
    page.get_by_role("button", name="Live").click()
    page.wait_for_function("() => window.root.dataset.frame === '11'", timeout=3000)
    page.evaluate("() => window.unmount()")


@pytest.mark.browser
def test_the_gallery_reports_what_is_picked(page):
    items = [
        {"name": "a", "title": "A", "points": [[0, 0, 0], [1, 1, 1]], "hint": "two points"},
        {"name": "b", "title": "<b>B</b>", "points": thumbnail(np.eye(2), [0, 1])},
        {"name": "c", "title": "C", "image": list(range(64))},
        {"name": "d", "title": "D"},
    ]
    page.evaluate(
        """async (data) => {
          const { default: gallery } = await import("/gallery.js");
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
