import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { number, tickText } from "../../treecore/viewer/js/app/theme.js";
import { _, counted, learn, ngettext, said, speak, within } from "../../treecore/viewer/js/app/words.js";

const GERMAN = {
  lang: "de", plural: "10" + "1".repeat(198),
  messages: { Map: "Karte", "{n} of {all}": "{n} von {all}", "{n} row": ["{n} Zeile", "{n} Zeilen"] },
};

afterEach(() => speak());

test("without a catalogue messages are what they are", () => {
  assert.equal(_("Map"), "Map");
  assert.equal(_("{n} of {all}", { n: 1, all: 2 }), "1 of 2");
  assert.equal(ngettext("{n} row", "{n} rows", 1), "1 row");
  assert.equal(ngettext("{n} row", "{n} rows", 0), "0 rows");
  assert.equal(within("Leaf number"), "leaf number");
});

test("with one they are said in its language, counts in the form that it has for them", () => {
  speak(GERMAN);
  assert.equal(_("Map"), "Karte");
  assert.equal(_("{n} of {all}", { n: 1, all: 2 }), "1 von 2");
  assert.deepEqual([0, 1, 2, 7].map((n) => ngettext("{n} row", "{n} rows", n)),
    ["0 Zeilen", "1 Zeile", "2 Zeilen", "7 Zeilen"]);
  assert.equal(within("Karte"), "Karte");
});

test("what has no translation stays as it is, and nothing stays nothing", () => {
  speak(GERMAN);
  assert.equal(_("Tree"), "Tree");
  assert.equal(ngettext("{n} leaf", "{n} leaves", 2), "2 leaves");
  assert.equal(said(""), "");
  assert.equal(said(undefined), "");
});

test("numbers have the sign of the language within them", () => {
  speak(GERMAN);
  assert.deepEqual([number(0.744), number(-12.34), number(1234)], ["0,74", "−12,3", "1234"]);
  assert.deepEqual(tickText([0, 0.5]), ["0,0", "0,5"]);
  speak();
  assert.equal(number(0.744), "0.74");
});

test("thousands of counts are apart, numbers that name something are as they are", () => {
  assert.equal(_("{n} of {all}", { n: 999, all: 1797 }), "999 of 1,797");
  assert.equal(ngettext("{n} row", "{n} rows", 1234567), "1,234,567 rows");
  assert.equal(_("Point {i}", { i: 1797 }), "Point 1797");
  assert.equal(counted(63.6), "64");
  speak(GERMAN);
  assert.equal(_("{n} of {all}", { n: 1, all: 1797 }), "1 von 1.797");
  assert.equal(ngettext("{n} row", "{n} rows", 10000), "10.000 Zeilen");
});

test("a catalogue that cannot be had leaves English", async () => {
  speak(GERMAN);
  await learn(new URL("data:application/json,nonsense"));
  assert.equal(_("Map"), "Map");
  await learn(new URL(`data:application/json,${encodeURIComponent(JSON.stringify(GERMAN))}`));
  assert.equal(_("Map"), "Karte");
  await learn();
  assert.equal(_("Map"), "Map");
});
