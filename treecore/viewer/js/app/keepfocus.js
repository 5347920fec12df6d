// Who works by keyboard keeps a place on the page. A button that was pressed is often disabled until
// what it began is over, and the browser then forgets where the focus was; so it does when a dialog
// goes that was called from within a component.

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
    this.stand?.focus({ preventScroll: true }); // who presses and then reads further down stays there
  }
}

const ROW = "[data-testid=stHorizontalBlock]";
/** What undoes a button that goes when it is pressed. @type {[string, string][]} */
const UNDOES = [
  ["[data-testid=stExpandSidebarButton]", "[data-testid=stSidebarCollapseButton] button"],
  ["[data-testid=stSidebarCollapseButton] button", "[data-testid=stExpandSidebarButton]"],
  ["[class*=st-key-inspect_] button", "[class*=st-key-inspect_] button"],
  [".st-key-library_undo button", ".st-key-library_remove button"],
];

/** From now on the page's own buttons keep the focus; of a component see `Commands`. */
export function keepFocus() {
  comeBack();
  const standin = new Standin();
  /** @type {EventTarget | null} */
  let last = null;
  const lost = () => document.activeElement === document.body || document.activeElement === last;
  let place = -1; // among learners
  const learners = () => [...document.querySelectorAll(".st-key-learners :is(button, input)")];
  document.addEventListener("focusin", ({ target }) => {
    last = target;
    place = learners().findIndex((one) => one === target);
  });
  // A button has gone: to what undoes it, or to the learner in its place.
  new MutationObserver(() => {
    if (!(last instanceof HTMLButtonElement) || document.activeElement !== document.body) return;
    const gone = last;
    if (gone.checkVisibility({ visibilityProperty: true })) return;
    const other = UNDOES.find(([one]) => gone.matches(one))?.[1];
    const heir = other ? document.querySelector(other) : learners()[place];
    if (heir instanceof HTMLElement) heir.focus({ preventScroll: true });
  }).observe(document.body, { subtree: true, childList: true, attributeFilter: ["data-collapsed"] });
  new MutationObserver(() => {
    if (!(last instanceof HTMLButtonElement) || !lost()) return;
    standin.changed(last.closest(ROW)?.querySelectorAll("button") ?? [], last);
  }).observe(document.body, { subtree: true, attributeFilter: ["disabled"] });
}

/**
 * Streamlit gives the focus back to what had it before a dialog, of a component to its host, which
 * takes none.
 */
function comeBack() {
  /** @type {EventTarget | null} that had the focus before the dialog */
  let before = null;
  const inDialog = (/** @type {EventTarget | null} */ at) =>
    at instanceof Element && at.closest("[role=dialog]") !== null;
  document.addEventListener("focusout", (event) => {
    if (inDialog(event.relatedTarget) && !inDialog(event.target)) [before] = event.composedPath();
  });
  // Dialogs are children of the body: what else comes and goes on the page is not looked at.
  new MutationObserver(() => requestAnimationFrame(() => {
    if (!before || document.querySelector("[role=dialog]")) return;
    if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    before = null;
  })).observe(document.body, { childList: true });
}
