# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""The package: its stubs, its choice among instruction sets, the notebooks."""

import ast
import inspect
import os
import pathlib
import re
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import trellis
from trellis import _processor


def test_everything_is_documented_and_in_the_stubs():
    tree = ast.parse((pathlib.Path(trellis.__file__).parent / "__init__.pyi").read_text())
    stubs = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            stubs[node.name] = {n.name for n in node.body if isinstance(n, ast.FunctionDef)} | {
                n.target.id for n in node.body if isinstance(n, ast.AnnAssign)}
        elif isinstance(node, ast.FunctionDef):
            stubs.setdefault(node.name, set())
    for name in trellis.__all__:
        if name == "__version__":
            continue
        thing = getattr(trellis, name)
        assert inspect.getdoc(thing), name
        assert name in stubs, name
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            own = {member for member in vars(thing) if not member.startswith("_")}
            assert own <= stubs[name], f"{name}: {own - stubs[name]} not in the stubs"


def test_the_manual_names_everything(source):
    text = (source / "docs/python.md").read_text()
    missing = [name for name in trellis.__all__ if not re.search(rf"`(trellis\.)?{name}\b", text)]
    assert missing == ["__version__"] or not missing


def test_modules_for_another_python(tmp_path, monkeypatch):
    monkeypatch.setattr(_processor, "_FOLDER", tmp_path)
    monkeypatch.setattr(_processor.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match="there is no compiled module"):
        _processor.load()
    other = tmp_path / "_core.cpython-35-x86_64-linux-gnu.so"
    for place in (other, tmp_path / "x86-64-v2" / other.name):
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(b"")
        with pytest.raises(ImportError, match=r"another Python \(cpython-35-x86_64-linux-gnu\); this is .*, Python 3\.\d+, "
                                              r"which needs cpython-3\d+"):
            _processor.load()
        place.unlink()


def test_a_wheel_is_complete(source, tmp_path, monkeypatch):
    """What pip makes of this build, imported from elsewhere."""
    import os
    import subprocess
    import sys
    import zipfile
    build = pathlib.Path(trellis.__file__).parent.parent.parent
    monkeypatch.setenv("TRELLIS_PYTHON_BUILD", str(build))
    monkeypatch.syspath_prepend(source / "python")
    import build_backend
    wheel = build_backend.build_wheel(tmp_path)
    assert re.fullmatch(rf"trellis_qcd-{trellis.__version__}-cp3\d+-cp3\d+-linux_\w+\.whl", wheel)
    with zipfile.ZipFile(tmp_path / wheel) as archive:
        names = archive.namelist()
        archive.extractall(tmp_path / "site")
    record = (tmp_path / f"site/trellis_qcd-{trellis.__version__}.dist-info/RECORD").read_text()
    assert {line.split(",")[0] for line in record.splitlines()} == set(names)
    assert {"trellis/py.typed", "trellis/__init__.pyi", "trellis/results.py"} <= set(names)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    code = "import trellis; print(trellis.__file__, trellis.GaugeField.unit(trellis.Lattice((4, 4, 4, 4))).plaquette())"
    found = subprocess.run([sys.executable, "-c", code], env=environment, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert found.stdout.split() == [str(tmp_path / "site/trellis/__init__.py"), "1.0"]


def test_choice_of_an_instruction_set():
    assert _processor.choose({2, 3, 4}, 3) == 3
    assert _processor.choose({2, 4}, 3) == 2
    assert _processor.choose({2, 3}, 4, "x86-64-v2") == _processor.choose({2, 3}, 4, "v2") == 2
    for installed, level, wish, message in [({3}, 2, "", "at most x86-64-v2"), ({2, 3}, 2, "v3", "cannot run"),
                                            ({2, 3}, 3, "v4", "has x86-64-v2, x86-64-v3"), ({2}, 3, "avx", "has")]:
        with pytest.raises(ImportError, match=message):
            _processor.choose(installed, level, wish)
    assert 1 <= _processor.level_of_processor() <= 4


def test_a_solver_costs_no_more_than_in_the_program():
    """What Python adds, conversion of vectors included, to the time that the solver reports."""
    links = trellis.GaugeField.random(trellis.Lattice((8, 8, 8, 8)), seed=2)
    d = trellis.StaggeredOperator(links, 0.02)
    b = np.random.default_rng(1).normal(size=(8, 8, 8, 8, 3)) + 0j
    added = []
    for _ in range(5):
        began = time.perf_counter()
        _, report = d.solve(b)
        added.append((time.perf_counter() - began) / report.seconds - 1)
    print(f"Python adds {100 * min(added):.2f} %")
    assert min(added) < 0.05  # 2 % on a quiet machine: docs/performance.md


def test_forked_processes_compute_too():
    """A pool of processes after the parent has had threads, whose runtime knows nothing of them."""
    script = textwrap.dedent("""
        import multiprocessing, trellis
        def plaquette(seed):
            return trellis.GaugeField.random(trellis.Lattice((4, 4, 4, 4)), seed).plaquette()
        trellis.set_threads(2)
        expected = [plaquette(seed) for seed in range(4)]
        with multiprocessing.get_context("fork").Pool(2) as pool:
            assert pool.map(plaquette, range(4)) == expected
    """)
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


@pytest.mark.parametrize("level", ["", "off"])
def test_warnings_go_to_standard_error(level, tmp_path):
    file = tmp_path / "a.nersc"
    trellis.GaugeField.random(trellis.Lattice((4, 4, 4, 4)), 1).write(file)
    file.write_bytes(re.sub(rb"PLAQUETTE = [^\n]{6}", b"PLAQUETTE = 0.1234", file.read_bytes(), count=1))
    script = f"import trellis; trellis.GaugeField.read({str(file)!r}, accept_damage=True)"
    done = subprocess.run([sys.executable, "-c", script], check=True, timeout=60, capture_output=True, text=True,
                          env=os.environ | {"TRELLIS_LOG": level})
    assert done.stdout == "" and ("warning" in done.stderr) == (level == "")
