"""A tree or a forest as JavaScript without dependencies, for pages and for Node.js."""

from __future__ import annotations

import re
from typing import Any

from treecore.export.programs.literals import Lists, javascript_text
from treecore.export.programs.program import Language, write_program
from treecore.export.tables import ExportTables
from treecore.persistence import Document

_PROGRAM = """\
// A decision model, written by treecore {version}. It needs no package:
//   a page has it as the global `model`, Node.js by require("./model.js").
// model.outputs(x) gives {what}, model.predict(x) {answer}.
// x is an array of numbers in the order of model.features; null or NaN where one is missing.
// Numbers are rounded to float32, as in treecore. Only a row within rounding of a split on several
// features may reach another leaf.
const model = (() => {{
  "use strict";
  const features = {features};
  const names = {names};
{tables}
  const total = {total};
  const round = Math.fround;
{spline}{models}
  function product(r, x) {{
    let sum = 0;
    for (let k = start[r]; k < start[r + 1]; k++) {{
      sum = round(sum + round(weight[k] * x[column[k]]));
    }}
    return sum;
  }}

  function leafOf(node, x, lacks) {{
    while (node >= 0) {{
      const f = feature[node];
      const score = f >= 0 ? x[f] : product(row[node], x);
      const goesLeft = f >= 0 && lacks[f] ? missingLeft[node] : !(score > threshold[node]);
      node = goesLeft ? left[node] : right[node];
    }}
    return ~node;
  }}

  function {body}(given) {{
    if (given.length !== {n_features}) {{
      throw new RangeError(`a row has {n_features} numbers, not ${{given.length}}`);
    }}
    const {lacks} = Array.from(given, (v) => v === null || v === undefined || v !== v);
    const {given} = Float32Array.from(given, (v, j) => {{
      if ({lacks}[j]) return missing[j];
      if (typeof v === "number" || typeof v === "boolean") return v;
      throw new TypeError(`${{features[j]}} is a number, not ${{v}}`);
    }});
{read}    const sums = new Array({n_outputs}).fill(0);
    for (const root of roots) {{
      const said = {said};
      for (let k = 0; k < {n_outputs}; k++) sums[k] += said[k];
    }}
    return sums.map((sum) => sum / total);
  }}
{shares}
  function predict(x) {{
    const said = {body}(x);
{predict}
  }}

  return {{ features, {names_key}: names, outputs, predict }};
}})();
if (typeof module !== "undefined") module.exports = model;
"""

_SPLINE = """
  function spline(x) {{
    const z = Array.from(x, (v, j) => (v - centre[j]) / deviation[j]);
    return Float32Array.from(z.concat(knots.map((t, k) => Math.max(z[knotOf[k]] - t, 0))));
  }}
"""

_MODELS = """
  function predicted(leaf, x) {{
    return models[leaf].map(([low, high, intercept, ...weights]) => {{
      let sum = intercept;
      for (let j = 0; j < {n_read}; j++) sum += weights[j] * x[j];
      return Math.min(Math.max(sum, low), high);
    }});
  }}
"""

_SHARES = """
  function outputs(x) {
    const said = logOdds(x);
    const greatest = Math.max(...said);
    const odds = said.map((number) => Math.exp(number - greatest));
    const sum = odds.reduce((a, b) => a + b);
    return odds.map((number) => number / sum);
  }
"""


def _own(tables: ExportTables) -> dict[str, Any]:
    if tables.numeric:
        what, answer = "the predicted numbers", "the same, a single number alone"
        predict = "    return said.length === 1 ? said[0] : said;"
    else:
        what, answer = "the shares of the classes", "the name of the most probable one"
        predict = "    return names[said.indexOf(Math.max(...said))];"
    leaf = "leafOf(root, x, lacks)"
    return {
        "what": what,
        "answer": answer,
        "body": "logOdds" if tables.logistic else "outputs",
        "shares": _SHARES if tables.logistic else "",
        "names_key": "outputNames" if tables.numeric else "classes",
        "given": "x" if tables.spline is None else "known",
        "lacks": "lacks" if tables.spline is None else "unknown",
        "read": ""
        if tables.spline is None
        else "    const x = spline(known);\n    const lacks = [];\n",
        "said": f"votes[{leaf}]" if tables.linear is None else f"predicted({leaf}, x)",
        "predict": predict,
    }


_JAVASCRIPT = Language(
    "JavaScript",
    _PROGRAM,
    _SPLINE,
    _MODELS,
    _own,
    {
        "int": "  const {name} = Int32Array.from({values});",
        "float": "  const {name} = Float32Array.from({values});",
        "double": "  const {name} = {values};",
        "rows": "  const {name} = [\n{values}\n  ];",
        "blocks": "  const {name} = [\n{values}\n  ];",
    },
    "  //",
    lambda name: re.sub("_(.)", lambda found: found[1].upper(), name),
    Lists(),
    javascript_text,
)


def write_javascript(document: Document) -> bytes:
    return write_program(document, _JAVASCRIPT)
