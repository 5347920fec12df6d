"""The addresses of pages that are the Lab now: they go on to it, with what their links say."""

import streamlit as st

from ui.shell.router import page_file

TRAIN = {"data": ["spirals"], "run": ["sgd"]}
"""What the page Train showed to whoever chose nothing else."""


def main() -> None:
    """Go on at once."""
    params = {name: st.query_params.get_all(name) for name in st.query_params}
    if st.context.url and st.context.url.split("?")[0].rstrip("/").endswith("train"):
        alone = {} if "folder" in params else TRAIN
        params = alone | params
    st.switch_page(page_file("lab"), query_params=params)


main()
