// Who works by keyboard keeps a place on the page. A button that was pressed is often disabled until
// what it began is over, and a dialog goes when it is closed: the browser then forgets where the
// focus was.

/** Where the focus waits while the button that has it is disabled. */
export class Standin {
  /** @type {HTMLButtonElement | null} that was pressed */
  left = null;
  /** @type {HTMLButtonElement | null} that has the focus in its place */
  stand = null;

  /**
   * Buttons were enabled or disabled.
   * @param {Iterable<HTMLButtonElement>} row where the focus may wait, the best place first
   * @param {Element | null} active that had the focus until then
   */
  changed(row, active) {
    if (!(active instanceof HTMLButtonElement)) return;
    const back = active === this.stand && this.left?.isConnected && !this.left.disabled;
    if (!back && !active.disabled) return;
    if (active !== this.stand) this.left = active;
    this.stand = [this.left, ...row].find((one) => one && !one.disabled) ?? null;
    this.stand?.focus();
  }
}

const ROW = "[data-testid=stHorizontalBlock]";

/** From now on the page's own buttons and dialogs keep the focus; of a component see `Commands`. */
export function keepFocus() {
  const standin = new Standin();
  /** @type {EventTarget | null} */
  let last = null;
  /** @type {EventTarget | null} that had the focus before a dialog came */
  let before = null;
  const within = (/** @type {EventTarget | null} */ at) =>
    at instanceof Element && at.closest("[role=dialog]");
  const lost = () => document.activeElement === document.body || document.activeElement === last;
  document.addEventListener("focusin", (event) => {
    const [at] = event.composedPath();
    if (within(event.target) && !within(last)) before = last;
    last = at;
  });
  new MutationObserver(() => {
    if (!(last instanceof HTMLButtonElement) || !lost()) return;
    standin.changed(last.closest(ROW)?.querySelectorAll("button") ?? [], last);
  }).observe(document.body, { subtree: true, attributeFilter: ["disabled"] });
  new MutationObserver(() => {
    if (!(before instanceof HTMLElement) || !lost() || document.querySelector("[role=dialog]")) return;
    // What has called the dialog may be gone: then where one comes first in the same view.
    const root = /** @type {Document | ShadowRoot} */ (before.getRootNode());
    const first = root.querySelector("canvas[tabindex], [tabindex='0']");
    const place = before.checkVisibility() ? before : first;
    if (place instanceof HTMLElement) place.focus();
    before = null;
  }).observe(document.body, { subtree: true, childList: true });
}
