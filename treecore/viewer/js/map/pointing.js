// What the pointer does to a drawing: marks what it is on, and pins or lets go what is clicked.

import { sameMark } from "./marks.js";

/**
 * @param {HTMLElement} element @param {View} view @param {string} source that marks
 * @param {(event: MouseEvent) => (Tip & {mark: Mark}) | null} under what is there, and what is told of it
 * @param {HTMLElement} [drawn] that shows whether there is something
 */
export function attachPointer(element, view, source, under, drawn = element) {
  element.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") return; // a finger that scrolls means nothing by it
    const found = under(event);
    view.setHover(source, found?.mark ?? null, found ?? undefined);
    drawn.style.cursor = found ? "pointer" : "";
  });
  element.addEventListener("pointerleave", () => view.setHover(source, null));
  element.addEventListener("click", (event) => pinOrLetGo(view, under(event)));
}

/** Pin what is there; what is pinned already, or nothing, lets go. @param {View} view @param {(Pick<Tip, "at"> & {mark: Mark}) | null} found */
export function pinOrLetGo(view, found) {
  view.pin(found && !sameMark(found.mark, view.marks.pinned) ? found.mark : null, found?.at);
}
