"""The Dockerfile says what is so: what it copies is there and is all that the app needs."""

import ast
import fnmatch
import re
import tomllib

import pytest

from tests.helpers.paths import ROOT
from ui.server.routes import OURS

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FOLDERS = ("benchmarks", "pages", "tests", "treecore", "ui")
"""Of this repository's modules."""


@pytest.fixture(scope="module")
def steps():
    """Instruction and the rest of the line, continuations joined."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", "")
    return [tuple(line.split(" ", 1)) for line in joined.splitlines() if line]


def copied(steps):
    """By source, where it is copied to."""
    found = {}
    for name, rest in steps:
        if name == "COPY":
            *sources, target = rest.split()
            found |= dict.fromkeys(sources, target)
    return found


def test_what_is_copied_is_there_and_is_sent_to_the_builder(steps):
    rules = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert rules[1] == "*", "everything is left out but what is named"
    sent = {rule[1:] for rule in rules if rule.startswith("!")}
    assert sent == set(copied(steps))
    for source in sent:
        assert (ROOT / source).exists(), source
    left_out = [rule for rule in rules[2:] if not rule.startswith("!")]
    assert ".streamlit/secrets.toml" in left_out
    assert not [name for name in sent for rule in left_out if fnmatch.fnmatch(name, rule)]


def test_all_that_the_app_imports_of_this_repository_is_copied(steps):
    """Found by what modules say they import, the app first."""
    places = [ROOT / source for source in copied(steps)]
    waiting = [ROOT / "app.py", *(ROOT / "pages").glob("*.py"), *(ROOT / "ui").rglob("*.py")]
    seen = set()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        assert any(path == place or place in path.parents for place in places), path
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            for name in names:
                if name.partition(".")[0] in FOLDERS:
                    place = ROOT.joinpath(*name.split("."))
                    candidates = [place.with_suffix(".py"), place / "__init__.py"]
                    waiting += [one for one in candidates if one.exists()]
    assert len(seen) > 200


def test_the_extras_and_the_python_are_ones_that_the_package_declares(steps):
    installed = next(rest for name, rest in steps if name == "RUN" and "pip install" in rest)
    extras = re.search(r'-e "\.\[([\w,]+)\]"', installed)[1].split(",")
    assert set(extras) <= set(PROJECT["optional-dependencies"])
    assert "-c constraints.txt" in installed
    image = re.fullmatch(
        r"python:(3\.\d+)-slim", next(rest for name, rest in steps if name == "FROM")
    )
    assert f"Programming Language :: Python :: {image[1]}" in PROJECT["classifiers"]


def test_what_runs_is_not_root_and_writes_to_the_volume_alone(steps):
    names = [name for name, _ in steps]
    assert [rest for name, rest in steps if name == "USER"] == ["trees"]
    assert names.index("USER") < names.index("CMD")
    assert not {"COPY", "ADD"} & set(names[names.index("USER") :]), "what is copied is root's"
    (variables,) = (rest for name, rest in steps if name == "ENV")
    settings = dict(one.split("=", 1) for one in variables.split())
    assert [rest for name, rest in steps if name == "VOLUME"] == ["/data"]
    places = {name: value for name, value in settings.items() if value.startswith("/")}
    assert set(places) == {"HOME", "NUMBA_CACHE_DIR", "TREECORE_RUNS", "TREECORE_SWEEPS"}
    assert all(value == "/data" or value.startswith("/data/") for value in places.values())
    sources = "".join(
        path.read_text(encoding="utf-8")
        for folder in ("treecore", "ui")
        for path in (ROOT / folder).rglob("*.py")
    )
    for name in settings:
        if name.startswith("TREECORE_"):
            assert f'"{name}"' in sources, f"{name} is read somewhere"


def test_the_health_check_asks_an_address_that_is_answered(steps):
    (check,) = (rest for name, rest in steps if name == "HEALTHCHECK")
    command = ast.literal_eval(check.partition("CMD ")[2])
    assert command[:2] == ["python", "-c"]
    compile(command[2], "health check", "exec")
    assert "'healthz'" in command[2]
    assert "/healthz" in OURS
