// Charts on paper. A chart is an SVG as wide as it was on the screen, of which a narrower sheet would
// show the left part: with a view box it can be drawn smaller, which the style of paper asks for.

const charts = () => document.querySelectorAll(".js-plotly-plot .main-svg");

/** From now on charts fit the sheets that a page is printed on; see ui/shell/styles/paper.css. */
export function fitCharts() {
  window.addEventListener("beforeprint", () => {
    for (const chart of charts()) {
      const [width, height] = [chart.getAttribute("width"), chart.getAttribute("height")];
      if (width && height) chart.setAttribute("viewBox", `0 0 ${width} ${height}`);
    }
  });
  // On the screen Plotly gives a chart another size when its place has one.
  window.addEventListener("afterprint", () => {
    for (const chart of charts()) chart.removeAttribute("viewBox");
  });
}
