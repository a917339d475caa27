# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""examples/figures.py draws what the programs in examples write."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

SCRIPT = pathlib.Path(os.environ["TRELLIS_SOURCE"]) / "examples/figures.py"


def row(name, **more):
    return {"name": name, "trellis": 2.0, "by_hand": 1.9, "unit": "GB/s", "fraction": 0.98, **more}


def scaling(machine, hand_seconds=1.1):
    return {"program": "minife", "machine": machine, "setup": "8 rows per rank",
            "rows": [row(f"CG on {ranks} ranks", ranks=ranks, seconds=1.0, hand_seconds=hand_seconds)
                     for ranks in (1, 2, 6)]}


def draw(folder, *results):
    pytest.importorskip("matplotlib")
    files = []
    for number, result in enumerate(results):
        files.append(folder / f"{number}.json")
        files[-1].write_text(json.dumps(result))
    command = [sys.executable, SCRIPT, "minife", *files, "-o", folder / "figure.svg"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_rows_are_bars(tmp_path):
    outcome = draw(tmp_path, {"program": "minife", "machine": "here", "rows": [row("CG")]})
    assert outcome.returncode == 0, outcome.stderr
    picture = (tmp_path / "figure.svg").read_text()
    assert "98 %" in picture and "seconds" not in picture


def test_ranks_are_lines_of_seconds(tmp_path):
    outcome = draw(tmp_path, scaling("one"), scaling("another", None))
    assert outcome.returncode == 0, outcome.stderr
    picture = (tmp_path / "figure.svg").read_text()
    for text in ("seconds", "ranks", "8 rows per rank", "one, Trellis", "one, by hand", "another, Trellis"):
        assert text in picture, text
    assert "another, by hand" not in picture and "GB/s" not in picture


def test_bars_and_lines_do_not_mix(tmp_path):
    outcome = draw(tmp_path, scaling("one"), {"program": "minife", "machine": "here", "rows": [row("CG")]})
    assert outcome.returncode == 1
    assert "some files have rows of ranks" in outcome.stderr
