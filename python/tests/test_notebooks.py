# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""The notebooks run from their first cell to their last."""

import json
import os
import pathlib

import pytest

NOTEBOOKS = sorted((pathlib.Path(os.environ["TRELLIS_SOURCE"]) / "examples/notebooks").glob("*.ipynb"))


def test_all_are_here():
    assert [file.stem for file in NOTEBOOKS] == ["1-first-ensemble", "2-pion-mass", "3-flow-scale", "4-own-observable"]


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs(file, tmp_path, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    notebook = json.loads(file.read_text())
    names = {"__name__": "__main__"}
    for number, cell in enumerate(notebook["cells"], start=1):
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None, "notebooks are kept without output"
            exec(compile("".join(cell["source"]), f"{file.name}, cell {number}", "exec"), names)
