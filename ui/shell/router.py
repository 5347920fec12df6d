"""The pages there are, how they are imported, and who may see them."""

import threading
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import streamlit as st

import ui
from treecore import learners, training
from ui.language.translate import N_, _

_LOADING = threading.Lock()

PAGES = {
    "home": (N_("Home"), ":material/park:"),
    "learn": (N_("Learn"), ":material/school:"),
    "lab": (N_("Lab"), ":material/play_circle:"),
    "library": (N_("Library"), ":material/inventory_2:"),
    "inspect": (N_("Inspect"), ":material/account_tree:"),
}
"""Name, title and icon of every page; the first one is where a visitor begins."""

DOORS = ("home", "learn", "lab", "library")
"""Pages in the menu; the others are opened from these."""

MOVED: dict[str, tuple[str, dict[str, list[str]]]] = {
    "train": ("lab", {"data": ["spirals"], "run": ["sgd"]}),
    "compare": ("lab", {}),
    "forests": ("lab", {"data": ["spirals"], "run": ["random-forest", "boosted-tao"]}),
    "tree": ("inspect", {}),
    "experiments": ("library", {}),
    "step": ("lab", {}),
}
"""Pages of before: to which one the server sends their visitors on, and what they showed where a
link said nothing."""


APP = N_("Watch decision trees learn")
"""What the app is called."""


def tab_title(page: str) -> str:
    """What the browser calls a page, by its title: the first one has the app's name."""
    home = _(next(iter(PAGES.values()))[0])
    return _(APP) if page == home else f"{page} · {_(APP)}"


def page_file(name: str) -> str:
    """The file of a page, as ``st.Page`` and ``st.page_link`` take it.

    The folder is not beside the main script, where Streamlit would take it for an app of the old
    kind: until ``st.navigation`` has been called once in a server's life, it would run the page of
    a link without the main script.
    """
    return str(Path(ui.__file__).parents[1] / "pages" / f"{name}.py")


def navigation():
    """The menu; gives the page to run. Called by ``ui/main.py``."""
    pages = [
        st.Page(
            page_file(name),
            title=_(title),
            icon=icon,
            default=name == DOORS[0],
            visibility="visible" if name in DOORS else "hidden",
        )
        for name, (title, icon) in PAGES.items()
    ]
    return st.navigation(pages, position="top")


def load() -> None:
    """Import all that pages import, in one thread and one order. Called by ``ui/main.py``.

    Each visitor has a thread. Where one of them imports a package and another one of its modules,
    they wait for each other, and Python ends that by an error in one: one of three visitors who
    went from the first page straight to the Library has seen it.
    """
    with _LOADING:
        _import_all()


@cache
def _import_all() -> None:
    """Once a process: to look through our folders takes a fifth of what a page's run takes."""
    for module in walk_packages(ui.__path__, "ui."):
        import_module(module.name)
    for package in (learners, training):  # what a run imports when it begins
        for name in dir(package):
            getattr(package, name)


def sign_in() -> None:
    """Ask for a name, by ``st.login``, where ``[auth]`` stands in ``secrets.toml``."""
    if not (st.secrets.load_if_toml_exists() and "auth" in st.secrets):
        return
    if st.user.get("is_logged_in", False):
        return
    st.title(_(APP), anchor=False)
    st.button(_("Sign in"), on_click=st.login, type="primary", icon=":material/login:")
    st.stop()
