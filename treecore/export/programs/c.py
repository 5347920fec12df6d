"""A tree or a forest as C99 without dependencies."""

from __future__ import annotations

from typing import Any

from treecore.export.programs.literals import CLists, c_names
from treecore.export.programs.program import Language, write_program
from treecore.export.tables import ExportTables
from treecore.persistence import Document

_PROGRAM = """\
/* A decision model, written by treecore {version}. It needs nothing but C99:
 *
 *   {answers} model_predict(const float x[{n_features}]);                      {answer}
 *   void model_outputs(const float x[{n_features}], double outputs[{n_outputs}]);     {what}
 *
 * x has the order of model_features; NaN stands for a missing number.
 *
 * Numbers are float32, as in treecore. Only a row within rounding of a split on several features
 * may reach another leaf. Compile without -ffast-math.{link} */
#include <stdint.h>{includes}

#define MODEL_FEATURES {n_features}
#define MODEL_READ {n_read}
#define MODEL_OUTPUTS {n_outputs}

const char *const model_features[MODEL_FEATURES] = {features};
const char *const model_names[MODEL_OUTPUTS] = {names};

{tables}
{spline}{models}
static float product(int32_t r, const float *x)
{{
    float total = 0.0f;
    for (int32_t k = start[r]; k < start[r + 1]; k++) total += weight[k] * x[column[k]];
    return total;
}}

static int32_t leaf_of(int32_t node, const float *x, const float *given)
{{
    while (node >= 0) {{
        int32_t f = feature[node];
        int goes_left = !((f >= 0 ? x[f] : product(row[node], x)) > threshold[node]);
        if (f >= 0 && given[f] != given[f]) goes_left = missing_left[node];
        node = goes_left ? left[node] : right[node];
    }}
    return ~node;
}}

void {body}(const float *given, double *outputs)
{{
    {read}
    for (int k = 0; k < MODEL_OUTPUTS; k++) outputs[k] = 0.0;
    for (int t = 0; t < {n_trees}; t++) {{
        {said}
    }}
    for (int k = 0; k < MODEL_OUTPUTS; k++) outputs[k] /= {total};
}}
{shares}{predict}"""

_READ = """\
float x[MODEL_READ];
    for (int j = 0; j < MODEL_FEATURES; j++) x[j] = given[j] != given[j] ? missing[j] : given[j];"""

_READ_SPLINE = """\
float x[MODEL_READ];
    read_row(given, x);"""

_SPLINE = """
static void read_row(const float *given, float *x)
{{
    double z[MODEL_FEATURES];
    for (int j = 0; j < MODEL_FEATURES; j++) {{
        z[j] = ((double)(given[j] != given[j] ? missing[j] : given[j]) - centre[j]) / deviation[j];
        x[j] = (float)z[j];
    }}
    for (int k = 0; k < MODEL_READ - MODEL_FEATURES; k++) {{
        double above = z[knot_of[k]] - knots[k];
        x[MODEL_FEATURES + k] = (float)(above > 0.0 ? above : 0.0);
    }}
}}
"""

_CONSTANT_SAID = """\
const double *said = votes[leaf_of(roots[t], x, {given})];
        for (int k = 0; k < MODEL_OUTPUTS; k++) outputs[k] += said[k];"""

_LINEAR_SAID = """\
const double (*said)[MODEL_READ + 3] = models[leaf_of(roots[t], x, {given})];
        for (int k = 0; k < MODEL_OUTPUTS; k++) outputs[k] += predicted(said[k], x);"""

_MODELS = """
static double predicted(const double *model, const float *x)
{{
    double total = model[2];
    for (int j = 0; j < MODEL_READ; j++) {{
        double term = model[3 + j] * x[j];
        total += term;
    }}
    if (total < model[0]) return model[0];
    return total > model[1] ? model[1] : total;
}}
"""

_SHARES = """
void model_outputs(const float *x, double *outputs)
{
    double greatest, total = 0.0;
    model_log_odds(x, outputs);
    greatest = outputs[0];
    for (int k = 1; k < MODEL_OUTPUTS; k++)
        if (outputs[k] > greatest) greatest = outputs[k];
    for (int k = 0; k < MODEL_OUTPUTS; k++) total += outputs[k] = exp(outputs[k] - greatest);
    for (int k = 0; k < MODEL_OUTPUTS; k++) outputs[k] /= total;
}
"""

_PREDICT = """
int model_predict(const float *x)
{
    double outputs[MODEL_OUTPUTS];
    int best = 0;
    %s(x, outputs);
    for (int k = 1; k < MODEL_OUTPUTS; k++)
        if (outputs[k] > outputs[best]) best = k;
    return best;
}
"""

_PREDICT_NUMBER = """
double model_predict(const float *x)
{
    double outputs[MODEL_OUTPUTS];
    model_outputs(x, outputs);
    return outputs[0];
}
"""


def _own(tables: ExportTables) -> dict[str, Any]:
    body = "model_log_odds" if tables.logistic else "model_outputs"
    given = "given" if tables.spline is None else "x"  # which lacks nothing behind splines
    return {
        "answers": "double" if tables.numeric else "int",
        "answer": "the first number" if tables.numeric else "the class, from 0",
        "what": "the numbers" if tables.numeric else "their shares",
        "read": _READ if tables.spline is None else _READ_SPLINE,
        "said": (_CONSTANT_SAID if tables.linear is None else _LINEAR_SAID).format(given=given),
        "n_trees": len(tables.trees),
        "includes": "\n#include <math.h>" if tables.logistic else "",
        "link": " Link with -lm." if tables.logistic else "",
        "body": body,
        "shares": _SHARES if tables.logistic else "",
        "predict": _PREDICT_NUMBER if tables.numeric else _PREDICT % body,
    }


_C = Language(
    "C",
    _PROGRAM,
    _SPLINE,
    _MODELS,
    _own,
    {
        "missing_left": "static const unsigned char {name}[] = {values};",
        "int": "static const int32_t {name}[] = {values};",
        "float": "static const float {name}[] = {values};",
        "double": "static const double {name}[] = {values};",
        "rows": "static const double {name}[][MODEL_OUTPUTS] = {{\n{values}\n}};",
        "blocks": "static const double {name}[][MODEL_OUTPUTS][MODEL_READ + 3] = {{\n{values}\n}};",
    },
    "//",
    str,
    CLists(),
    c_names,
)


def write_c(document: Document) -> bytes:
    return write_program(document, _C)
