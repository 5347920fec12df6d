"""Kernels that are compiled while the server starts."""

import subprocess

import pytest

from treecore import RunConfig
from treecore.compiling.kernel_cache import cache_folder
from ui.jobs import kernels


class Compiler:
    """A process that has ended when it is asked the third time."""

    def __init__(self, command, **more):
        self.command, self.asked = command, 0

    def poll(self):
        self.asked += 1
        return 0 if self.asked > 2 else None


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(subprocess, "Popen", Compiler)
    kernels.compile_ahead.cache_clear()
    yield
    kernels.compile_ahead.cache_clear()


def test_with_an_empty_cache_a_process_begins_for_each_method_and_else_none():
    ahead = kernels.compile_ahead()
    for method in kernels.FIRST:
        assert ahead[method].command[1:] == ["-m", "ui.jobs.kernels", method]
    assert kernels.compile_ahead() is ahead
    kernels.compile_ahead.cache_clear()
    cache_folder().mkdir(parents=True)
    (cache_folder() / "kernel").touch()
    assert kernels.compile_ahead() == {}


@pytest.mark.parametrize("method", ["sgd", "tao"])
def test_a_run_waits_for_the_process_that_compiles_its_method(method, monkeypatch):
    order = []
    monkeypatch.setattr(kernels, "warm_up", lambda report, config: order.append(config.method))
    kernels.prepare(lambda message: None, RunConfig(method))
    asked = {name: process.asked for name, process in kernels.compile_ahead().items()}
    assert asked == {name: 3 if name == method else 0 for name in kernels.FIRST}
    assert order == [method]
