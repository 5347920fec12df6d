// The browser's memory of answers to lessons: the server forgets them with the tab, this does not.
// What is kept are the records of ui/learn/answers.py, and nothing else.

/**
 * A lesson, its question, the seed of the points, the choice, and whether it was right.
 * @typedef {[string, string, number, number, boolean | null]} Answered
 */
/** @typedef {{restored: boolean, forgotten: number, records: Answered[]}} Told */

const KEPT = "treecore.answers"; // its place in the browser's storage

/** @type {number | null} how often this tab was told to forget */
let forgotten = null;

/** What Streamlit calls, with the message of an `Answers`. @param {Mount} mount */
export default function answers({ data, setTriggerValue }) {
  const told = /** @type {Told} */ (data);
  if (!told?.records) return;
  if (told.restored) {
    const anew = forgotten !== null && told.forgotten > forgotten;
    keep(anew ? told.records : united(kept(), told.records));
    forgotten = told.forgotten;
  } else {
    forgotten = told.forgotten;
    setTriggerValue("kept", { n: Date.now(), records: kept() });
  }
}

/**
 * Both, each question once: another tab may have kept answers that this one has not heard of.
 * @param {Answered[]} old @param {Answered[]} present @returns {Answered[]} the present ones win
 */
function united(old, present) {
  /** @type {Map<string, Answered>} */
  const by = new Map();
  for (const one of [...old, ...present]) by.set(JSON.stringify(one.slice(0, 3)), one);
  return [...by.values()];
}

/** What lies in the storage, if that is ours. @returns {Answered[]} */
export function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    const fine = (/** @type {unknown} */ one) => Array.isArray(one) && one.length === 5;
    return Array.isArray(found) ? found.filter(fine) : [];
  } catch {
    return []; // no storage, or something else lies there
  }
}

/** @param {Answered[]} records */
function keep(records) {
  try {
    if (records.length) localStorage.setItem(KEPT, JSON.stringify(records));
    else localStorage.removeItem(KEPT);
  } catch {
    // No storage, or none left: then answers live as long as the tab.
  }
}
