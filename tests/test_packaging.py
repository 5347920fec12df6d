"""What is packed, declared and said of the package."""

import ast
import fnmatch
import re
import shutil
import subprocess
import sys
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.version import Version
from setuptools.command.egg_info import FileList

from tests.helpers.lowest import constraints
from tests.helpers.paths import ROOT
from treecore._version import __version__
from ui.server.routes import OURS

MODULES = {"ipython": "IPython", "python-calamine": "python_calamine", "scikit-learn": "sklearn"}
"""What is imported under another name than it is installed under."""


def test_a_source_distribution_has_every_file_that_is_kept(monkeypatch):
    """Its tests and the app run from it; what guards this repository alone is left out."""
    monkeypatch.chdir(ROOT)
    if not shutil.which("git") or not (ROOT / ".git").exists():
        pytest.skip("this is no checkout")
    kept = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True)
    packed = FileList()
    for line in (ROOT / "MANIFEST.in").read_text().splitlines():
        if not line.startswith("#"):
            packed.process_template_line(line)
    by_setuptools = ("pyproject.toml", "README.md", "LICENSE", "treecore/")
    names = {name for name in kept.stdout.splitlines() if not name.startswith(by_setuptools)}
    ours = {".gitignore", ".npmrc", ".pre-commit-config.yaml"}
    ours |= {name for name in names if name.startswith((".ci/", ".devcontainer/", ".github/"))}
    assert names - set(packed.files) == ours & names
    assert not [name for name in packed.files if "__pycache__" in name]


def imports(path):
    """The modules that a file imports, and of what it imports from them what may be one."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_everything_that_is_imported_is_declared():
    """Of a dependency's dependency nobody promises that it stays."""
    extras = PROJECT["optional-dependencies"]
    requirements = PROJECT["dependencies"] + extras["cluster"] + extras["onnx"] + extras["notebook"]
    more = ("cli", "shap", "excel", "sweep", "models", "plot")
    requirements += [text for name in more for text in extras[name]]
    declared = {Requirement(text).name for text in requirements}
    tool = ROOT / "treecore/wasm/build.py"  # run where the extra wasm is
    paths = {*(ROOT / "treecore").rglob("*.py")} - {tool}
    imported = {name.partition(".")[0] for path in paths for name in imports(path)}
    found = imported - set(sys.stdlib_module_names) - {"treecore"}
    assert found <= {MODULES.get(name, name) for name in declared}
    core = {Requirement(text).name for text in PROJECT["dependencies"]}
    assert {MODULES.get(name, name) for name in core} <= found


def test_the_version_is_in_one_place(shell):
    assert shell("--version").output.strip() == __version__
    assert PROJECT["dynamic"] == ["version"]
    assert "version" not in _citation()


def test_the_citation_file_says_what_the_format_asks_for():
    citation = _citation()
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= set(citation)
    assert citation["license"] == PROJECT["license"]


def _citation():
    yaml = pytest.importorskip("yaml")
    return yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_a_public_forge_runs_what_ci_runs_on_every_version_declared():
    yaml = pytest.importorskip("yaml")
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
    jobs = workflow["jobs"]
    declared = {text.rpartition(":: ")[2] for text in PROJECT["classifiers"] if ":: 3." in text}
    assert set(jobs["check"]["strategy"]["matrix"]["python"]) == declared
    steps = [step.get("run") for job in jobs.values() for step in job["steps"]]
    assert {".ci/run", "make docs"} <= set(steps)
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    entries = {hook["entry"] for repo in hooks["repos"] for hook in repo["hooks"]}
    assert entries <= set((ROOT / ".ci/run").read_text(encoding="utf-8").splitlines())


def test_every_dependency_has_a_lowest_version_and_none_is_pinned_below_it():
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = dict(line.lower().split("==") for line in pins)
    for line in constraints():
        name, version = line.lower().split("==")
        assert Version(pinned[name]) >= Version(version), line


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
        for name in imports(path):
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
