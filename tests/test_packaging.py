"""What is packed, declared and said of the package."""

import ast
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

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MODULES = {
    "ipython": "IPython",
    "python-calamine": "python_calamine",
    "scikit-learn": "sklearn",
}
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


def test_everything_that_is_imported_is_declared():
    """Of a dependency's dependency nobody promises that it stays."""
    extras = PROJECT["optional-dependencies"]
    requirements = PROJECT["dependencies"] + extras["cluster"] + extras["onnx"] + extras["notebook"]
    more = ("cli", "shap", "excel", "sweep", "models", "plot")
    requirements += [text for name in more for text in extras[name]]
    declared = {Requirement(text).name for text in requirements}
    imported = set()
    tool = ROOT / "treecore/wasm/build.py"  # run where the extra wasm is
    for path in {*(ROOT / "treecore").rglob("*.py")} - {tool}:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module.partition(".")[0])
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
