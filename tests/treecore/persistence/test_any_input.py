"""Whatever is read as a tree file is one, or is refused in one sentence."""

import json

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.documents import SCHEMA
from tests.helpers.same import assert_same
from tests.helpers.spoiling import mapped, small
from treecore.core.tree import check_tree
from treecore.persistence import TreeFormatError, from_json, to_json

ANY_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-3, 5)
    | st.sampled_from([2**53, -(2**63), 10**400])
    | st.floats()
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["split", "leaf", "indices", "values", "x"]), inner)
    ),
    max_leaves=6,
)


@st.composite
def spoiled_files(draw):
    """One of the small files after random deletions, insertions, swaps and replacements."""
    content = draw(st.sampled_from([small, mapped]))()
    for _ in range(draw(st.integers(1, 3))):
        parent, key = None, None
        node = content
        while isinstance(node, dict | list) and node and (parent is None or draw(st.booleans())):
            keys = list(node) if isinstance(node, dict) else list(range(len(node)))
            parent, key = node, draw(st.sampled_from(keys))
            node = node[key]
        if parent is None:
            continue
        action = draw(st.sampled_from(["delete", "replace", "copy", "insert"]))
        if action == "delete":
            del parent[key]
        elif action == "replace":
            parent[key] = draw(ANY_JSON)
        elif action == "copy":  # its neighbour's value, which is likely of the right type
            keys = list(parent) if isinstance(parent, dict) else list(range(len(parent)))
            parent[key] = parent[draw(st.sampled_from(keys))]
        elif isinstance(parent, dict):
            parent[draw(st.text(max_size=3))] = draw(ANY_JSON)
        else:
            parent.insert(key, draw(ANY_JSON))
    return content


@given(spoiled_files())
def test_a_spoiled_file_is_refused_or_is_a_tree_that_obeys_the_schema(content):
    try:
        document = from_json(json.dumps(content))
    except TreeFormatError:
        return
    check_tree(document.tree)
    SCHEMA.validate(content)
    assert_same(from_json(to_json(document)), document)
