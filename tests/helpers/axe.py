"""What axe-core finds on a page: names, roles, order of headings, contrast and more."""

import pytest

from tests.helpers.paths import ROOT

SOURCE = ROOT / "node_modules" / "axe-core" / "axe.min.js"

FIND = """
async (rules) => {
  const only = rules.length ? { runOnly: { type: "rule", values: rules } } : {};
  const { violations } = await axe.run(document, { resultTypes: ["violations"], ...only });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`));
}
"""


def violations(page, *rules: str) -> list[str]:
    """What is wrong with a page as it is now, by all rules or by those named.

    The test ends here, skipped, where axe-core is not installed.
    """
    if not SOURCE.exists():
        pytest.skip("axe-core is not installed; `make js` installs it")
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(SOURCE.read_text(encoding="utf-8"))
    return page.evaluate(FIND, list(rules))
