// The few helpers that make elements. Text only ever enters as text: names of classes and features are
// the user's.

/** @typedef {string | Array<Node | string>} Content */
/** @typedef {Record<string, unknown>} Traits properties; `role` and what has a hyphen are attributes */

/**
 * Create an element with a class, what is in it, and what it is like.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {Content} [content] @param {Traits} [traits]
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, className = "", content = "", traits = {}) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...(typeof content === "string" ? [content].filter(Boolean) : content));
  return give(element, traits);
}

/** @template {Element} E @param {E} element @param {Traits} traits */
export function give(element, traits) {
  for (const [name, value] of Object.entries(traits)) {
    if (name !== "role" && !name.includes("-")) Object.assign(element, { [name]: value });
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
  }
  return element;
}

/** @param {Content} content @param {(event: MouseEvent) => void} act @param {Traits} [traits] */
export function makeButton(className = "", content = "", act = () => {}, traits = {}) {
  const button = make("button", className, content, { type: "button", ...traits });
  button.addEventListener("click", act);
  return button;
}

/**
 * What can be chosen, and what is; options that stay the same are kept: an open menu must not be torn
 * away under the pointer.
 * @param {HTMLSelectElement} chooser @param {Array<{value: unknown, text: string, disabled?: boolean}>} options
 * @param {unknown} chosen
 */
export function offer(chooser, options, chosen) {
  const same = chooser.options.length === options.length && options.every(({ value, text, disabled = false }, i) => {
    const known = chooser.options[i];
    return known.value === String(value) && known.text === text && known.disabled === disabled;
  });
  if (!same) {
    chooser.replaceChildren(...options.map(({ text, ...traits }) => make("option", "", text, traits)));
  }
  if (chooser.value !== String(chosen)) chooser.value = String(chosen);
}

/**
 * Set text only when it changed, so that nothing is laid out again for nothing.
 * @param {Node} element @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** What has the focus in the shadow root of an element. @param {Element} element */
export const focusedBeside = (element) =>
  /** @type {ShadowRoot} */ (element.getRootNode()).activeElement;

/** The colour and name of every class. @param {string[]} names @param {(label: number) => string} colourOf */
export const classSigns = (names, colourOf) => names.map((name, label) => make("span", "tc-together",
  [make("i", "tc-sign", "", { style: `background: ${colourOf(label)}` }), ` ${name}`]));
