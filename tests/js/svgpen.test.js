// What is drawn with the pen of pictures stands in a file as SVG says it.

import assert from "node:assert/strict";
import test from "node:test";

import { escaped, hex, SvgPath, SvgPen } from "../../treecore/viewer/js/picture/svgpen.js";

const ruler = (font, text) => text.length * 5;
const numbers = (text) => text.match(/-?[\d.]+/g).map(Number);

test("names from a file stay text, whatever characters they hold", () => {
  const pen = new SvgPen("p", ruler);
  pen.fillText('</text><script>alert("x")</script>\u0000\ud800&', 1, 2);
  const written = pen.part();
  for (const sign of ["<script", "\u0000", "\ud800"]) assert.ok(!written.includes(sign));
  assert.match(written, /&lt;\/text&gt;&lt;script&gt;alert\(&quot;x&quot;\)&lt;\/script&gt; {2}&amp;<\/text>/);
  assert.equal(escaped("Größe ≤ 3 · 木"), "Größe ≤ 3 · 木");
});

test("colours are written as every program reads them", () => {
  assert.equal(hex("rgb(0 90 255)"), "#005aff");
  assert.equal(hex("rgb(1, 2, 3)"), "#010203");
  assert.equal(hex("#abc"), "#abc");
});

test("an arc begins and ends where that of a canvas does, either way round", () => {
  for (const [from, to, counter, end] of [
    [0, Math.PI / 2, false, [0, 10]], [0, Math.PI / 2, true, [0, 10]],
    [Math.PI, Math.PI - 1, true, [10 * Math.cos(Math.PI - 1), 10 * Math.sin(Math.PI - 1)]],
    [-1, 0, false, [10, 0]], [0, 2 * Math.PI, false, [10, 0]],
  ]) {
    const path = new SvgPath();
    path.arc(0, 0, 10, from, to, counter);
    const [move, ...halves] = path.d.split("A");
    numbers(move).forEach((v, i) => assert.ok(Math.abs(v - 10 * [Math.cos, Math.sin][i](from)) < 0.01));
    assert.equal(halves.length, 2);
    const last = numbers(halves[1]);
    assert.equal(last[4], counter ? 0 : 1);
    end.forEach((v, i) => assert.ok(Math.abs(v - last[5 + i]) < 0.01));
  }
});

test("the half of an arc lies on it: a quarter counter-clockwise is three quarters", () => {
  const path = new SvgPath();
  path.arc(0, 0, 10, 0, Math.PI / 2, true);
  const [x, y] = numbers(path.d.split("A")[1]).slice(5);
  assert.ok(Math.hypot(x - 10 * Math.cos(-0.75 * Math.PI), y - 10 * Math.sin(-0.75 * Math.PI)) < 0.01);
});

test("what is saved comes back, and a clip ends with it", () => {
  const pen = new SvgPen("p", ruler);
  pen.fillStyle = "#111111";
  pen.setLineDash([2, 1]);
  pen.save();
  pen.rect(0, 0, 5, 5);
  pen.clip();
  pen.fillStyle = "#222222";
  pen.setLineDash([]);
  pen.fillRect(0, 0, 1, 1);
  pen.restore();
  pen.fillRect(4, 4, -2, -2);
  pen.beginPath();
  pen.lineTo(0, 0);
  pen.lineTo(1, 1);
  pen.stroke();
  const written = pen.part(3, 4);
  assert.match(written, /<g clip-path="url\(#p-0\)"><rect[^>]*#222222"\/><\/g><rect x="2" y="2" width="2"/);
  assert.match(written, /<path d="M0 0L1 1"[^>]*stroke-dasharray="2 1"/);
  assert.match(written, /^<g transform="translate\(3 4\)"><defs><clipPath id="p-0">/);
});

test("text stands where it is aligned, and is squeezed only where it has no room", () => {
  const pen = new SvgPen("p", ruler);
  pen.font = "600 10px Somewhere";
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  pen.fillText("abcd", 50, 10, 100);
  pen.fillText("abcd", 50, 10, 12);
  const [free, tight] = pen.shapes;
  assert.match(free, /x="50" y="13.5" font-size="10" font-weight="600" text-anchor="end"/);
  assert.ok(!free.includes("textLength"));
  assert.match(tight, /textLength="12"/);
});
